#include "scenarios/reader/binder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "model/base/check.h"
#include "scenarios/reader/advice.h"
#include "scenarios/schema/rule.pb.h"

namespace groupsim {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::OneofDescriptor;
using google::protobuf::Reflection;

// The digits of a whole number as JSON and C++ write them; text format also has
// hexadecimal and octal ones.
template <class Int>
bool ParseWhole(absl::string_view text, Int& number) {
  absl::string_view digits = text;
  const bool negative = !digits.empty() && digits[0] == '-';
  if (negative) digits.remove_prefix(1);
  if (digits.empty() || !absl::ascii_isdigit(digits[0])) return false;
  if (digits.size() > 1 && digits[0] == '0') {
    uint64_t magnitude = 0;
    if (digits[1] == 'x' || digits[1] == 'X') {
      if (!absl::SimpleHexAtoi(digits, &magnitude)) return false;
    } else {
      for (const char c : digits) {
        if (c < '0' || c > '7' || magnitude >> 60 != 0) return false;
        magnitude = magnitude << 3 | static_cast<uint64_t>(c - '0');
      }
    }
    return absl::SimpleAtoi(absl::StrCat(negative ? "-" : "", magnitude),
                            &number);
  }
  return absl::SimpleAtoi(text, &number);
}

bool LooksWhole(absl::string_view text) {
  if (!text.empty() && text[0] == '-') text.remove_prefix(1);
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
}

template <class Int>
bool SetWhole(absl::string_view text, const FieldDescriptor& field,
              Message& message,
              void (Reflection::*set)(Message*, const FieldDescriptor*, Int)
                  const,
              void (Reflection::*add)(Message*, const FieldDescriptor*, Int)
                  const) {
  Int parsed = 0;
  if (!ParseWhole(text, parsed)) return false;
  const Reflection& reflection = *message.GetReflection();
  (reflection.*(field.is_repeated() ? add : set))(&message, &field, parsed);
  return true;
}

bool SetDouble(absl::string_view text, const FieldDescriptor& field,
               Message& message) {
  double parsed = 0;
  if (!absl::SimpleAtod(text, &parsed) || !std::isfinite(parsed)) return false;
  message.GetReflection()->SetDouble(&message, &field, parsed);
  return true;
}

bool SetNumber(absl::string_view text, const FieldDescriptor& field,
               Message& message) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return SetWhole<int32_t>(text, field, message, &Reflection::SetInt32,
                               &Reflection::AddInt32);
    case FieldDescriptor::CPPTYPE_INT64:
      return SetWhole<int64_t>(text, field, message, &Reflection::SetInt64,
                               &Reflection::AddInt64);
    case FieldDescriptor::CPPTYPE_UINT64:
      return SetWhole<uint64_t>(text, field, message, &Reflection::SetUInt64,
                                &Reflection::AddUInt64);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return SetDouble(text, field, message);
    default:
      CHECK(false) << "the schema has a type that the reader does not know: "
                   << field.full_name();
  }
}

}  // namespace

void Binder::BindMessage(const SyntaxValue& tree, const std::string& path,
                         Message& message) {
  // What this tree has given; others may have given the same.
  std::vector<const FieldDescriptor*> given_fields;
  for (const SyntaxField& written : tree.fields) {
    if (findings_.full()) return;
    const FieldDescriptor* field =
        FindField(*message.GetDescriptor(), written.name);
    if (field == nullptr) {
      UnknownField(*message.GetDescriptor(), written, path);
      continue;
    }
    if (written.value.kind == SyntaxValue::Kind::kNull) continue;
    if (!field->is_repeated()) {
      const OneofDescriptor* choice = field->real_containing_oneof();
      const auto clash = std::find_if(
          given_fields.begin(), given_fields.end(),
          [&](const FieldDescriptor* other) {
            return other == field || (choice != nullptr &&
                                      other->real_containing_oneof() == choice);
          });
      if (clash != given_fields.end()) {
        Error(written.name_span, path,
              *clash == field
                  ? absl::StrCat(Quote(field->name()), " is given twice")
                  : absl::StrCat(Quote(field->name()), " cannot stand beside ",
                                 Quote((*clash)->name())),
              *clash == field ? "keep one of the two"
                              : "only one of a choice may be given");
        continue;
      }
      given_fields.push_back(field);
    }
    if (written.value.kind == SyntaxValue::Kind::kBroken) {
      MarkWritten(FieldPath(path, field->name()), written);
      continue;
    }
    BindField(written, *field, path, message);
  }
}

