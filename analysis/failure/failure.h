// A failure of the analysed program, as data: the record of the runtime (abi/failure.h) with its
// addresses resolved.
#ifndef CULPRIT_ANALYSIS_FAILURE_FAILURE_H
#define CULPRIT_ANALYSIS_FAILURE_FAILURE_H

#include "abi/failure.h"
#include "analysis/names/memory_reader.h"
#include "compiler/sites/site_lines.h"
#include "compiler/twin/build.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

enum class FrameOrigin {
  Program, ///< code that was compiled with culprit-cc
  Runtime, ///< culprit's own
  Foreign, ///< libraries and objects without bitcode
};

/// One function call on a stack. Inlined calls have frames of their own.
struct StackFrame {
  uint64_t address = 0; ///< of the instruction, or of the call's last byte
  FrameOrigin origin = FrameOrigin::Foreign;
  bool isInlined = false;     ///< into the next frame
  bool isApproximate = false; ///< the optimiser left no line here; it is one close by
  std::string function;       ///< demangled; empty: not known
  std::string linkageName;
  std::string file;  ///< as the compiler saw it; empty: not known
  std::string path;  ///< where the file was when it was compiled
  std::string image; ///< the file that the code is in: the original's, not the twin's
  uint32_t line = 0;
  uint32_t column = 0;
  std::optional<SiteAddress> site; ///< in exact builds
};

/// Headers of the system: a person looks at the code that uses them first.
bool isSystemHeader(std::string_view path);
bool isInSystemHeader(const StackFrame &frame);

using CallStack = std::vector<StackFrame>; ///< innermost first

enum class AccessKind { None, Read, Write, Execute };

/// A heap block that the failure has to do with.
struct ReportedBlock {
  uint64_t address = 0;
  uint64_t size = 0;
  bool isFreed = false;
  CallStack allocatedAt;
  CallStack freedAt;
};

/// A word that was involved, and what it is in the source, where that is known.
struct ReportedWord {
  abi::FailureWord word;
  std::string name;
};

struct ReportedThread {
  uint32_t thread = 0;
  uint32_t tid = 0;
  CallStack stack;
};

/// The failing site of an exact build (compiler/sites).
struct ReportedSite {
  std::string moduleId;
  uint32_t number = 0;
  uint64_t instance = 0; ///< how often the thread executed it, this time included; 0: not known
};

struct FailureReport {
  abi::FailureKind kind = abi::FailureKind::None;
  std::string message; ///< one sentence without a location: what happened
  std::string label;   ///< the system's word for it: "segmentation fault"
  std::string detail;  ///< an assertion's text, an exception's what(), libc's last words; or empty
  std::string exceptionType; ///< demangled; uncaught exceptions only
  uint32_t signal = 0;
  int32_t signalCode = 0;
  uint32_t thread = 0;
  uint32_t process = 0;
  bool isRepeated = false; ///< a second run, of a build that keeps sites apart, has told it
  bool isInChild = false;  ///< the program itself did not fail, a process that it forked did
  AccessKind access = AccessKind::None;
  uint32_t accessSize = 0; ///< bytes; 0: not known
  std::optional<uint64_t> address;
  std::string addressName;    ///< what is there, or was; empty: not known
  std::string expression;     ///< that is accessed: "p->next"; empty: not known
  bool isVirtualCall = false; ///< the access was to find the function that `expression` calls
  /// The function of a library that followed them, as its arguments; empty: the program did.
  std::string argumentOf;
  std::vector<std::string> candidates; ///< one of them is accessed, where that is all that is known
  std::optional<ReportedSite> site;    ///< of exact builds
  std::string siteMissing;             ///< why there is no `site`, where one was looked for
  CallStack stack;
  CallStack thrownAt; ///< of an exception that was thrown again: where it was thrown first
  size_t place = 0;   ///< the frame of `stack` that the failure is reported at; may be its size
  std::vector<ReportedWord> words;
  std::vector<ReportedBlock> blocks;
  std::vector<ReportedThread> threads; ///< of a program that hangs
};

/// What is needed to resolve a record.
struct FailureContext {
  const abi::FailureRecord &record;
  const Build &build;
  uint32_t process = 0; ///< that was the program
  int signal = 0;       ///< that the program died of; 0: it ended by itself
  int status = 0;       ///< its exit status
  double timeout = 0;   ///< seconds that the program had
  const Program *program = nullptr;
  const Layout *layout = nullptr; ///< null: the default one
  // NOLINTNEXTLINE(readability-redundant-member-init): else initialisers without it are warned of
  std::filesystem::path countFolder = {}; ///< counters of an exact build; empty: none
  const MemoryReader *memory = nullptr;   ///< of the process as it failed; null: gone
};

/// Nothing when the program did not fail: it ended by itself, or by a signal that others send.
std::optional<FailureReport> readFailure(const FailureContext &context);

/// "SIGTERM", "SIGRTMIN+3".
std::string signalName(uint32_t signal);

/// "segmentation-fault", "failed-assert", ...: the stable name in JSON and SARIF.
std::string nameOf(const FailureReport &report);

} // namespace culprit
#endif
