// See code_places.h.
#include "analysis/failure/code_places.h"

#include "abi/contract.h"
#include "compiler/loader/borrowed.h"
#include "compiler/twin/part_names.h"
#include "support/diagnostics.h"
#include "support/files.h"

#include <algorithm>
#include <cstring>
#include <llvm/Object/ELF.h>
#include <sstream>

namespace culprit {
namespace fs = std::filesystem;
using llvm::DILineInfo;
using llvm::object::ELF64LE;
using FileKind = llvm::DILineInfoSpecifier::FileLineInfoKind;

namespace {

constexpr uint64_t kPageMask = ~uint64_t{4095};
constexpr uint64_t kFarthestLine = 64; ///< bytes in which another line is looked for

llvm::symbolize::LLVMSymbolizer::Options optionsFor(FileKind kind, bool demangle = true) {
  llvm::symbolize::LLVMSymbolizer::Options options;
  options.PathStyle = kind;
  options.Demangle = demangle;
  options.UseSymbolTable = true;
  return options;
}

std::string known(const std::string &text) {
  return text == DILineInfo::BadString ? "" : text;
}

/// A function's name, mangled or not, as the source has it: without what a borrowed body's name, or
/// that of a shared symbol, is told apart by.
std::string knownFunction(const std::string &text) {
  std::string name = withoutSharedMark(known(text));
  for (const std::string &mark : {std::string(kBorrowedMark), fmt::format(" ({})", kBorrowedMark)})
    if (name.ends_with(mark))
      name.erase(name.size() - mark.size());
  return name;
}

/// Functions of the runtime, those that stand in front of libc's included. What is inlined into
/// them has lost its namespace, so ask of the function that it is in. A template's name starts with
/// the type that it returns, unless it is mangled.
bool isRuntime(const DILineInfo &function, const DILineInfo &linkage) {
  const std::string &name = function.FunctionName;
  const std::string &mangled = linkage.FunctionName;
  if (name.starts_with("culprit::") || name.starts_with("__culprit_") ||
      name.starts_with("(anonymous namespace)::culprit") || mangled.starts_with("_ZN7culprit") ||
      mangled.starts_with("_ZNK7culprit"))
    return true;
  return std::any_of(std::begin(abi::kInterposed), std::end(abi::kInterposed),
                     [&](const char *interposed) { return linkage.FunctionName == interposed; }) &&
         linkage.FileName.find("/runtime/") != std::string::npos;
}

/// libc's functions by the names that programs call them by: "__strlen_avx2" is strlen.
std::string publicName(std::string name) {
  if (!name.starts_with("__") || name.starts_with("__libc_") || name.find('(') != std::string::npos)
    return name;
  name.erase(0, 2);
  for (std::string_view suffix :
       {"_rtm", "_erms", "_unaligned", "_aligned", "_evex512", "_evex", "_avx512", "_avx2", "_avx",
        "_sse4_2", "_sse4_1", "_ssse3", "_sse42", "_sse2", "_impl", "_fma", "_no_vzeroupper"})
    if (name.ends_with(suffix))
      name.erase(name.size() - suffix.size());
  return name;
}

/// Functions that what stands in for libc (externals/) is made of: they have no debug information
/// and are no concern of the user's.
bool isInsideExternal(const StackFrame &frame) {
  return frame.origin == FrameOrigin::Runtime && frame.line == 0;
}

} // namespace

CodePlaces::Symbolizers::Symbolizers()
    : names(optionsFor(FileKind::RelativeFilePath)),
      paths(optionsFor(FileKind::AbsoluteFilePath, /*demangle=*/false)) {}

/// Libraries of the system are the same in every run, and unpacking what is known of libc takes
/// longer than most programs run.
CodePlaces::Symbolizers &CodePlaces::symbolizersFor(const Mapping &mapping) {
  static Symbolizers foreign;
  return twinAt(mapping) ? twins_ : foreign;
}

CodePlaces::CodePlaces(const FailureContext &context) : context_(context), sites_(context.build) {
  const char *maps = context.record.maps;
  std::istringstream lines(std::string(maps, strnlen(maps, sizeof context.record.maps)));
  for (std::string line; std::getline(lines, line);) {
    Mapping mapping{};
    int path = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx %*s %lx %*s %*s %n", &mapping.start, &mapping.end,
                    &mapping.offset, &path) < 3)
      continue;
    mapping.path = line.substr(static_cast<size_t>(path));
    mappings_.push_back(mapping);
  }
}

const CodePlaces::Mapping *CodePlaces::mappingOf(uint64_t address) const {
  auto found = std::find_if(mappings_.begin(), mappings_.end(), [&](const Mapping &mapping) {
    return address >= mapping.start && address < mapping.end;
  });
  return found == mappings_.end() ? nullptr : &*found;
}

bool CodePlaces::isCode(uint64_t address) const {
  return mappingOf(address) != nullptr;
}

const ImageBuild *CodePlaces::twinAt(const Mapping &mapping) const {
  for (const ImageBuild &image : context_.build.images) {
    std::error_code error;
    if (image.path == mapping.path || fs::equivalent(image.path, mapping.path, error))
      return &image;
  }
  return nullptr;
}

