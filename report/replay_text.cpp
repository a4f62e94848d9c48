// See replay_text.h.
#include "report/replay_text.h"

#include "abi/memory_map.h"
#include "recording/stop_text.h"

#include <cstring>
#include <fmt/format.h>
#include <llvm/DebugInfo/Symbolize/Symbolize.h>

namespace culprit {
namespace {

std::string describe(const abi::ReplayCall &call) {
  switch (call.number) {
  case -1:
    return fmt::format("signal {}", call.arguments[0]);
  case -2:
    return "a value of the system";
  case -3:
    return "a look at memory";
  case -4:
    return "the end";
  default:
    return fmt::format("{}({:#x}, {:#x}, {:#x}, {:#x}, {:#x}, {:#x})", nameOfCall(call.number),
                       call.arguments[0], call.arguments[1], call.arguments[2], call.arguments[3],
                       call.arguments[4], call.arguments[5]);
  }
}

/// The image whose code is at the address: executables are linked low, libraries one after another.
const ImageBuild *imageAt(const Build &build, uint64_t address) {
  if (address < abi::kExecutableLimit)
    return &build.images.front();
  uint64_t index = (address - abi::kLibraryBase) / abi::kLibraryDistance;
  return address >= abi::kLibraryBase && index < build.images.size() ? &build.images[index]
                                                                     : nullptr;
}

/// The innermost line of the program's own code; empty: not known.
std::string placeOf(const abi::ReplayState &state, const Build &build) {
  llvm::symbolize::LLVMSymbolizer symbolizer;
  for (uint32_t i = 0; i < state.callerCount; ++i) {
    const ImageBuild *image = imageAt(build, state.callers[i]);
    if (!image)
      continue;
    auto found = symbolizer.symbolizeCode(
        image->path.string(), {state.callers[i] - 1, llvm::object::SectionedAddress::UndefSection});
    if (!found) {
      llvm::consumeError(found.takeError());
      continue;
    }
    bool isOwn = llvm::StringRef(found->FunctionName).contains("culprit");
    if (found->Line != 0 && !isOwn)
      return fmt::format(" at {}:{}", found->FileName, found->Line);
  }
  return "";
}

std::string describeDifference(const abi::ReplayState &state) {
  switch (static_cast<abi::ReplayDifference>(state.difference)) {
  case abi::ReplayDifference::Memory:
    if (state.seen.number == -3)
      return fmt::format("memory differs:{}{}{}", state.seen.arguments[0] ? " globals" : "",
                         state.seen.arguments[1] ? " heap" : "",
                         state.seen.arguments[2] ? " locals" : "");
    return "the kernel tells the program other things than the recorded one";
  case abi::ReplayDifference::Input:
    return fmt::format("{} hands out other bytes", describe(state.seen));
  case abi::ReplayDifference::Clock:
    return fmt::format("{} comes after {} counted points, not {}", describe(state.seen),
                       state.seen.clock, state.expected.clock);
  case abi::ReplayDifference::Result:
    return fmt::format("{} has another result", describe(state.seen));
  default:
    return fmt::format("expected {}, seen {}", describe(state.expected), describe(state.seen));
  }
}

std::string describeTrouble(const abi::ReplayState &state, const LeavePlan &plan,
                            const History &history) {
  uint64_t what = state.troubleWhat;
  switch (state.trouble) {
  case abi::LeaveTrouble::Step:
    return what < plan.steps.size() ? plan.steps[what] : "a step of the plan";
  case abi::LeaveTrouble::Call:
    return fmt::format("making {} again", nameOfCall(static_cast<int64_t>(what)));
  case abi::LeaveTrouble::Descriptor: {
    auto thing = history.open.find(static_cast<int>(what));
    return fmt::format("opening descriptor {}{}", what,
                       thing == history.open.end() || thing->second->path.empty()
                           ? ""
                           : fmt::format(", '{}'", thing->second->path));
  }
  default:
    return fmt::format("finding the point (it was {} system calls from the start)", what);
  }
}

} // namespace

std::string describeLeaveTrouble(const abi::ReplayState &state, const LeavePlan &plan,
                                 const History &history) {
  return fmt::format("the recording cannot be left there: {} failed in the sandbox: {}; choose "
                     "another point, or record anew",
                     describeTrouble(state, plan, history),
                     std::strerror(static_cast<int>(state.troubleError)));
}

std::string describeDivergence(const abi::ReplayState &state, const Build &build) {
  if (state.end == abi::ReplayEnd::Unmappable && state.seen.number >= 0)
    return fmt::format("the replay cannot go on at event {}: memory is not to be had where it was "
                       "recorded ({}){}",
                       state.event, describe(state.seen), placeOf(state, build));
  return fmt::format("the replay differs from the recording at event {}{}: {}", state.event,
                     placeOf(state, build), describeDifference(state));
}

} // namespace culprit
