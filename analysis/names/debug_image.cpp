// See debug_image.h.
#include "analysis/names/debug_image.h"

#include "abi/contract.h"
#include "compiler/twin/part_names.h"
#include "support/diagnostics.h"

#include <algorithm>
#include <llvm/DebugInfo/DIContext.h>
#include <llvm/DebugInfo/DWARF/DWARFExpression.h>
#include <llvm/DebugInfo/DWARF/DWARFUnit.h>
#include <llvm/Demangle/Demangle.h>
#include <tuple>

namespace culprit {
using namespace llvm;

namespace {

constexpr size_t kMostLiteral = 24; ///< bytes of a string literal that its name shows

object::OwningBinary<object::ObjectFile> openFile(const std::filesystem::path &path) {
  Expected<object::OwningBinary<object::ObjectFile>> file =
      object::ObjectFile::createObjectFile(path.string());
  if (!file)
    failUsage("cannot read '{}': {}", path.string(), toString(file.takeError()));
  return std::move(*file);
}

struct VariablePlace {
  uint64_t address;
  bool isThreadLocal;
};

/// Understands the two expressions that compilers use for variables with a fixed place.
std::optional<VariablePlace> placeFrom(const DWARFExpression &expression, const DWARFUnit &unit) {
  std::optional<uint64_t> value;
  bool isThreadLocal = false;
  for (const DWARFExpression::Operation &operation : expression) {
    if (operation.isError())
      return std::nullopt;
    switch (operation.getCode()) {
    case dwarf::DW_OP_addr:
    case dwarf::DW_OP_const4u:
    case dwarf::DW_OP_const8u:
      value = operation.getRawOperand(0);
      break;
    case dwarf::DW_OP_addrx:
    case dwarf::DW_OP_constx:
    case dwarf::DW_OP_GNU_addr_index:
    case dwarf::DW_OP_GNU_const_index:
      if (auto address = unit.getAddrOffsetSectionItem(operation.getRawOperand(0)))
        value = address->Address;
      break;
    case dwarf::DW_OP_GNU_push_tls_address:
    case dwarf::DW_OP_form_tls_address:
      isThreadLocal = true;
      break;
    case dwarf::DW_OP_plus_uconst:
      if (value)
        *value += operation.getRawOperand(0);
      break;
    default:
      return std::nullopt;
    }
  }
  if (!value)
    return std::nullopt;
  return VariablePlace{*value, isThreadLocal};
}

std::optional<VariablePlace> placeOf(const DWARFDie &die) {
  std::optional<DWARFFormValue> location = die.find(dwarf::DW_AT_location);
  if (!location)
    return std::nullopt;
  std::optional<ArrayRef<uint8_t>> block = location->getAsBlock();
  if (!block)
    return std::nullopt;
  DWARFUnit &unit = *die.getDwarfUnit();
  DataExtractor data(*block, /*IsLittleEndian=*/true, unit.getAddressByteSize());
  return placeFrom(DWARFExpression(data, unit.getAddressByteSize(), unit.getFormParams().Format),
                   unit);
}

/// The linker leaves 0 (or -1) for the variables of sections that it dropped.
bool isDropped(const VariablePlace &place) {
  return !place.isThreadLocal && (place.address == 0 || place.address == ~uint64_t{0});
}

bool isInFunction(const DWARFDie &die) {
  for (DWARFDie scope = die.getParent(); scope; scope = scope.getParent())
    if (scope.getTag() == dwarf::DW_TAG_subprogram)
      return true;
  return false;
}

/// What the source calls a variable with that symbol; empty if it is one of the runtime's.
std::string nameInSource(StringRef symbol) {
  if (symbol.starts_with("_ZN7culprit"))
    return "";
  if (symbol.consume_front("__culprit_")) // compiler/twin/streams.h
    return symbol.starts_with("std") ? symbol.str() : "";
  return demangle(symbol);
}

/// The symbol of a static of a function: `f.name` in C, mangled in C++.
std::string nameOfStatic(const std::string &symbol, const std::string &name) {
  if (symbol.starts_with("_Z"))
    return demangle(symbol);
  size_t dot = symbol.find("." + name);
  return dot == std::string::npos ? name : symbol.substr(0, dot) + "()::" + name;
}

std::string quoted(std::string_view bytes) {
  std::string result = "\"";
  bool isWhole = bytes.size() <= kMostLiteral;
  for (char byte : bytes.substr(0, kMostLiteral)) {
    if (byte == 0)
      break;
    if (byte == '\n')
      result += "\\n";
    else if (byte == '"' || byte == '\\')
      result += std::string("\\") + byte;
    else
      result += byte >= 32 && byte < 127 ? byte : '?';
  }
  return result + (isWhole ? "\"" : "...\"");
}

} // namespace

DebugImage::DebugImage(const std::filesystem::path &path)
    : path_(path), file_(openFile(path)), context_(DWARFContext::create(*file_.getBinary())),
      types_(*context_) {}

const std::vector<ImageVariable> &DebugImage::variables() {
  readVariables();
  return variables_;
}

const std::vector<ImageVariable> &DebugImage::threadLocals() {
  readVariables();
  return threadLocals_;
}

const ImageVariable *DebugImage::findVariable(const std::string &linkName) {
  for (const ImageVariable &variable : variables())
    if (variable.type && variable.linkName == linkName)
      return &variable;
  return nullptr;
}

void DebugImage::readVariables() {
  if (hasVariables_)
    return;
  hasVariables_ = true;
  for (const std::unique_ptr<DWARFUnit> &unit : context_->info_section_units())
    addFromUnit(*unit);
  addSymbols();
  auto byAddress = [](const ImageVariable &a, const ImageVariable &b) {
    return std::tie(a.address, a.name) < std::tie(b.address, b.name);
  };
  std::sort(variables_.begin(), variables_.end(), byAddress);
  std::sort(threadLocals_.begin(), threadLocals_.end(), byAddress);
}

void DebugImage::addFromUnit(DWARFUnit &unit) {
  DWARFUnit *full = &unit;
  if (DWARFDie split = unit.getNonSkeletonUnitDIE(/*ExtractUnitDIEOnly=*/false))
    full = split.getDwarfUnit();
  for (const DWARFDebugInfoEntry &entry : full->dies())
    if (entry.getTag() == dwarf::DW_TAG_variable)
      addVariable(DWARFDie(full, &entry));
}

void DebugImage::addVariable(const DWARFDie &die) {
  std::optional<VariablePlace> place = placeOf(die);
  if (!place || isDropped(*place))
    return;
  ImageVariable variable;
  variable.address = place->address;
  variable.type = types_.typeOf(die);
  if (!variable.type)
    return;
  variable.size = variable.type->size;
  const char *linkName = die.getLinkageName();
  const char *shortName = die.getShortName();
  if (shortName) {
    variable.name = qualifiedName(die);
    variable.linkName = linkName ? linkName : shortName;
    variable.hasLostScope = variable.name == shortName && isInFunction(die);
  } else {
    variable.name = nameOfLiteral(variable);
  }
  (place->isThreadLocal ? threadLocals_ : variables_).push_back(std::move(variable));
}

std::string DebugImage::nameOfLiteral(const ImageVariable &variable) const {
  std::string_view bytes = bytesAt(variable.address, variable.size);
  bool isText = variable.type->kind == TypeKind::Array && variable.type->element->size == 1;
  return isText && !bytes.empty() ? quoted(bytes.substr(0, bytes.size() - 1)) : "a literal";
}

void DebugImage::readSymbols() {
  if (hasSymbols_)
    return;
  hasSymbols_ = true;
  auto add = [&](const object::ELFSymbolRef &symbol) {
    Expected<StringRef> name = symbol.getName();
    Expected<uint64_t> address = symbol.getAddress();
    if (!name || !address || symbol.getSize() == 0 || name->empty()) {
      consumeError(name.takeError());
      consumeError(address.takeError());
      return;
    }
    if (*address == 0)
      return;
    std::string own = withoutSharedMark(name->str());
    bool isShared = own != *name;
    if (symbol.getELFType() == ELF::STT_OBJECT)
      objects_.push_back({*address, symbol.getSize(), std::move(own), isShared});
    else if (symbol.getELFType() == ELF::STT_FUNC)
      functions_.push_back({*address, symbol.getSize(), std::move(own), isShared});
  };
  auto *elf = dyn_cast<object::ELFObjectFileBase>(file_.getBinary());
  if (!elf)
    return;
  for (const object::ELFSymbolRef &symbol : elf->symbols())
    add(symbol);
  if (elf->symbol_begin() == elf->symbol_end())
    for (const object::ELFSymbolRef &symbol : elf->getDynamicSymbolIterators())
      add(symbol);
}

void DebugImage::addSymbols() {
  readSymbols();
  std::map<uint64_t, size_t> known;
  for (size_t i = 0; i < variables_.size(); ++i)
    known.emplace(variables_[i].address, i);
  for (const Symbol &object : objects_) {
    if (object.name == abi::kStandardStreams)
      addStreams(object);
    std::string name = nameInSource(object.name);
    if (name.empty())
      continue;
    auto found = known.find(object.address);
    if (found == known.end()) {
      if (!object.isShared) // else it is a literal, or the like
        variables_.push_back({object.address, object.size, name, object.name, nullptr});
      continue;
    }
    ImageVariable &variable = variables_[found->second];
    if (variable.type->endsOpen()) // the initialiser gave it members
      variable.size = std::max(variable.size, object.size);
    if (variable.hasLostScope)
      variable.name = nameOfStatic(object.name, variable.name);
  }
}

/// What stdin, stdout and stderr point to, which no variable of the source is.
void DebugImage::addStreams(const Symbol &streams) {
  uint64_t size = streams.size / std::size(abi::kStandardStreamNames), address = streams.address;
  for (const char *name : abi::kStandardStreamNames) {
    variables_.push_back({address, size, std::string("*") + name, streams.name, nullptr});
    address += size;
  }
}

std::vector<SourcePlace> DebugImage::placesOf(uint64_t address) {
  using Specifier = DILineInfoSpecifier;
  Specifier specifier(Specifier::FileLineInfoKind::RelativeFilePath, DINameKind::LinkageName);
  DIInliningInfo found = context_->getInliningInfoForAddress({address}, specifier);
  std::vector<SourcePlace> places;
  for (uint32_t i = 0; i < found.getNumberOfFrames(); ++i) {
    const DILineInfo &line = found.getFrame(i);
    if (line.FunctionName == DILineInfo::BadString || line.Line == 0)
      continue;
    places.push_back({line.FunctionName, line.FileName, line.Line, line.Column});
  }
  return places;
}

std::string DebugImage::functionAt(uint64_t address) {
  readSymbols();
  return nameAt(functions_, address);
}

std::string DebugImage::symbolAt(uint64_t address) {
  readSymbols();
  return nameAt(objects_, address);
}

std::string DebugImage::nameAt(const std::vector<Symbol> &symbols, uint64_t address) {
  for (const Symbol &symbol : symbols)
    if (address >= symbol.address && address < symbol.address + symbol.size)
      return symbol.name;
  return "";
}

bool DebugImage::contains(uint64_t address) const {
  for (const object::SectionRef &section : file_.getBinary()->sections())
    if (section.getAddress() && address >= section.getAddress() &&
        address < section.getAddress() + section.getSize())
      return true;
  return false;
}

std::string_view DebugImage::bytesAt(uint64_t address, uint64_t size) const {
  for (const object::SectionRef &section : file_.getBinary()->sections()) {
    uint64_t start = section.getAddress();
    if (!start || section.isBSS() || address < start || address + size > start + section.getSize())
      continue;
    if (Expected<StringRef> bytes = section.getContents())
      return {bytes->data() + (address - start), size};
    else
      consumeError(bytes.takeError());
  }
  return {};
}

} // namespace culprit
