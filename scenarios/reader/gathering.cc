#include "scenarios/reader/gathering.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/unknown_field_set.h"
#include "scenarios/reader/binder.h"
#include "scenarios/reader/syntax.h"

namespace groupsim {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// A file that another one includes.
struct Include {
  std::string path;  // As written.
  std::optional<Span> span;
};

absl::StatusOr<Source> LoadFileProper(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status =
      std::filesystem::status(path, error);
  // What waits for input, or has no end, is no part of a scenario.
  if (!error && std::filesystem::exists(status) &&
      !std::filesystem::is_regular_file(status) &&
      !std::filesystem::is_directory(status)) {
    return absl::UnavailableError("this is not a file");
  }
  return LoadSource(path);
}

class Gatherer {
 public:
  Gatherer(const ReadOptions& options, Reading& reading)
      : load_(options.load ? options.load : LoadFileProper),
        reading_(reading) {}

  bool Gather(const Source& source, ScenarioForm form) {
    return ReadFile(source, form);
  }

 private:
  void Error(std::optional<Span> span, std::string message,
             std::string path = "", std::string hint = "") {
    reading_.findings.Add({.span = span,
                           .message = std::move(message),
                           .path = std::move(path),
                           .hint = std::move(hint)});
  }

  bool ReadFile(const Source& file, ScenarioForm form) {
    const int number = reading_.sources.Add(file);
    const Source& source = reading_.sources[number];
    chain_.push_back(Normal(source.name));
    met_.insert(chain_.back());
    const bool ok = form == ScenarioForm::kBinary
                        ? ReadBinary(source, number)
                        : ReadText(source, number, form);
    chain_.pop_back();
    return ok;
  }

  bool ReadText(const Source& source, int number, ScenarioForm form) {
    const std::string& text = source.text;
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
      Error(
          number == 0 ? std::nullopt : std::optional<Span>(Span{0, 0, number}),
          "the file is empty");
      return false;
    }
    if (!CheckForm(text, number, form, reading_.findings)) return false;
    const bool json = form == ScenarioForm::kJson;
    SyntaxValue tree;
    if (!(json ? ParseJson(text, number, tree, reading_.findings)
               : ParseTextFormat(text, number, tree, reading_.allowances,
                                 reading_.findings))) {
      return false;
    }
    const bool ok = ReadIncludes(IncludesOf(tree), source.name);
    Binder(*Scenario::descriptor(), json, reading_.places, reading_.findings)
        .BindMessage(tree, "", reading_.scenario);
    reading_.scenario.clear_include();
    reading_.places.EraseWithin("include");
    return ok;
  }

  // Values of another type than texts are told when the tree is bound.
  static std::vector<Include> IncludesOf(const SyntaxValue& tree) {
    std::vector<Include> includes;
    const auto add = [&includes](const SyntaxValue& value) {
      if (value.kind == SyntaxValue::Kind::kText) {
        includes.push_back({.path = value.text, .span = value.span});
      }
    };
    for (const SyntaxField& field : tree.fields) {
      if (field.name != "include") continue;
      if (field.value.kind == SyntaxValue::Kind::kList) {
        std::for_each(field.value.items.begin(), field.value.items.end(), add);
      } else {
        add(field.value);
      }
    }
    return includes;
  }

  bool ReadBinary(const Source& source, int number) {
    const std::string& bytes = source.text;
    if (bytes.empty()) {
      Error(std::nullopt, "the file is empty");
      return false;
    }
    google::protobuf::io::CodedInputStream input(
        reinterpret_cast<const uint8_t*>(bytes.data()),
        static_cast<int>(bytes.size()));
    input.SetRecursionLimit(kDeepestNesting);
    Scenario scenario;
    if (!scenario.ParseFromCodedStream(&input) ||
        !input.ConsumedEntireMessage()) {
      Error(std::nullopt, absl::StrCat(number == 0 ? "this" : source.name,
                                       " is not a scenario in binary form"));
      return false;
    }
    CheckNoUnknownFields(scenario, "");
    std::vector<Include> includes;
    for (const std::string& path : scenario.include()) {
      includes.push_back({.path = path, .span = std::nullopt});
    }
    scenario.clear_include();
    const bool ok = ReadIncludes(includes, source.name);
    reading_.scenario.MergeFrom(scenario);
    return ok && reading_.ok();
  }

