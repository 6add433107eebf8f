#include "sim/trace/event_log.h"

#include <cstdint>
#include <ostream>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "model/base/name.h"
#include "model/facts/fact.h"

namespace groupsim {
namespace {

// Appends a JSON string. Names are UTF-8, which JSON takes as it is.
void AppendQuoted(absl::string_view text, std::string* out) {
  out->push_back('"');
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out->push_back('\\');
      out->push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      absl::StrAppendFormat(out, "\\u%04x", c);
    } else {
      out->push_back(c);
    }
  }
  out->push_back('"');
}

}  // namespace

EventLog::EventLog(const NameTable& names, std::ostream& out)
    : names_(names), out_(out) {}

void EventLog::OnFact(const Fact& fact) {
  const FactKindInfo& info = InfoOf(fact.kind);
  line_.clear();
  absl::StrAppend(&line_, "{\"time\":", fact.time.nanos(), ",\"kind\":\"",
                  info.name, "\"");
  AppendName("host", fact.host);
  AppendName("group", fact.group);
  AppendName("topic", fact.topic);
  AppendName("broker", fact.broker);
  if (fact.queue != 0 || (fact.topic != 0 && fact.broker != 0)) {
    absl::StrAppend(&line_, ",\"queue\":", fact.queue);
  }
  AppendNumber("offset", fact.offset, info.fields);
  AppendNumber("count", fact.count, info.fields);
  AppendNumber("value", fact.value, info.fields);
  line_ += "}\n";
  out_.write(line_.data(), static_cast<std::streamsize>(line_.size()));
}

void EventLog::AppendName(absl::string_view key, uint64_t id) {
  if (id == 0) return;
  absl::StrAppend(&line_, ",\"", key, "\":");
  AppendQuoted(names_.FromId(static_cast<uint32_t>(id)).text(), &line_);
}

void EventLog::AppendNumber(absl::string_view field, int64_t number,
                            absl::string_view fields) {
  if (number == 0) return;
  if (absl::StrContains(fields, absl::StrCat(field, " = name id"))) {
    AppendName(field, static_cast<uint64_t>(number));
    return;
  }
  absl::StrAppend(&line_, ",\"", field, "\":", number);
}

}  // namespace groupsim
