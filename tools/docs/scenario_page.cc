#include "tools/docs/scenario_page.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "model/base/check.h"
#include "scenarios/schema/rule.pb.h"

namespace groupsim {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::FileDescriptor;
using google::protobuf::OneofDescriptor;
using google::protobuf::SourceLocation;

struct Section {
  absl::string_view stem;  // Of the .proto file.
  absl::string_view title;
};

// Files that are not named here come last.
constexpr Section kSections[] = {
    {"scenario", "The whole"},       {"cluster", "Cluster"},
    {"producer", "Traffic"},         {"group", "Consumer groups"},
    {"distribution", "Randomness"},  {"timeline", "Timeline"},
    {"expectation", "Expectations"}, {"facts", "Facts in a scenario"},
};

// Their definitions are not part of the language.
constexpr absl::string_view kLeftOut[] = {"scenarios/schema/rule.proto"};

std::string StemOf(const FileDescriptor& file) {
  std::string name = file.name();
  name = name.substr(name.rfind('/') + 1);
  return name.substr(0, name.find('.'));
}

size_t PlaceOf(const FileDescriptor& file) {
  const auto* const section =
      std::find_if(std::begin(kSections), std::end(kSections),
                   [stem = StemOf(file)](const Section& section) {
                     return section.stem == stem;
                   });
  return static_cast<size_t>(section - std::begin(kSections));
}

std::string TitleOf(const FileDescriptor& file) {
  const size_t place = PlaceOf(file);
  if (place < std::size(kSections)) return std::string(kSections[place].title);
  std::string title = StemOf(file);
  title[0] = absl::ascii_toupper(static_cast<unsigned char>(title[0]));
  return title;
}

template <typename Described>
std::string CommentOf(const Described& described) {
  SourceLocation location;
  return described.GetSourceLocation(&location) ? location.leading_comments
                                                : std::string();
}

// The comment at the head of a file, which protoc keeps with `syntax`.
std::string HeadOf(const FileDescriptor& file) {
  constexpr int kSyntax = 12;
  SourceLocation location;
  return file.GetSourceLocation({kSyntax}, &location)
             ? location.leading_comments
             : std::string();
}

std::string Escape(absl::string_view text) {
  std::string escaped;
  bool code = false;
  for (const char c : text) {
    if (c == '`') code = !code;
    if (c == '|' || (!code && (c == '*' || c == '[' || c == ']'))) {
      escaped += '\\';
    }
    if (!code && c == '<') {
      escaped += "&lt;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

// A comment as one line.
std::string OneLine(absl::string_view comment) {
  std::vector<absl::string_view> words =
      absl::StrSplit(comment, absl::ByAnyChar(" \n"), absl::SkipEmpty());
  return absl::StrJoin(words, " ");
}

// A comment as paragraphs; what is indented is an example.
std::string Paragraphs(absl::string_view comment) {
  std::string text;
  std::string paragraph;
  bool example = false;
  const auto end_paragraph = [&] {
    if (paragraph.empty()) return;
    absl::StrAppend(&text, text.empty() ? "" : "\n",
                    example ? paragraph : Escape(OneLine(paragraph)) + "\n");
    paragraph.clear();
  };
  for (const absl::string_view line : absl::StrSplit(comment, '\n')) {
    const bool indented = absl::StartsWith(line, "   ");
    if (absl::StripAsciiWhitespace(line).empty() ||
        (indented != example && !paragraph.empty())) {
      end_paragraph();
    }
    if (absl::StripAsciiWhitespace(line).empty()) continue;
    example = indented;
    if (example) {
      absl::StrAppend(&paragraph, "    ", line.substr(3), "\n");
    } else {
      absl::StrAppend(&paragraph, line, " ");
    }
  }
  end_paragraph();
  return text;
}

std::string AnchorOf(absl::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto letter = static_cast<unsigned char>(c);
    if (absl::ascii_isalnum(letter) || c == '-' || c == '_') {
      anchor += static_cast<char>(absl::ascii_tolower(letter));
    } else if (c == ' ') {
      anchor += '-';
    }
  }
  return anchor;
}

std::string LinkTo(absl::string_view heading) {
  return absl::StrCat("[", heading, "](#", AnchorOf(heading), ")");
}

// One that holds nothing needs no chapter.
bool HasChapter(const Descriptor& type) { return type.field_count() > 0; }

// "Event" of groupsim.schema.Event; "Consumer.Mode" of an inner one.
template <typename Named>
std::string HeadingOf(const Named& named) {
  return named.containing_type() == nullptr
             ? named.name()
             : absl::StrCat(HeadingOf(*named.containing_type()), ".",
                            named.name());
}

std::string ScalarText(const FieldDescriptor& field, const FieldRule& rule) {
  switch (rule.kind()) {
    case FieldRule::DURATION:
      return "duration";
    case FieldRule::SIZE:
      return "size";
    case FieldRule::AMOUNT:
      return "duration or size";
    case FieldRule::NAME:
      return rule.refers_to().empty()
                 ? "name"
                 : absl::StrCat("name of a ", rule.refers_to());
    case FieldRule::QUEUES:
      return "queues";
    default:
      break;
  }
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return "true or false";
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return "number";
    case FieldDescriptor::CPPTYPE_STRING:
      return "text";
    default:
      return "whole number";
  }
}

std::string TypeText(const FieldDescriptor& field, const FieldRule& rule) {
  std::string text;
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
    const Descriptor& type = *field.message_type();
    text = HasChapter(type) ? LinkTo(HeadingOf(type)) : "`{}`";
    if (rule.kind() != FieldRule::PLAIN) {
      absl::StrAppend(&text, " of ",
                      rule.kind() == FieldRule::SIZE       ? "sizes"
                      : rule.kind() == FieldRule::DURATION ? "durations"
                                                           : "either");
    }
  } else if (field.cpp_type() == FieldDescriptor::CPPTYPE_ENUM) {
    text = LinkTo(HeadingOf(*field.enum_type()));
  } else {
    text = ScalarText(field, rule);
  }
  return field.is_repeated() ? text + ", repeated" : text;
}

std::string LimitsText(const FieldDescriptor& field, const FieldRule& rule) {
  const bool text = field.cpp_type() == FieldDescriptor::CPPTYPE_STRING &&
                    rule.kind() == FieldRule::PLAIN;
  std::vector<std::string> limits;
  if (text && !rule.min().empty() && rule.min() == rule.max()) {
    limits.push_back(absl::StrCat(rule.min(), " characters"));
  } else if (!rule.min().empty() && !rule.max().empty()) {
    limits.push_back(absl::StrCat(rule.min(), " to ", rule.max()));
  } else if (!rule.min().empty()) {
    limits.push_back(absl::StrCat("at least ", rule.min()));
  } else if (!rule.max().empty()) {
    limits.push_back(absl::StrCat("at most ", rule.max()));
  }
  if (text && !limits.empty() && rule.min() != rule.max()) {
    limits.back() += " characters";
  }
  if (rule.max_count() > 0) {
    limits.push_back(absl::StrCat("at most ", rule.max_count(), " of them"));
  }
  return absl::StrJoin(limits, "; ");
}

// "Not yet.", with a reason where there is one.
std::string NotYetText(absl::string_view reason) {
  return reason.empty() ? "**Not yet.**"
                        : absl::StrCat("**Not yet:** ", Escape(reason), ".");
}

void AppendRow(const FieldDescriptor& field, std::string& page) {
  const FieldRule& field_rule = field.options().GetExtension(rule);
  std::vector<std::string> meaning;
  if (field_rule.has_not_yet()) {
    meaning.push_back(NotYetText(field_rule.not_yet()));
  }
  const std::string comment = Escape(MeaningOf(field));
  if (!comment.empty()) meaning.push_back(comment);
  absl::StrAppend(
      &page, "| `", field.name(), "` | ", TypeText(field, field_rule), " | ",
      field_rule.required() ? "*required*" : Escape(field_rule.otherwise()),
      " | ", LimitsText(field, field_rule), " | ", absl::StrJoin(meaning, " "),
      " |\n");
}

void AppendEnum(const EnumDescriptor& type, std::string& page) {
  absl::StrAppend(&page, "\n### ", HeadingOf(type), "\n");
  const std::string comment = Paragraphs(CommentOf(type));
  if (!comment.empty()) absl::StrAppend(&page, "\n", comment);
  absl::StrAppend(&page, "\n| value | meaning |\n| --- | --- |\n");
  for (int i = 0; i < type.value_count(); ++i) {
    const EnumValueDescriptor& value_type = *type.value(i);
    if (absl::EndsWith(value_type.name(), "_UNSPECIFIED")) continue;
    const ValueRule& value_rule = value_type.options().GetExtension(value);
    std::vector<std::string> meaning;
    if (value_rule.has_not_yet()) {
      meaning.push_back(NotYetText(value_rule.not_yet()));
    }
    const std::string what = Escape(OneLine(CommentOf(value_type)));
    if (!what.empty()) meaning.push_back(what);
    absl::StrAppend(&page, "| `", value_type.name(), "` | ",
                    absl::StrJoin(meaning, " "), " |\n");
  }
}

void AppendMessage(const Descriptor& type, std::string& page) {
  if (!HasChapter(type)) return;
  absl::StrAppend(&page, "\n### ", HeadingOf(type), "\n");
  const std::string comment = Paragraphs(CommentOf(type));
  if (!comment.empty()) absl::StrAppend(&page, "\n", comment);
  absl::StrAppend(&page,
                  "\n| field | type | default | limits | meaning |\n"
                  "| --- | --- | --- | --- | --- |\n");
  for (int i = 0; i < type.field_count(); ++i) AppendRow(*type.field(i), page);
  for (int i = 0; i < type.real_oneof_decl_count(); ++i) {
    const OneofDescriptor& oneof = *type.oneof_decl(i);
    std::vector<std::string> names;
    for (int j = 0; j < oneof.field_count(); ++j) {
      names.push_back(absl::StrCat("`", oneof.field(j)->name(), "`"));
    }
    absl::StrAppend(&page, "\nAt most one of ", absl::StrJoin(names, ", "),
                    ".\n");
  }
  for (int i = 0; i < type.enum_type_count(); ++i) {
    AppendEnum(*type.enum_type(i), page);
  }
  for (int i = 0; i < type.nested_type_count(); ++i) {
    AppendMessage(*type.nested_type(i), page);
  }
}

template <typename Named>
std::string MessageHeading(const Named& type) {
  return LinkTo(HeadingOf(type));
}

// What is written about notation; the rest is the schema's.
constexpr absl::string_view kIntroduction =
    R"(# The scenario language

<!-- Written by `bazel run -c opt //tools/docs:scenario` from the files of
scenarios/schema. Change those, not this page. -->

)";

