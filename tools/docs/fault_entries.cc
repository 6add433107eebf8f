// Prints the actions of the timeline as C++, for `groupsim list faults`:
//
//   fault_entries scenario_descriptors.binpb
#include <fstream>
#include <iostream>
#include <string>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "scenarios/schema/rule.pb.h"
#include "tools/docs/scenario_page.h"

int main(int argc, char** argv) {
  google::protobuf::FileDescriptorSet set;
  std::ifstream input(argc == 2 ? argv[1] : "", std::ios::binary);
  if (!set.ParseFromIstream(&input)) {
    std::cerr << "fault_entries: cannot read the schema\n";
    return 1;
  }
  const groupsim::Schema schema(set);
  std::cout << "#include \"tools/cli/faults.h\"\n"
               "namespace groupsim {\n"
               "namespace {\n"
               "constexpr FaultEntry kEntries[] = {\n";
  for (const google::protobuf::FileDescriptor* file : schema.files()) {
    const google::protobuf::Descriptor* const event =
        file->FindMessageTypeByName("Event");
    if (event == nullptr) continue;
    const google::protobuf::OneofDescriptor& actions =
        *event->FindOneofByName("action");
    for (int i = 0; i < actions.field_count(); ++i) {
      const google::protobuf::FieldDescriptor& field = *actions.field(i);
      const bool not_yet =
          field.options().GetExtension(groupsim::rule).has_not_yet();
      std::cout << "{\"" << field.name() << "\", R\"_____("
                << groupsim::MeaningOf(field) << ")_____\", "
                << (not_yet ? "false" : "true") << "},\n";
    }
  }
  std::cout << "};\n"
               "}  // namespace\n"
               "absl::Span<const FaultEntry> AllFaults() { return kEntries; }\n"
               "}  // namespace groupsim\n";
  return 0;
}
