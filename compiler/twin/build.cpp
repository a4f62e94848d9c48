// See build.h. A build's name in the cache is the hash of the ids of all its entries, the mode,
// this culprit's own identity, and what else the link depends on. So a build that is there is
// right, and finding it reads no bitcode.
#include "compiler/twin/build.h"

#include "compiler/layout/frame_work.h"
#include "compiler/twin/identity.h"
#include "compiler/twin/own_functions.h"
#include "compiler/twin/part_objects.h"
#include "compiler/twin/place.h"
#include "compiler/twin/plan_parts.h"
#include "compiler/twin/relink.h"
#include "compiler/twin/shim_twins.h"
#include "compiler/twin/twin_jobs.h"
#include "support/diagnostics.h"
#include "support/files.h"

#include <algorithm>

namespace culprit {
namespace fs = std::filesystem;

namespace {

/// What holds for all modules of the program.
TwinContext contextOf(const Program &program, const Mode &mode, const Cache &cache) {
  TwinContext context;
  for (const Image *image : program.images())
    context.isThreaded |= image->startsThreads;
  context.hasShimTwins = mode.instrumentsShims() && program.executable.isDynamic();
  if (mode.wantsOwnFunctions()) {
    auto names = std::make_shared<std::set<std::string>>(ownFunctions(program, cache));
    if (context.hasShimTwins)
      for (const std::string &name : cppShimFunctions(program))
        names->insert(name);
    context.ownFunctions = std::move(names);
  }
  return context;
}

/// Room for the sites of a module whose bitcode has that size: an instruction and its debug
/// location take more than two bytes. The numbers must not depend on anything that is found out
/// later.
uint64_t roomForSites(const Entry &entry) {
  return (entry.header.rawSize / 8192 + 1) * 4096;
}

std::vector<TwinJob> planTwins(const Program &program, const BuildOptions &options,
                               const TwinContext &context) {
  const Mode &mode = *options.mode;
  uint64_t firstSite = 1; // 0 is no site
  std::vector<TwinJob> jobs;
  for (const Image *image : program.images())
    for (const Entry *entry : image->modules()) {
      TwinJob job;
      job.image = image;
      job.request.mode = &mode;
      job.request.context = context;
      job.request.context.moduleId = entry->id;
      job.request.context.firstSite = firstSite;
      firstSite += roomForSites(*entry);
      job.request.isOpen = hasParts(mode, entry->header.rawSize);
      if (auto sites = options.sites.find(entry->id);
          sites != options.sites.end() && !job.request.isOpen)
        job.request.context.sites = sites->second;
      job.request.forSharedLibrary = image->link->output == "shared";
      job.request.separateSections = image->link->dropsUnused();
      job.request.hasOwnStreams = program.executable.isDynamic();
      job.request.source = image->path.string();
      job.size = entry->header.rawSize;
      job.bitcode = [image, entry] { return payloadOf(*image, *entry); };
      job.name = twinName(job.request);
      jobs.push_back(std::move(job));
    }
  return jobs;
}

Catalog catalogOf(const Program &program, const std::vector<TwinJob> &jobs, const Cache &cache) {
  std::vector<const Image *> images = program.images();
  CacheKey key;
  std::vector<CatalogModule> modules;
  for (const TwinJob &job : jobs) {
    auto image = std::find(images.begin(), images.end(), job.image) - images.begin();
    modules.push_back({job.id(), static_cast<size_t>(image),
                       MemoryTable::parse(Cache::readObject(cache.folder() / "objects" /
                                                            (job.name + ".memory")))});
    key.add(job.id());
  }
  std::string name = program.executable.path.filename();
  return Catalog(name + " " + key.hex().substr(0, 16), std::move(modules));
}

/// Puts a copy of each twin with its frames placed into `scratch`, for the linker.
void placeTwins(std::vector<TwinJob> &jobs, const Catalog &catalog, const Layout &layout,
                const fs::path &scratch) {
  for (size_t i = 0; i < jobs.size(); ++i) {
    SymbolValues symbols = symbolsOf(catalog.placeFrames(layout, i));
    auto place = [&](TwinJob &job, std::string object, const std::string &name) {
      placeSymbols(object, symbols);
      job.object = scratch / name;
      writeFileAtomically(job.object, object);
    };
    std::string object = Cache::readObject(jobs[i].object);
    std::vector<std::string> parts;
    for (TwinJob &part : jobs[i].parts) {
      parts.push_back(Cache::readObject(part.object));
      place(part, parts.back(), fmt::format("{}.{}.o", i, parts.size()));
    }
    if (!parts.empty())
      leaveToParts(object, parts);
    place(jobs[i], std::move(object), fmt::format("{}.o", i));
  }
}

std::string buildName(const Program &program, const BuildOptions &options, const Layout &layout) {
  CacheKey key;
  key.add(toolIdentity()).add(runtimeIdentity()).add(options.mode->name());
  key.add(layout.linkIdentity());
  for (const auto &[module, sites] : options.sites)
    key.add(module).add(sites.text());
  for (const Image *image : program.images()) {
    key.add(image->name).add(image->link->output);
    for (const Entry &entry : image->entries)
      key.add(entry.id);
    key.add(image->dynamic.runPath).add(image->dynamic.runPathIsOld ? "old" : "");
    if (image->dynamic.runPath.find("ORIGIN") != std::string::npos)
      key.add(image->origin().string());
  }
  for (const fs::path &library : program.foreignLibraries)
    key.add(library.string());
  return key.hex();
}

fs::path pathOf(const fs::path &folder, const Image &image, size_t index) {
  return index == 0 ? folder / image.path.filename() : folder / "lib" / twinLibraryName(image);
}

Build describe(CacheUse use, const fs::path &folder, const Program &program,
               const std::vector<TwinJob> &jobs, const Cache &cache) {
  Build build{std::move(use), folder, {}};
  std::vector<const Image *> images = program.images();
  for (size_t i = 0; i < images.size(); ++i) {
    ImageBuild image{images[i], pathOf(folder, *images[i], i), {}, {}, {}};
    for (const TwinJob &job : jobs)
      if (job.image == images[i]) {
        image.sites.push_back(cache.folder() / "objects" / (job.name + ".sites"));
        image.memory.push_back(cache.folder() / "objects" / (job.name + ".memory"));
        image.firstSites.push_back(job.request.context.firstSite);
      }
    build.images.push_back(std::move(image));
  }
  return build;
}

/// A linked build is useless without the tables that belong to it.
bool hasTables(const std::vector<TwinJob> &jobs, const Cache &cache) {
  return std::all_of(jobs.begin(), jobs.end(),
                     [&](const TwinJob &job) { return isComplete(job, cache); });
}

/// Links the images of a program, each after the libraries that it was linked with.
class ImageLinker {
public:
  ImageLinker(const Program &program, const Mode &mode, const std::vector<TwinJob> &jobs,
              ShimArchives shims, std::vector<std::string> globalScripts, fs::path folder,
              fs::path scratch)
      : program_(program), records_(mode.records()), jobs_(jobs), shims_(std::move(shims)),
        images_(program.images()), begun_(images_.size(), false),
        globalScripts_(std::move(globalScripts)), folder_(std::move(folder)),
        scratch_(std::move(scratch)) {
    std::error_code ignored;
    fs::create_directories(folder_ / "lib", ignored);
  }

