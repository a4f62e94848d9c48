// See shim_twins.h.
#include "compiler/twin/shim_twins.h"

#include "compiler/embed/entry.h"
#include "compiler/twin/identity.h"
#include "compiler/twin/twin_archive.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit {
namespace fs = std::filesystem;

namespace {

/// Whether libstdc++ is in it; statically linked programs show nothing of it in their libraries.
bool usesCpp(const Image &image) {
  return image.link && std::any_of(image.link->argv.begin(), image.link->argv.end(), isCppLibrary);
}

} // namespace

bool isCppLibrary(const std::string &argument) {
  return argument == "-lstdc++" || fs::path(argument).filename().string().starts_with("libstdc++.");
}

ShimTwins::ShimTwins(const Program &program, const Mode &mode, const TwinContext &context) {
  if (!mode.instrumentsShims() || !program.executable.isDynamic())
    return;
  plan({&ShimArchives::externals, externalsArchive(), false, 0, {}}, externalsBitcode(), mode,
       context);
  plan({&ShimArchives::instrumented, {}, false, 0, {}}, instrumentedBitcode(), mode, context);
  if (usesCpp(program.executable))
    plan({&ShimArchives::cpp, {}, false, 0, {}}, cppBitcode(), mode, context);
  if (program.libraries.empty())
    return;
  plan({&ShimArchives::instrumented, {}, true, 0, {}}, instrumentedBitcode(), mode, context);
  if (std::any_of(program.libraries.begin(), program.libraries.end(), usesCpp))
    plan({&ShimArchives::cpp, {}, true, 0, {}}, cppBitcode(), mode, context);
}

void ShimTwins::plan(Part part, const fs::path &bitcode, const Mode &mode,
                     const TwinContext &context) {
  part.firstJob = jobs_.size();
  for (ArchivedFile &file : readArchive(bitcode)) {
    TwinJob job;
    job.request.mode = &mode.modeOfShims();
    job.request.context = context;
    job.request.context.moduleId = contentId(file.bytes);
    job.request.context.isShim = true;
    job.request.context.ownFunctions.reset(); // a shim's twin serves all programs
    job.request.forSharedLibrary = part.isShared;
    job.request.isPrivateCopy = part.archive == &ShimArchives::cpp;
    job.request.source = fmt::format("{}({})", bitcode.string(), file.name);
    job.size = file.bytes.size();
    job.name = twinName(job.request);
    part.members.push_back(file.name);
    job.bitcode = [bytes = std::move(file.bytes)] { return bytes; };
    jobs_.push_back(std::move(job));
  }
  parts_.push_back(std::move(part));
}

fs::path ShimTwins::write(const Part &part, const fs::path &folder) const {
  ArchiveBuilder builder;
  for (size_t i = 0; i < part.members.size(); ++i)
    builder.addBytes(part.members[i], Cache::readObject(jobs_[part.firstJob + i].object));
  if (!part.original.empty())
    for (const ArchivedFile &file : readArchive(part.original))
      if (std::find(part.members.begin(), part.members.end(), file.name) == part.members.end())
        builder.addBytes(file.name, file.bytes);
  fs::path path = folder / fmt::format("shims-{}.a", &part - parts_.data());
  builder.write(path);
  return path;
}

ShimArchives ShimTwins::archivesFor(bool isShared, const fs::path &scratch) const {
  ShimArchives archives{externalsArchive(), {}, {}};
  for (const Part &part : parts_)
    if (part.isShared == isShared)
      archives.*part.archive = write(part, scratch);
  return archives;
}

} // namespace culprit
