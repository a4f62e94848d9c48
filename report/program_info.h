// What an executable carries: the report of `culprit info`.
#ifndef CULPRIT_REPORT_PROGRAM_INFO_H
#define CULPRIT_REPORT_PROGRAM_INFO_H

#include "compiler/loader/program.h"

#include <map>
#include <string>
#include <vector>

namespace culprit {

struct ModuleInfo {
  std::string id;
  std::string source; ///< main source file as the compiler saw it
  std::string directory;
  std::string producer;
  size_t functions = 0;
  size_t sites = 0;
  std::map<std::string, size_t> linesByFile; ///< lines that have a site
};

struct ForeignPart {
  std::string path;
  std::string kind; ///< object, archive, member, shared, script, or "compiled" for marked sources
  std::string hash;
  std::string reason;
};

struct ImageInfo {
  std::string path;
  std::string output;
  std::vector<ModuleInfo> modules;
  std::vector<ForeignPart> foreign;
  std::string linker;
  std::vector<std::string> linkCommand;
};

struct ProgramInfo {
  std::vector<ImageInfo> images;
  std::vector<std::string> foreignLibraries;
  std::string llvmVersion;
};

ProgramInfo describeProgram(const Program &program);
std::string printProgramInfo(const ProgramInfo &info);
std::string programInfoAsJson(const ProgramInfo &info);

} // namespace culprit
#endif
