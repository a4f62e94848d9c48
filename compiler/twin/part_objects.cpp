// See part_objects.h.
#include "compiler/twin/part_objects.h"

#include "support/diagnostics.h"

#include <llvm/Object/ELF.h>
#include <set>

namespace culprit {
using namespace llvm;

namespace {

using Object = object::ELFFile<object::ELF64LE>;
using Symbol = Object::Elf_Sym;

template <typename T> T orFail(Expected<T> value) {
  if (!value) {
    consumeError(value.takeError());
    failInternal("a twin in the cache is damaged; run 'culprit cache --clear'");
  }
  return std::move(*value);
}

/// Calls `visit` with each symbol that is defined for all objects, and its name.
template <typename Visit> void eachDefined(StringRef bytes, Visit &&visit) {
  Object file = orFail(Object::create(bytes));
  for (const Object::Elf_Shdr &section : orFail(file.sections())) {
    if (section.sh_type != ELF::SHT_SYMTAB)
      continue;
    StringRef names = orFail(file.getStringTableForSymtab(section));
    for (const Symbol &symbol : orFail(file.symbols(&section)))
      if (symbol.getBinding() == ELF::STB_GLOBAL && symbol.isDefined() &&
          symbol.st_shndx != ELF::SHN_ABS)
        visit(symbol, orFail(symbol.getName(names)));
  }
}

} // namespace

void leaveToParts(std::string &object, const std::vector<std::string> &parts) {
  std::set<std::string, std::less<>> replaced;
  for (const std::string &part : parts)
    eachDefined(part, [&](const Symbol &, StringRef name) { replaced.insert(name.str()); });
  eachDefined(object, [&](const Symbol &symbol, StringRef name) {
    if (!replaced.contains(std::string_view(name)))
      return;
    size_t place = reinterpret_cast<const char *>(&symbol) - object.data();
    auto *changed = reinterpret_cast<Symbol *>(object.data() + place);
    changed->st_shndx = ELF::SHN_UNDEF;
    changed->st_value = 0;
    changed->st_size = 0;
    changed->setBindingAndType(ELF::STB_GLOBAL, ELF::STT_NOTYPE);
  });
}

} // namespace culprit
