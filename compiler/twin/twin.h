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
  std::string source;            ///< for messages
};

struct Twin {
  std::string object; ///< ELF relocatable
  std::string sites;  ///< serialised SiteTable, when the mode wants it
};

/// Makes the twin of a module given as bitcode. Throws Failure when the bitcode cannot be read.
/// Safe to call from several threads at once.
Twin makeTwin(std::string_view bitcode, const TwinRequest &request);

/// The module as text after numbering, markers, frames, flat memory and promotion: what a mode's
/// `onPromoted` gets. For tests.
std::string printPromoted(std::string_view bitcode);

} // namespace culprit
#endif
