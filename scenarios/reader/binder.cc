#include "scenarios/reader/binder.h"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "model/base/check.h"
#include "scenarios/schema/rule.pb.h"

namespace groupsim {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::OneofDescriptor;
using google::protobuf::Reflection;

// What a field holds, for messages to people.
std::string DescribeType(const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
    case FieldDescriptor::CPPTYPE_INT64:
    case FieldDescriptor::CPPTYPE_UINT32:
    case FieldDescriptor::CPPTYPE_UINT64:
      return "a whole number";
    case FieldDescriptor::CPPTYPE_DOUBLE:
    case FieldDescriptor::CPPTYPE_FLOAT:
      return "a number";
    case FieldDescriptor::CPPTYPE_BOOL:
      return "true or false";
    case FieldDescriptor::CPPTYPE_ENUM: {
      std::string names;
      const EnumDescriptor& type = *field.enum_type();
      for (int i = 0; i < type.value_count(); ++i) {
        if (i > 0) names += i + 1 == type.value_count() ? " or " : ", ";
        names += type.value(i)->name();
      }
      return names;
    }
    case FieldDescriptor::CPPTYPE_STRING:
      return "a text in quotes";
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return absl::StrCat(field.message_type()->name(), " in braces");
  }
  return "a value";
}

std::string DescribeValue(const SyntaxValue& value) {
  switch (value.kind) {
    case SyntaxValue::Kind::kMessage:
      return "a message in braces";
    case SyntaxValue::Kind::kList:
      return "a list";
    case SyntaxValue::Kind::kText:
      return absl::StrCat("the text ", Quote(value.text));
    default:
      return value.text.size() <= 60 ? value.text : Quote(value.text);
  }
}

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
  if (text.empty()) return false;
  for (const char c : text) {
    if (!absl::ascii_isdigit(c)) return false;
  }
  return true;
}

class Binder {
 public:
  Binder(bool json, FieldPlaces& places, Findings& findings)
      : json_(json), places_(places), findings_(findings) {}

  void BindMessage(const SyntaxValue& tree, const std::string& path,
                   Message& message) {
    for (const SyntaxField& written : tree.fields) {
      if (findings_.full()) return;
      const FieldDescriptor* field =
          FindField(*message.GetDescriptor(), written.name);
      if (field == nullptr) {
        UnknownField(*message.GetDescriptor(), written, path);
        continue;
      }
      if (written.value.kind == SyntaxValue::Kind::kNull) continue;
      if (written.value.kind == SyntaxValue::Kind::kBroken) {
        MarkWritten(FieldPath(path, field->name()), written);
        continue;
      }
      if (!MayBeSet(message, *field, written, path)) continue;
      BindField(written, *field, path, message);
    }
  }

 private:
  const FieldDescriptor* FindField(const Descriptor& type,
                                   const std::string& name) const {
    const FieldDescriptor* field = type.FindFieldByName(name);
    if (field == nullptr && json_) field = type.FindFieldByCamelcaseName(name);
    return field;
  }

  void Error(Span span, std::string path, std::string message,
             std::string hint = "") {
    findings_.Add({.span = span,
                   .message = std::move(message),
                   .path = std::move(path),
                   .hint = std::move(hint)});
  }

  void UnknownField(const Descriptor& type, const SyntaxField& written,
                    const std::string& path) {
    MarkWritten(FieldPath(path, kUnknownField), written);
    std::vector<absl::string_view> names;
    for (int i = 0; i < type.field_count(); ++i) {
      names.push_back(type.field(i)->name());
    }
    const absl::string_view nearest = NearestName(written.name, names);
    Error(written.name_span, path,
          absl::StrCat("no field ", Quote(written.name), " in ", type.name()),
          DidYouMean(nearest));
    if (!nearest.empty()) MarkWritten(FieldPath(path, nearest), written);
  }

  // So that a field that was meant does not count as missing as well.
  void MarkWritten(std::string path, const SyntaxField& written) {
    if (places_.Find(path) != nullptr) return;
    places_.Set(std::move(path),
                {.name = written.name_span, .value = written.name_span});
  }

  // Tells a field given twice, and one whose place in a choice is taken.
  bool MayBeSet(const Message& message, const FieldDescriptor& field,
                const SyntaxField& written, const std::string& path) {
    const Reflection& reflection = *message.GetReflection();
    if (field.is_repeated()) return true;
    if (reflection.HasField(message, &field)) {
      Error(written.name_span, path,
            absl::StrCat(Quote(field.name()), " is given twice"));
      return false;
    }
    const OneofDescriptor* choice = field.real_containing_oneof();
    if (choice == nullptr || !reflection.HasOneof(message, choice)) return true;
    Error(
        written.name_span, path,
        absl::StrCat(
            Quote(field.name()), " cannot stand beside ",
            Quote(
                reflection.GetOneofFieldDescriptor(message, choice)->name())));
    return false;
  }

