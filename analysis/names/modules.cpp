// See modules.h.
#include "analysis/names/modules.h"

#include "compiler/loader/module.h"
#include "compiler/sites/numbering.h"

#include <algorithm>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>

namespace culprit {
using namespace llvm;

namespace {

/// Functions are known by the name that debug information gives them: a body that was borrowed is
/// renamed (compiler/loader/borrowed.h).
bool isCalled(const Function &function, StringRef linkName, StringRef file) {
  const DISubprogram *subprogram = function.getSubprogram();
  if (function.isDeclaration() || !subprogram)
    return false;
  StringRef own = subprogram->getLinkageName();
  if (own.empty())
    own = subprogram->getName();
  if (own != linkName && function.getName() != linkName)
    return false;
  return file.empty() || subprogram->getFilename() == file ||
         subprogram->getFilename().ends_with(("/" + file).str()) ||
         file.ends_with(("/" + subprogram->getFilename()).str());
}

} // namespace

PristineModules::PristineModules(const Program *program)
    : context_(std::make_unique<LLVMContext>()) {
  if (program)
    stored_ = list(*program);
}

std::vector<PristineModules::Stored> PristineModules::list(const Program &program) {
  std::vector<Stored> all;
  for (const Image *image : program.images())
    for (const Entry *entry : image->modules())
      all.push_back({image, entry, entry->id, "", nullptr, {}, false});
  return all;
}

bool PristineModules::isOf(const Program &program) const {
  std::vector<Stored> all = list(program);
  return std::equal(all.begin(), all.end(), stored_.begin(), stored_.end(),
                    [](const Stored &one, const Stored &other) {
                      return one.image == other.image && one.entry == other.entry &&
                             one.id == other.id;
                    });
}

std::shared_ptr<PristineModules> PristineModules::of(const Program *program) {
  static std::shared_ptr<PristineModules> last;
  if (!program)
    return std::make_shared<PristineModules>(nullptr);
  if (!last || !last->isOf(*program))
    last = std::make_shared<PristineModules>(program);
  return last;
}

void PristineModules::add(std::unique_ptr<Module> module) {
  added_.push_back(module.get());
  modules_.push_back(std::move(module));
}

Module *PristineModules::moduleWith(Stored &stored, const std::string &name) {
  if (stored.module)
    return stored.module;
  if (!stored.isRead) {
    stored.isRead = true;
    stored.bitcode = payloadOf(*stored.image, *stored.entry);
  }
  return stored.bitcode.find(name) == std::string::npos ? nullptr : parse(stored);
}

Module *PristineModules::parse(Stored &stored) {
  modules_.push_back(readModule(*context_, stored.bitcode, stored.image->name));
  stored.module = modules_.back().get();
  stored.bitcode = std::string();
  return stored.module;
}

Module *PristineModules::moduleAt(size_t index) {
  return index < stored_.size() ? moduleWith(stored_[index], "") : nullptr;
}

Instruction *PristineModules::instructionAt(size_t index, uint32_t site) {
  Module *module = moduleAt(index);
  if (!module)
    return nullptr;
  std::vector<Instruction *> &bySite = stored_[index].bySite;
  if (bySite.empty()) {
    bySite.resize(numberSites(*module, /*attach=*/true).sites.size());
    for (Function &function : *module)
      for (Instruction &instruction : instructions(function))
        if (std::optional<uint32_t> number = siteOf(instruction);
            number && *number < bySite.size() && !bySite[*number])
          bySite[*number] = &instruction;
  }
  return site < bySite.size() ? bySite[site] : nullptr;
}

std::vector<Function *> PristineModules::findFunctions(const std::string &linkName,
                                                       const std::string &file) {
  std::vector<Module *> modules = added_;
  for (Stored &stored : stored_)
    if (Module *module = moduleWith(stored, linkName))
      modules.push_back(module);
  std::vector<Function *> found;
  for (Module *module : modules)
    for (Function &function : *module)
      if (isCalled(function, linkName, file))
        found.push_back(&function);
  return found;
}

} // namespace culprit
