// See own_functions.h.
#include "compiler/twin/own_functions.h"

#include "compiler/loader/module.h"
#include "compiler/twin/identity.h"

#include <llvm/IR/Module.h>
#include <sstream>

namespace culprit {
namespace {

/// One name a line.
std::string readNames(const Image &image, const Entry &entry) {
  llvm::LLVMContext context;
  std::string bitcode = payloadOf(image, entry);
  std::unique_ptr<llvm::Module> module = readModule(context, bitcode, image.path.string());
  std::string names;
  // Aliases among them: constructors are called by such names.
  for (const llvm::GlobalValue &value : module->global_values())
    if (value.getValueType()->isFunctionTy() && !value.isDeclarationForLinker())
      names += value.getName().str() + "\n";
  return names;
}

std::string namesOf(const Image &image, const Entry &entry, const Cache &cache) {
  std::string name = CacheKey().add(toolIdentity()).add(entry.id).hex() + ".functions";
  if (auto known = cache.findObject(name))
    return Cache::readObject(*known);
  std::string names = readNames(image, entry);
  cache.storeObject(name, names);
  return names;
}

} // namespace

std::set<std::string> ownFunctions(const Program &program, const Cache &cache) {
  std::set<std::string> functions;
  CacheUse use = cache.use();
  for (const Image *image : program.images())
    for (const Entry *entry : image->modules()) {
      std::istringstream lines(namesOf(*image, *entry, cache));
      for (std::string line; std::getline(lines, line);)
        functions.insert(line);
    }
  return functions;
}

} // namespace culprit
