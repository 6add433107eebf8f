// Files that are there whole or not at all.
#ifndef GROUPSIM_TOOLS_CLI_OUTPUT_FILE_H_
#define GROUPSIM_TOOLS_CLI_OUTPUT_FILE_H_

#include <fstream>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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

  const std::string& path() const { return path_; }

  // Writes what is left under the other name. Unavailable, with the path and
  // the reason, if anything went wrong since the file was opened.
  absl::Status Close();

  // Closes it, and gives it its name.
  absl::Status Finish();

 private:
  const std::string path_;
  const std::string temporary_;
  std::ofstream stream_;
  int open_error_ = 0;
  bool closed_ = false;
  bool finished_ = false;
};

// Files of one folder that are there all or none.
class OutputFolder {
 public:
  // `path` is made when the first file is added.
  explicit OutputFolder(std::string path) : path_(std::move(path)) {}

  // A file to write to, or why there is none.
  absl::StatusOr<std::ostream*> Add(const std::string& name);

  // Removes a file of this name that an earlier run left, once Finish() has
  // come so far that the new ones are whole.
  void Remove(const std::string& name) { removed_.push_back(name); }

  // Gives the files their names after all have been written to the end.
  absl::Status Finish();

 private:
  const std::string path_;
  std::vector<std::unique_ptr<OutputFile>> files_;
  std::vector<std::string> removed_;
};

absl::Status WriteFile(const std::string& path, absl::string_view contents);

// Makes a folder and those above it.
absl::Status MakeFolder(const std::string& path);

// Whether there is a folder of this name.
bool IsFolder(const std::string& path);

}  // namespace groupsim

#endif  // GROUPSIM_TOOLS_CLI_OUTPUT_FILE_H_