constexpr absl::string_view kNotation = R"(
## Notation

A scenario is a protobuf message `groupsim.Scenario`: as text (`.textproto`), as
JSON (`.json`) or in binary form (`.binpb`). As text:

    title: "A first one"                  # a field and its value
    group {                               # a message; no colon is needed
      name: "readers"
      consumer { name: "pod" count: 4 }   # repeated fields are written again
      consumer { name: "spare" }
    }

- **duration**, a length of time or a time from the start of the run: numbers
  with units `ns`, `us`, `ms`, `s`, `m`, `h`, `d`, the largest first: `"250us"`,
  `"1.5s"`, `"1h30m"`.
- **size**, bytes: a number, or a text with a unit: `1800`, `"4KiB"`, `"1MB"`.
  `KiB`, `MiB` and `GiB` are powers of 1,024, `KB`, `MB` and `GB` of 1,000.
- **name**: 1 to 127 letters, digits and `_`, `-`, `%`, `|`; the name of a broker
  may have an `@`, too: `"ROOM@NAME"`.
- **queues**: queues of brokers, separated by commas: `"broker-a#3"`,
  `"broker-a#0..3"`, `"broker-b#*"`.
- `name: "pod" count: 3` are the processes `pod-0`, `pod-1` and `pod-2`.
- *required* in the column of defaults: the field must be given. An empty
  default of a message: nothing of it is set.
