#include "scenarios/reader/settings.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "scenarios/reader/advice.h"
#include "scenarios/reader/binder.h"
#include "scenarios/reader/nearest.h"
#include "scenarios/reader/syntax.h"
#include "scenarios/schema/rule.pb.h"

namespace groupsim {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::OneofDescriptor;
using google::protobuf::Reflection;

// One step of a path: a field and, in brackets, which of its elements.
struct Step {
  std::string name;
  Span name_span;
  std::optional<std::string> element;
  Span element_span;
};

class Setter {
 public:
  Setter(absl::string_view text, int source, FieldPlaces& places,
         Findings& findings)
      : text_(text), source_(source), places_(places), findings_(findings) {}

  void Apply(Scenario& scenario) {
    std::vector<Step> steps;
    if (!ParsePath(steps)) return;
    Message* message = &scenario;
    std::string path;
    for (size_t i = 0; i < steps.size(); ++i) {
      const FieldDescriptor* field = FieldOf(*message, path, steps[i]);
      if (field == nullptr) return;
      if (i + 1 == steps.size()) {
        Set(steps[i], *field, path, *message);
        return;
      }
      message = GoInto(steps[i], *field, path, *message);
      if (message == nullptr) return;
    }
  }

 private:
  Span At(size_t begin, size_t end) const { return {begin, end, source_}; }

  void Error(Span span, std::string path, std::string message,
             std::string hint = "") {
    findings_.Add({.span = span,
                   .message = std::move(message),
                   .path = std::move(path),
                   .hint = std::move(hint)});
  }

  // ---- The path

  bool ParsePath(std::vector<Step>& steps) {
    const size_t equals = text_.find('=');
    if (equals == absl::string_view::npos) {
      Error(At(0, text_.size()), "", "a setting is written PATH=VALUE",
            "such as duration=5m or group[0].consumer[0].count=12");
      return false;
    }
    value_begin_ = equals + 1;
    size_t end = equals;
    while (end > 0 && absl::ascii_isspace(text_[end - 1])) --end;
    size_t at = 0;
    for (;;) {
      Step step;
      if (!ParseStep(at, end, step)) return false;
      steps.push_back(std::move(step));
      if (at == end) return true;
      if (text_[at] != '.') {
        Error(At(at, at + 1), "", "expected \".\", \"[\" or \"=\" here");
        return false;
      }
      ++at;
    }
  }

  bool ParseStep(size_t& at, size_t end, Step& step) {
    const size_t begin = at;
    while (at < end && (absl::ascii_isalnum(text_[at]) || text_[at] == '_' ||
                        text_[at] == '-')) {
      ++at;
    }
    step.name = std::string(text_.substr(begin, at - begin));
    step.name_span = At(begin, at);
    if (step.name.empty()) {
      Error(At(begin, begin + 1), "", "the name of a field is missing here",
            "a setting is written PATH=VALUE, such as duration=5m");
      return false;
    }
    if (at == end || text_[at] != '[') return true;
    const size_t close = text_.substr(0, end).find(']', at);
    if (close == absl::string_view::npos) {
      Error(At(at, at + 1), "", "\"[\" is not closed");
      return false;
    }
    step.element_span = At(at + 1, close);
    absl::string_view element = text_.substr(at + 1, close - at - 1);
    if (element.size() >= 2 && (element[0] == '"' || element[0] == '\'') &&
        element.back() == element[0]) {
      element = element.substr(1, element.size() - 2);
    }
    step.element = std::string(element);
    at = close + 1;
    return true;
  }

  const FieldDescriptor* FieldOf(const Message& message,
                                 const std::string& path, const Step& step) {
    const Descriptor& type = *message.GetDescriptor();
    const FieldDescriptor* field = type.FindFieldByName(step.name);
    if (field == nullptr) {
      Advice advice =
          AdviseOnField(*Scenario::descriptor(), path, type, step.name);
      Error(step.name_span, path, std::move(advice.message),
            std::move(advice.hint));
      return nullptr;
    }
    if (path.empty() && field->number() == Scenario::kIncludeFieldNumber) {
      Error(step.name_span, path, "include cannot be set from outside");
      return nullptr;
    }
    if (step.element && !field->is_repeated()) {
      Error(step.element_span, path,
            absl::StrCat(field->name(), " is not repeated"),
            "write it without the brackets");
      return nullptr;
    }
    return field;
  }

