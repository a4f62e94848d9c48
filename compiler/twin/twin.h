// A twin: one module of the program, instrumented for a mode and optimised, as an object file.
#ifndef CULPRIT_COMPILER_TWIN_TWIN_H
#define CULPRIT_COMPILER_TWIN_TWIN_H

#include "compiler/modes/mode.h"

#include <string>
#include <string_view>

namespace culprit {

struct TwinRequest {
  const Mode *mode = nullptr;
  TwinContext context;
  bool forSharedLibrary = false; ///< position-independent; the executable is not
  bool separateSections = false; ///< one per function and variable, for --gc-sections
  bool hasOwnStreams = false;    ///< the program is dynamic: stdio's streams are externals'
  bool isPrivateCopy = false;    ///< see private_copy.h
  bool isOpen = false;           ///< see parts.h; with a part in the context, that part
  std::string unsafeLocals;      ///< of a part: what the open twin has found out
  std::string source;            ///< for messages
};

struct Twin {
  std::string object; ///< ELF relocatable, its frames not yet placed
  std::string memory; ///< serialised MemoryTable
  std::string sites;  ///< serialised SiteTable, when the mode wants it
  std::string parts;  ///< of an open twin: what can be replaced, each name with a newline behind it
  std::string unsafeLocals; ///< of an open twin (memory/unsafe_locals.h)
};

/// Makes the twin of a module given as bitcode. Throws Failure when the bitcode cannot be read.
/// Safe to call from several threads at once.
Twin makeTwin(std::string_view bitcode, const TwinRequest &request);

/// How far a module has come on its way to a twin.
enum class Stage {
  Numbered,  ///< every site carries its number
  Marked,    ///< stores to named locals pass through definition markers
  Flat,      ///< frames built, uninitialised values filled, memory flat
  Promoted,  ///< locals in SSA, with what a mode's `onPromoted` adds
  Optimised, ///< markers gone, fully optimised
};

/// The module as text after `stage`. For tests and developers (culprit-opt).
std::string printStage(std::string_view bitcode, Stage stage, const Mode &mode);

} // namespace culprit
#endif