- **Not yet**: a part of the language that groupsim cannot act on so far. A
  scenario that gives it is refused, with that word.

`groupsim check FILE` tells what is wrong with a scenario, and warns where it is
right but perhaps not meant (`groupsim list lints`). A comment
`# groupsim: allow(NAME)` silences a warning: at the end of the line that the
warning points at, or alone on the line above; above everything else, in the
whole file.
)";

}  // namespace

std::string MeaningOf(const FieldDescriptor& field) {
  std::string comment = CommentOf(field);
  if (comment.empty() && field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
    comment = CommentOf(*field.message_type());
  }
  return OneLine(comment);
}

std::string MeaningOf(const EnumValueDescriptor& value) {
  return OneLine(CommentOf(value));
}

Schema::Schema(const google::protobuf::FileDescriptorSet& set) {
  for (const google::protobuf::FileDescriptorProto& file : set.file()) {
    const FileDescriptor* const built = pool_.BuildFile(file);
    CHECK(built != nullptr) << "cannot use " << file.name();
    if (absl::StartsWith(file.name(), "google/") ||
        std::find(std::begin(kLeftOut), std::end(kLeftOut), file.name()) !=
            std::end(kLeftOut)) {
      continue;
    }
    files_.push_back(built);
  }
  std::stable_sort(files_.begin(), files_.end(),
                   [](const FileDescriptor* a, const FileDescriptor* b) {
                     return PlaceOf(*a) < PlaceOf(*b);
                   });
}

