#include "scenarios/reader/rules.h"

#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "model/base/check.h"
#include "scenarios/reader/advice.h"
#include "scenarios/reader/distributions.h"
#include "scenarios/reader/nearest.h"
#include "scenarios/reader/values.h"
#include "scenarios/schema/rule.pb.h"

namespace groupsim {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::OneofDescriptor;
using google::protobuf::Reflection;

// The rule for AMOUNT fields: that of the field in which the distribution
// stands.
struct AmountRule {
  FieldRule::Kind kind = FieldRule::PLAIN;
  std::string min;
  std::string max;
};

class RuleChecker {
 public:
  explicit RuleChecker(Judge& judge) : judge_(judge) {}

  void CheckMessage(const Message& message, const std::string& path,
                    const AmountRule& amount) {
    const google::protobuf::Descriptor& type = *message.GetDescriptor();
    const Reflection& reflection = *message.GetReflection();
    for (int i = 0; i < type.field_count() && !judge_.full(); ++i) {
      CheckField(message, *type.field(i), path, amount);
    }
    for (int i = 0; i < type.real_oneof_decl_count(); ++i) {
      const OneofDescriptor& choice = *type.oneof_decl(i);
      if (!reflection.HasOneof(message, &choice)) {
        std::vector<absl::string_view> names;
        bool written = judge_.WasWritten(FieldPath(path, kUnknownField));
        for (int j = 0; j < choice.field_count(); ++j) {
          if (!choice.field(j)->options().GetExtension(rule).has_not_yet()) {
            names.push_back(choice.field(j)->name());
          }
          written |=
              judge_.WasWritten(FieldPath(path, choice.field(j)->name()));
        }
        if (!written) {
          judge_.Name(path, absl::StrCat(type.name(), " needs ",
                                         ListPlainNames(names, "or")));
        }
      }
    }
  }

 private:
  void CheckField(const Message& message, const FieldDescriptor& field,
                  const std::string& path, const AmountRule& outer) {
    const Reflection& reflection = *message.GetReflection();
    const FieldRule& rule_of = field.options().GetExtension(rule);
    const int count = field.is_repeated()
                          ? reflection.FieldSize(message, &field)
                      : reflection.HasField(message, &field) ? 1
                                                             : 0;
    if (count == 0) {
      // A wrong one has been told already.
      const bool written = judge_.WasWritten(FieldPath(path, field.name())) ||
                           judge_.WasWritten(FieldPath(path, field.name(), 0));
      if (rule_of.required() && !written) {
        judge_.Name(path, absl::StrCat(message.GetDescriptor()->name(),
                                       " needs ", field.name()));
      }
      return;
    }
    if (rule_of.has_not_yet()) {
      judge_.Name(field.is_repeated() ? FieldPath(path, field.name(), 0)
                                      : FieldPath(path, field.name()),
                  NotYet(absl::StrCat(Quote(field.name()), " in ",
                                      message.GetDescriptor()->name()),
                         rule_of.not_yet()));
      return;
    }
    if (rule_of.max_count() > 0 && count > rule_of.max_count()) {
      judge_.Name(FieldPath(path, field.name(), rule_of.max_count()),
                  absl::StrCat("at most ", rule_of.max_count(), " ",
                               field.name(), " are allowed, not ", count));
      return;
    }
    AmountRule amount = outer;
    if (rule_of.kind() == FieldRule::DURATION ||
        rule_of.kind() == FieldRule::SIZE) {
      amount = {
          .kind = rule_of.kind(), .min = rule_of.min(), .max = rule_of.max()};
    }
    for (int i = 0; i < count && !judge_.full(); ++i) {
      const std::string at = field.is_repeated()
                                 ? FieldPath(path, field.name(), i)
                                 : FieldPath(path, field.name());
      CheckValue(message, field, i, at, amount);
    }
  }

  void CheckValue(const Message& message, const FieldDescriptor& field,
                  int index, const std::string& path,
                  const AmountRule& amount) {
    const Reflection& reflection = *message.GetReflection();
    const bool many = field.is_repeated();
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_MESSAGE:
        CheckMessage(many
                         ? reflection.GetRepeatedMessage(message, &field, index)
                         : reflection.GetMessage(message, &field),
                     path, amount);
        return;
      case FieldDescriptor::CPPTYPE_INT32:
        CheckNumber<int64_t>(
            field, path,
            many ? reflection.GetRepeatedInt32(message, &field, index)
                 : reflection.GetInt32(message, &field));
        return;
      case FieldDescriptor::CPPTYPE_INT64:
        CheckNumber<int64_t>(
            field, path,
            many ? reflection.GetRepeatedInt64(message, &field, index)
                 : reflection.GetInt64(message, &field));
        return;
      case FieldDescriptor::CPPTYPE_DOUBLE:
        CheckNumber<double>(field, path, reflection.GetDouble(message, &field));
        return;
      case FieldDescriptor::CPPTYPE_STRING:
        CheckText(field, path,
                  many ? reflection.GetRepeatedString(message, &field, index)
                       : reflection.GetString(message, &field),
                  amount);
        return;
      case FieldDescriptor::CPPTYPE_ENUM:
        CheckEnumeration(
            field, path,
            many ? reflection.GetRepeatedEnumValue(message, &field, index)
                 : reflection.GetEnumValue(message, &field));
        return;
      default:
        return;
    }
  }

