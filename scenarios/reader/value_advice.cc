#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "scenarios/reader/advice.h"
#include "scenarios/reader/nearest.h"

namespace groupsim {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using Kind = SyntaxValue::Kind;

bool IsWhole(const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
    case FieldDescriptor::CPPTYPE_INT64:
    case FieldDescriptor::CPPTYPE_UINT32:
    case FieldDescriptor::CPPTYPE_UINT64:
      return true;
    default:
      return false;
  }
}

bool IsNumber(const FieldDescriptor& field) {
  return IsWhole(field) ||
         field.cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE ||
         field.cpp_type() == FieldDescriptor::CPPTYPE_FLOAT;
}

FieldRule::Kind KindOf(const FieldDescriptor& field) {
  return field.options().GetExtension(rule).kind();
}

std::vector<absl::string_view> ValueNames(const EnumDescriptor& type) {
  std::vector<absl::string_view> names;
  for (int i = 0; i < type.value_count(); ++i) {
    names.push_back(type.value(i)->name());
  }
  return names;
}

// What a field holds, for messages to people. Of many values of an enumeration
// the ones like `wrong`.
std::string DescribeType(const FieldDescriptor& field,
                         absl::string_view wrong) {
  if (IsWhole(field)) return "a whole number";
  if (IsNumber(field)) return "a number";
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return "true or false";
    case FieldDescriptor::CPPTYPE_ENUM: {
      constexpr size_t kMost = 8;
      std::vector<absl::string_view> names = ValueNames(*field.enum_type());
      if (names.size() > kMost) {
        names = NearestFirst(absl::AsciiStrToUpper(wrong), std::move(names));
      }
      return ListPlainNames(names, "or", kMost);
    }
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return absl::StrCat(field.message_type()->name(), " in braces");
    default:
      return "a text in quotes";
  }
}

std::string DescribeValue(const SyntaxValue& value) {
  switch (value.kind) {
    case Kind::kMessage:
      return "a message in braces";
    case Kind::kList:
      return "a list";
    case Kind::kText:
      return absl::StrCat("the text ", Quote(value.text));
    default:
      return value.text.size() <= 60 ? value.text : Quote(value.text);
  }
}

std::string Quoted(absl::string_view text) {
  return absl::StrCat("\"", text, "\"");
}

// A value as it would be written.
std::string Written(const SyntaxValue& value) {
  return value.kind == Kind::kNumber ? value.text : Quoted(value.text);
}

// The whole number that was meant by "1_000", "10k", "5.0" or "1e3"; "" if that
// cannot be known.
std::string WholeNumber(absl::string_view text) {
  std::string digits = absl::StrReplaceAll(absl::StripAsciiWhitespace(text),
                                           {{"_", ""}, {",", ""}});
  absl::string_view zeros;
  if (!digits.empty()) {
    switch (absl::ascii_tolower(digits.back())) {
      case 'k':
        zeros = "000";
        break;
      case 'm':
        zeros = "000000";
        break;
      default:
        break;
    }
  }
  if (!zeros.empty()) digits.pop_back();
  double number = 0;
  constexpr double kMost = 1e15;
  if (!absl::SimpleAtod(digits, &number) || !(number > -kMost) ||
      !(number < kMost)) {
    return "";
  }
  const int64_t whole = static_cast<int64_t>(number);
  if (static_cast<double>(whole) != number) return "";
  return absl::StrCat(whole, zeros);
}

void Suggest(Advice& advice, absl::string_view right) {
  advice.hint = absl::StrCat("did you mean ", right, "?");
  advice.fix = std::string(right);
}

// ---- By what is wanted

void AdviseOnTruth(const SyntaxValue& value, Advice& advice) {
  const std::string word = absl::AsciiStrToLower(value.text);
  for (const absl::string_view yes : {"true", "yes", "on", "1", "t", "y"}) {
    if (word == yes) Suggest(advice, "true");
  }
  for (const absl::string_view no : {"false", "no", "off", "0", "f", "n"}) {
    if (word == no) Suggest(advice, "false");
  }
  if (value.kind == Kind::kText && advice.fix) {
    advice.hint = absl::StrCat("write ", *advice.fix, " without quotes");
  }
}

void AdviseOnNumber(const SyntaxValue& value, const FieldDescriptor& field,
                    Advice& advice) {
  double number = 0;
  if (value.kind == Kind::kText) {
    if (absl::SimpleAtod(value.text, &number)) {
      advice.hint = absl::StrCat("write ", value.text, " without quotes");
      advice.fix = value.text;
      return;
    }
  }
  if (value.kind == Kind::kMessage || value.kind == Kind::kList) {
    advice.hint = absl::StrCat("write: ", field.name(), ": 1");
    return;
  }
  const std::string word = absl::AsciiStrToLower(value.text);
  if (word == "nan" || absl::StrContains(word, "inf")) {
    advice.hint = "leave the field out where there is no limit";
    return;
  }
  const std::string whole = WholeNumber(value.text);
  if (!whole.empty()) Suggest(advice, whole);
}