namespace {

class GapFinder {
 public:
  void Look(const Descriptor& type) {
    if (!HasChapter(type)) return;
    Heading(HeadingOf(type));
    if (CommentOf(type).empty()) {
      gaps_.push_back(absl::StrCat(HeadingOf(type), " has no comment"));
    }
    for (int i = 0; i < type.field_count(); ++i) Look(*type.field(i));
    for (int i = 0; i < type.enum_type_count(); ++i) Look(*type.enum_type(i));
    for (int i = 0; i < type.nested_type_count(); ++i) {
      Look(*type.nested_type(i));
    }
  }

  void Look(const EnumDescriptor& type) { Heading(HeadingOf(type)); }

  std::vector<std::string> Take() { return std::move(gaps_); }

 private:
  void Look(const FieldDescriptor& field) {
    const std::string name =
        absl::StrCat(HeadingOf(*field.containing_type()), ".", field.name());
    const FieldRule& field_rule = field.options().GetExtension(rule);
    if (MeaningOf(field).empty()) {
      gaps_.push_back(absl::StrCat(name, " has no comment"));
    }
    const bool single_value =
        !field.is_repeated() &&
        field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE &&
        field.real_containing_oneof() == nullptr;
    if (single_value && !field_rule.required() &&
        field_rule.otherwise().empty()) {
      gaps_.push_back(absl::StrCat(name,
                                   " is not required and its rule has no "
                                   "`otherwise`"));
    }
  }

  void Heading(const std::string& heading) {
    if (!headings_.insert(AnchorOf(heading)).second) {
      gaps_.push_back(absl::StrCat("two things are called ", heading));
    }
  }

  std::set<std::string> headings_;
  std::vector<std::string> gaps_;
};

}  // namespace

std::vector<std::string> GapsOf(const Schema& schema) {
  GapFinder finder;
  for (const FileDescriptor* file : schema.files()) {
    for (int i = 0; i < file->message_type_count(); ++i) {
      finder.Look(*file->message_type(i));
    }
    for (int i = 0; i < file->enum_type_count(); ++i) {
      finder.Look(*file->enum_type(i));
    }
  }
  return finder.Take();
}

std::string ScenarioPage(const Schema& schema) {
  std::string page(kIntroduction);
  std::string contents = "\n## Contents\n\n";
  std::string chapters;
  int number = 0;
  for (const FileDescriptor* file : schema.files()) {
    const std::string heading = absl::StrCat(++number, ". ", TitleOf(*file));
    absl::StrAppend(&chapters, "\n## ", heading, "\n");
    std::vector<std::string> parts;
    for (int i = 0; i < file->message_type_count(); ++i) {
      const Descriptor& type = *file->message_type(i);
      AppendMessage(type, chapters);
      if (HasChapter(type)) parts.push_back(LinkTo(HeadingOf(type)));
    }
    for (int i = 0; i < file->enum_type_count(); ++i) {
      AppendEnum(*file->enum_type(i), chapters);
      parts.push_back(LinkTo(HeadingOf(*file->enum_type(i))));
    }
    absl::StrAppend(&contents, "- ", LinkTo(heading), ": ",
                    absl::StrJoin(parts, ", "), "\n");
  }
  if (!schema.files().empty()) {
    absl::StrAppend(&page, Paragraphs(HeadOf(*schema.files().front())));
  }
  absl::StrAppend(&page, contents, kNotation, chapters);
  return page;
}

}  // namespace groupsim
