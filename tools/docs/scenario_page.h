// The page about the scenario language, made from the schema.
#ifndef GROUPSIM_TOOLS_DOCS_SCENARIO_PAGE_H_
#define GROUPSIM_TOOLS_DOCS_SCENARIO_PAGE_H_

#include <string>
#include <vector>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"

namespace groupsim {

// The files of a schema, with their comments.
class Schema {
 public:
  // `set` is what protoc writes with --include_imports and
  // --include_source_info. Stops the program if it does not hold together.
  explicit Schema(const google::protobuf::FileDescriptorSet& set);

  // Those that describe scenarios, in the order in which a reader wants them.
  const std::vector<const google::protobuf::FileDescriptor*>& files() const {
    return files_;
  }

 private:
  google::protobuf::DescriptorPool pool_;
  std::vector<const google::protobuf::FileDescriptor*> files_;
};

// What the schema does not say though readers of the page need it: one line
// for each message or field without a comment, each single value that neither
// has a default nor is required, and each heading that is not unique.
std::vector<std::string> GapsOf(const Schema& schema);

// What a field means, on one line: its comment, or else that of its type.
std::string MeaningOf(const google::protobuf::FieldDescriptor& field);

// The same of a value of an enumeration: its comment.
std::string MeaningOf(const google::protobuf::EnumValueDescriptor& value);

// The page, in Markdown.
std::string ScenarioPage(const Schema& schema);

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_DOCS_SCENARIO_PAGE_H_