  void run() {
    for (size_t i = 0; i < images_.size(); ++i)
      link(i);
  }

private:
  void link(size_t index) {
    if (begun_[index])
      return;
    begun_[index] = true;
    const Image &image = *images_[index];
    for (const LinkInput &input : image.link->inputs)
      if (const Image *library = libraryFor(program_, input))
        link(static_cast<size_t>(std::find(images_.begin(), images_.end(), library) -
                                 images_.begin()));
    RelinkRequest request;
    request.program = &program_;
    request.image = &image;
    request.imageIndex = index;
    for (const TwinJob &job : jobs_)
      if (job.image == &image) {
        std::vector<fs::path> &objects = request.twins[job.id()];
        for (const TwinJob &part : job.parts)
          objects.push_back(part.object);
        objects.push_back(job.object);
      }
    request.libraries = linked_;
    request.shims = shims_;
    request.records = records_;
    request.globalScript = globalScripts_[index];
    request.output = pathOf(folder_, image, index);
    request.scratch = scratch_;
    relink(request);
    linked_[&image] = request.output;
  }

  const Program &program_;
  bool records_;
  const std::vector<TwinJob> &jobs_;
  ShimArchives shims_;
  std::vector<const Image *> images_;
  std::vector<bool> begun_;
  std::map<const Image *, fs::path> linked_;
  std::vector<std::string> globalScripts_; ///< per image
  fs::path folder_;
  fs::path scratch_;
};

std::vector<TwinJob *> pointersTo(std::vector<TwinJob> &first, std::vector<TwinJob> &second) {
  std::vector<TwinJob *> pointers;
  for (std::vector<TwinJob> *jobs : {&first, &second})
    for (TwinJob &job : *jobs)
      pointers.push_back(&job);
  return pointers;
}

/// Makes what open twins lack for the sites that the build treats in a special way.
void makeParts(std::vector<TwinJob> &jobs, const BuildOptions &options, const Cache &cache) {
  std::vector<TwinJob *> missing;
  for (TwinJob &job : jobs) {
    auto sites = options.sites.find(job.id());
    if (!job.request.isOpen || sites == options.sites.end())
      continue;
    planParts(job, sites->second, cache);
    missing.push_back(&job);
    for (TwinJob &part : job.parts)
      missing.push_back(&part);
  }
  if (!missing.empty())
    makeTwins(missing, options.jobs, cache);
}

fs::path makeAnew(const Program &program, std::vector<TwinJob> &jobs, ShimTwins shims,
                  const BuildOptions &options, const Layout &layout, const std::string &name,
                  const Cache &cache) {
  makeTwins(pointersTo(jobs, shims.jobs()), options.jobs, cache);
  makeParts(jobs, options, cache);
  TemporaryFolder temporary(cache.beginBuild());
  TemporaryFolder scratch(cache.beginBuild());
  Catalog catalog = catalogOf(program, jobs, cache);
  placeTwins(jobs, catalog, layout, scratch.path());
  writeFileAtomically(temporary.path() / "frames", frameWorkOf(catalog, layout));
  std::vector<std::string> scripts;
  for (size_t i = 0; i < program.images().size(); ++i)
    scripts.push_back(catalog.globalScript(layout, i));
  ImageLinker(program, *options.mode, jobs, shims.archives(scratch.path()), std::move(scripts),
              temporary.path(), scratch.path())
      .run();
  fs::path folder = cache.commitBuild(temporary.path(), name);
  temporary.release();
  return folder;
}

} // namespace

Catalog readCatalog(const Build &build) {
  std::vector<CatalogModule> modules;
  for (size_t i = 0; i < build.images.size(); ++i) {
    std::vector<const Entry *> entries = build.images[i].original->modules();
    for (size_t m = 0; m < entries.size(); ++m)
      modules.push_back(
          {entries[m]->id, i, MemoryTable::parse(Cache::readObject(build.images[i].memory[m]))});
  }
  return Catalog("", std::move(modules));
}

Catalog makeCatalog(const Program &program, const BuildOptions &options, const Cache &cache) {
  std::vector<TwinJob> jobs = planTwins(program, options, contextOf(program, *options.mode, cache));
  std::vector<TwinJob> none;
  CacheUse use = cache.use();
  makeTwins(pointersTo(jobs, none), options.jobs, cache);
  return catalogOf(program, jobs, cache);
}

Build makeBuild(const Program &program, const BuildOptions &options, const Cache &cache) {
  const Mode &mode = *options.mode;
  const Layout layout = options.layout ? *options.layout : Layout{};
  TwinContext context = contextOf(program, mode, cache);
  std::vector<TwinJob> jobs = planTwins(program, options, context);
  std::string name = buildName(program, options, layout);
  fs::path folder;
  {
    CacheUse use = cache.use();
    if (auto found = cache.findBuild(name); found && hasTables(jobs, cache))
      return describe(std::move(use), *found, program, jobs, cache);
    folder = makeAnew(program, jobs, ShimTwins(program, mode), options, layout, name, cache);
  }
  cache.trim();
  return describe(cache.use(), folder, program, jobs, cache);
}

} // namespace culprit
