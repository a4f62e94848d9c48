// See frame_table.h.
#include "compiler/memory/frame_table.h"

#include "support/diagnostics.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/MathExtras.h>
#include <numeric>

namespace culprit {
namespace json = llvm::json;

namespace {

json::Array memberRow(const FrameMember &member) {
  return json::Array{static_cast<int64_t>(member.kind),      member.name,
                     static_cast<int64_t>(member.line),      static_cast<int64_t>(member.size),
                     static_cast<int64_t>(member.alignment), member.isBuffer};
}

[[noreturn]] void failDamaged() {
  failInternal("a table of frames in the cache is damaged; run 'culprit cache --clear'");
}

uint64_t number(const json::Array &row, size_t index) {
  auto value = row[index].getAsInteger();
  if (!value)
    failDamaged();
  return static_cast<uint64_t>(*value);
}

std::string text(const json::Array &row, size_t index) {
  auto value = row[index].getAsString();
  if (!value)
    failDamaged();
  return value->str();
}

const json::Array &rowOf(const json::Value &value, size_t size) {
  const json::Array *row = value.getAsArray();
  if (!row || row->size() != size)
    failDamaged();
  return *row;
}

FrameMember memberOf(const json::Value &value) {
  const json::Array &row = rowOf(value, 6);
  return {static_cast<MemberKind>(number(row, 0)),
          text(row, 1),
          static_cast<uint32_t>(number(row, 2)),
          number(row, 3),
          number(row, 4),
          row[5].getAsBoolean().value_or(false)};
}

} // namespace

std::string FrameTable::serialise() const {
  json::Array rows;
  for (const FrameShape &shape : shapes) {
    json::Array members;
    for (const FrameMember &member : shape.members)
      members.push_back(memberRow(member));
    rows.push_back(json::Array{shape.function, shape.name, shape.file,
                               static_cast<int64_t>(shape.line), std::move(members)});
  }
  std::string out;
  llvm::raw_string_ostream(out) << json::Value(std::move(rows));
  return out;
}

FrameTable FrameTable::parse(std::string_view bytes) {
  llvm::Expected<json::Value> value = json::parse(bytes);
  if (!value) {
    llvm::consumeError(value.takeError());
    failDamaged();
  }
  const json::Array *rows = value->getAsArray();
  if (!rows)
    failDamaged();
  FrameTable table;
  for (const json::Value &entry : *rows) {
    const json::Array &row = rowOf(entry, 5);
    FrameShape shape{
        text(row, 0), text(row, 1), text(row, 2), static_cast<uint32_t>(number(row, 3)), {}};
    const json::Array *members = row[4].getAsArray();
    if (!members)
      failDamaged();
    for (const json::Value &member : *members)
      shape.members.push_back(memberOf(member));
    table.shapes.push_back(std::move(shape));
  }
  return table;
}

uint64_t frameKey(const std::string &moduleId, size_t shape) {
  constexpr size_t kDigits = 10; // 40 bits of the module's id, 24 of the function's number
  uint64_t module = moduleId.empty() ? 0 : std::stoull(moduleId.substr(0, kDigits), nullptr, 16);
  return module << 24 | (shape + 2); // 1 is abi::kBlockNote
}

std::string offsetSymbol(size_t shape, size_t member) {
  return fmt::format("{}{}.{}", kOffsetSymbolPrefix, shape, member);
}

std::string sizeSymbol(size_t shape) {
  return fmt::format("__culprit_size.{}", shape);
}

std::string descentSymbol(size_t shape) {
  return fmt::format("__culprit_descent.{}", shape);
}

FramePlacement placeMembers(const FrameShape &shape, const std::vector<size_t> &order,
                            uint64_t guardBytes) {
  std::vector<size_t> sequence = order;
  if (sequence.empty()) {
    sequence.resize(shape.members.size());
    std::iota(sequence.begin(), sequence.end(), size_t{0});
  }
  // Downward from the top, which is aligned for every member.
  FramePlacement placement;
  std::vector<uint64_t> depths(shape.members.size(), 0);
  uint64_t depth = 0;
  uint64_t alignment = 16;
  for (size_t index : sequence) {
    const FrameMember &member = shape.members[index];
    alignment = std::max(alignment, member.alignment);
    uint64_t guard = 0;
    if (guardBytes > 0 && member.isBuffer && member.kind != MemberKind::Gap) {
      // Right behind the buffer, up to what stands above it.
      uint64_t start = llvm::alignTo(depth + guardBytes + member.size, member.alignment);
      guard = start - member.size - depth;
    }
    depth = llvm::alignTo(depth + guard + member.size, member.alignment);
    depths[index] = depth;
    if (guard > 0)
      placement.guards.push_back({depth - member.size, guard});
  }
  placement.size = llvm::alignTo(std::max<uint64_t>(depth, 16), alignment);
  for (uint64_t member : depths)
    placement.offsets.push_back(placement.size - member);
  for (FrameGuard &guard : placement.guards)
    guard.offset = placement.size - guard.offset;
  return placement;
}

} // namespace culprit
