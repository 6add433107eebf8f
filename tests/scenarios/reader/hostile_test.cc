// Input that nobody should have written: it gets an error, soon.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "scenarios/reader/reader.h"

namespace groupsim {
namespace {

using testing::HasSubstr;

std::string Print(const std::string& text,
                  ScenarioForm form = ScenarioForm::kText) {
  const Source source{.name = "s", .text = text};
  return ReadScenario(source, form).findings.Format(source);
}

std::string Repeat(absl::string_view part, size_t times) {
  std::string text;
  text.reserve(part.size() * times);
  for (size_t i = 0; i < times; ++i) absl::StrAppend(&text, part);
  return text;
}

constexpr size_t kMany = 100'000;

TEST(HostileTest, DeepNestingIsRefused) {
  for (const absl::string_view part :
       {"group{", "a{", "a<", "often{bimodal{", "a:[{"}) {
    EXPECT_THAT(Print(Repeat(part, kMany)), HasSubstr("nested deeper than 100"))
        << part;
  }
  EXPECT_THAT(Print(absl::StrCat("a:", Repeat("[", kMany))),
              HasSubstr("nested deeper than 100"));
  for (const absl::string_view part : {"{\"a\":", "{\"a\":[", "[{\"a\":"}) {
    const std::string text = absl::StrCat("{\"b\":", Repeat(part, kMany));
    EXPECT_THAT(Print(text, ScenarioForm::kJson),
                HasSubstr("nested deeper than 100"))
        << part;
  }
  // What closes too much, or in the wrong order.
  for (const absl::string_view part : {"]", "}", "{]", "[}", "<}", "{[>"}) {
    EXPECT_THAT(Print(absl::StrCat("a {", Repeat(part, kMany))),
                HasSubstr("error: "))
        << part;
  }
  // Nested mixtures, which the schema allows to any depth.
  std::string law = "constant: '1ms'";
  for (int i = 0; i < 40; ++i) {
    law = absl::StrCat("bimodal { often { constant: '1ms' } seldom { ", law,
                       " } seldom_per_mille: 1 }");
  }
  EXPECT_THAT(Print(absl::StrCat("group { name: 'g' consumer { name: 'c' } "
                                 "listener { service_time { ",
                                 law, " } } }")),
              HasSubstr("error: "));
}

TEST(HostileTest, NestingInTheBinaryFormIsRefused) {
  // group.listener.service_time.bimodal.often.bimodal...: each level is a field
  // number with its length.
  std::string bytes;
  for (int i = 0; i < 200; ++i) {
    for (const char tag : {'\x0a', '\x2a'}) {  // often = 1, bimodal = 5.
      std::string length;
      for (size_t left = bytes.size();; left >>= 7) {
        length += static_cast<char>((left & 0x7F) | (left > 0x7F ? 0x80 : 0));
        if (left <= 0x7F) break;
      }
      bytes = absl::StrCat(std::string(1, tag), length, bytes);
    }
  }
  Scenario scenario;
  scenario.add_group();
  EXPECT_THAT(Print(bytes, ScenarioForm::kBinary), HasSubstr("error: "));
}

TEST(HostileTest, RubbishIsRefused) {
  EXPECT_EQ(Print(""), "s: error: the file is empty\n");
  EXPECT_EQ(Print(" \n\t\r\n", ScenarioForm::kJson),
            "s: error: the file is empty\n");
  EXPECT_EQ(Print("", ScenarioForm::kBinary), "s: error: the file is empty\n");
  EXPECT_EQ(Print(std::string("\x7f\x45LF\x02\0\0\x01", 8)),
            "s:1:1: error: this is not a text: it holds control characters\n"
            "  1 | ?ELF????\n"
            "    | ^\n"
            "  if this is the binary form, give the file a name that ends in "
            ".binpb\n");
  EXPECT_THAT(Print("title: \"\xff\xfe\""),
              HasSubstr("s:1:9: error: this byte is no UTF-8"));
  std::string noise;
  uint64_t state = 88172645463325252;
  for (int i = 0; i < 100'000; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    noise += static_cast<char>(state);
  }
  for (const ScenarioForm form :
       {ScenarioForm::kText, ScenarioForm::kJson, ScenarioForm::kBinary}) {
    EXPECT_THAT(Print(noise, form), HasSubstr("error: "));
  }
  for (char& c : noise) c = static_cast<char>(32 + (c & 0x3F));
  EXPECT_THAT(Print(noise), HasSubstr("error: "));
}

// Every text cut short, and every byte replaced, ends in a reading or an error.
TEST(HostileTest, DamagedScenariosAreReadOrRefused) {
  const std::string good =
      "seed: 1 group { name: 'g' consumer { name: 'c' } listener { "
      "service_time { uniform { min: '1ms' max: '2ms' } } } }\n"
      "at { time: '1s' crash { consumer: ['c'] } } # end";
  ASSERT_EQ(Print(good), "");
  for (size_t i = 0; i < good.size(); ++i) {
    Print(good.substr(0, i));
    for (const char c : {'{', '}', '"', '\'', '\\', '[', ':', '\n', '#', '-'}) {
      std::string damaged = good;
      damaged[i] = c;
      Print(damaged);
    }
  }
}

// Points of a rate: `count` of them, so many nanoseconds apart.
std::string Points(int count, int64_t nanos, int64_t rate) {
  std::string points;
  for (int i = 0; i < count; ++i) {
    absl::StrAppend(&points, "point { time: '", i * nanos,
                    "ns' per_second: ", i % 7 == 0 ? 0 : rate, " } ");
  }
  return points;
}

constexpr absl::string_view kOneConsumer =
    " group { name: 'g' consumer { name: 'c' } } ";

// Messages are counted by areas: no peak is too short to be seen.
TEST(HostileTest, ShortPeaksCount) {
  constexpr absl::string_view kTooMany =
      "the scenario has about 200001000 messages; at most 200000000 are "
      "allowed";
  std::string peaks = "point { time: '0s' per_second: 1 } ";
  // A fifth of a second of every second, between those that whoever looks
  // twice a second sees.
  for (int i = 0; i < 1'000; ++i) {
    absl::StrAppend(&peaks, "point { time: '", i,
                    ".2s' per_second: 1000000 } point { time: '", i,
                    ".4s' per_second: 1 } ");
  }
  EXPECT_THAT(Print(absl::StrCat("duration: '1000s' producer { rate { step { ",
                                 peaks, "} } }", kOneConsumer)),
              HasSubstr("the scenario has about 200000800 messages; at most "
                        "200000000 are allowed"));
  // Once in thirty days.
  EXPECT_THAT(
      Print(absl::StrCat("duration: '30d' producer { rate { step { "
                         "point { time: '1h' per_second: 1000000 } "
                         "point { time: '1h3m20s' per_second: 0 } "
                         "point { time: '2h' per_second: 1 } "
                         "point { time: '2h16m40s' per_second: 0 } } } }",
                         kOneConsumer)),
      HasSubstr(std::string(kTooMany)));
}

// A rate goes on where it was, whatever else may begin meanwhile.
TEST(HostileTest, WhatWaitsForAFactDoesNotMakeARampBeginAnew) {
  std::string text =
      "duration: '1000s' producer { rate { ramp { from_per_second: 0 "
      "to_per_second: 1000000 over: '100s' } } }";
  for (int i = 1; i < 500; ++i) {
    absl::StrAppend(&text, "at { after { fact: STORED from: '", 2 * i,
                    "s' } change_rate { rate { per_second: 1 } } } ");
  }
  EXPECT_THAT(Print(absl::StrCat(text, kOneConsumer)),
              HasSubstr("the scenario has about 95000"));
}

// Every change may bring a message at once.
TEST(HostileTest, ChangesThatBeginWithAMessageCount) {
  std::string text = "duration: '1000s' ";
  for (int i = 0; i < 250; ++i) {
    absl::StrAppend(&text, "producer { name: 'p", i, "' topic: 't'",
                    " rate { every: '30d' } } ");
  }
  absl::StrAppend(&text, "topic { name: 't' } at { every: '1ms' ",
                  "change_rate { rate { every: '30d' } } }");
  EXPECT_THAT(Print(absl::StrCat(text, kOneConsumer)),
              HasSubstr("the scenario has about 250000000 messages"));
}

// Rates of ten thousand points, a million times.
TEST(HostileTest, ManyChangesToLongRatesAreCountedSoon) {
  for (const absl::string_view form : {"step", "recorded", "daily"}) {
    const std::string text = absl::StrCat(
        "duration: '1000s' producer { rate { per_second: 1 } } "
        "at { every: '1ms' change_rate { rate { ",
        form, " { ", Points(10'000, 1, 1'000'000), " } } } }", kOneConsumer);
    EXPECT_THAT(Print(text), HasSubstr("messages; at most 200000000"));
  }
  // Many producers, each of them with such a rate.
  std::string text = "duration: '1000s' ";
  for (int i = 0; i < 100; ++i) {
    absl::StrAppend(&text, "producer { name: 'p", i, "' rate { recorded { ",
                    Points(1'000, 1'000'000, 10), " } } } ");
  }
  EXPECT_EQ(
      Print(absl::StrCat(text, "at { every: '1s' change_rate { rate { ",
                         "burst { per_second: 1 burst_per_second: 10 ",
                         "every: '1ms' lasts: '1ms' } } } }", kOneConsumer)),
      "");
}

// A rate that is wrong is told, not counted.
TEST(HostileTest, RatesWithoutSenseAreRefused) {
  for (const absl::string_view rate :
       {"per_second: -5", "per_second: 9223372036854775807", "every: '0s'",
        "every: '-1s'", "every: 'x'",
        "ramp { from_per_second: -1 to_per_second: 1 }",
        "ramp { to_per_second: 1 over: '99999d' }",
        "burst { per_second: 1 burst_per_second: 1 every: '0s' lasts: '0s' }",
        "step { }",
        "step { point { time: '2s' per_second: 1 } "
        "point { time: '1s' per_second: 1 } }",
        "recorded { point { time: '9999999d' per_second: 1 } }",
        "daily { point { time: '25h' per_second: 1 } }", ""}) {
    const std::string producer =
        absl::StrCat("producer { rate { ", rate, " } } ", kOneConsumer);
    EXPECT_THAT(Print(producer), HasSubstr("error: ")) << rate;
    EXPECT_THAT(Print(absl::StrCat("producer { rate { per_second: 1 } } ",
                                   "at { every: '1ms' change_rate { rate { ",
                                   rate, " } } } ", kOneConsumer)),
                HasSubstr("error: "))
        << rate;
  }
}

TEST(HostileTest, AbsurdNumbersAreRefused) {
  const auto group = [](const std::string& consumer) {
    return Print("group { name: 'g' consumer { name: 'c' " + consumer + " } }");
  };
  EXPECT_THAT(group("count: 1000000000"),
              HasSubstr("error: count is 1000000000; it must be 1 to 10000"));
  EXPECT_THAT(
      group("count: 99999999999999999999"),
      HasSubstr("count is 99999999999999999999, which is out of range"));
  EXPECT_THAT(group("count: -1"),
              HasSubstr("count is -1; it must be 1 to 10000"));
  EXPECT_THAT(group("count: 1.5"), HasSubstr("count must be a whole number"));
  EXPECT_THAT(group("count: 5x"), HasSubstr("count must be a whole number"));
  const std::string rest = " group { name: 'g' consumer { name: 'c' } }";
  EXPECT_THAT(Print("topic { name: 't' queues_per_broker: 0 }" + rest),
              HasSubstr("queues_per_broker is 0; it must be 1 to 10000"));
  EXPECT_THAT(Print("duration: '0s'" + rest),
              HasSubstr("duration is 0s; it must be 1ms to 30d"));
  EXPECT_THAT(Print("duration: '-10m'" + rest),
              HasSubstr("it must not be negative"));
  EXPECT_THAT(Print("duration: '1000000d'" + rest),
              HasSubstr("the number is too large"));
  EXPECT_THAT(Print("seed: -1" + rest),
              HasSubstr("seed is -1, which is out of range"));
  for (const std::string number : {"nan", "inf", "-inf", "1e999"}) {
    EXPECT_THAT(Print("expect { jain { at_least: " + number + " } }" + rest),
                HasSubstr("at_least must be a number"))
        << number;
  }
}

// What might be looked through again and again.
TEST(HostileTest, LongLinesAreReadOnce) {
  for (const absl::string_view part :
       {"\"{\\", "\"a{'", "a{", "a:b ", "x-y:z ", "\xE2\x80\x9C", "/*", "//",
        "a#0 ", "# groupsim: allow(x)\n", "1,000,", "\xC2\xA0", "- "}) {
    EXPECT_THAT(Print(Repeat(part, kMany)), HasSubstr("error: ")) << part;
    EXPECT_THAT(
        Print(absl::StrCat(std::string(kMany, ' '), Repeat(part, kMany))),
        HasSubstr("error: "))
        << part;
  }
}

TEST(HostileTest, ManyErrorsAreToldInPart) {
  EXPECT_THAT(Print(Repeat("x: 1\n", kMany)), HasSubstr("s: and "));
  EXPECT_THAT(Print(Repeat("}\n", kMany)), HasSubstr("s: and "));
  EXPECT_THAT(Print(absl::StrCat(
                  "group { name: 'g' consumer { name: 'x' } } ",
                  Repeat("at { time: '1s' stop { consumer: 'x' } } ", 20'000))),
              HasSubstr("at most 10000 at are allowed"));
}

TEST(HostileTest, ManyTopicsThatGrowManyTimesAreReadSoon) {
  std::string text =
      "group { name: 'g' subscribe { topic: 't0' } consumer { name: 'x' } } "
      "duration: '1m' ";
  for (int i = 0; i < 10'000; ++i) {
    absl::StrAppend(&text, "topic { name: 't", i, "' queues_per_broker: 1 } ",
                    "at { every: '1m' add_queues { topic: 't", i % 2,
                    "' queues: 1 } } ");
  }
  EXPECT_EQ(Print(text), "");
}

TEST(HostileTest, FilesThatCannotBeReadSayWhy) {
  const std::string folder = testing::TempDir();
  EXPECT_EQ(LoadSource(folder + "/none").status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(LoadSource(folder).status().message(),
            "this is a folder, not a file");
  const std::string large = folder + "/large.textproto";
  std::ofstream(large) << std::string(kLargestScenarioFile + 1, ' ');
  EXPECT_EQ(LoadSource(large).status().message(),
            "the file is larger than 4 MiB, the most that is read");
  EXPECT_EQ(LoadSource(large).status().code(),
            absl::StatusCode::kInvalidArgument);
  // A file without end.
  EXPECT_EQ(LoadSource("/dev/zero").status().code(),
            absl::StatusCode::kInvalidArgument);
  if (geteuid() != 0) {
    const std::string secret = folder + "/secret.textproto";
    std::ofstream(secret) << "seed: 1";
    chmod(secret.c_str(), 0);
    EXPECT_EQ(LoadSource(secret).status().code(),
              absl::StatusCode::kPermissionDenied);
  }
}

}  // namespace
}  // namespace groupsim
