// See eh_frame.h. What is read here was mapped by the dynamic loader and is trusted.
#include "runtime/eh_frame.h"

#include <link.h>
#include <stddef.h>

namespace culprit {

uint64_t readUnsigned(const uint8_t *&at) {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    uint8_t byte = *at++;
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0)
      return value;
  }
}

int64_t readSigned(const uint8_t *&at) {
  uint64_t value = 0;
  unsigned shift = 0;
  uint8_t byte;
  do {
    byte = *at++;
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    shift += 7;
  } while ((byte & 0x80) != 0);
  if (shift < 64 && (byte & 0x40) != 0)
    value |= ~uint64_t{0} << shift;
  return static_cast<int64_t>(value);
}

namespace {

template <typename T> T take(const uint8_t *&at) {
  T value;
  __builtin_memcpy(&value, at, sizeof value);
  at += sizeof value;
  return value;
}

/// Pointer encodings (DW_EH_PE_*) that x86-64 compilers use.
enum Encoding : uint8_t { Absolute = 0, Udata4 = 3, Udata8 = 4, Sdata4 = 11, Sdata8 = 12 };
constexpr uint8_t kFormatMask = 0x0f;
constexpr uint8_t kPcRelative = 0x10;
constexpr uint8_t kOmit = 0xff;
constexpr uint8_t kTableEncoding = 0x3b; ///< signed four bytes, relative to the table

uint64_t readPointer(const uint8_t *&at, uint8_t encoding) {
  uint64_t place = reinterpret_cast<uint64_t>(at);
  uint64_t value = 0;
  switch (encoding & kFormatMask) {
  case Udata4:
    value = take<uint32_t>(at);
    break;
  case Sdata4:
    value = static_cast<uint64_t>(static_cast<int64_t>(take<int32_t>(at)));
    break;
  default:
    value = take<uint64_t>(at);
  }
  return (encoding & 0x70) == kPcRelative ? value + place : value;
}

struct ImageSearch {
  uint64_t pc;
  const uint8_t *table; ///< .eh_frame_hdr
  bool isCode;
};

int visitImage(dl_phdr_info *info, size_t, void *data) {
  auto *search = static_cast<ImageSearch *>(data);
  const uint8_t *table = nullptr;
  for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &header = info->dlpi_phdr[i];
    uint64_t start = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_GNU_EH_FRAME)
      table = reinterpret_cast<const uint8_t *>(start);
    if (header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0 && search->pc >= start &&
        search->pc < start + header.p_memsz)
      search->isCode = true;
  }
  if (search->isCode)
    search->table = table;
  return search->isCode;
}

ImageSearch searchImages(uint64_t pc) {
  ImageSearch search{pc, nullptr, false};
  dl_iterate_phdr(visitImage, &search);
  return search;
}

/// The frame description entry whose function starts last before `pc`; null without a search table.
const uint8_t *entryBefore(uint64_t pc, const uint8_t *table) {
  const uint8_t *at = table;
  uint8_t version = take<uint8_t>(at);
  uint8_t frameEncoding = take<uint8_t>(at);
  uint8_t countEncoding = take<uint8_t>(at);
  uint8_t tableEncoding = take<uint8_t>(at);
  if (version != 1 || countEncoding == kOmit || tableEncoding != kTableEncoding)
    return nullptr;
  readPointer(at, frameEncoding);
  uint64_t count = readPointer(at, countEncoding);
  struct Slot {
    int32_t function;
    int32_t entry;
  };
  const Slot *slots = reinterpret_cast<const Slot *>(at);
  auto base = reinterpret_cast<uint64_t>(table);
  auto relative = static_cast<int64_t>(pc - base);
  uint64_t low = 0;
  for (uint64_t high = count; low < high;) {
    uint64_t middle = (low + high) / 2;
    if (slots[middle].function <= relative)
      low = middle + 1;
    else
      high = middle;
  }
  return low == 0 ? nullptr : table + slots[low - 1].entry;
}