void AdviseOnEnum(const SyntaxValue& value, const FieldDescriptor& field,
                  bool json, Advice& advice) {
  const std::string name = absl::AsciiStrToUpper(SnakeCase(value.text));
  const std::vector<absl::string_view> names = ValueNames(*field.enum_type());
  const bool exact = field.enum_type()->FindValueByName(value.text) != nullptr;
  const absl::string_view nearest = NearestName(name, names);
  if (nearest.empty()) return;
  const std::string right = json ? Quoted(nearest) : std::string(nearest);
  advice.fix = right;
  if (exact) {
    advice.message = absl::StrCat(
        field.name(),
        json ? " stands in quotes in JSON: " : " stands without quotes: ",
        right);
  } else {
    advice.hint = absl::StrCat("did you mean ", right, "?");
  }
}

void AdviseOnText(const SyntaxValue& value, const FieldDescriptor& field,
                  bool json, Advice& advice) {
  const FieldRule::Kind kind = KindOf(field);
  if (value.kind == Kind::kMessage) {
    absl::string_view example = "\"...\"";
    if (kind == FieldRule::DURATION || kind == FieldRule::AMOUNT) {
      example = "\"30s\"";
    } else if (kind == FieldRule::SIZE) {
      example = "\"4KiB\"";
    }
    if (json) {
      advice.hint = absl::StrCat("such as ", example);
    } else {
      advice.hint = absl::StrCat("write: ", field.name(), ": ", example);
    }
    return;
  }
  if (value.kind == Kind::kList) return;
  if (absl::StrContains(value.text, "\"") ||
      absl::StrContains(value.text, "\\")) {
    return;
  }
  advice.hint = absl::StrCat("write ", Quote(value.text));
  advice.fix = Quoted(value.text);
}

// The field of `type` that a bare `value` was meant for; null if that is not
// clear.
const FieldDescriptor* FieldFor(const SyntaxValue& value,
                                const Descriptor& type) {
  const bool number = value.kind == Kind::kNumber;
  const auto fits = [number](const FieldDescriptor& field) {
    if (field.options().GetExtension(rule).has_not_yet()) return false;
    const FieldRule::Kind kind = KindOf(field);
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
      return !number || kind == FieldRule::SIZE || kind == FieldRule::AMOUNT;
    }
    return number && IsNumber(field);
  };
  // The usual ones first, as a name or the bound of an expectation.
  for (const char* const usual :
       {"name", "constant", "per_second", "every", "at_most", "within", "topic",
        "consumer", "group"}) {
    const FieldDescriptor* field = type.FindFieldByName(usual);
    if (field != nullptr && fits(*field)) return field;
  }
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    if (field.options().GetExtension(rule).required() && fits(field)) {
      return &field;
    }
  }
  return nullptr;
}

void AdviseOnMessage(const SyntaxValue& value, const FieldDescriptor& field,
                     bool json, Advice& advice) {
  const Descriptor& type = *field.message_type();
  if (value.kind == Kind::kList) {
    advice.message =
        absl::StrCat(field.name(), " is one ", type.name(), ", not a list");
    return;
  }
  advice.message = absl::StrCat(field.name(), " is a ", type.name(),
                                " in braces, not ", DescribeValue(value));
  const std::string name(SnakeCase(value.text));
  const FieldDescriptor* choice = type.FindFieldByName(name);
  if (choice != nullptr && choice->message_type() != nullptr) {
    advice.fix = json ? absl::StrCat("{", Quoted(name), ": {}}")
                      : absl::StrCat("{ ", name, " {} }");
  } else if (const FieldDescriptor* inner = FieldFor(value, type);
             inner != nullptr && !absl::StrContains(value.text, "\"")) {
    advice.fix =
        json ? absl::StrCat("{", Quoted(inner->name()), ": ", Written(value),
                            "}")
             : absl::StrCat("{ ", inner->name(), ": ", Written(value), " }");
  }
  if (advice.fix) {
    advice.hint = json
                      ? absl::StrCat("write ", *advice.fix)
                      : absl::StrCat("write: ", field.name(), " ", *advice.fix);
  } else if (!json) {
    advice.hint = absl::StrCat("write: ", field.name(), " { ... }");
  }
}

}  // namespace

Advice AdviseOnValue(const SyntaxValue& value, const FieldDescriptor& field,
                     bool json) {
  Advice advice;
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
    AdviseOnMessage(value, field, json, advice);
    return advice;
  }
  advice.message =
      absl::StrCat(field.name(), " must be ", DescribeType(field, value.text),
                   ", not ", DescribeValue(value));
  if (value.kind == Kind::kList) {
    advice.message = absl::StrCat(field.name(), " is one value, not a list");
    if (value.items.size() == 1) advice.hint = "write it without the brackets";
    return advice;
  }
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      AdviseOnTruth(value, advice);
      break;
    case FieldDescriptor::CPPTYPE_ENUM:
      AdviseOnEnum(value, field, json, advice);
      break;
    case FieldDescriptor::CPPTYPE_STRING:
      AdviseOnText(value, field, json, advice);
      break;
    default:
      AdviseOnNumber(value, field, advice);
      break;
  }
  return advice;
}

}  // namespace groupsim