  // The message in a field, or the one of its elements that is meant; makes it
  // where it may be made. Null if an error has been told. `path` becomes its.
  Message* GoInto(const Step& step, const FieldDescriptor& field,
                  std::string& path, Message& message) {
    const Reflection& reflection = *message.GetReflection();
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      Error(step.name_span, FieldPath(path, field.name()),
            absl::StrCat(field.name(), " has no fields; it is a value"));
      return nullptr;
    }
    if (field.is_repeated()) {
      const std::optional<int> index = IndexOf(step, field, path, message);
      if (!index) return nullptr;
      path = FieldPath(path, field.name(), *index);
      if (*index < reflection.FieldSize(message, &field)) {
        return reflection.MutableRepeatedMessage(&message, &field, *index);
      }
      MarkPlace(step, path);
      return reflection.AddMessage(&message, &field);
    }
    const OneofDescriptor* choice = field.real_containing_oneof();
    if (choice != nullptr && reflection.HasOneof(message, choice) &&
        !reflection.HasField(message, &field)) {
      const FieldDescriptor& taken =
          *reflection.GetOneofFieldDescriptor(message, choice);
      Error(step.name_span, path,
            absl::StrCat("this has ", Quote(taken.name()), ", not ",
                         Quote(field.name())),
            absl::StrCat("to replace it: ", text_.substr(0, step.name_span.end),
                         "={ ... }"));
      return nullptr;
    }
    path = FieldPath(path, field.name());
    if (!reflection.HasField(message, &field)) MarkPlace(step, path);
    return reflection.MutableMessage(&message, &field);
  }

  void MarkPlace(const Step& step, const std::string& path) {
    places_.Set(path, {.name = step.name_span,
                       .value = At(step.name_span.begin, text_.size())});
  }

  static std::string NameOf(const Message& element) {
    const FieldDescriptor* name =
        element.GetDescriptor()->FindFieldByName("name");
    if (name == nullptr ||
        name->cpp_type() != FieldDescriptor::CPPTYPE_STRING) {
      return "";
    }
    return element.GetReflection()->GetString(element, name);
  }

  // The number of the element that a step means; the first free one for a new
  // element.
  std::optional<int> IndexOf(const Step& step, const FieldDescriptor& field,
                             const std::string& path, const Message& message) {
    const Reflection& reflection = *message.GetReflection();
    const int size = reflection.FieldSize(message, &field);
    const bool messages = field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    std::vector<std::string> names;
    for (int i = 0; messages && i < size; ++i) {
      names.push_back(
          NameOf(reflection.GetRepeatedMessage(message, &field, i)));
    }
    const auto known = [&]() -> std::string {
      if (size == 0) {
        return absl::StrCat("none is written in the scenario; ", field.name(),
                            "[+] adds one");
      }
      std::vector<absl::string_view> shown;
      for (const std::string& name : names) {
        if (!name.empty()) shown.push_back(name);
      }
      const std::string numbers =
          size == 1 ? absl::StrCat("there is only ", field.name(), "[0]")
                    : absl::StrCat("there are ", field.name(), "[0] to [",
                                   size - 1, "]");
      if (shown.empty()) return numbers;
      return absl::StrCat(
          numbers, ", ",
          ListNames(step.element ? NearestFirst(*step.element, shown) : shown));
    };
    if (!step.element) {
      Error(step.name_span, path,
            absl::StrCat(field.name(), " is repeated; say which, as ",
                         field.name(), "[0]"),
            known());
      return std::nullopt;
    }
    if (*step.element == "+") {
      const int most = field.options().GetExtension(rule).max_count();
      if (most == 0 || size < most) return size;
      Error(step.element_span, path,
            absl::StrCat("at most ", most, " ", field.name(), " are allowed"));
      return std::nullopt;
    }
    int index = 0;
    if (!step.element->empty() && absl::ascii_isdigit((*step.element)[0]) &&
        absl::SimpleAtoi(*step.element, &index) && index < size) {
      return index;
    }
    for (int i = 0; i < static_cast<int>(names.size()); ++i) {
      if (!names[i].empty() && names[i] == *step.element) return i;
    }
    Error(step.element_span, path,
          absl::StrCat("there is no ", field.name(), " ", Quote(*step.element)),
          known());
    return std::nullopt;
  }

  // ---- The value

  void Set(const Step& step, const FieldDescriptor& field,
           const std::string& path, Message& message) {
    SyntaxValue value;
    if (!ParseValue(field, value)) return;
    if (field.is_repeated()) {
      SetRepeated(step, field, path, message, value);
      return;
    }
    const Reflection& reflection = *message.GetReflection();
    const OneofDescriptor* choice = field.real_containing_oneof();
    if (choice != nullptr && reflection.HasOneof(message, choice)) {
      places_.EraseWithin(FieldPath(
          path, reflection.GetOneofFieldDescriptor(message, choice)->name()));
    }
    const std::string at = FieldPath(path, field.name());
    places_.EraseWithin(at);
    reflection.ClearField(&message, &field);
    places_.Set(at, {.name = step.name_span, .value = value.span});
    MakeBinder().BindOne(value, field, at, message);
  }

