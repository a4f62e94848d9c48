// Gathers what `culprit info --externals` shows; see externals_info.h. What the program calls is
// read from its pristine modules: the optimiser of the original build may have put one function in
// the place of another (puts for printf). What its foreign objects call is in the dynamic symbols.
#include "report/externals_info.h"

#include "compiler/loader/module.h"
#include "report/json.h"
#include "support/files.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Object/ELFObjectFile.h>
#include <set>

namespace culprit {
namespace {

using ElfFile = llvm::object::ELF64LEObjectFile;

struct Symbols {
  std::set<std::string> defined;
  std::set<std::string> functionsWanted;
};

void addSymbols(llvm::object::ELFObjectFileBase::elf_symbol_iterator_range range,
                Symbols &symbols) {
  for (const llvm::object::ELFSymbolRef &symbol : range) {
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!name || !flags) {
      llvm::consumeError(name.takeError());
      llvm::consumeError(flags.takeError());
      continue;
    }
    bool isUndefined = (*flags & llvm::object::SymbolRef::SF_Undefined) != 0;
    std::string plain = name->substr(0, name->find('@')).str();
    if (!isUndefined && symbol.getBinding() != llvm::ELF::STB_LOCAL)
      symbols.defined.insert(plain);
    else if (isUndefined && symbol.getELFType() == llvm::ELF::STT_FUNC)
      symbols.functionsWanted.insert(plain);
  }
}

Symbols symbolsOf(const std::filesystem::path &path) {
  Symbols symbols;
  MappedFile file(path);
  auto elf = ElfFile::create(llvm::MemoryBufferRef(file.bytes(), path.string()));
  if (!elf) {
    llvm::consumeError(elf.takeError());
    return symbols;
  }
  addSymbols(elf->getDynamicSymbolIterators(), symbols);
  addSymbols(elf->symbols(), symbols);
  return symbols;
}

class Gatherer {
public:
  explicit Gatherer(const Program &program) : program_(program) {}

  ExternalsInfo run() {
    for (const Image *image : program_.images())
      addImage(*image);
    for (const std::filesystem::path &library : program_.foreignLibraries)
      for (const std::string &name : symbolsOf(library).defined)
        providers_.emplace(name, library.filename().string());
    ExternalsInfo info{program_.executable.path.string(), {}, std::move(assembler_)};
    for (auto &[name, use] : uses_) {
      // What an image of the program defines is its own, unless it got it from a static libc.
      if (own_.contains(name) && !(policy().find(name) && !fromModules_.contains(name) &&
                                   !program_.executable.isDynamic()))
        continue;
      use.name = name;
      use.row = policy().find(name);
      if (auto provider = providers_.find(name); provider != providers_.end())
        use.library = provider->second;
      info.uses.push_back(std::move(use));
    }
    std::sort(info.uses.begin(), info.uses.end(), [](const ExternalUse &a, const ExternalUse &b) {
      return std::pair(a.category(), a.name) < std::pair(b.category(), b.name);
    });
    return info;
  }

private:
  void addImage(const Image &image) {
    Symbols symbols = symbolsOf(image.path);
    own_.insert(symbols.defined.begin(), symbols.defined.end());
    for (const std::string &name : symbols.functionsWanted)
      uses_[name];
    for (const Entry *entry : image.modules()) {
      llvm::LLVMContext context;
      std::string bitcode = payloadOf(image, *entry);
      addModule(*readModule(context, bitcode, image.path.string()));
    }
  }

  void addAssembler(const llvm::Module &module) {
    if (const std::string &text = module.getModuleInlineAsm(); !text.empty())
      assembler_.push_back({text, module.getSourceFileName(), AssemblerEffect::Unknown});
    for (const llvm::Function &function : module)
      for (const llvm::Instruction &instruction : llvm::instructions(function)) {
        auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (!call || !call->isInlineAsm())
          continue;
        auto *code = llvm::cast<llvm::InlineAsm>(call->getCalledOperand());
        const llvm::DILocation *location = call->getDebugLoc();
        assembler_.push_back(
            {code->getAsmString(),
             location ? fmt::format("{}:{}", location->getFilename().str(), location->getLine())
                      : module.getSourceFileName(),
             assemblerEffect(code->getAsmString(), code->getConstraintString())});
      }
  }

  void addModule(const llvm::Module &module) {
    addAssembler(module);
    for (const llvm::Function &function : module) {
      std::string name = function.getName().str();
      if (!function.isDeclarationForLinker()) {
        fromModules_.insert(name);
        own_.insert(name);
      } else if (!function.isIntrinsic() && !function.use_empty()) {
        addUses(function, uses_[name]);
      }
    }
  }

  static void addUses(const llvm::Function &function, ExternalUse &use) {
    std::set<std::pair<std::string, unsigned>> places;
    for (const llvm::User *user : function.users())
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(user);
          call && call->getCalledOperand() == &function) {
        ++use.calls;
        if (const llvm::DILocation *location = call->getDebugLoc())
          places.emplace(location->getFilename().str(), location->getLine());
      }
    if (use.first.empty() && !places.empty())
      use.first = fmt::format("{}:{}", places.begin()->first, places.begin()->second);
  }

  const Program &program_;
  std::map<std::string, ExternalUse> uses_;
  std::vector<AssemblerUse> assembler_;
  std::set<std::string> own_;
  std::set<std::string> fromModules_;
  std::map<std::string, std::string> providers_;
};

std::string treatmentOf(const ExternalUse &use) {
  if (!use.row)
    return "not in the policy table";
  return use.row->reason.empty() ? use.row->signature : use.row->reason;
}

} // namespace

ExternalsInfo describeExternals(const Program &program) {
  return Gatherer(program).run();
}

std::string printExternalsInfo(const ExternalsInfo &info) {
  std::string text = fmt::format("{}: {} functions from outside\n", info.program, info.uses.size());
  size_t longest = 0;
  for (const ExternalUse &use : info.uses)
    longest = std::max(longest, std::min<size_t>(use.name.size(), 32));
  for (const ExternalUse &use : info.uses) {
    std::string calls = use.calls == 0   ? "not called by name"
                        : use.calls == 1 ? use.first
                                         : fmt::format("{} and {} more", use.first, use.calls - 1);
    text +=
        fmt::format("  {:8} {:{}}  {}  ({}{}{})\n", categoryWord(use.category()), use.name, longest,
                    treatmentOf(use), use.library, use.library.empty() ? "" : "; ", calls);
  }
  for (const AssemblerUse &use : info.assembler)
    text += fmt::format("  assembler at {}: {}\n", use.place, effectWord(use.effect));
  return text;
}

std::string externalsInfoAsJson(const ExternalsInfo &info) {
  llvm::json::Array uses;
  for (const ExternalUse &use : info.uses)
    uses.push_back(llvm::json::Object{
        {"name", jsonString(use.name)},
        {"category", categoryWord(use.category())},
        {"listed", use.row != nullptr},
        {"library", jsonString(use.library)},
        {"calls", static_cast<int64_t>(use.calls)},
        {"first", jsonString(use.first)},
        {"treatment", treatmentOf(use)},
    });
  llvm::json::Array assembler;
  for (const AssemblerUse &use : info.assembler)
    assembler.push_back(llvm::json::Object{{"text", jsonString(use.text)},
                                           {"place", jsonString(use.place)},
                                           {"effect", effectWord(use.effect)}});
  return jsonText(llvm::json::Object{{"program", jsonString(info.program)},
                                     {"externals", std::move(uses)},
                                     {"assembler", std::move(assembler)}});
}

} // namespace culprit