  void BindField(const SyntaxField& written, const FieldDescriptor& field,
                 const std::string& path, Message& message) {
    const SyntaxValue& value = written.value;
    if (!field.is_repeated()) {
      const std::string at = FieldPath(path, field.name());
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
        Error(
            list ? item.span : written.name_span, at,
            absl::StrCat("at most ", most, " ", field.name(), " are allowed"));
        return;
      }
      places_.Set(at, {.name = list ? item.span : written.name_span,
                       .value = item.span});
      BindOne(item, field, at, message);
    }
  }

  void WrongType(const SyntaxValue& value, const FieldDescriptor& field,
                 const std::string& path, std::string hint = "") {
    Error(value.span, path,
          absl::StrCat(field.name(), " must be ", DescribeType(field), ", not ",
                       DescribeValue(value)),
          std::move(hint));
  }

  // Sets the field, or adds an element to it.
  void BindOne(const SyntaxValue& value, const FieldDescriptor& field,
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
      case FieldDescriptor::CPPTYPE_INT32:
        BindWhole<int32_t>(value, field, path, message, &Reflection::SetInt32,
                           &Reflection::AddInt32);
        return;
      case FieldDescriptor::CPPTYPE_INT64:
        BindWhole<int64_t>(value, field, path, message, &Reflection::SetInt64,
                           &Reflection::AddInt64);
        return;
      case FieldDescriptor::CPPTYPE_UINT64:
        BindWhole<uint64_t>(value, field, path, message, &Reflection::SetUInt64,
                            &Reflection::AddUInt64);
        return;
      case FieldDescriptor::CPPTYPE_DOUBLE:
        BindDouble(value, field, path, message);
        return;
      case FieldDescriptor::CPPTYPE_BOOL:
        if (value.kind != SyntaxValue::Kind::kWord ||
            (value.text != "true" && value.text != "false")) {
          WrongType(value, field, path);
          return;
        }
        reflection.SetBool(&message, &field, value.text == "true");
        return;
      case FieldDescriptor::CPPTYPE_ENUM:
        BindEnum(value, field, path, message);
        return;
      case FieldDescriptor::CPPTYPE_STRING:
        BindText(value, field, path, message);
        return;
      default:
        CHECK(false) << "the schema has a type that the reader does not know: "
                     << field.full_name();
    }
  }

  template <class Int>
  void BindWhole(const SyntaxValue& value, const FieldDescriptor& field,
                 const std::string& path, Message& message,
                 void (Reflection::*set)(Message*, const FieldDescriptor*, Int)
                     const,
                 void (Reflection::*add)(Message*, const FieldDescriptor*, Int)
                     const) {
    // JSON has its large numbers in quotes.
    const bool number = value.kind == SyntaxValue::Kind::kNumber ||
                        (json_ && value.kind == SyntaxValue::Kind::kText);
    Int parsed = 0;
    if (!number || !ParseWhole(value.text, parsed)) {
      if (number && LooksWhole(value.text)) {
        Error(value.span, path,
              absl::StrCat(field.name(), " is ", DescribeValue(value),
                           ", which is out of range"));
      } else {
        WrongType(value, field, path);
      }
      return;
    }
    const Reflection& reflection = *message.GetReflection();
    (reflection.*(field.is_repeated() ? add : set))(&message, &field, parsed);
  }

  void BindDouble(const SyntaxValue& value, const FieldDescriptor& field,
                  const std::string& path, Message& message) {
    double parsed = 0;
    const bool number = value.kind == SyntaxValue::Kind::kNumber;
    if (!number || !absl::SimpleAtod(value.text, &parsed) ||
        !std::isfinite(parsed)) {
      WrongType(value, field, path);
      return;
    }
    message.GetReflection()->SetDouble(&message, &field, parsed);
  }

  void BindEnum(const SyntaxValue& value, const FieldDescriptor& field,
                const std::string& path, Message& message) {
    const SyntaxValue::Kind wanted =
        json_ ? SyntaxValue::Kind::kText : SyntaxValue::Kind::kWord;
    if (value.kind != wanted) {
      WrongType(value, field, path);
      return;
    }
    const EnumDescriptor& type = *field.enum_type();
    const EnumValueDescriptor* found = type.FindValueByName(value.text);
    if (found != nullptr) {
      message.GetReflection()->SetEnum(&message, &field, found);
      return;
    }
    std::vector<absl::string_view> names;
    for (int i = 0; i < type.value_count(); ++i) {
      names.push_back(type.value(i)->name());
    }
    WrongType(
        value, field, path,
        DidYouMean(NearestName(absl::AsciiStrToUpper(value.text), names)));
  }

  void BindText(const SyntaxValue& value, const FieldDescriptor& field,
                const std::string& path, Message& message) {
    // A number may stand where a size is wanted. Where it stands for a
    // duration, the check of the field will ask for its unit.
    const FieldRule::Kind kind = field.options().GetExtension(rule).kind();
    const bool amount = kind == FieldRule::SIZE || kind == FieldRule::AMOUNT ||
                        kind == FieldRule::DURATION;
    if (value.kind != SyntaxValue::Kind::kText &&
        !(amount && value.kind == SyntaxValue::Kind::kNumber)) {
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

  const bool json_;
  FieldPlaces& places_;
  Findings& findings_;
};

}  // namespace

std::string FieldPath(absl::string_view path, absl::string_view field) {
  return absl::StrCat(path, path.empty() ? "" : ".", field);
}

std::string FieldPath(absl::string_view path, absl::string_view field,
                      int index) {
  return absl::StrCat(path, path.empty() ? "" : ".", field, "[", index, "]");
}

void Bind(const SyntaxValue& tree, bool json, Message& message,
          FieldPlaces& places, Findings& findings) {
  Binder(json, places, findings).BindMessage(tree, "", message);
}

}  // namespace groupsim
