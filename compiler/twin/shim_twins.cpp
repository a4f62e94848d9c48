// See shim_twins.h.
#include "compiler/twin/shim_twins.h"

#include "compiler/embed/entry.h"
#include "compiler/twin/identity.h"
#include "compiler/twin/twin_archive.h"
#include "support/files.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit {
namespace fs = std::filesystem;

namespace {

/// Whether libstdc++ is in it; statically linked programs show nothing of it in their libraries.
bool usesCpp(const Image *image) {
  return image->link &&
         std::any_of(image->link->argv.begin(), image->link->argv.end(), isCppLibrary);
}

} // namespace

std::vector<std::string> cppShimFunctions(const Program &program) {
  std::vector<const Image *> images = program.images();
  bool isNeeded = std::any_of(images.begin(), images.end(), usesCpp);
  return isNeeded ? archiveSymbols(cppBitcode()) : std::vector<std::string>();
}

bool isCppLibrary(const std::string &argument) {
  return argument == "-lstdc++" || fs::path(argument).filename().string().starts_with("libstdc++.");
}

fs::path readyTwins() {
  return libexecFolder() / "twins";
}

ShimTwins::ShimTwins(const Mode &mode) : mode_(mode.modeOfShims()) {
  add(&ShimArchives::externals, externalsBitcode(), externalsArchive());
  add(&ShimArchives::instrumented, instrumentedBitcode(), {});
  add(&ShimArchives::cpp, cppBitcode(), {});
  for (Part &part : parts_)
    plan(part);
}

ShimTwins::ShimTwins(const Program &program, const Mode &mode) : mode_(mode.modeOfShims()) {
  if (!mode.instrumentsShims() || !program.executable.isDynamic())
    return;
  add(&ShimArchives::externals, externalsBitcode(), externalsArchive());
  add(&ShimArchives::instrumented, instrumentedBitcode(), {});
  std::vector<const Image *> images = program.images();
  if (std::any_of(images.begin(), images.end(), usesCpp))
    add(&ShimArchives::cpp, cppBitcode(), {});
  for (Part &part : parts_) {
    std::error_code ignored;
    part.isReady = fs::exists(part.ready, ignored);
    if (!part.isReady)
      plan(part);
  }
}

void ShimTwins::add(ArchivePath archive, const fs::path &bitcode, const fs::path &original) {
  CacheKey key;
  key.add(compilerIdentity()).add(mode_.name()).addFile(bitcode);
  if (!original.empty())
    key.addFile(original);
  Part part{archive, bitcode, original, readyTwins() / (key.hex() + ".a"), false, 0, {}};
  parts_.push_back(std::move(part));
}

void ShimTwins::plan(Part &part) {
  part.firstJob = jobs_.size();
  for (ArchivedFile &file : readArchive(part.bitcode)) {
    TwinJob job;
    job.request.mode = &mode_;
    job.request.context.moduleId = contentId(file.bytes);
    job.request.context.isShim = true;
    job.request.context.hasShimTwins = true;
    job.request.forSharedLibrary = true; // and just as good in executables
    job.request.isPrivateCopy = part.archive == &ShimArchives::cpp;
    job.request.source = fmt::format("{}({})", part.bitcode.string(), file.name);
    job.size = file.bytes.size();
    job.name = twinName(job.request);
    part.members.push_back(file.name);
    job.bitcode = [bytes = std::move(file.bytes)] { return bytes; };
    jobs_.push_back(std::move(job));
  }
}

void ShimTwins::write(const Part &part, const fs::path &path) const {
  ArchiveBuilder builder;
  for (size_t i = 0; i < part.members.size(); ++i)
    builder.addBytes(part.members[i], Cache::readObject(jobs_[part.firstJob + i].object));
  if (!part.original.empty())
    for (const ArchivedFile &file : readArchive(part.original))
      if (std::find(part.members.begin(), part.members.end(), file.name) == part.members.end())
        builder.addBytes(file.name, file.bytes);
  builder.write(path);
}

ShimArchives ShimTwins::archives(const fs::path &scratch) const {
  ShimArchives archives{externalsArchive(), {}, {}};
  for (const Part &part : parts_) {
    fs::path path = part.isReady ? part.ready : scratch / part.ready.filename();
    if (!part.isReady)
      write(part, path);
    archives.*part.archive = path;
  }
  return archives;
}

std::vector<fs::path> ShimTwins::leaveReady() const {
  std::vector<fs::path> paths;
  fs::create_directories(readyTwins());
  for (const Part &part : parts_) {
    write(part, part.ready);
    paths.push_back(part.ready);
  }
  return paths;
}

} // namespace culprit
