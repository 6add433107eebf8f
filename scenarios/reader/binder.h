// From a syntax tree to a message.
#ifndef GROUPSIM_SCENARIOS_READER_BINDER_H_
#define GROUPSIM_SCENARIOS_READER_BINDER_H_

#include <string>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "scenarios/reader/finding.h"
#include "scenarios/reader/places.h"
#include "scenarios/reader/syntax.h"

namespace groupsim {

// Fills a message, from one file after the other. `places` and `findings` must
// outlive it.
class Binder {
 public:
  // `root` is the type of the message at the path "". `json` allows JSON's
  // camel-case names beside the schema's.
  Binder(const google::protobuf::Descriptor& root, bool json,
         FieldPlaces& places, Findings& findings)
      : root_(root), json_(json), places_(places), findings_(findings) {}

  // Adds `tree`, a message, to the one at `path`: repeated fields are joined,
  // other values take the place of earlier ones. A field that is unknown, given
  // twice in this tree or of the wrong type is a finding and stays as it is.
  void BindMessage(const SyntaxValue& tree, const std::string& path,
                   google::protobuf::Message& message);

  // Sets the field at `path`, or adds an element, which is to be found there.
  void BindOne(const SyntaxValue& value,
               const google::protobuf::FieldDescriptor& field,
               const std::string& path, google::protobuf::Message& message);

 private:
  const google::protobuf::FieldDescriptor* FindField(
      const google::protobuf::Descriptor& type, const std::string& name) const;
  void Error(Span span, std::string path, std::string message,
             std::string hint = "",
             std::optional<std::string> fix = std::nullopt);
  void UnknownField(const google::protobuf::Descriptor& type,
                    const SyntaxField& written, const std::string& path);
  void MarkWritten(std::string path, const SyntaxField& written);
  void BindField(const SyntaxField& written,
                 const google::protobuf::FieldDescriptor& field,
                 const std::string& path, google::protobuf::Message& message);
  void WrongType(const SyntaxValue& value,
                 const google::protobuf::FieldDescriptor& field,
                 const std::string& path);
  void BindNumber(const SyntaxValue& value,
                  const google::protobuf::FieldDescriptor& field,
                  const std::string& path, google::protobuf::Message& message);
  void BindTruth(const SyntaxValue& value,
                 const google::protobuf::FieldDescriptor& field,
                 const std::string& path, google::protobuf::Message& message);
  void BindEnum(const SyntaxValue& value,
                const google::protobuf::FieldDescriptor& field,
                const std::string& path, google::protobuf::Message& message);
  void BindText(const SyntaxValue& value,
                const google::protobuf::FieldDescriptor& field,
                const std::string& path, google::protobuf::Message& message);

  const google::protobuf::Descriptor& root_;
  const bool json_;
  FieldPlaces& places_;
  Findings& findings_;
};

}  // namespace groupsim

#endif  // GROUPSIM_SCENARIOS_READER_BINDER_H_
