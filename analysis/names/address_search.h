// Finds what is at one address, or else what is nearest to it. Part of Names.
#ifndef CULPRIT_ANALYSIS_NAMES_ADDRESS_SEARCH_H
#define CULPRIT_ANALYSIS_NAMES_ADDRESS_SEARCH_H

#include "analysis/names/memory_reader.h"
#include "analysis/names/names.h"
#include "analysis/names/reach.h"

namespace culprit {

class Names::Search {
public:
  Search(Names &names, uint64_t address, const abi::FailureRecord *record, uint64_t accessSize)
      : names_(names), record_(record), address_(address), accessSize_(accessSize) {}

  AddressName run();

private:
  using Finish = std::function<AddressName()>;

  /// What is offered last wins only when it is nearer; `finish` is called for the winner.
  void offer(uint64_t start, uint64_t size, Finish finish);
  void offerVariables();
  void offerThreadLocals();
  bool isNameable(const KnownRange &range) const;
  void offerRanges();
  void offerFrames();
  void offerFrame(uint32_t index, const PlacedFrame &shape);
  void offerVariableArray(uint32_t index);
  void offerBlocks();

  AddressName finishVariable(const ImageVariable &variable, uint64_t base, MemoryKind kind,
                             const std::string &suffix);
  AddressName finishMember(const abi::FailureFrame &frame, const PlacedFrame &shape,
                           const PlacedMember &member);
  AddressName finishBlock(const abi::FailureBlock &block);
  AddressName finishRange(const KnownRange &range);
  /// Name, position and text of a typed object; `suffix` says where it is.
  AddressName finishObject(MemoryKind kind, const Subject &subject, uint64_t start, uint64_t size,
                           const SourceType *type, const std::string &suffix);
  std::string blockText(const abi::FailureBlock &block, const Allocation &allocation);
  std::optional<Path> pathIntoBlock(const abi::FailureBlock &block, const Allocation &allocation,
                                    uint64_t address);
  std::optional<Reached> reach(const abi::FailureBlock &block, uint64_t address);
  std::string besideBlock(const abi::FailureBlock &block, const Allocation &allocation);
  std::string frameSuffix(const abi::FailureFrame &frame, const PlacedFrame &shape);
  const PlacedFrame *shapeOf(uint32_t frame) const;

  std::optional<AddressName> nameNull() const;
  std::optional<AddressName> nameCode();
  AddressName nameNothing() const;

  Names &names_;
  const abi::FailureRecord *record_;
  uint64_t address_, accessSize_;
  Finish best_;
  Position position_ = Position::Inside; ///< relative to the best
  uint64_t distance_ = ~uint64_t{0};     ///< of the best
  uint64_t size_ = ~uint64_t{0};         ///< of the best
};

/// A function as a person would write it: `ns::Class::method`.
std::string functionText(const std::string &linkName);
/// The same without what the templates were made for: "std::operator<<".
std::string bareFunctionText(const std::string &linkName);

} // namespace culprit
#endif
