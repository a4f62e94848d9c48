// See owners.h.
#include "analysis/locate/owners.h"

#include <algorithm>

namespace culprit {
namespace {

/// Copies inside a container of the library say nothing about owners, unless it frees what it was
/// given; those that the compiler makes of the program's own objects do.
bool isByProgram(const CallStack &stack, bool isFreedTwice, const ProgramSites &sites) {
  for (const StackFrame &frame : stack)
    if (frame.site) {
      SitePlace place = sites.placeOf(*frame.site);
      return place.isOwn() || ((place.isImplicit || isFreedTwice) && ownFrame(stack, sites));
    }
  return false;
}

/// Whether a pointer was copied with the memory that it was in: that has held it before, since a
/// function of the library has put it there, which is not seen.
bool copiesMemory(const CallStack &stack, const ProgramSites &sites) {
  std::optional<SiteAddress> site = programSite(stack);
  return site && sites.placeOf(*site).kind == SiteKind::Call;
}

/// Whether what was freed was loaded from the only place that held the pointer when it was used:
/// others have handed it on to that one, as a container that grows does.
bool isOnlyPlace(const std::vector<ResolvedCopy> &copies, uint64_t place) {
  bool isThere = false;
  for (const ResolvedCopy &copy : copies) {
    if (copy.address != place && !copy.isGone)
      return false;
    isThere |= copy.address == place && !copy.isGone;
  }
  return isThere;
}

} // namespace

const StackFrame *ownFrame(const CallStack &stack, const ProgramSites &sites) {
  for (const StackFrame &frame : stack)
    if (frame.site && sites.placeOf(*frame.site).isOwn())
      return &frame;
  return nullptr;
}

const StackFrame *programFrame(const CallStack &stack) {
  auto found = std::find_if(stack.begin(), stack.end(),
                            [](const StackFrame &frame) { return frame.site.has_value(); });
  return found == stack.end() ? nullptr : &*found;
}

std::optional<SiteAddress> programSite(const CallStack &stack) {
  const StackFrame *frame = programFrame(stack);
  return frame ? frame->site : std::nullopt;
}

const ResolvedCopy *secondOwner(const std::vector<ResolvedCopy> &copies, const FreedBlock &freed,
                                const ProgramSites &sites) {
  if (copies.empty())
    return nullptr;
  bool isSame = freed.place != 0 && freed.place == freed.freedFrom;
  bool isSetAgain = std::any_of(copies.begin(), copies.end(), [&](const ResolvedCopy &copy) {
    return copy.address == freed.place && (copy.isFreed || copy.time > freed.freedAt);
  });
  bool isSetBefore = std::any_of(copies.begin(), copies.end(), [&](const ResolvedCopy &copy) {
    return copy.address == freed.place && !copy.isFreed && copy.time <= freed.freedAt;
  });
  if (isSame && !isSetAgain)
    return nullptr; // the owner has gone on using it
  if (freed.place == 0 && freed.freedFrom != 0 && isOnlyPlace(copies, freed.freedFrom))
    return nullptr;
  uint64_t first = copiesMemory(copies.front().stack, sites) ? 0 : copies.front().address;
  bool isOther = freed.place != 0 && freed.place != first;
  if (isOther && isSetAgain && !isSetBefore)
    return nullptr; // nobody else had it when it was freed
  const ResolvedCopy *toPlace = nullptr;
  const ResolvedCopy *toFreed = nullptr;
  const ResolvedCopy *toOther = nullptr;
  for (const ResolvedCopy &copy : copies) {
    if (copy.isFreed || copy.time > freed.freedAt ||
        !isByProgram(copy.stack, freed.isFreedTwice, sites))
      continue;
    if (copy.address == freed.place)
      toPlace = &copy;
    if (copy.address != first && copy.address == freed.freedFrom)
      toFreed = &copy;
    if (copy.address != first)
      toOther = &copy;
  }
  if (isOther && toPlace)
    return toPlace;
  return toFreed ? toFreed : toOther;
}

} // namespace culprit
