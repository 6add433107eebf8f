#include "sim/trace/event_log.h"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "model/base/check.h"
#include "model/base/name.h"
#include "model/facts/fact.h"

namespace groupsim {
namespace {

// Appends a JSON string. Names are UTF-8, which JSON takes as it is.
void AppendQuoted(absl::string_view text, std::string* out) {
  out->push_back('"');
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out->push_back('\\');
      out->push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      absl::StrAppendFormat(out, "\\u%04x", c);
    } else {
      out->push_back(c);
    }
  }
  out->push_back('"');
}

}  // namespace

EventLog::EventLog(const NameTable& names, std::ostream& out)
    : names_(names), out_(out) {
  for (const FactKindInfo& info : AllFactKinds()) {
    const auto number = static_cast<size_t>(info.kind);
    if (number >= kinds_.size()) kinds_.resize(number + 1);
    const auto is_name = [&](absl::string_view field) {
      return absl::StrContains(info.fields, absl::StrCat(field, " = name id"));
    };
    kinds_[number] = {info.name, is_name("offset"), is_name("count"),
                      is_name("value")};
  }
}

void EventLog::OnFact(const Fact& fact) {
  const auto number = static_cast<size_t>(fact.kind);
  CHECK(number < kinds_.size() && !kinds_[number].name.empty())
      << "no fact has the number " << number;
  const Kind& kind = kinds_[number];
  line_.clear();
  absl::StrAppend(&line_, "{\"time\":", fact.time.nanos(), ",\"kind\":\"",
                  kind.name, "\"");
  AppendName("host", fact.host);
  AppendName("group", fact.group);
  AppendName("topic", fact.topic);
  AppendName("broker", fact.broker);
  if (fact.queue != 0 || (fact.topic != 0 && fact.broker != 0)) {
    absl::StrAppend(&line_, ",\"queue\":", fact.queue);
  }
  AppendNumber("offset", fact.offset, kind.offset_is_name);
  AppendNumber("count", fact.count, kind.count_is_name);
  AppendNumber("value", fact.value, kind.value_is_name);
  line_ += "}\n";
  out_.write(line_.data(), static_cast<std::streamsize>(line_.size()));
}

void EventLog::AppendName(absl::string_view key, uint64_t id) {
  if (id == 0) return;
  absl::StrAppend(&line_, ",\"", key, "\":");
  AppendQuoted(names_.FromId(static_cast<uint32_t>(id)).text(), &line_);
}

void EventLog::AppendNumber(absl::string_view key, int64_t number,
                            bool is_name) {
  if (number == 0) return;
  if (is_name) {
    AppendName(key, static_cast<uint64_t>(number));
  } else {
    absl::StrAppend(&line_, ",\"", key, "\":", number);
  }
}

}  // namespace groupsim
