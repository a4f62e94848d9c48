// What a failure's addresses are called, worked out when they are first asked for.
#ifndef CULPRIT_ANALYSIS_FAILURE_ADDRESS_NAMES_H
#define CULPRIT_ANALYSIS_FAILURE_ADDRESS_NAMES_H

#include "analysis/failure/failure.h"
#include "analysis/failure/site_places.h"
#include "analysis/names/names.h"

#include <map>
#include <memory>

namespace culprit {

class AddressNames {
public:
  explicit AddressNames(const FailureContext &context);
  ~AddressNames();

  AddressName name(uint64_t address, uint64_t accessSize = 0);
  /// What a person would call an address: "`buf[17]`", "3 bytes past `name` (32 bytes)"; empty
  /// where nobody knows.
  std::string describe(uint64_t address, uint64_t accessSize = 0);

  /// The expressions that may be accessed at a place of the source ("p->next"); one where the build
  /// keeps sites apart. `nullOffset`: the address of an access through a null pointer.
  std::vector<AccessExpression> expressionsAt(const StackFrame &frame, std::optional<bool> isWrite,
                                              uint64_t size, std::optional<uint64_t> nullOffset);
  /// What a library's function that is called at a place of the source may have followed.
  std::optional<ArgumentExpressions> argumentsAt(const StackFrame &frame, bool isWrite);
  /// The pointer that a place of the source calls through; empty: not known.
  std::string calleeAt(const StackFrame &frame);

private:
  class Frames;
  Names &names();
  std::optional<std::string> expressionOf(const SiteAddress &site, bool isWrite);
  void addArguments();
  void addEnvironment(uint64_t address);
  void addThreadLocals();

  const FailureContext &context_;
  SitePlaces sites_;
  std::unique_ptr<Frames> frames_;
  std::unique_ptr<Names> names_;
};

} // namespace culprit
#endif
