// See call_text.h.
#include "report/call_text.h"

#include "analysis/names/type_names.h"

#include <fmt/format.h>

namespace culprit {
namespace {

std::string fileName(const std::string &path) {
  return path.substr(path.rfind('/') + 1);
}

} // namespace

std::string locationOf(const StackFrame &frame) {
  std::string text = frame.file;
  if (frame.line != 0)
    text += fmt::format(":{}", frame.line);
  if (frame.column != 0)
    text += fmt::format(":{}", frame.column);
  return text;
}

std::string callName(const StackFrame &frame) {
  if (frame.function.empty())
    return frame.image.empty() ? "code that is not known" : "code in " + fileName(frame.image);
  std::string name = shortTypeNames(frame.function);
  return name.find('(') != std::string::npos ? name : name + "()";
}

std::string callPlace(const StackFrame &frame) {
  std::string text = callName(frame);
  if (frame.line != 0 && frame.origin == FrameOrigin::Program)
    return text + " at " + locationOf(frame) + (frame.isApproximate ? " or near it" : "");
  // What stands for a function of libc is in the executable, which tells nothing.
  bool isPlain =
      frame.image.empty() || frame.function.empty() || frame.origin == FrameOrigin::Runtime;
  return isPlain ? text : text + " in " + fileName(frame.image);
}

} // namespace culprit
