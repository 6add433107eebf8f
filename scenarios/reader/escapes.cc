#include "scenarios/reader/escapes.h"

#include <cstdint>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace groupsim {
namespace {

void AppendUtf8(uint32_t code, std::string& out) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

// Takes four hexadecimal digits off the front.
bool TakeHex4(absl::string_view& rest, uint32_t& code) {
  if (rest.size() < 4 || !absl::SimpleHexAtoi(rest.substr(0, 4), &code)) {
    return false;
  }
  for (int i = 0; i < 4; ++i) {
    if (!absl::ascii_isxdigit(rest[i])) return false;
  }
  rest.remove_prefix(4);
  return true;
}

// One escape, `rest` being behind its backslash.
bool TakeJsonEscape(absl::string_view& rest, std::string& out) {
  if (rest.empty()) return false;
  constexpr absl::string_view kLetters = "\"\\/bfnrt";
  constexpr absl::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const size_t found = kLetters.find(rest[0]);
  if (found != absl::string_view::npos) {
    out += kMeanings[found];
    rest.remove_prefix(1);
    return true;
  }
  if (rest[0] != 'u') return false;
  rest.remove_prefix(1);
  uint32_t code = 0;
  if (!TakeHex4(rest, code)) return false;
  if (code >= 0xD800 && code < 0xDC00) {  // The first half of a pair.
    uint32_t low = 0;
    if (rest.substr(0, 2) != "\\u") return false;
    rest.remove_prefix(2);
    if (!TakeHex4(rest, low) || low < 0xDC00 || low > 0xDFFF) return false;
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  } else if (code >= 0xDC00 && code < 0xE000) {
    return false;
  }
  AppendUtf8(code, out);
  return true;
}

absl::Status BadEscape() {
  return absl::InvalidArgumentError(
      "a backslash is followed by what it cannot stand before");
}

absl::StatusOr<std::string> UnescapeJson(absl::string_view rest) {
  std::string out;
  while (!rest.empty()) {
    const char c = rest[0];
    rest.remove_prefix(1);
    if (c != '\\') {
      if (static_cast<unsigned char>(c) < 0x20) {
        return absl::InvalidArgumentError(
            "a text must not hold control characters");
      }
      out += c;
    } else if (!TakeJsonEscape(rest, out)) {
      return BadEscape();
    }
  }
  return out;
}

}  // namespace

absl::StatusOr<std::string> Unescape(absl::string_view raw, EscapeRules rules) {
  std::string result;
  if (rules == EscapeRules::kJson) {
    absl::StatusOr<std::string> text = UnescapeJson(raw);
    if (!text.ok()) return text;
    result = *std::move(text);
  } else if (!absl::CUnescape(raw, &result)) {
    return BadEscape();
  }
  if (FindBadUtf8(result) != absl::string_view::npos) {
    return absl::InvalidArgumentError("a text must be UTF-8");
  }
  return result;
}

size_t FindBadUtf8(absl::string_view text) {
  size_t i = 0;
  while (i < text.size()) {
    const auto byte = [&](size_t at) {
      return static_cast<unsigned char>(at < text.size() ? text[at] : 0);
    };
    const unsigned char first = byte(i);
    size_t length = 1;
    uint32_t code = first;
    uint32_t smallest = 0;
    if (first >= 0xF0 && first < 0xF5) {
      length = 4;
      code = first & 0x07;
      smallest = 0x10000;
    } else if (first >= 0xE0 && first < 0xF0) {
      length = 3;
      code = first & 0x0F;
      smallest = 0x800;
    } else if (first >= 0xC2 && first < 0xE0) {
      length = 2;
      code = first & 0x1F;
      smallest = 0x80;
    } else if (first >= 0x80) {
      return i;
    }
    for (size_t j = 1; j < length; ++j) {
      if ((byte(i + j) & 0xC0) != 0x80) return i;
      code = code << 6 | (byte(i + j) & 0x3F);
    }
    if (code < smallest || code > 0x10FFFF ||
        (code >= 0xD800 && code < 0xE000)) {
      return i;
    }
    i += length;
  }
  return absl::string_view::npos;
}

}  // namespace groupsim
