// Finds the failing inputs that a fuzzer, or a person, has left in a folder.
//
// Fuzzers keep other files beside them: a corpus, statistics, a README. What is an input is known
// by the layout, which is recognised by names:
//
//   AFL++      FOLDER/crashes*/id:... and FOLDER/*/crashes*/id:... (fuzzers that share a folder),
//              or FOLDER/id:... itself; `id_...` where file names have no colons
//   libFuzzer  FOLDER/{crash,oom,timeout,leak}-...
//   plain      every file of FOLDER, but hidden ones and README.txt
#ifndef CULPRIT_ANALYSIS_TRIAGE_INPUTS_H
#define CULPRIT_ANALYSIS_TRIAGE_INPUTS_H

#include <filesystem>
#include <string>
#include <vector>

namespace culprit {

/// The inputs below the folders, each once, by name; what is a file itself is an input. Throws
/// Failure (usage) when a folder does not exist or cannot be read, when what is named is neither a
/// folder nor a file, or when there are none in all.
std::vector<std::filesystem::path> findInputs(const std::vector<std::string> &folders);

} // namespace culprit
#endif
