// Gathers what `culprit info` shows; see program_info.h.
#include "report/program_info.h"

#include "compiler/loader/module.h"
#include "compiler/sites/numbering.h"

#include <llvm/Config/llvm-config.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/LLVMContext.h>
#include <set>

namespace culprit {

namespace {

ModuleInfo describeModule(const Image &image, const Entry &entry) {
  std::string bitcode = payloadOf(image, entry);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = readModule(context, bitcode, image.path.string());
  SiteTable table = numberSites(*module, /*attach=*/false);
  ModuleInfo info;
  info.id = entry.id;
  info.source = module->getSourceFileName();
  for (const llvm::DICompileUnit *unit : module->debug_compile_units()) {
    info.source = unit->getFilename().str();
    info.directory = unit->getDirectory().str();
    info.producer = unit->getProducer().str();
  }
  info.functions = table.functions.size();
  info.sites = table.sites.size();
  std::set<std::pair<uint32_t, uint32_t>> lines;
  for (const Site &site : table.sites)
    if (site.line != 0 && site.kind != SiteKind::Declare)
      lines.emplace(site.file, site.line);
  for (auto [file, line] : lines)
    ++info.linesByFile[table.strings[table.files[file].name]];
  return info;
}

std::vector<ForeignPart> foreignParts(const Image &image) {
  std::vector<ForeignPart> parts;
  for (const ForeignMark &mark : image.marks)
    parts.push_back({mark.source, "compiled", "", mark.reason});
  for (const LinkInput &input : image.link->inputs) {
    if (input.isForeign())
      parts.push_back({input.path, input.kind, input.hash,
                       input.temporary ? "temporary object, kept inside" : "no bitcode"});
    for (const ArchiveMember &member : input.members)
      if (member.entries.empty())
        parts.push_back({input.path + "(" + member.name + ")", "member", input.hash, "no bitcode"});
  }
  return parts;
}

} // namespace

ProgramInfo describeProgram(const Program &program) {
  ProgramInfo info;
  info.llvmVersion = LLVM_VERSION_STRING;
  for (const Image *image : program.images()) {
    ImageInfo described;
    described.path = image->path.string();
    described.output = image->link->output;
    for (const Entry *entry : image->modules())
      described.modules.push_back(describeModule(*image, *entry));
    described.foreign = foreignParts(*image);
    described.linker = image->link->linker;
    described.linkCommand = image->link->argv;
    info.images.push_back(std::move(described));
  }
  for (const auto &library : program.foreignLibraries)
    info.foreignLibraries.push_back(library.string());
  return info;
}

} // namespace culprit