const FieldDescriptor* Binder::FindField(const Descriptor& type,
                                         const std::string& name) const {
  const FieldDescriptor* field = type.FindFieldByName(name);
  if (field == nullptr && json_) field = type.FindFieldByCamelcaseName(name);
  return field;
}

void Binder::Error(Span span, std::string path, std::string message,
                   std::string hint, std::optional<std::string> fix) {
  findings_.Add({.span = span,
                 .message = std::move(message),
                 .path = std::move(path),
                 .hint = std::move(hint),
                 .fix = std::move(fix)});
}

void Binder::UnknownField(const Descriptor& type, const SyntaxField& written,
                          const std::string& path) {
  MarkWritten(FieldPath(path, kUnknownField), written);
  Advice advice = AdviseOnField(root_, path, type, written.name);
  if (advice.fix && json_) advice.fix = absl::StrCat("\"", *advice.fix, "\"");
  Error(written.name_span, path, std::move(advice.message),
        std::move(advice.hint), std::move(advice.fix));
  if (!advice.meant.empty()) {
    MarkWritten(FieldPath(path, advice.meant), written);
  }
}

// So that a field that was meant does not count as missing as well.
void Binder::MarkWritten(std::string path, const SyntaxField& written) {
  if (places_.Find(path) != nullptr) return;
  places_.Set(std::move(path),
              {.name = written.name_span, .value = written.name_span});
}

void Binder::BindField(const SyntaxField& written, const FieldDescriptor& field,
                       const std::string& path, Message& message) {
  const SyntaxValue& value = written.value;
  if (!field.is_repeated()) {
    const std::string at = FieldPath(path, field.name());
    const OneofDescriptor* choice = field.real_containing_oneof();
    if (choice != nullptr) {
      const FieldDescriptor* before =
          message.GetReflection()->GetOneofFieldDescriptor(message, choice);
      if (before != nullptr && before != &field) {
        places_.EraseWithin(FieldPath(path, before->name()));
      }
    }
    places_.Set(at, {.name = written.name_span, .value = value.span});
    BindOne(value, field, at, message);
    return;
  }
  // A list is as good as the same field several times.
  const bool list = value.kind == SyntaxValue::Kind::kList;
  const size_t count = list ? value.items.size() : 1;
  for (size_t i = 0; i < count && !findings_.full(); ++i) {
    const SyntaxValue& item = list ? value.items[i] : value;
    const int index = message.GetReflection()->FieldSize(message, &field);
    const std::string at = FieldPath(path, field.name(), index);
    const int most = field.options().GetExtension(rule).max_count();
    if (most > 0 && index >= most) {
      // Told once, since what is beyond is not added.
      if (places_.Find(at) != nullptr) return;
      places_.Set(at, {.name = written.name_span, .value = item.span});
      Error(list ? item.span : written.name_span, at,
            absl::StrCat("at most ", most, " ", field.name(), " are allowed"));
      return;
    }
    places_.Set(
        at, {.name = list ? item.span : written.name_span, .value = item.span});
    BindOne(item, field, at, message);
  }
}

void Binder::WrongType(const SyntaxValue& value, const FieldDescriptor& field,
                       const std::string& path) {
  Advice advice = AdviseOnValue(value, field, json_);
  Error(value.span, path, std::move(advice.message), std::move(advice.hint),
        std::move(advice.fix));
}

