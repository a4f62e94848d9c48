// JSON as culprit writes it: indented by two, one newline at the end, invalid UTF-8 repaired.
#ifndef CULPRIT_REPORT_JSON_H
#define CULPRIT_REPORT_JSON_H

#include <fmt/format.h>
#include <llvm/Support/JSON.h>
#include <string>

namespace culprit {

std::string jsonText(llvm::json::Object object);

/// A string that may come from a file name: JSON wants UTF-8.
llvm::json::Value jsonString(const std::string &text);

/// An address or word.
inline std::string hex(uint64_t value) {
  return fmt::format("{:#x}", value);
}

} // namespace culprit
#endif
