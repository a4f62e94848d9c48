// The pristine modules of a program, read when a question needs them.
//
// Reading a module costs; most questions concern one function. Bitcode keeps the names of functions
// as plain bytes, so a module that does not contain the name is not parsed. What was read stays,
// for the next question about the same program.
#ifndef CULPRIT_ANALYSIS_NAMES_MODULES_H
#define CULPRIT_ANALYSIS_NAMES_MODULES_H

#include "compiler/loader/program.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <memory>
#include <string>
#include <vector>

namespace culprit {

class PristineModules {
public:
  /// `program` may be null and must outlive this.
  explicit PristineModules(const Program *program);

  /// Those of the program that was asked about last are not read again. Nobody may change them.
  static std::shared_ptr<PristineModules> of(const Program *program);

  /// For tests: a module given as bitcode or as text.
  void add(std::unique_ptr<llvm::Module> module);
  llvm::LLVMContext &context() { return *context_; }

  /// Every body of the function of that linkage name: several where static functions of different
  /// files share the name, or several files have the same inline function. `file`, where it is not
  /// empty, is the file that the function must be in, as the compiler saw it.
  std::vector<llvm::Function *> findFunctions(const std::string &linkName,
                                              const std::string &file = "");

  /// A module of the program, by its place in the order of images() and modules(); null: there is
  /// none.
  llvm::Module *moduleAt(size_t index);
  /// The instruction of that module that a site stands for, with all sites attached; null: none.
  llvm::Instruction *instructionAt(size_t index, uint32_t site);

private:
  struct Stored {
    const Image *image;
    const Entry *entry;
    std::string id;      ///< of the entry
    std::string bitcode; ///< empty: not read yet, or parsed
    llvm::Module *module = nullptr;
    std::vector<llvm::Instruction *> bySite; ///< empty: sites are not attached yet
    bool isRead = false;
  };
  static std::vector<Stored> list(const Program &program);
  bool isOf(const Program &program) const;

  llvm::Module *moduleWith(Stored &stored, const std::string &name);
  llvm::Module *parse(Stored &stored);

  std::unique_ptr<llvm::LLVMContext> context_;
  std::vector<std::unique_ptr<llvm::Module>> modules_; ///< those of tests, and what is parsed
  std::vector<llvm::Module *> added_;
  std::vector<Stored> stored_;
};

} // namespace culprit
#endif
