// Places a twin's frames: fills in the offsets that its code refers to by symbols.
//
// The object is copied with every relocation against such a symbol applied and taken out. That is
// what a linker would do with absolute symbols, but GNU ld refuses them in shared libraries.
#ifndef CULPRIT_COMPILER_TWIN_PLACE_H
#define CULPRIT_COMPILER_TWIN_PLACE_H

#include "compiler/layout/catalog.h"

#include <cstdint>
#include <map>
#include <string>

namespace culprit {

/// By name.
using SymbolValues = std::map<std::string, int64_t, std::less<>>;

/// The values of a module's frame symbols.
SymbolValues symbolsOf(const ModulePlacement &placement);

/// Applies `values` to an x86-64 relocatable object, in place. Throws Failure (internal) when the
/// object is not one that makeTwin() made.
void placeSymbols(std::string &object, const SymbolValues &values);

} // namespace culprit
#endif
