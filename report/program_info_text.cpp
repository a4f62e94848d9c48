// `culprit info` as text and as JSON; see program_info.h.
#include "report/json.h"
#include "report/program_info.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace culprit {

namespace {

struct Totals {
  size_t lines = 0;
  size_t functions = 0;
  size_t sites = 0;
};

std::map<std::string, size_t> linesByFile(const ImageInfo &image) {
  std::map<std::string, size_t> files;
  for (const ModuleInfo &module : image.modules)
    for (const auto &[file, lines] : module.linesByFile)
      files[file] = std::max(files[file], lines);
  return files;
}

Totals totalsOf(const ImageInfo &image) {
  Totals totals;
  for (const ModuleInfo &module : image.modules) {
    totals.functions += module.functions;
    totals.sites += module.sites;
  }
  for (const auto &[file, lines] : linesByFile(image))
    totals.lines += lines;
  return totals;
}

std::string counted(size_t count, const char *noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string printImage(const ImageInfo &image) {
  Totals totals = totalsOf(image);
  std::string text =
      fmt::format("{} ({})\n  {}, {}, {} with code, {}, {}\n", image.path, image.output,
                  counted(image.modules.size(), "module"),
                  counted(linesByFile(image).size(), "source file"), counted(totals.lines, "line"),
                  counted(totals.functions, "function"), counted(totals.sites, "site"));
  text += "  modules:\n";
  for (const ModuleInfo &module : image.modules)
    text += fmt::format("    {}  {} ({}, {})\n", module.id.substr(0, 12), module.source,
                        counted(module.functions, "function"), counted(module.sites, "site"));
  text += "  source files:\n";
  for (const auto &[file, lines] : linesByFile(image))
    text += fmt::format("    {} ({} with code)\n", file, counted(lines, "line"));
  text += image.foreign.empty() ? "" : "  foreign parts (no bitcode; they stay as they were):\n";
  for (const ForeignPart &part : image.foreign)
    text += fmt::format("    {} ({}{}{})\n", part.path, part.kind, part.reason.empty() ? "" : ": ",
                        part.reason);
  text +=
      fmt::format("  link command:\n    {} {}\n", image.linker, fmt::join(image.linkCommand, " "));
  return text;
}

llvm::json::Value moduleAsJson(const ModuleInfo &module) {
  llvm::json::Array files;
  for (const auto &[file, lines] : module.linesByFile)
    files.push_back(llvm::json::Object{{"file", jsonString(file)}, {"lines", lines}});
  return llvm::json::Object{{"id", module.id},
                            {"source", jsonString(module.source)},
                            {"directory", jsonString(module.directory)},
                            {"producer", jsonString(module.producer)},
                            {"functions", module.functions},
                            {"sites", module.sites},
                            {"files", std::move(files)}};
}

llvm::json::Value imageAsJson(const ImageInfo &image) {
  llvm::json::Array modules;
  for (const ModuleInfo &module : image.modules)
    modules.push_back(moduleAsJson(module));
  llvm::json::Array foreign;
  for (const ForeignPart &part : image.foreign)
    foreign.push_back(llvm::json::Object{{"path", jsonString(part.path)},
                                         {"kind", part.kind},
                                         {"hash", part.hash},
                                         {"reason", part.reason}});
  llvm::json::Array command{jsonString(image.linker)};
  for (const std::string &word : image.linkCommand)
    command.push_back(jsonString(word));
  Totals totals = totalsOf(image);
  return llvm::json::Object{{"path", jsonString(image.path)}, {"output", image.output},
                            {"lines", totals.lines},          {"functions", totals.functions},
                            {"sites", totals.sites},          {"modules", std::move(modules)},
                            {"foreign", std::move(foreign)},  {"link", std::move(command)}};
}

} // namespace

std::string printProgramInfo(const ProgramInfo &info) {
  std::string text;
  for (const ImageInfo &image : info.images)
    text += printImage(image);
  if (!info.foreignLibraries.empty())
    text +=
        fmt::format("foreign shared libraries:\n  {}\n", fmt::join(info.foreignLibraries, "\n  "));
  return text + fmt::format("LLVM {}\n", info.llvmVersion);
}

std::string programInfoAsJson(const ProgramInfo &info) {
  llvm::json::Array images;
  for (const ImageInfo &image : info.images)
    images.push_back(imageAsJson(image));
  llvm::json::Array libraries;
  for (const std::string &library : info.foreignLibraries)
    libraries.push_back(jsonString(library));
  return jsonText(llvm::json::Object{{"llvm", info.llvmVersion},
                                     {"images", std::move(images)},
                                     {"foreign_libraries", std::move(libraries)}});
}

} // namespace culprit
