// See modules.h.
#include "analysis/names/modules.h"

#include "compiler/loader/module.h"

#include <llvm/IR/DebugInfoMetadata.h>

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
  if (!program)
    return;
  for (const Image *image : program->images())
    for (const Entry *entry : image->modules())
      stored_.push_back({image, entry, "", nullptr, false});
}

void PristineModules::add(std::unique_ptr<Module> module) {
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

std::vector<Function *> PristineModules::findFunctions(const std::string &linkName,
                                                       const std::string &file) {
  for (Stored &stored : stored_)
    moduleWith(stored, linkName);
  std::vector<Function *> found;
  for (const std::unique_ptr<Module> &module : modules_)
    for (Function &function : *module)
      if (isCalled(function, linkName, file))
        found.push_back(&function);
  return found;
}

} // namespace culprit