std::optional<uint64_t> CodePlaces::linkAddress(const Mapping &mapping, uint64_t address) {
  auto [found, isNew] = segments_.try_emplace(mapping.path);
  if (isNew && fs::exists(mapping.path)) {
    MappedFile file(mapping.path);
    auto elf = llvm::object::ELFFile<ELF64LE>::create({file.bytes().data(), file.bytes().size()});
    if (elf) {
      if (auto headers = elf->program_headers()) {
        for (const auto &header : *headers)
          if (header.p_type == llvm::ELF::PT_LOAD && (header.p_flags & llvm::ELF::PF_X) != 0)
            found->second.push_back({header.p_vaddr & kPageMask, header.p_vaddr + header.p_memsz,
                                     header.p_offset & kPageMask, ""});
      } else {
        llvm::consumeError(headers.takeError());
      }
    } else {
      llvm::consumeError(elf.takeError());
    }
  }
  for (const Mapping &segment : found->second)
    if (mapping.offset >= segment.offset &&
        mapping.offset < segment.offset + (segment.end - segment.start))
      return address - mapping.start + mapping.offset - segment.offset + segment.start;
  return std::nullopt;
}

/// Code that the optimiser moved or made has no line; that of the same function's nearest code
/// before it stands for it.
void CodePlaces::fillApproximate(const Mapping &mapping, uint64_t linked, StackFrame &frame) {
  Symbolizers &symbolizers = symbolizersFor(mapping);
  for (uint64_t back = 1; back <= kFarthestLine && back < linked; ++back) {
    auto names = symbolizers.names.symbolizeInlinedCode(mapping.path, {linked - back, 0});
    auto paths = symbolizers.paths.symbolizeInlinedCode(mapping.path, {linked - back, 0});
    if (!names || !paths) {
      llvm::consumeError(names.takeError());
      llvm::consumeError(paths.takeError());
      return;
    }
    for (uint32_t i = 0; i < names->getNumberOfFrames(); ++i) {
      const DILineInfo &info = names->getFrame(i);
      if (info.Line == 0 || knownFunction(info.FunctionName) != frame.function)
        continue;
      frame.file = known(info.FileName);
      frame.path = known(paths->getFrame(i).FileName);
      frame.linkageName = knownFunction(paths->getFrame(i).FunctionName);
      frame.line = info.Line;
      frame.column = 0;
      frame.isApproximate = true;
      return;
    }
  }
}

void CodePlaces::addFrames(const Mapping &mapping, uint64_t linked, CallStack &stack) {
  const ImageBuild *twin = twinAt(mapping);
  std::string image = twin ? twin->original->path.string() : mapping.path;
  Symbolizers &symbolizers = symbolizersFor(mapping);
  auto infos = symbolizers.names.symbolizeInlinedCode(mapping.path, {linked, 0});
  auto paths = symbolizers.paths.symbolizeInlinedCode(mapping.path, {linked, 0});
  if (!infos || !paths) {
    llvm::consumeError(infos.takeError());
    llvm::consumeError(paths.takeError());
    stack.push_back({});
    stack.back().image = image;
    return;
  }
  uint32_t count = infos->getNumberOfFrames();
  bool isOurs =
      twin && count > 0 && isRuntime(infos->getFrame(count - 1), paths->getFrame(count - 1));
  for (uint32_t i = 0; i < count; ++i) {
    const DILineInfo &info = infos->getFrame(i);
    StackFrame frame;
    frame.function = knownFunction(info.FunctionName);
    frame.file = known(info.FileName);
    frame.path = known(paths->getFrame(i).FileName);
    frame.linkageName = knownFunction(paths->getFrame(i).FunctionName);
    frame.line = info.Line;
    frame.column = info.Column;
    frame.image = image;
    frame.isInlined = i + 1 < count;
    if (frame.line == 0 && !frame.file.empty())
      fillApproximate(mapping, linked, frame);
    if (std::optional<SiteAddress> site = siteFromLine(frame.file, frame.line))
      resolveSite(*site, frame);
    if (frame.isApproximate)
      frame.site.reset();
    if (isOurs)
      frame.origin = FrameOrigin::Runtime;
    else if (twin && frame.line != 0)
      frame.origin = FrameOrigin::Program;
    if (!twin)
      frame.function = publicName(frame.function);
    // What stands in for a function of libc is told as that.
    if (twin && frame.origin == FrameOrigin::Foreign && frame.line == 0)
      frame.image.clear();
    stack.push_back(std::move(frame));
  }
}

void CodePlaces::resolveSite(const SiteAddress &site, StackFrame &frame) {
  std::optional<SitePlaces::Place> place = sites_.find(site);
  if (!place)
    return;
  frame.site = site;
  frame.file = place->file;
  frame.path = place->path;
  frame.line = place->line;
  frame.column = place->column;
}

CallStack CodePlaces::framesAt(uint64_t address) {
  CallStack stack;
  const Mapping *mapping = mappingOf(address);
  std::optional<uint64_t> linked;
  if (mapping)
    linked = linkAddress(*mapping, address);
  if (linked)
    addFrames(*mapping, *linked, stack);
  if (stack.empty()) {
    stack.push_back({});
    stack.back().image = mapping ? mapping->path : "";
  }
  for (StackFrame &frame : stack)
    frame.address = address;
  return stack;
}

CallStack CodePlaces::stackOf(uint64_t pc, bool isReturnAddress, const uint64_t *callers,
                              uint32_t count) {
  CallStack stack;
  std::optional<StackFrame> inside;
  auto add = [&](uint64_t address) {
    for (const StackFrame &frame : framesAt(address))
      if (!isInsideExternal(frame))
        stack.push_back(frame);
      else if (stack.empty())
        inside = frame;
  };
  if (pc != 0)
    add(isReturnAddress ? pc - 1 : pc);
  for (uint32_t i = 0; i < count; ++i)
    add(callers[i] - 1);
  // What the program called may have jumped there: the failing code is not the program's own.
  if (inside && (stack.empty() || stack.front().origin == FrameOrigin::Program))
    stack.insert(stack.begin(), *inside);
  return stack;
}

} // namespace culprit