void Binder::BindOne(const SyntaxValue& value, const FieldDescriptor& field,
                     const std::string& path, Message& message) {
  const Reflection& reflection = *message.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_MESSAGE: {
      if (value.kind != SyntaxValue::Kind::kMessage) {
        WrongType(value, field, path);
        return;
      }
      Message* part = field.is_repeated()
                          ? reflection.AddMessage(&message, &field)
                          : reflection.MutableMessage(&message, &field);
      BindMessage(value, path, *part);
      return;
    }
    case FieldDescriptor::CPPTYPE_BOOL:
      BindTruth(value, field, path, message);
      return;
    case FieldDescriptor::CPPTYPE_ENUM:
      BindEnum(value, field, path, message);
      return;
    case FieldDescriptor::CPPTYPE_STRING:
      BindText(value, field, path, message);
      return;
    default:
      BindNumber(value, field, path, message);
      return;
  }
}

void Binder::BindNumber(const SyntaxValue& value, const FieldDescriptor& field,
                        const std::string& path, Message& message) {
  // JSON has its large whole numbers in quotes.
  const bool whole = field.cpp_type() != FieldDescriptor::CPPTYPE_DOUBLE;
  const bool number =
      value.kind == SyntaxValue::Kind::kNumber ||
      (json_ && whole && value.kind == SyntaxValue::Kind::kText);
  if (number && SetNumber(value.text, field, message)) return;
  if (number && whole && LooksWhole(value.text)) {
    Error(value.span, path,
          absl::StrCat(field.name(), " is ",
                       value.text.size() <= 60 ? value.text : Quote(value.text),
                       ", which is out of range"));
    return;
  }
  WrongType(value, field, path);
}

void Binder::BindTruth(const SyntaxValue& value, const FieldDescriptor& field,
                       const std::string& path, Message& message) {
  if (value.kind != SyntaxValue::Kind::kWord ||
      (value.text != "true" && value.text != "false")) {
    WrongType(value, field, path);
    return;
  }
  message.GetReflection()->SetBool(&message, &field, value.text == "true");
}

void Binder::BindEnum(const SyntaxValue& value, const FieldDescriptor& field,
                      const std::string& path, Message& message) {
  const SyntaxValue::Kind wanted =
      json_ ? SyntaxValue::Kind::kText : SyntaxValue::Kind::kWord;
  const EnumValueDescriptor* found =
      value.kind == wanted ? field.enum_type()->FindValueByName(value.text)
                           : nullptr;
  if (found == nullptr) {
    WrongType(value, field, path);
    return;
  }
  const Reflection& reflection = *message.GetReflection();
  if (field.is_repeated()) {
    reflection.AddEnum(&message, &field, found);
  } else {
    reflection.SetEnum(&message, &field, found);
  }
}

void Binder::BindText(const SyntaxValue& value, const FieldDescriptor& field,
                      const std::string& path, Message& message) {
  // A number may stand where a size is wanted. Where it stands for a duration,
  // the check of the field will ask for its unit.
  const FieldRule::Kind kind = field.options().GetExtension(rule).kind();
  const bool amount = kind == FieldRule::SIZE || kind == FieldRule::AMOUNT ||
                      kind == FieldRule::DURATION;
  const bool plain =
      value.kind == SyntaxValue::Kind::kNumber && LooksWhole(value.text);
  if (value.kind != SyntaxValue::Kind::kText && !(amount && plain)) {
    WrongType(value, field, path);
    return;
  }
  const Reflection& reflection = *message.GetReflection();
  if (field.is_repeated()) {
    reflection.AddString(&message, &field, value.text);
  } else {
    reflection.SetString(&message, &field, value.text);
  }
}

std::string FieldPath(absl::string_view path, absl::string_view field) {
  return absl::StrCat(path, path.empty() ? "" : ".", field);
}

std::string FieldPath(absl::string_view path, absl::string_view field,
                      int index) {
  return absl::StrCat(path, path.empty() ? "" : ".", field, "[", index, "]");
}

}  // namespace groupsim
