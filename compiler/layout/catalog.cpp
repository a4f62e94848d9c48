// See catalog.h.
#include "compiler/layout/catalog.h"

#include "abi/memory_map.h"
#include "support/diagnostics.h"

#include <algorithm>
#include <llvm/Demangle/Demangle.h>
#include <llvm/Support/MathExtras.h>
#include <set>

namespace culprit {

std::vector<std::string> memberNames(const FrameShape &shape) {
  std::map<std::string, int> seen;
  std::vector<std::string> names;
  for (const FrameMember &member : shape.members) {
    std::string name = member.name;
    switch (member.kind) {
    case MemberKind::ReturnSlot:
      name = "(return)";
      break;
    case MemberKind::SavedBase:
      name = "(base)";
      break;
    case MemberKind::Temporary:
      name = "(temporary)";
      break;
    case MemberKind::Gap:
      name = "(gap)";
      break;
    case MemberKind::Local:
      break;
    }
    int count = ++seen[name];
    names.push_back(count == 1 ? name : fmt::format("{}#{}", name, count));
  }
  return names;
}

namespace {

std::string globalName(const GlobalShape &global) {
  return global.isLocal ? global.file + ":" + global.symbol : llvm::demangle(global.symbol);
}

} // namespace

Catalog::Catalog(std::string program, std::vector<CatalogModule> modules)
    : program_(std::move(program)), modules_(std::move(modules)) {
  for (const CatalogModule &module : modules_)
    for (const FrameShape &shape : module.table.frames) {
      auto [entry, isNew] = onlyFile_.emplace(shape.function, shape.file);
      if (!isNew && entry->second != shape.file)
        entry->second.clear();
    }
  std::vector<std::string> zeroed;
  std::vector<std::string> ofThreads;
  std::vector<std::string> zeroedOfThreads;
  for (size_t i = 0; i < modules_.size(); ++i) {
    const MemoryTable &table = modules_[i].table;
    for (size_t k = 0; k < table.globals.size(); ++k) {
      std::string name = globalName(table.globals[k]);
      std::vector<std::string> &initialised =
          table.globals[k].isThreadLocal() ? ofThreads : globalOrder_;
      std::vector<std::string> &others =
          table.globals[k].isThreadLocal() ? zeroedOfThreads : zeroed;
      if (!globals_.contains(name))
        (table.globals[k].isZero() ? others : initialised).push_back(name);
      globals_[name].push_back({i, k});
    }
    for (size_t k = 0; k < table.frames.size(); ++k)
      functions_[functionName(table.frames[k])].push_back({i, k});
  }
  for (const auto &more : {zeroed, ofThreads, zeroedOfThreads})
    globalOrder_.insert(globalOrder_.end(), more.begin(), more.end());
}

std::string Catalog::functionName(const FrameShape &shape) const {
  std::string name = llvm::demangle(shape.function);
  auto file = onlyFile_.find(shape.function);
  bool isOnly = file != onlyFile_.end() && file->second == shape.file;
  return isOnly ? name : shape.file + ":" + name;
}

Layout Catalog::defaultLayout() const {
  Layout layout;
  layout.program = program_;
  layout.globals = globalOrder_;
  for (const auto &[name, places] : functions_) {
    const FrameShape &shape = modules_[places[0].module].table.frames[places[0].index];
    std::vector<std::string> members = memberNames(shape);
    std::reverse(members.begin(), members.end());
    layout.functions[name] = std::move(members);
  }
  return layout;
}

namespace {

/// Of guard words in front of a global: no global is aligned to more, as a rule.
constexpr uint64_t kFrontAlignment = 64;

/// Nothing is kept there; a layout may leave it out.
bool isRoom(const FrameMember &member) {
  return member.kind == MemberKind::Gap || member.kind == MemberKind::SavedBase;
}

/// Whether a layout's list has each member of a frame once.
bool isComplete(const std::vector<std::string> &members, const FrameShape &shape) {
  std::set<std::string> left(members.begin(), members.end());
  if (left.size() != members.size())
    return false;
  std::vector<std::string> names = memberNames(shape);
  for (size_t i = 0; i < names.size(); ++i)
    if (left.erase(names[i]) == 0 && !isRoom(shape.members[i]))
      return false;
  return left.empty();
}

std::vector<std::string> neededMembers(const FrameShape &shape) {
  std::vector<std::string> names = memberNames(shape);
  std::vector<std::string> needed;
  for (size_t i = 0; i < names.size(); ++i)
    if (!isRoom(shape.members[i]))
      needed.push_back(names[i]);
  return needed;
}

} // namespace

void Catalog::check(const Layout &layout, const std::string &file) const {
  if (!layout.program.empty() && layout.program != program_)
    failUsage("the layout '{}' was made for another program or another build of it ('{}', this is "
              "'{}'); make a new one with 'culprit info --layout'",
              file, layout.program, program_);
  std::set<std::string> seen;
  for (const std::string &name : layout.globals) {
    if (!globals_.contains(name))
      failUsage("'{}' names the global '{}', which the program does not have; 'culprit info "
                "--layout' lists those that it has",
                file, name);
    if (!seen.insert(name).second)
      failUsage("'{}' names the global '{}' twice", file, name);
  }
  for (const auto &[name, members] : layout.functions) {
    auto known = functions_.find(name);
    if (known == functions_.end())
      failUsage("'{}' names the function '{}', which has no locals to lay out in this program",
                file, name);
    // Modules may have frames of different members for one inline function; the layout holds for
    // those that it fits.
    const FrameShape *other = nullptr;
    bool fits = false;
    for (const Place &place : known->second) {
      other = &modules_[place.module].table.frames[place.index];
      fits = fits || isComplete(members, *other);
    }
    if (other && !fits)
      failUsage("'{}': the function '{}' has the locals {}; a layout names each of them once", file,
                name, fmt::join(neededMembers(*other), ", "));
  }
}

std::vector<size_t> Catalog::orderOf(const Layout &layout, const FrameShape &shape) const {
  auto wanted = layout.functions.find(functionName(shape));
  std::vector<size_t> order;
  if (wanted == layout.functions.end() || !isComplete(wanted->second, shape))
    return order;
  std::vector<std::string> names = memberNames(shape);
  for (auto name = wanted->second.rbegin(); name != wanted->second.rend(); ++name)
    order.push_back(
        static_cast<size_t>(std::find(names.begin(), names.end(), *name) - names.begin()));
  return order;
}

ModulePlacement Catalog::placeFrames(const Layout &layout, size_t module) const {
  ModulePlacement placement;
  for (const FrameShape &shape : modules_[module].table.frames)
    placement.push_back(placeMembers(shape, orderOf(layout, shape), layout.gap(), layout.front));
  return placement;
}

std::string Catalog::globalScript(const Layout &layout, size_t image) const {
  const std::vector<std::string> &order =
      layout.globals.empty() && layout.hasGaps() ? globalOrder_ : layout.globals;
  std::string sections;
  std::string threadSections;
  std::string guards;
  size_t guardCount = 0;
  auto addGap = [&](uint64_t bytes, bool isGuarded) {
    sections += fmt::format("    __culprit_guard_{} = .;\n    . += {};\n", guardCount, bytes);
    if (isGuarded)
      guards += fmt::format("    QUAD(__culprit_guard_{} - ADDR(culprit_guards)) QUAD({})\n",
                            guardCount, bytes);
    ++guardCount;
  };
  for (const std::string &name : order)
    for (const Place &place : globals_.at(name)) {
      const CatalogModule &module = modules_[place.module];
      const GlobalShape &global = module.table.globals[place.index];
      if (module.image != image)
        continue;
      bool hasGuards = global.isBuffer && !global.isThreadLocal();
      if (layout.front > 0 && hasGuards) {
        sections += fmt::format("    . = ALIGN({});\n", kFrontAlignment);
        addGap(llvm::alignTo(layout.front, kFrontAlignment), true); // right up to the buffer
      }
      (global.isThreadLocal() ? threadSections : sections) +=
          fmt::format("    *({})\n", global.section);
      if (layout.gap() > 0 && hasGuards)
        addGap(layout.gap(), layout.guard > 0);
    }
  std::string script;
  // In pages of its own: mapping zeros there must not wipe out .data.
  if (!sections.empty())
    script += "SECTIONS\n{\n  .culprit_globals ALIGN(4096) : {\n" + sections +
              "  }\n}\nINSERT AFTER .data;\n";
  if (!threadSections.empty() && !layout.globals.empty()) // gaps are not among them
    script +=
        "SECTIONS\n{\n  .tdata.culprit : {\n" + threadSections + "  }\n}\nINSERT AFTER .tdata;\n";
  // The table is the runtime's: in executables it stands with the runtime's own variables.
  if (!guards.empty()) {
    std::string place = image == 0 ? fmt::format(" {:#x}", abi::kGuardTableBase) : "";
    script += "SECTIONS\n{\n  culprit_guards" + place + " : {\n    __culprit_guards_begin = .;\n" +
              guards + "    __culprit_guards_end = .;\n  }\n}\nINSERT AFTER " +
              (image == 0 ? "culprit_state_data" : ".bss") + ";\n";
  }
  return script;
}

} // namespace culprit
