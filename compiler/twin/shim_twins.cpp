// See shim_twins.h.
#include "compiler/twin/shim_twins.h"

#include "compiler/embed/entry.h"
#include "compiler/twin/identity.h"
#include "compiler/twin/twin_archive.h"

#include <fmt/format.h>
#include <map>

namespace culprit {
namespace fs = std::filesystem;

ShimTwins::ShimTwins(const Program &program, const Mode &mode, const TwinContext &context) {
  if (!mode.instrumentsShims() || !program.executable.isDynamic())
    return;
  plan(externalsArchive(), externalsBitcode(), false, mode, context);
  plan(instrumentedArchive(), instrumentedBitcode(), false, mode, context);
  if (!program.libraries.empty())
    plan(instrumentedArchive(), instrumentedBitcode(), true, mode, context);
}

void ShimTwins::plan(const fs::path &original, const fs::path &bitcode, bool isShared,
                     const Mode &mode, const TwinContext &context) {
  Part part{original, isShared, jobs_.size(), {}};
  for (ArchivedFile &file : readArchive(bitcode)) {
    TwinJob job;
    job.request.mode = &mode;
    job.request.context = context;
    job.request.context.moduleId = contentId(file.bytes);
    job.request.context.isShim = true;
    job.request.forSharedLibrary = isShared;
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
  std::map<std::string, fs::path> twins;
  for (size_t i = 0; i < part.members.size(); ++i)
    twins[part.members[i]] = jobs_[part.firstJob + i].object;
  ArchiveBuilder builder;
  for (const ArchivedFile &file : readArchive(part.original))
    if (auto twin = twins.find(file.name); twin != twins.end())
      builder.addBytes(file.name, Cache::readObject(twin->second));
    else
      builder.addBytes(file.name, file.bytes);
  fs::path path = folder / part.original.filename();
  builder.write(path);
  return path;
}

ShimArchives ShimTwins::archivesFor(bool isShared, const fs::path &scratch) const {
  ShimArchives archives{externalsArchive(), {}};
  fs::path folder = scratch / (isShared ? "shims-shared" : "shims");
  for (const Part &part : parts_) {
    if (part.isShared != isShared)
      continue;
    fs::create_directory(folder);
    fs::path path = write(part, folder);
    (part.original == externalsArchive() ? archives.externals : archives.instrumented) = path;
  }
  return archives;
}

} // namespace culprit
