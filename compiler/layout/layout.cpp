// Layouts as JSON; see layout.h. Reading is strict: a key that means nothing is an error.
#include "compiler/layout/layout.h"

#include "support/diagnostics.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/JSON.h>

namespace culprit {
namespace json = llvm::json;

namespace {

class LayoutReader {
public:
  explicit LayoutReader(std::string file) : file_(std::move(file)) {}

  Layout read(std::string_view text) const {
    llvm::Expected<json::Value> value = json::parse(text);
    if (!value)
      failUsage("'{}' is no layout: {}", file_, llvm::toString(value.takeError()));
    const json::Object &root = object(*value, "the whole file");
    allow(root, "", {"program", "globals", "functions", "heap", "guard", "front", "room", "fill"});
    Layout layout;
    if (const json::Value *program = root.get("program"))
      layout.program = string(*program, "program");
    if (const json::Value *globals = root.get("globals"))
      layout.globals = names(*globals, "globals");
    if (const json::Value *functions = root.get("functions"))
      for (const auto &[name, members] : object(*functions, "functions"))
        layout.functions[name.str()] = names(members, "functions." + name.str());
    if (const json::Value *heap = root.get("heap"))
      layout.heap = readHeap(object(*heap, "heap"));
    if (const json::Value *guard = root.get("guard"))
      layout.guard = number(*guard, "guard", 1 << 20);
    if (const json::Value *front = root.get("front"))
      layout.front = number(*front, "front", 1 << 20);
    if (const json::Value *room = root.get("room"))
      layout.room = number(*room, "room", 1 << 20);
    if (const json::Value *fill = root.get("fill"))
      layout.fill = readFill(object(*fill, "fill"));
    return layout;
  }

private:
  HeapArrangement readHeap(const json::Object &heap) const {
    allow(heap, "heap.", {"order", "spacing", "seed", "reuse", "fence"});
    HeapArrangement result;
    if (const json::Value *order = heap.get("order"))
      result.order = string(*order, "heap.order");
    if (result.order != "up" && result.order != "down" && result.order != "shuffled")
      failUsage("'{}': heap.order is '{}', expected up, down or shuffled", file_, result.order);
    if (const json::Value *spacing = heap.get("spacing"))
      result.spacing = number(*spacing, "heap.spacing", 1 << 20);
    if (const json::Value *seed = heap.get("seed"))
      result.seed = number(*seed, "heap.seed", INT64_MAX);
    result.reuse = flag(heap, "reuse", result.reuse);
    result.fence = flag(heap, "fence", result.fence);
    if (result.fence && heap.get("reuse") && result.reuse)
      failUsage("'{}': heap.fence keeps freed memory out of reach, so heap.reuse cannot be true",
                file_);
    return result;
  }

  bool flag(const json::Object &heap, llvm::StringRef key, bool usual) const {
    const json::Value *value = heap.get(key);
    if (value && !value->getAsBoolean())
      failUsage("'{}': heap.{} is neither true nor false", file_, key.str());
    return value ? *value->getAsBoolean() : usual;
  }

  FillPatterns readFill(const json::Object &fill) const {
    allow(fill, "fill.", {"fresh", "uninitialised", "freed"});
    auto byteOf = [&](llvm::StringRef key) -> std::optional<uint8_t> {
      const json::Value *value = fill.get(key);
      if (!value || value->kind() == json::Value::Null)
        return std::nullopt;
      return static_cast<uint8_t>(number(*value, "fill." + key.str(), 255));
    };
    return {byteOf("fresh"), byteOf("uninitialised"), byteOf("freed")};
  }

  /// Names the known key that is nearest to one that is not known.
  void allow(const json::Object &object, const std::string &prefix,
             std::initializer_list<llvm::StringRef> known) const {
    for (const auto &[key, value] : object) {
      llvm::StringRef name = key;
      llvm::StringRef nearest = *known.begin();
      for (llvm::StringRef candidate : known)
        if (candidate.edit_distance(name) < nearest.edit_distance(name))
          nearest = candidate;
      if (nearest != name)
        failUsage("'{}' has the unknown key '{}{}'; did you mean '{}{}'?", file_, prefix,
                  name.str(), prefix, nearest.str());
    }
  }

  const json::Object &object(const json::Value &value, const std::string &key) const {
    const json::Object *result = value.getAsObject();
    if (!result)
      failUsage("'{}': {} is not an object ({{...}})", file_, key);
    return *result;
  }

  std::string string(const json::Value &value, const std::string &key) const {
    auto result = value.getAsString();
    if (!result)
      failUsage("'{}': {} is not a string", file_, key);
    return result->str();
  }

  std::vector<std::string> names(const json::Value &value, const std::string &key) const {
    const json::Array *array = value.getAsArray();
    if (!array)
      failUsage("'{}': {} is not a list ([...])", file_, key);
    std::vector<std::string> result;
    for (const json::Value &entry : *array)
      result.push_back(string(entry, "an entry of " + key));
    return result;
  }

  uint64_t number(const json::Value &value, const std::string &key, int64_t most) const {
    auto result = value.getAsInteger();
    if (!result || *result < 0 || *result > most)
      failUsage("'{}': {} is not a whole number from 0 to {}", file_, key, most);
    return static_cast<uint64_t>(*result);
  }

  std::string file_;
};

json::Value byteAsJson(const std::optional<uint8_t> &byte) {
  return byte ? json::Value(*byte) : json::Value(nullptr);
}

json::Object orderAsJson(const Layout &layout) {
  json::Object functions;
  for (const auto &[name, members] : layout.functions)
    functions[name] = json::Array(members);
  return json::Object{{"globals", json::Array(layout.globals)},
                      {"functions", std::move(functions)},
                      {"guard", static_cast<int64_t>(layout.guard)},
                      {"front", static_cast<int64_t>(layout.front)},
                      {"room", static_cast<int64_t>(layout.room)}};
}

} // namespace

std::string Layout::linkIdentity() const {
  std::string text;
  if (changesLink())
    llvm::raw_string_ostream(text) << json::Value(orderAsJson(*this));
  return text;
}

std::string layoutAsJson(const Layout &layout) {
  json::Object root = orderAsJson(layout);
  root["program"] = layout.program;
  root["heap"] = json::Object{{"order", layout.heap.order},
                              {"spacing", static_cast<int64_t>(layout.heap.spacing)},
                              {"seed", static_cast<int64_t>(layout.heap.seed)},
                              {"reuse", layout.heap.reuse && !layout.heap.fence},
                              {"fence", layout.heap.fence}};
  root["fill"] = json::Object{{"fresh", byteAsJson(layout.fill.fresh)},
                              {"uninitialised", byteAsJson(layout.fill.uninitialised)},
                              {"freed", byteAsJson(layout.fill.freed)}};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::formatv("{0:2}\n", json::Value(std::move(root)));
  return text;
}

Layout parseLayout(std::string_view text, const std::string &file) {
  return LayoutReader(file).read(text);
}

} // namespace culprit
