#include "tools/cli/output_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"

namespace groupsim {
namespace {

// Beside the file, so that renaming it is one step.
std::string TemporaryNameOf(const std::string& path) {
  const std::filesystem::path file(path);
  return (file.parent_path() /
          absl::StrCat(".", file.filename().string(), ".", getpid(), ".tmp"))
      .string();
}

absl::Status CannotWrite(const std::string& path, int error) {
  return absl::UnavailableError(
      absl::StrCat("cannot write ", path, error == 0 ? "" : ": ",
                   error == 0 ? "" : strerror(error)));
}

}  // namespace

OutputFile::OutputFile(std::string path)
    : path_(std::move(path)), temporary_(TemporaryNameOf(path_)) {
  errno = 0;
  stream_.open(temporary_, std::ios::binary | std::ios::trunc);
  if (!stream_) open_error_ = errno;
}

OutputFile::~OutputFile() {
  if (finished_ || open_error_ != 0) return;
  if (!closed_) stream_.close();
  unlink(temporary_.c_str());
}

absl::Status OutputFile::Close() {
  if (open_error_ != 0) return CannotWrite(path_, open_error_);
  if (closed_) return absl::OkStatus();
  errno = 0;
  stream_.close();
  if (!stream_) return CannotWrite(path_, errno);
  closed_ = true;
  return absl::OkStatus();
}

absl::Status OutputFile::Finish() {
  if (absl::Status closed = Close(); !closed.ok()) return closed;
  if (rename(temporary_.c_str(), path_.c_str()) != 0) {
    return CannotWrite(path_, errno);
  }
  finished_ = true;
  return absl::OkStatus();
}

absl::StatusOr<std::ostream*> OutputFolder::Add(const std::string& name) {
  if (absl::Status made = MakeFolder(path_); !made.ok()) return made;
  files_.push_back(
      std::make_unique<OutputFile>(absl::StrCat(path_, "/", name)));
  OutputFile& file = *files_.back();
  if (!file.stream()) return file.Close();
  return &file.stream();
}

absl::Status OutputFolder::Finish() {
  for (const std::unique_ptr<OutputFile>& file : files_) {
    if (absl::Status closed = file->Close(); !closed.ok()) return closed;
  }
  for (const std::string& name : removed_) {
    unlink(absl::StrCat(path_, "/", name).c_str());
  }
  for (const std::unique_ptr<OutputFile>& file : files_) {
    if (absl::Status finished = file->Finish(); !finished.ok()) return finished;
  }
  return absl::OkStatus();
}

absl::Status WriteFile(const std::string& path, absl::string_view contents) {
  OutputFile file(path);
  file.stream().write(contents.data(),
                      static_cast<std::streamsize>(contents.size()));
  return file.Finish();
}

absl::Status MakeFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error && IsFolder(path)) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("cannot make the folder ", path, ": ",
                   error ? error.message() : "there is a file of this name"));
}

bool IsFolder(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

}  // namespace groupsim
