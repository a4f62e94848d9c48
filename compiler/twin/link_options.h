// What becomes of the options of a recorded link.
//
// The analysis build keeps every option except those that would make it position-independent, strip
// it, write side files, forbid references to the runtime, or name a place of the original: output,
// soname and run path are set anew. The three linkers spell options alike; a long option has one
// dash or two, its value follows `=` or is the next word, and single letters may be joined with it.
#ifndef CULPRIT_COMPILER_TWIN_LINK_OPTIONS_H
#define CULPRIT_COMPILER_TWIN_LINK_OPTIONS_H

#include <string>
#include <vector>

namespace culprit {

enum class Fate {
  Keep,
  Drop,
  File,          ///< the value is a file, to be found again
  VersionScript, ///< the same, and symbols of the runtime stay visible
  Entry,         ///< where the program starts, after the runtime
};

/// One option of a link command, taken apart.
struct LinkOption {
  Fate fate = Fate::Keep;
  size_t words = 1;  ///< how many arguments it takes up
  std::string name;  ///< as written, with dashes and with `=` if that joins the value
  std::string value; ///< empty if it has none
};

/// The option at `argv[at]`.
LinkOption parseLinkOption(const std::vector<std::string> &argv, size_t at);

/// Appends `option` with `value` in place of its own, spelled as before.
void appendLinkOption(const LinkOption &option, const std::string &value,
                      std::vector<std::string> &command);

} // namespace culprit
#endif