struct Function {
  uint64_t start = 0;
  uint64_t codeFactor = 1;
  int64_t dataFactor = 1;
  uint8_t pointerEncoding = Absolute;
  bool isSignalFrame = false;
  bool hasAugmentation = false;
  const uint8_t *initial = nullptr; ///< instructions of the common entry
  const uint8_t *initialEnd = nullptr;
  const uint8_t *own = nullptr;
  const uint8_t *ownEnd = nullptr;
};

void readAugmentation(const uint8_t *at, const char *letters, Function &function) {
  for (; *letters; ++letters) {
    if (*letters == 'R') {
      function.pointerEncoding = take<uint8_t>(at);
    } else if (*letters == 'P') {
      uint8_t encoding = take<uint8_t>(at);
      readPointer(at, encoding);
    } else if (*letters == 'L') {
      ++at;
    } else if (*letters == 'S') {
      function.isSignalFrame = true;
    }
  }
}

bool readCommonEntry(const uint8_t *at, Function &function) {
  uint32_t length = take<uint32_t>(at);
  if (length == 0 || length == UINT32_MAX)
    return false;
  function.initialEnd = at + length;
  at += 4;
  uint8_t version = take<uint8_t>(at);
  const char *letters = reinterpret_cast<const char *>(at);
  while (*at++) {
  }
  if (version != 1 && version != 3)
    return false;
  function.codeFactor = readUnsigned(at);
  function.dataFactor = readSigned(at);
  version == 1 ? static_cast<void>(++at) : static_cast<void>(readUnsigned(at));
  if (*letters == 'z') {
    function.hasAugmentation = true;
    uint64_t size = readUnsigned(at);
    readAugmentation(at, letters + 1, function);
    at += size;
  }
  function.initial = at;
  return true;
}

bool readEntry(const uint8_t *at, uint64_t pc, Function &function) {
  uint32_t length = take<uint32_t>(at);
  if (length == 0 || length == UINT32_MAX)
    return false;
  function.ownEnd = at + length;
  const uint8_t *common = at - *reinterpret_cast<const int32_t *>(at);
  at += 4;
  if (!readCommonEntry(common, function))
    return false;
  function.start = readPointer(at, function.pointerEncoding);
  uint64_t size = readPointer(at, function.pointerEncoding & kFormatMask);
  if (pc < function.start || pc >= function.start + size)
    return false;
  if (function.hasAugmentation) {
    uint64_t skip = readUnsigned(at);
    at += skip;
  }
  function.own = at;
  return true;
}

/// Runs call frame instructions (DW_CFA_*) up to `pc`.
class RowBuilder {
public:
  RowBuilder(const Function &function, uint64_t pc, Row &row)
      : function_(function), pc_(pc), at_(function.start), row_(row) {}

  bool run() {
    if (!execute(function_.initial, function_.initialEnd))
      return false;
    initial_ = row_;
    return execute(function_.own, function_.ownEnd);
  }

private:
  static constexpr unsigned kMostRemembered = 6;

  bool execute(const uint8_t *at, const uint8_t *end) {
    while (at < end && at_ <= pc_) {
      uint8_t code = take<uint8_t>(at);
      uint8_t operand = code & 0x3f;
      switch (code >> 6) {
      case 1:
        at_ += operand * function_.codeFactor;
        break;
      case 2:
        setOffset(operand, static_cast<int64_t>(readUnsigned(at)) * function_.dataFactor,
                  Rule::AtOffset);
        break;
      case 3:
        restore(operand);
        break;
      default:
        if (!extended(operand, at))
          return false;
      }
    }
    return true;
  }

  bool extended(uint8_t code, const uint8_t *&at) {
    return advance(code, at) || frameRule(code, at) || registerRule(code, at) ||
           rememberRule(code, at);
  }

  bool advance(uint8_t code, const uint8_t *&at) {
    switch (code) {
    case 0x00: // nop
      return true;
    case 0x01: // set_loc
      at_ = readPointer(at, function_.pointerEncoding);
      return true;
    case 0x02:
      at_ += take<uint8_t>(at) * function_.codeFactor;
      return true;
    case 0x03:
      at_ += take<uint16_t>(at) * function_.codeFactor;
      return true;
    case 0x04:
      at_ += take<uint32_t>(at) * function_.codeFactor;
      return true;
    default:
      return false;
    }
  }

