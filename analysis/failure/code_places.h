// Code addresses of a program that ran, back to functions and lines.
#ifndef CULPRIT_ANALYSIS_FAILURE_CODE_PLACES_H
#define CULPRIT_ANALYSIS_FAILURE_CODE_PLACES_H

#include "analysis/failure/failure.h"
#include "analysis/failure/site_places.h"

#include <llvm/DebugInfo/Symbolize/Symbolize.h>
#include <map>
#include <string>
#include <vector>

namespace culprit {

class CodePlaces {
public:
  explicit CodePlaces(const FailureContext &context);

  /// The frames of one address, innermost first; one without a name if nothing is known.
  CallStack framesAt(uint64_t address);

  /// A whole stack: `pc` itself, unless it is 0, and return addresses.
  CallStack stackOf(uint64_t pc, bool isReturnAddress, const uint64_t *callers, uint32_t count);

  /// Whether there was code at the address.
  bool isCode(uint64_t address) const;

private:
  /// A piece of executable memory, from a line of /proc/self/maps.
  struct Mapping {
    uint64_t start, end, offset;
    std::string path;
  };

  const Mapping *mappingOf(uint64_t address) const;
  /// The address as the file has it; nothing when the file cannot be read.
  std::optional<uint64_t> linkAddress(const Mapping &mapping, uint64_t address);
  struct Symbolizers {
    Symbolizers();
    llvm::symbolize::LLVMSymbolizer names; ///< files as the compiler saw them
    llvm::symbolize::LLVMSymbolizer paths;
  };
  Symbolizers &symbolizersFor(const Mapping &mapping);
  void addFrames(const Mapping &mapping, uint64_t linked, CallStack &stack);
  void fillApproximate(const Mapping &mapping, uint64_t linked, StackFrame &frame);
  /// In builds whose lines are sites.
  void resolveSite(const SiteAddress &site, StackFrame &frame);
  const ImageBuild *twinAt(const Mapping &mapping) const;

  const FailureContext &context_;
  std::vector<Mapping> mappings_;
  std::map<std::string, std::vector<Mapping>> segments_; ///< start is the link address
  SitePlaces sites_;
  Symbolizers twins_;
};

} // namespace culprit
#endif