  void CheckEnumeration(const FieldDescriptor& field, const std::string& path,
                        int number) {
    const google::protobuf::EnumValueDescriptor* known =
        field.enum_type()->FindValueByNumber(number);
    // Only the binary form can hold a number without a name.
    if (known == nullptr) {
      judge_.Value(path,
                   absl::StrCat(field.name(), " ", number, " is unknown"));
      return;
    }
    const ValueRule& rule_of = known->options().GetExtension(value);
    if (rule_of.has_not_yet()) {
      judge_.Value(path, NotYet(absl::StrCat(field.name(), " ", known->name()),
                                rule_of.not_yet()));
    }
  }

  // That a part of the language is not supported yet.
  static std::string NotYet(const std::string& part,
                            const std::string& reason) {
    return absl::StrCat(part, " is not supported yet",
                        reason.empty() ? "" : ": ", reason);
  }

  template <class Number>
  static Number ParseLimit(const std::string& text) {
    double limit = 0;
    CHECK(absl::SimpleAtod(text, &limit)) << "a rule has the limit " << text;
    return static_cast<Number>(limit);
  }

  template <class Number>
  void CheckNumber(const FieldDescriptor& field, const std::string& path,
                   Number value) {
    const FieldRule& rule_of = field.options().GetExtension(rule);
    // Written so that a value that is not a number fails.
    if (!rule_of.min().empty() &&
        !(value >= ParseLimit<Number>(rule_of.min()))) {
      OutOfLimits(field, path, absl::StrCat(value), rule_of.min(),
                  rule_of.max());
    } else if (!rule_of.max().empty() &&
               !(value <= ParseLimit<Number>(rule_of.max()))) {
      OutOfLimits(field, path, absl::StrCat(value), rule_of.min(),
                  rule_of.max());
    }
  }

  void OutOfLimits(const FieldDescriptor& field, const std::string& path,
                   const std::string& value, const std::string& min,
                   const std::string& max) {
    judge_.Value(
        path,
        absl::StrCat(field.name(), " is ",
                     value.size() <= 60 ? value : Quote(value), "; it must be ",
                     max.empty()   ? absl::StrCat("at least ", min)
                     : min.empty() ? absl::StrCat("at most ", max)
                                   : absl::StrCat(min, " to ", max)));
  }

  void CheckText(const FieldDescriptor& field, const std::string& path,
                 const std::string& value, const AmountRule& amount) {
    const FieldRule& rule_of = field.options().GetExtension(rule);
    absl::Status status;
    switch (rule_of.kind()) {
      case FieldRule::DURATION:
      case FieldRule::SIZE:
      case FieldRule::AMOUNT:
        CheckAmount(field, path, value, amount);
        return;
      case FieldRule::NAME:
        status = CheckName(value);
        break;
      case FieldRule::QUEUES:
        status = ParseQueues(value).status();
        break;
      default:
        CheckPlainText(field, path, value);
        return;
    }
    if (!status.ok()) {
      judge_.Value(path, absl::StrCat(field.name(), " ", status.message()),
                   GuessNotation(value, rule_of.kind(), rule_of));
    }
  }

  void CheckAmount(const FieldDescriptor& field, const std::string& path,
                   const std::string& value, const AmountRule& amount) {
    const absl::StatusOr<int64_t> parsed = ParseAmount(value, amount.kind);
    if (!parsed.ok()) {
      FieldRule limits = field.options().GetExtension(rule);
      limits.set_min(amount.min);
      limits.set_max(amount.max);
      judge_.Value(path,
                   absl::StrCat(field.name(), " ", parsed.status().message()),
                   GuessNotation(value, amount.kind, limits));
      return;
    }
    if ((!amount.min.empty() &&
         *parsed < *ParseAmount(amount.min, amount.kind)) ||
        (!amount.max.empty() &&
         *parsed > *ParseAmount(amount.max, amount.kind))) {
      OutOfLimits(field, path, value, amount.min, amount.max);
    }
  }

  void CheckPlainText(const FieldDescriptor& field, const std::string& path,
                      const std::string& value) {
    const FieldRule& rule_of = field.options().GetExtension(rule);
    if (!rule_of.max().empty() &&
        value.size() >
            static_cast<size_t>(ParseLimit<int64_t>(rule_of.max()))) {
      judge_.Value(path, absl::StrCat(field.name(), " has ", value.size(),
                                      " bytes; at most ", rule_of.max(),
                                      " are allowed"));
      return;
    }
    for (const char c : value) {
      if (!absl::ascii_iscntrl(static_cast<unsigned char>(c))) continue;
      judge_.Value(path, absl::StrCat(field.name(), " is ", Quote(value),
                                      "; it must be one line without control "
                                      "characters"));
      return;
    }
  }

  Judge& judge_;
};

}  // namespace

void CheckRules(const Message& message, Judge& judge) {
  RuleChecker(judge).CheckMessage(message, "", {});
}

}  // namespace groupsim
