// Prints the actions of the timeline and the known faults as C++, for `groupsim
// list actions` and `groupsim list faults`:
//
//   fault_entries scenario_descriptors.binpb
#include <fstream>
#include <iostream>
#include <string>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "scenarios/schema/rule.pb.h"
#include "tools/docs/scenario_page.h"

namespace {

// The faults of one kind of process: the values of an enumeration.
void PrintFaults(const google::protobuf::EnumDescriptor* type,
                 const char* where) {
  if (type == nullptr) return;
  for (int i = 0; i < type->value_count(); ++i) {
    const google::protobuf::EnumValueDescriptor& value = *type->value(i);
    if (value.number() == 0) continue;  // Unspecified.
    std::cout << "{\"" << value.name() << "\", \"" << where << "\", R\"_____("
              << groupsim::MeaningOf(value) << ")_____\"},\n";
  }
}

}  // namespace

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
               "constexpr ActionEntry kActions[] = {\n";
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
  std::cout << "};\nconstexpr FaultEntry kFaults[] = {\n";
  for (const google::protobuf::FileDescriptor* file : schema.files()) {
    PrintFaults(file->FindEnumTypeByName("ClientFault"), "consumer");
    PrintFaults(file->FindEnumTypeByName("BrokerFault"), "broker");
  }
  std::cout << "};\n"
               "}  // namespace\n"
               "absl::Span<const ActionEntry> AllActions() {\n"
               "  return kActions;\n"
               "}\n"
               "absl::Span<const FaultEntry> AllFaults() { return kFaults; }\n"
               "}  // namespace groupsim\n";
  return 0;
}
