// How culprit speaks to the user: `culprit: error: what is wrong, what was expected, what to do`.
//
// A function that cannot go on throws Failure with the whole sentence and the exit code; only the
// entry point of a command prints it. Warnings and notes are printed where they arise.
#ifndef CULPRIT_SUPPORT_DIAGNOSTICS_H
#define CULPRIT_SUPPORT_DIAGNOSTICS_H

#include <fmt/format.h>
#include <stdexcept>
#include <string>

namespace culprit {

/// The documented exit codes. `run`, `record` and `replay` turn all of ours into Passthrough.
enum class ExitCode : int {
  Done = 0,
  Nothing = 1,       ///< no failure, nothing suspicious
  Usage = 2,         ///< wrong usage or environment
  Internal = 3,      ///< our bug
  Refused = 4,       ///< this machine cannot do it safely
  Passthrough = 125, ///< an error of our own in a command that passes the program's status through
};

/// Ends the command with a message for the user.
class Failure : public std::runtime_error {
public:
  Failure(ExitCode code, const std::string &message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

private:
  ExitCode code_;
};

/// Throws a Failure that the user can mend: bad input or a bad environment.
template <typename... Args>
[[noreturn]] void failUsage(fmt::format_string<Args...> format, Args &&...args) {
  throw Failure(ExitCode::Usage, fmt::format(format, std::forward<Args>(args)...));
}

/// Throws a Failure that is a defect of culprit.
template <typename... Args>
[[noreturn]] void failInternal(fmt::format_string<Args...> format, Args &&...args) {
  throw Failure(ExitCode::Internal, fmt::format(format, std::forward<Args>(args)...));
}

enum class Severity { Error, Warning, Note };

/// Prints `culprit: SEVERITY: MESSAGE` to stderr, coloured as the conventions say.
void diagnose(Severity severity, const std::string &message);

/// `--quiet`: notes and warnings are dropped, errors stay.
void setQuiet(bool quiet);
bool isQuiet();

/// Whether `fd` may get colour: NO_COLOR, then CLICOLOR_FORCE, then isatty.
bool wantsColour(int fd);

} // namespace culprit
#endif
