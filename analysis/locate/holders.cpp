// See suppression_loop.h: functions that hold on to what they have taken out of a container.
//
// A container that grows frees memory of its own accord, and whoever has it grow is to blame. What
// is taken out of one is gone because somebody wanted that: of several functions that hand the wish
// on, the one to blame is that which has a pointer to it in a local, and uses that afterwards.
#include "analysis/locate/suppression_loop.h"

#include "abi/memory_map.h"

#include <algorithm>
#include <llvm/Demangle/Demangle.h>

namespace culprit {
namespace {

/// Whether a function of a library is there to take something out of a container.
bool takesOut(const std::string &linkageName) {
  std::string name = llvm::demangle(linkageName);
  for (const char *start : {"::pop", "::erase", "::clear", "::remove", "::reset", "::extract"})
    if (name.find(start) != std::string::npos)
      return true;
  return false;
}

} // namespace

void SuppressionLoop::addHolder() {
  const Suspect &freeing = suspects_.front();
  bool isByLocal = blamedFree_.place == 0 || blamedFree_.place >= abi::kThreadSlots;
  if (suspects_.size() != 1 || !freeing.isFree || !isByLocal ||
      steps_.front().suppressed[0].execution.site != freeing.execution.site ||
      sites_.placeOf(freeing.execution.site).isOwn())
    return;
  CallStack stack = lookAt(freeing.execution).traced;
  const StackFrame *own = ownFrame(stack, sites_);
  if (!own || own == stack.data() || !takesOut(std::prev(own)->linkageName) ||
      stack.size() >= abi::kMostWriteCallers)
    return;
  RunResult failed = look({}); // where all callers are known
  const StackFrame *caller = failed.failure ? freeingCaller(stack, failed.failure->stack) : nullptr;
  std::optional<SiteAddress> site = caller ? caller->site : std::nullopt;
  if (!site || caller == own || sites_.placeOf(*site).line == freeing.place.line)
    return;
  Suspect holder = freeing;
  holder.place = sites_.placeOf(*site);
  holder.instance = lookAt({*site, freeing.execution.time}).seen.probedInstance;
  holder.calls.clear();
  for (; caller != stack.data() + stack.size(); ++caller)
    if (std::optional<SiteAddress> around = caller->site; around && sites_.placeOf(*around).isOwn())
      holder.calls.push_back(*caller);
  suspects_.insert(suspects_.begin(), holder);
}

/// The innermost function that called both what freed memory and what used it: where it called the
/// former. Null: there is none.
const StackFrame *SuppressionLoop::freeingCaller(const CallStack &freeing,
                                                 const CallStack &use) const {
  auto isOwn = [&](const StackFrame &frame) {
    return frame.site && sites_.placeOf(*frame.site).isOwn();
  };
  auto one = freeing.rbegin();
  auto other = use.rbegin();
  for (;; ++one, ++other) {
    one = std::find_if(one, freeing.rend(), isOwn);
    other = std::find_if(other, use.rend(), isOwn);
    if (one == freeing.rend() || other == use.rend() || one->linkageName != other->linkageName)
      return nullptr;
    if (one->site != other->site)
      return &*one;
  }
}

} // namespace culprit
