// See meta.h. Each name and each value has its length in front, as 32 bits.
#include "recording/meta.h"

#include "support/diagnostics.h"

#include <charconv>
#include <cstring>

namespace culprit {
namespace {

void put(std::string &out, std::string_view text) {
  auto size = static_cast<uint32_t>(text.size());
  out.append(reinterpret_cast<const char *>(&size), sizeof size);
  out.append(text);
}

std::string take(std::string_view &bytes, const std::string &name) {
  uint32_t size = 0;
  if (bytes.size() >= sizeof size)
    std::memcpy(&size, bytes.data(), sizeof size);
  if (bytes.size() < sizeof size || bytes.size() - sizeof size < size)
    failUsage("'{}' is damaged: its description of the program ends in the middle", name);
  std::string text(bytes.substr(sizeof size, size));
  bytes.remove_prefix(sizeof size + size);
  return text;
}

uint64_t numberIn(const std::string &text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

} // namespace

std::string RecordingMeta::serialise() const {
  std::string out;
  auto add = [&](std::string_view key, std::string_view value) {
    put(out, key);
    put(out, value);
  };
  add("program", program);
  add("started", started);
  for (const std::string &argument : arguments)
    add("argument", argument);
  for (const std::string &variable : environment)
    add("environment", variable);
  add("folder", folder);
  add("build", build);
  add("processor", processor);
  add("stack", std::to_string(stackLimit));
  add("memory", std::to_string(memoryLimit));
  add("time", std::to_string(time));
  return out;
}

RecordingMeta RecordingMeta::parse(std::string_view bytes, const std::string &name) {
  RecordingMeta meta;
  while (!bytes.empty()) {
    std::string key = take(bytes, name);
    std::string value = take(bytes, name);
    if (key == "program")
      meta.program = value;
    else if (key == "argument")
      meta.arguments.push_back(value);
    else if (key == "environment")
      meta.environment.push_back(value);
    else if (key == "folder")
      meta.folder = value;
    else if (key == "build")
      meta.build = value;
    else if (key == "started")
      meta.started = value;
    else if (key == "processor")
      meta.processor = value;
    else if (key == "stack")
      meta.stackLimit = numberIn(value);
    else if (key == "memory")
      meta.memoryLimit = numberIn(value);
    else if (key == "time")
      meta.time = numberIn(value);
  }
  if (meta.program.empty() || meta.arguments.empty())
    failUsage("'{}' is damaged: it does not say which program it is of", name);
  return meta;
}

} // namespace culprit
