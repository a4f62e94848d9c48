// See place.h.
#include "compiler/twin/place.h"

#include "support/diagnostics.h"

#include <cstring>
#include <elf.h>
#include <optional>
#include <string_view>
#include <vector>

namespace culprit {
namespace {

class ObjectPatcher {
public:
  ObjectPatcher(std::string &object, const SymbolValues &values)
      : object_(object), values_(values), header_(at<Elf64_Ehdr>(0)) {
    if (std::memcmp(header_->e_ident, ELFMAG, SELFMAG) != 0 || header_->e_type != ET_REL)
      failDamaged();
    firstSection_ = at<Elf64_Shdr>(header_->e_shoff);
    sectionCount_ = header_->e_shnum != 0 ? header_->e_shnum : firstSection_->sh_size;
    at<Elf64_Shdr>(header_->e_shoff, sectionCount_);
  }

  void run() {
    for (uint64_t i = 0; i < sectionCount_; ++i)
      if (firstSection_[i].sh_type == SHT_SYMTAB)
        findSymbols(firstSection_[i]);
    for (uint64_t i = 0; i < sectionCount_; ++i)
      if (firstSection_[i].sh_type == SHT_RELA)
        applyRelocations(firstSection_[i]);
  }

private:
  [[noreturn]] static void failDamaged() {
    failInternal("a twin in the cache is damaged; run 'culprit cache --clear'");
  }

  template <typename T> T *at(uint64_t offset, uint64_t count = 1) {
    if (offset > object_.size() || count > (object_.size() - offset) / sizeof(T))
      failDamaged();
    return reinterpret_cast<T *>(object_.data() + offset);
  }

  const Elf64_Shdr &section(uint64_t index) const {
    if (index >= sectionCount_)
      failDamaged();
    return firstSection_[index];
  }

  /// Remembers what each of our symbols is worth, and defines it: absolute, and weak because every
  /// twin has symbols of these names.
  void findSymbols(const Elf64_Shdr &table) {
    const Elf64_Shdr &names = section(table.sh_link);
    uint64_t count = table.sh_size / sizeof(Elf64_Sym);
    auto *symbols = at<Elf64_Sym>(table.sh_offset, count);
    const char *text = at<char>(names.sh_offset, names.sh_size);
    known_.resize(count);
    for (uint64_t i = 1; i < count; ++i) {
      if (symbols[i].st_shndx != SHN_UNDEF || symbols[i].st_name >= names.sh_size)
        continue;
      auto value = values_.find(std::string_view(text + symbols[i].st_name));
      if (value == values_.end())
        continue;
      known_[i] = value->second;
      symbols[i].st_shndx = SHN_ABS;
      symbols[i].st_value = static_cast<uint64_t>(value->second);
      symbols[i].st_info = ELF64_ST_INFO(STB_WEAK, STT_NOTYPE);
    }
  }

  void applyRelocations(const Elf64_Shdr &table) {
    const Elf64_Shdr &target = section(table.sh_info);
    uint64_t count = table.sh_size / sizeof(Elf64_Rela);
    auto *relocations = at<Elf64_Rela>(table.sh_offset, count);
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t symbol = ELF64_R_SYM(relocations[i].r_info);
      if (symbol >= known_.size() || !known_[symbol])
        continue;
      int64_t value = *known_[symbol] + relocations[i].r_addend;
      apply(ELF64_R_TYPE(relocations[i].r_info), target.sh_offset + relocations[i].r_offset, value);
      relocations[i].r_info = ELF64_R_INFO(0, R_X86_64_NONE);
      relocations[i].r_addend = 0;
    }
  }

  void apply(uint64_t type, uint64_t offset, int64_t value) {
    switch (type) {
    case R_X86_64_64:
      std::memcpy(at<char>(offset, 8), &value, 8);
      return;
    case R_X86_64_32:
    case R_X86_64_32S: {
      auto narrow = static_cast<int32_t>(value);
      if (narrow != value)
        failUsage("a frame of the program is larger than 2 GB, which culprit cannot lay out");
      std::memcpy(at<char>(offset, 4), &narrow, 4);
      return;
    }
    case R_X86_64_PC32:
      takeAsNumber(offset);
      apply(R_X86_64_32S, offset, value + 4); // is counted from the end of the field
      return;
    default:
      failInternal("a twin refers to a frame by relocation type {}", type);
    }
  }

  /// Where code for libraries needs a symbol in a register, it takes its address as a distance from
  /// the instruction: `lea symbol(%rip), %reg`. A number has no such distance. `mov $symbol, %reg`
  /// is as long.
  void takeAsNumber(uint64_t offset) {
    constexpr uint8_t kWide = 0x48, kWideHighRegister = 0x4c, kWideHighOperand = 0x49;
    constexpr uint8_t kLea = 0x8d, kMove = 0xc7;
    auto *code = at<uint8_t>(offset - 3, 3); // prefix, operation, registers
    if ((code[0] != kWide && code[0] != kWideHighRegister) || code[1] != kLea ||
        (code[2] & 0xc7) != 0x05)
      failInternal("a twin refers to a frame in an instruction that is not known");
    if (code[0] == kWideHighRegister)
      code[0] = kWideHighOperand;
    code[1] = kMove;
    code[2] = static_cast<uint8_t>(0xc0 | (code[2] >> 3 & 7));
  }

  std::string &object_;
  const SymbolValues &values_;
  const Elf64_Ehdr *header_;
  const Elf64_Shdr *firstSection_ = nullptr;
  uint64_t sectionCount_ = 0;
  std::vector<std::optional<int64_t>> known_;
};

} // namespace

SymbolValues symbolsOf(const ModulePlacement &placement) {
  SymbolValues values;
  for (size_t i = 0; i < placement.size(); ++i) {
    auto size = static_cast<int64_t>(placement[i].size);
    values[sizeSymbol(i)] = size;
    values[descentSymbol(i)] = -size;
    for (size_t member = 0; member < placement[i].offsets.size(); ++member)
      values[offsetSymbol(i, member)] = static_cast<int64_t>(placement[i].offsets[member]);
  }
  return values;
}

void placeSymbols(std::string &object, const SymbolValues &values) {
  if (!values.empty())
    ObjectPatcher(object, values).run();
}

} // namespace culprit