  // Tells fields that the schema does not have, at any depth.
  void CheckNoUnknownFields(const Message& message, const std::string& path) {
    const Reflection& reflection = *message.GetReflection();
    const google::protobuf::UnknownFieldSet& unknown =
        reflection.GetUnknownFields(message);
    for (int i = 0; i < unknown.field_count() && !reading_.findings.full();
         ++i) {
      Error(std::nullopt,
            absl::StrCat("no field number ", unknown.field(i).number(), " in ",
                         message.GetDescriptor()->name()),
            path);
    }
    std::vector<const FieldDescriptor*> fields;
    reflection.ListFields(message, &fields);
    for (const FieldDescriptor* field : fields) {
      if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
      if (!field->is_repeated()) {
        CheckNoUnknownFields(reflection.GetMessage(message, field),
                             FieldPath(path, field->name()));
        continue;
      }
      for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
        if (reading_.findings.full()) return;
        CheckNoUnknownFields(reflection.GetRepeatedMessage(message, field, i),
                             FieldPath(path, field->name(), i));
      }
    }
  }

  bool ReadIncludes(const std::vector<Include>& includes,
                    const std::string& including) {
    bool ok = true;
    for (const Include& include : includes) {
      if (reading_.findings.full()) return false;
      ok &= ReadInclude(include, including);
    }
    return ok;
  }

  static std::string Normal(const std::string& path) {
    return std::filesystem::path(path).lexically_normal().string();
  }

  // The path of a file that `including` includes as `written`.
  static std::string Resolve(const std::string& including,
                             const std::string& written) {
    return (std::filesystem::path(including).parent_path() / written)
        .lexically_normal()
        .string();
  }

  bool ReadInclude(const Include& include, const std::string& including) {
    if (include.path.empty() ||
        std::any_of(include.path.begin(), include.path.end(), [](char c) {
          return absl::ascii_iscntrl(static_cast<unsigned char>(c));
        })) {
      Error(include.span, "include needs the path of a file", "include");
      return false;
    }
    const std::string path = Resolve(including, include.path);
    const auto begin = std::find(chain_.begin(), chain_.end(), path);
    if (begin != chain_.end()) {
      std::vector<std::string> cycle(begin, chain_.end());
      cycle.push_back(path);
      Error(include.span,
            absl::StrCat(path,
                         " includes itself: ", absl::StrJoin(cycle, " -> ")),
            "include");
      return false;
    }
    if (met_.contains(path)) return true;
    if (chain_.size() > kDeepestInclude) {
      Error(include.span,
            absl::StrCat("included files are nested deeper than ",
                         kDeepestInclude,
                         " levels: ", absl::StrJoin(chain_, " -> ")),
            "include");
      return false;
    }
    if (++files_ > kMostIncludedFiles) {
      if (files_ == kMostIncludedFiles + 1) {
        Error(include.span,
              absl::StrCat("more than ", kMostIncludedFiles,
                           " files are included"),
              "include");
      }
      return false;
    }
    absl::StatusOr<Source> source = load_(path);
    if (!source.ok()) {
      Error(include.span,
            absl::StrCat("cannot read ", path, ": ", source.status().message()),
            "include",
            std::filesystem::path(include.path).is_absolute()
                ? ""
                : "the path is relative to the folder of the file that "
                  "includes it");
      return false;
    }
    bytes_ += source->text.size();
    if (bytes_ > kMostIncludedBytes) {
      Error(include.span,
            absl::StrCat("the included files are larger than ",
                         kMostIncludedBytes >> 20, " MiB in all"),
            "include");
      return false;
    }
    source->name = path;
    return ReadFile(*source, FormOf(path));
  }

  const std::function<absl::StatusOr<Source>(const std::string&)> load_;
  Reading& reading_;
  // From the scenario's file to the one that is read now.
  std::vector<std::string> chain_;
  std::set<std::string> met_;
  int files_ = 0;
  size_t bytes_ = 0;
};

}  // namespace

bool GatherScenario(const Source& source, ScenarioForm form,
                    const ReadOptions& options, Reading& reading) {
  return Gatherer(options, reading).Gather(source, form);
}

}  // namespace groupsim
