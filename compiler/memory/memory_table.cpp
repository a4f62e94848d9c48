// See memory_table.h. A cache file: rows of JSON, without names, made and read by the same build of
// culprit.
#include "compiler/memory/memory_table.h"

#include "support/diagnostics.h"

#include <llvm/Support/JSON.h>

namespace culprit {
namespace json = llvm::json;

namespace {

[[noreturn]] void failDamaged() {
  failInternal("a table of globals and frames in the cache is damaged; run 'culprit cache "
               "--clear'");
}

int64_t asNumber(uint64_t value) {
  return static_cast<int64_t>(value);
}

json::Array rowOf(const FrameMember &member) {
  return json::Array{asNumber(static_cast<uint32_t>(member.kind)),
                     member.name,
                     asNumber(member.line),
                     asNumber(member.size),
                     asNumber(member.alignment),
                     member.isBuffer};
}

json::Array rowOf(const FrameShape &shape) {
  json::Array members;
  for (const FrameMember &member : shape.members)
    members.push_back(rowOf(member));
  return json::Array{shape.function, shape.file, asNumber(shape.line), std::move(members)};
}

json::Array rowOf(const GlobalShape &global) {
  return json::Array{global.symbol, global.file, global.section, global.isLocal, global.isBuffer};
}

/// One row being read, cell by cell.
class Row {
public:
  Row(const json::Value &value, size_t size) : cells_(value.getAsArray()) {
    if (!cells_ || cells_->size() != size)
      failDamaged();
  }
  uint64_t number() { return static_cast<uint64_t>(need(next().getAsInteger())); }
  std::string text() { return need(next().getAsString()).str(); }
  bool flag() { return need(next().getAsBoolean()); }
  const json::Array &rows() {
    const json::Array *array = next().getAsArray();
    if (!array)
      failDamaged();
    return *array;
  }

private:
  const json::Value &next() { return (*cells_)[next_++]; }
  template <typename T> static T need(const std::optional<T> &value) {
    if (!value)
      failDamaged();
    return *value;
  }

  const json::Array *cells_;
  size_t next_ = 0;
};

FrameMember memberOf(const json::Value &value) {
  Row row(value, 6);
  FrameMember member;
  member.kind = static_cast<MemberKind>(row.number());
  member.name = row.text();
  member.line = static_cast<uint32_t>(row.number());
  member.size = row.number();
  member.alignment = row.number();
  member.isBuffer = row.flag();
  return member;
}

FrameShape frameOf(const json::Value &value) {
  Row row(value, 4);
  FrameShape shape;
  shape.function = row.text();
  shape.file = row.text();
  shape.line = static_cast<uint32_t>(row.number());
  for (const json::Value &member : row.rows())
    shape.members.push_back(memberOf(member));
  return shape;
}

GlobalShape globalOf(const json::Value &value) {
  Row row(value, 5);
  GlobalShape global;
  global.symbol = row.text();
  global.file = row.text();
  global.section = row.text();
  global.isLocal = row.flag();
  global.isBuffer = row.flag();
  return global;
}

} // namespace

std::string MemoryTable::serialise() const {
  json::Array frameRows;
  for (const FrameShape &shape : frames)
    frameRows.push_back(rowOf(shape));
  json::Array globalRows;
  for (const GlobalShape &global : globals)
    globalRows.push_back(rowOf(global));
  std::string out;
  llvm::raw_string_ostream(out) << json::Value(
      json::Array{std::move(frameRows), std::move(globalRows)});
  return out;
}

MemoryTable MemoryTable::parse(std::string_view bytes) {
  llvm::Expected<json::Value> value = json::parse(bytes);
  if (!value) {
    llvm::consumeError(value.takeError());
    failDamaged();
  }
  Row row(*value, 2);
  MemoryTable table;
  for (const json::Value &frame : row.rows())
    table.frames.push_back(frameOf(frame));
  for (const json::Value &global : row.rows())
    table.globals.push_back(globalOf(global));
  return table;
}

} // namespace culprit
