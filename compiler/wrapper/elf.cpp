// Reading and writing just enough ELF and ar. See elf.h.
#include "compiler/wrapper/elf.h"
#include "abi/embed.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <elf.h>

using namespace llvm;

namespace culprit {
namespace {

constexpr StringLiteral kArchiveMagic = "!<arch>\n";
constexpr StringLiteral kThinMagic = "!<thin>\n";
constexpr uint64_t kRetain = 1 << 21; ///< SHF_GNU_RETAIN

template <typename T> bool readAt(StringRef bytes, uint64_t at, T &value) {
  if (at > bytes.size() || bytes.size() - at < sizeof value)
    return false;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return true;
}

StringRef contents(StringRef bytes, const Elf64_Shdr &section) {
  if (section.sh_type == SHT_NOBITS || section.sh_offset > bytes.size())
    return "";
  return bytes.substr(section.sh_offset, section.sh_size);
}

StringRef cString(StringRef table, uint64_t at) {
  return at < table.size() ? table.drop_front(at).take_until([](char c) { return !c; }) : "";
}

/// Name of a member from its header field and the table of long names.
std::string memberName(StringRef field, StringRef longNames) {
  field = field.rtrim(' ');
  uint64_t at;
  if (StringRef digits = field; digits.consume_front("/") && !digits.getAsInteger(10, at)) {
    if (at >= longNames.size())
      return "";
    StringRef name = longNames.drop_front(at);
    return name.take_front(name.find("/\n")).str();
  }
  field.consume_back("/");
  return field.str();
}

/// x86 properties that hold for any code, so that the output keeps what the other inputs agree on
/// (-fcf-protection): the linker clears what one input does not claim.
std::string neutralPropertyNote() {
  struct Property {
    uint32_t type, size, value, padding;
  };
  const Property properties[] = {{0xc0000002, 4, 0xf, 0}, // FEATURE_1_AND: IBT, SHSTK, LAM
                                 {0xc0010001, 4, 0, 0},   // FEATURE_2_USED
                                 {0xc0010002, 4, 0, 0}};  // ISA_1_USED
  const uint32_t header[] = {4, sizeof properties, NT_GNU_PROPERTY_TYPE_0};
  std::string note(reinterpret_cast<const char *>(header), sizeof header);
  note.append("GNU", 4);
  note.append(reinterpret_cast<const char *>(properties), sizeof properties);
  return note;
}

class ObjectWriter {
public:
  explicit ObjectWriter(uint8_t osabi) : osabi(osabi) {}

  void add(StringRef name, uint32_t type, uint64_t flags, uint64_t align, StringRef bytes) {
    Elf64_Shdr section{};
    section.sh_name = addName(name);
    section.sh_type = type;
    section.sh_flags = flags;
    section.sh_addralign = align;
    place(section, bytes);
  }

  std::string finish() {
    Elf64_Shdr section{};
    section.sh_name = addName(".shstrtab");
    section.sh_type = SHT_STRTAB;
    section.sh_addralign = 1;
    place(section, names);
    image.resize(alignTo(image.size(), 8));
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_ident[EI_OSABI] = osabi;
    header.e_type = ET_REL;
    header.e_machine = EM_X86_64;
    header.e_version = EV_CURRENT;
    header.e_shoff = image.size();
    header.e_ehsize = sizeof header;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = sections.size();
    header.e_shstrndx = sections.size() - 1;
    std::memcpy(image.data(), &header, sizeof header);
    image.append(reinterpret_cast<const char *>(sections.data()),
                 sections.size() * sizeof(Elf64_Shdr));
    return std::move(image);
  }

private:
  uint32_t addName(StringRef name) {
    uint32_t at = names.size();
    names.append(name.data(), name.size());
    names += '\0';
    return at;
  }

  void place(Elf64_Shdr &section, StringRef bytes) {
    image.resize(alignTo(image.size(), section.sh_addralign));
    section.sh_offset = image.size();
    section.sh_size = bytes.size();
    image.append(bytes.data(), bytes.size());
    sections.push_back(section);
  }

  uint8_t osabi;
  std::string image = std::string(sizeof(Elf64_Ehdr), '\0');
  std::string names = std::string(1, '\0');
  std::vector<Elf64_Shdr> sections = {Elf64_Shdr{}};
};

} // namespace

FileKind classify(StringRef bytes) {
  if (bytes.starts_with(kArchiveMagic))
    return FileKind::Archive;
  if (bytes.starts_with(kThinMagic))
    return FileKind::ThinArchive;
  if (bytes.starts_with("BC\xC0\xDE") || bytes.starts_with("\xDE\xC0\x17\x0B"))
    return FileKind::Bitcode;
  Elf64_Ehdr header;
  if (!bytes.starts_with(ELFMAG) || !readAt(bytes, 0, header))
    return FileKind::Other;
  return header.e_type == ET_DYN ? FileKind::Shared : FileKind::Object;
}

std::vector<StringRef> elfSections(StringRef bytes, StringRef name) {
  Elf64_Ehdr header;
  Elf64_Shdr first, strings, section;
  if (!bytes.starts_with(ELFMAG) || !readAt(bytes, 0, header) || header.e_shoff == 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
      !readAt(bytes, header.e_shoff, first))
    return {};
  // Counts that do not fit the header are kept in the first section header.
  uint64_t count = header.e_shnum ? header.e_shnum : first.sh_size;
  uint64_t stringIndex = header.e_shstrndx == SHN_XINDEX ? first.sh_link : header.e_shstrndx;
  if (!readAt(bytes, header.e_shoff + stringIndex * sizeof strings, strings))
    return {};
  StringRef names = contents(bytes, strings);
  std::vector<StringRef> found;
  for (uint64_t i = 1; i < count; ++i) {
    if (!readAt(bytes, header.e_shoff + i * sizeof section, section))
      break;
    if (cString(names, section.sh_name) == name)
      found.push_back(contents(bytes, section));
  }
  return found;
}

std::vector<ArchiveMember> archiveMembers(StringRef bytes) {
  constexpr size_t kHeaderSize = 60;
  std::vector<ArchiveMember> members;
  bool thin = bytes.starts_with(kThinMagic);
  StringRef longNames;
  bytes = bytes.drop_front(std::min(bytes.size(), kArchiveMagic.size()));
  while (bytes.size() >= kHeaderSize) {
    StringRef field = bytes.take_front(16);
    uint64_t size;
    if (bytes.substr(48, 10).rtrim(' ').getAsInteger(10, size))
      break;
    bytes = bytes.drop_front(kHeaderSize);
    bool isTable =
        field.starts_with("/ ") || field.starts_with("// ") || field.starts_with("/SYM64/ ");
    StringRef body = thin && !isTable ? "" : bytes.take_front(size);
    if (field.starts_with("// "))
      longNames = body;
    if (!isTable)
      members.push_back({memberName(field, longNames), body});
    bytes = bytes.drop_front(std::min<uint64_t>(bytes.size(), alignTo(body.size(), 2)));
  }
  return members;
}

std::string objectWithEntries(StringRef contents, bool retain) {
  ObjectWriter writer(retain ? ELFOSABI_GNU : ELFOSABI_NONE);
  writer.add(abi::kSectionName, SHT_PROGBITS, retain ? kRetain : 0, 1, contents);
  writer.add(".note.gnu.property", SHT_NOTE, SHF_ALLOC, 8, neutralPropertyNote());
  writer.add(".note.GNU-stack", SHT_PROGBITS, 0, 1, "");
  return writer.finish();
}

} // namespace culprit