  Binder MakeBinder() {
    return Binder(*Scenario::descriptor(), /*json=*/false, places_, findings_);
  }

  void SetRepeated(const Step& step, const FieldDescriptor& field,
                   const std::string& path, Message& message,
                   const SyntaxValue& value) {
    const Reflection& reflection = *message.GetReflection();
    if (!step.element) {
      const bool list = value.kind == SyntaxValue::Kind::kList;
      if (!list && field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
        Error(step.name_span, path,
              absl::StrCat(field.name(), " is repeated; say which, as ",
                           field.name(), "[0]"),
              absl::StrCat(field.name(), "[+]={ ... } adds one, ", field.name(),
                           "=[ ... ] replaces all"));
        return;
      }
      reflection.ClearField(&message, &field);
      places_.EraseWithin(FieldPath(path, field.name()));
      SyntaxValue tree;
      tree.kind = SyntaxValue::Kind::kMessage;
      tree.fields.push_back(
          {.name = field.name(), .name_span = step.name_span, .value = value});
      MakeBinder().BindMessage(tree, path, message);
      return;
    }
    const std::optional<int> index = IndexOf(step, field, path, message);
    if (!index) return;
    const std::string at = FieldPath(path, field.name(), *index);
    const int size = reflection.FieldSize(message, &field);
    places_.EraseWithin(at);
    places_.Set(at, {.name = step.name_span, .value = value.span});
    MakeBinder().BindOne(value, field, at, message);
    // It was added behind the others.
    if (*index < size && reflection.FieldSize(message, &field) > size) {
      reflection.SwapElements(&message, &field, *index, size);
      reflection.RemoveLast(&message, &field);
    }
  }

  bool ParseValue(const FieldDescriptor& field, SyntaxValue& value) {
    const absl::string_view raw = text_.substr(value_begin_);
    const absl::string_view text = absl::StripAsciiWhitespace(raw);
    const Span span =
        At(value_begin_ + (text.data() - raw.data()),
           value_begin_ + (text.data() - raw.data()) + text.size());
    const bool plain = field.cpp_type() == FieldDescriptor::CPPTYPE_STRING &&
                       !absl::StartsWith(text, "\"") &&
                       !absl::StartsWith(text, "'");
    if (!plain) {
      return ParseTextFormatValue(text_, value_begin_, source_, value,
                                  findings_);
    }
    if (text.empty()) {
      Error(span, "", "a value is missing",
            absl::StrCat("an empty text is written ", field.name(), "=\"\""));
      return false;
    }
    if (!field.is_repeated() || text[0] != '[') {
      value = PlainText(text, span);
      return true;
    }
    if (absl::StrContains(text, "\"") || absl::StrContains(text, "'")) {
      return ParseTextFormatValue(text_, value_begin_, source_, value,
                                  findings_);
    }
    return ParsePlainList(text, span, value);
  }

  static SyntaxValue PlainText(absl::string_view text, Span span) {
    SyntaxValue value;
    value.kind = SyntaxValue::Kind::kText;
    value.span = span;
    value.text = std::string(text);
    return value;
  }

  // Texts without quotes in brackets.
  bool ParsePlainList(absl::string_view text, Span span, SyntaxValue& value) {
    value.kind = SyntaxValue::Kind::kList;
    value.span = span;
    if (text.back() != ']') {
      Error(At(span.begin, span.begin + 1), "", "\"[\" is not closed");
      return false;
    }
    const size_t end = span.end - 1;
    for (size_t at = span.begin + 1; at < end;) {
      const size_t comma = std::min(text_.find(',', at), end);
      const absl::string_view raw = text_.substr(at, comma - at);
      const absl::string_view item = absl::StripAsciiWhitespace(raw);
      const size_t begin = at + static_cast<size_t>(item.data() - raw.data());
      if (!item.empty()) {
        value.items.push_back(PlainText(item, At(begin, begin + item.size())));
      }
      at = comma + 1;
    }
    return true;
  }

  const absl::string_view text_;
  const int source_;
  FieldPlaces& places_;
  Findings& findings_;
  size_t value_begin_ = 0;
};

}  // namespace

void ApplySetting(absl::string_view assignment, int source, Scenario& scenario,
                  FieldPlaces& places, Findings& findings) {
  Setter(assignment, source, places, findings).Apply(scenario);
}

}  // namespace groupsim
