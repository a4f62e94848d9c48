// See json.h.
#include "report/json.h"

#include <llvm/Support/raw_ostream.h>

namespace culprit {

std::string jsonText(llvm::json::Object object) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream writer(stream, 2);
  writer.value(llvm::json::Value(std::move(object)));
  stream << '\n';
  return text;
}

llvm::json::Value jsonString(const std::string &text) {
  return llvm::json::isUTF8(text) ? llvm::json::Value(text)
                                  : llvm::json::Value(llvm::json::fixUTF8(text));
}

} // namespace culprit
