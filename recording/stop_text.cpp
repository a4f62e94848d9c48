// See stop_text.h.
#include "recording/stop_text.h"

#include <cstring>
#include <fmt/format.h>
#include <sys/syscall.h>

namespace culprit {

std::string nameOfCall(int64_t number) {
  switch (number) {
#define CALL(name, ...)                                                                            \
  case SYS_##name:                                                                                 \
    return #name;
#include "abi/system_calls.def"
#undef CALL
  default:
    return fmt::format("system call {}", number);
  }
}

std::string describeStop(const abi::StopEvent &stop) {
  switch (stop.reason) {
  case abi::StopReason::Thread:
    return "the program started a thread; threads are not recorded yet";
  case abi::StopReason::Execute:
    return "the program executed another program in its own place";
  case abi::StopReason::UnknownCall:
    return fmt::format("the program made a system call whose effects are not recorded: {}",
                       nameOfCall(static_cast<int64_t>(stop.detail)));
  case abi::StopReason::UnknownRequest:
    return fmt::format(
        "the program made a request to the system whose effects are not known: {:#x}", stop.detail);
  case abi::StopReason::SharedMemory:
    return "the program forked while it had memory to share with other processes; what they write "
           "there is not recorded";
  case abi::StopReason::UnreadableFile:
    return fmt::format("the program mapped descriptor {}, whose contents cannot be kept",
                       stop.detail);
  case abi::StopReason::UnreadableState:
    return "the system does not say what is needed";
  case abi::StopReason::ProcessorValue:
    return "the program has assembler that asks the processor for what differs from run to run "
           "(rdrand, "
           "rdseed, cpuid) and has results that are no integers of at most 64 bits";
  case abi::StopReason::MappedFile:
    return "the program changed a file that it had mapped, or mapped it twice to write to it; what "
           "such a mapping shows is not recorded";
  case abi::StopReason::ChangedByOthers:
    return "another process changed a file that the program had mapped; what such a mapping shows "
           "is not recorded";
  case abi::StopReason::OwnMemory:
    return "the program opened the memory of a process as a file, to write to it";
  case abi::StopReason::BadMemory:
    return fmt::format("the program had {} write to memory of which a part is not there",
                       nameOfCall(static_cast<int64_t>(stop.detail)));
  }
  return "for an unknown reason";
}

} // namespace culprit
