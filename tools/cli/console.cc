#include "tools/cli/console.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace groupsim {
namespace {

void WriteToError(absl::string_view text) {
  // Where this fails there is nobody left to tell.
  fwrite(text.data(), 1, text.size(), stderr);
  fflush(stderr);
}

// A line such as "a.textproto:3:1: error: ..." with its severity in colour.
std::string Coloured(absl::string_view line) {
  struct Word {
    absl::string_view text;
    absl::string_view colour;
  };
  for (const Word& word :
       {Word{": error: ", "\033[1;31m"}, Word{": warning: ", "\033[1;35m"}}) {
    const size_t at = line.find(word.text);
    if (absl::StartsWith(line, " ") || at == absl::string_view::npos) continue;
    return absl::StrCat(line.substr(0, at + 2), word.colour,
                        line.substr(at + 2, word.text.size() - 3), "\033[0m",
                        line.substr(at + word.text.size() - 1));
  }
  return std::string(line);
}

}  // namespace

ExitCode PrintResult(absl::string_view text) {
  errno = 0;
  if (fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
      fflush(stdout) == 0) {
    return ExitCode::kPassed;
  }
  PrintError(absl::StrCat("cannot write the result: ", strerror(errno)));
  return ExitCode::kFileError;
}

void PrintError(absl::string_view message) {
  WriteToError(absl::StrCat("groupsim: ", message, "\n"));
}

ExitCode PrintUsageError(absl::string_view command, absl::string_view message) {
  PrintError(message);
  PrintError(
      absl::StrCat("see groupsim help", command.empty() ? "" : " ", command));
  return ExitCode::kWrongUsage;
}

void PrintFindings(absl::string_view formatted) {
  const char* const no_color = getenv("NO_COLOR");
  if (!ErrorIsTerminal() || (no_color != nullptr && *no_color != '\0')) {
    WriteToError(formatted);
    return;
  }
  std::string text;
  for (const absl::string_view line : absl::StrSplit(formatted, '\n')) {
    absl::StrAppend(&text, Coloured(line), "\n");
  }
  text.pop_back();
  WriteToError(text);
}

bool ErrorIsTerminal() { return isatty(STDERR_FILENO) == 1; }

}  // namespace groupsim
