// Files that are there whole or not at all.
#ifndef GROUPSIM_TOOLS_CLI_OUTPUT_FILE_H_
#define GROUPSIM_TOOLS_CLI_OUTPUT_FILE_H_

#include <fstream>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace groupsim {

// Written under another name, which is the file's own only after Finish().
// Destroyed before, it leaves nothing behind.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::ostream& stream() { return stream_; }

  // Unavailable, with the path and the reason, if anything went wrong since the
  // file was opened.
  absl::Status Finish();

 private:
  const std::string path_;
  const std::string temporary_;
  std::ofstream stream_;
  int open_error_ = 0;
  bool finished_ = false;
};

absl::Status WriteFile(const std::string& path, absl::string_view contents);

// Makes a folder and those above it.
absl::Status MakeFolder(const std::string& path);

// Whether there is a folder of this name.
bool IsFolder(const std::string& path);

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_OUTPUT_FILE_H_