  bool frameRule(uint8_t code, const uint8_t *&at) {
    switch (code) {
    case 0x0c: // def_cfa
      row_.frameRegister = static_cast<uint32_t>(readUnsigned(at));
      row_.frameOffset = static_cast<int64_t>(readUnsigned(at));
      break;
    case 0x12: // def_cfa_sf
      row_.frameRegister = static_cast<uint32_t>(readUnsigned(at));
      row_.frameOffset = readSigned(at) * function_.dataFactor;
      break;
    case 0x0d: // def_cfa_register
      row_.frameRegister = static_cast<uint32_t>(readUnsigned(at));
      break;
    case 0x0e: // def_cfa_offset
      row_.frameOffset = static_cast<int64_t>(readUnsigned(at));
      break;
    case 0x13: // def_cfa_offset_sf
      row_.frameOffset = readSigned(at) * function_.dataFactor;
      break;
    case 0x0f: // def_cfa_expression
      row_.frameExpression = at;
      skipBlock(at);
      return true;
    default:
      return false;
    }
    row_.frameExpression = nullptr;
    return true;
  }

  bool registerRule(uint8_t code, const uint8_t *&at) {
    if (code == 0x2e) { // GNU_args_size
      readUnsigned(at);
      return true;
    }
    if ((code < 0x05 || code > 0x09) && code != 0x10 && code != 0x11 &&
        (code < 0x14 || code > 0x16))
      return false;
    uint64_t number = readUnsigned(at);
    switch (code) {
    case 0x05: // offset_extended
      setOffset(number, static_cast<int64_t>(readUnsigned(at)) * function_.dataFactor,
                Rule::AtOffset);
      break;
    case 0x06: // restore_extended
      restore(number);
      break;
    case 0x07: // undefined
      setOffset(number, 0, Rule::Undefined);
      break;
    case 0x08: // same_value
      setOffset(number, 0, Rule::Same);
      break;
    case 0x09: // register
      setOffset(number, static_cast<int64_t>(readUnsigned(at)), Rule::InRegister);
      break;
    case 0x11: // offset_extended_sf
      setOffset(number, readSigned(at) * function_.dataFactor, Rule::AtOffset);
      break;
    case 0x14: // val_offset
      setOffset(number, static_cast<int64_t>(readUnsigned(at)) * function_.dataFactor,
                Rule::IsOffset);
      break;
    case 0x15: // val_offset_sf
      setOffset(number, readSigned(at) * function_.dataFactor, Rule::IsOffset);
      break;
    default: // expression, val_expression
      if (number < abi::kRegisterCount)
        row_.rules[number] = {code == 0x10 ? Rule::AtExpression : Rule::IsExpression, 0, at};
      skipBlock(at);
    }
    return true;
  }

  bool rememberRule(uint8_t code, const uint8_t *&) {
    if (code == 0x0a && depth_ < kMostRemembered) {
      remembered_[depth_++] = row_;
      return true;
    }
    if (code == 0x0b && depth_ > 0) {
      row_ = remembered_[--depth_];
      return true;
    }
    return false;
  }

  static void skipBlock(const uint8_t *&at) {
    uint64_t size = readUnsigned(at);
    at += size;
  }

  void setOffset(uint64_t number, int64_t offset, Rule::Kind kind) {
    if (number < abi::kRegisterCount)
      row_.rules[number] = {kind, offset, nullptr};
  }

  void restore(uint64_t number) {
    if (number < abi::kRegisterCount)
      row_.rules[number] = initial_.rules[number];
  }

  const Function &function_;
  uint64_t pc_;
  uint64_t at_;
  Row &row_;
  Row initial_;
  Row remembered_[kMostRemembered];
  unsigned depth_ = 0;
};

} // namespace

bool isCode(uint64_t pc) {
  return searchImages(pc).isCode;
}

bool findRow(uint64_t pc, Row &row, bool &isSignalFrame) {
  const uint8_t *table = searchImages(pc).table;
  const uint8_t *entry = table ? entryBefore(pc, table) : nullptr;
  Function function;
  if (!entry || !readEntry(entry, pc, function))
    return false;
  isSignalFrame = function.isSignalFrame;
  return RowBuilder(function, pc, row).run();
}

} // namespace culprit
