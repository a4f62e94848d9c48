// See line_counts.h.
#include "report/line_counts.h"

#include "report/json.h"
#include "report/source.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace culprit {

namespace {

struct Arc {
  uint32_t to;
  uint64_t count;
};

/// One function's graph with edge counts worked out from the counters.
class CountedFunction {
public:
  CountedFunction(const SiteTable &table, const SiteFunction &function,
                  const std::vector<uint64_t> &counters)
      : table_(table), function_(function), counters_(counters), arcs_(function.blockCount) {
    incoming_.resize(function.blockCount);
    std::vector<uint32_t> predecessors(function.blockCount, 0);
    std::vector<uint64_t> unwound(function.blockCount, 0);
    forEachEdge([&](const SiteEdge &edge) { ++predecessors[local(edge.to)]; });
    forEachEdge([&](const SiteEdge &edge) {
      if (isForwarder(edge.from))
        return;
      uint64_t count = countOf(edge, predecessors[local(edge.to)]);
      if (edge.isUnwind) { // of the calls that did not come back, some may have ended the program
        uint64_t &before = unwound[local(edge.to)];
        count = std::min(count, counters_[edge.to] - before);
        before += count;
      }
      uint32_t to = local(target(edge.to));
      arcs_[local(edge.from)].push_back({to, count});
      incoming_[to].push_back({local(edge.from), count});
    });
  }

  /// How often control entered the line whose stretches are `stretches`: by block (local index),
  /// how many there are in it.
  uint64_t entered(const std::map<uint32_t, uint64_t> &stretches) const {
    uint64_t total = 0;
    std::set<uint32_t> blocks;
    for (auto [block, count] : stretches)
      blocks.insert(block);
    std::map<uint32_t, uint64_t> held; ///< by step: how often it holds control that was on the line
    for (auto [block, count] : stretches) {
      if (block == 0) {
        total += count * counters_[function_.firstBlock];
        continue;
      }
      for (const Arc &arc : incoming_[block])
        if (!blocks.contains(arc.to))
          total += count * (arc.count - takeHeld(arc, blocks, held));
    }
    for (auto [step, count] : held)
      blocks.insert(step);
    return total + cycles(blocks);
  }

private:
  uint32_t local(uint32_t block) const { return block - function_.firstBlock; }

  bool isForwarder(uint32_t block) const {
    return table_.blocks[block].isStep && table_.blocks[block].edgeCount == 1;
  }

  /// Where control arrives that goes to `block`: forwarders are no places of their own.
  uint32_t target(uint32_t block) const {
    for (uint32_t steps = 0; isForwarder(block) && steps < function_.blockCount; ++steps)
      block = table_.edges[table_.blocks[block].firstEdge].to;
    return block;
  }

  bool isStep(uint32_t localBlock) const {
    return table_.blocks[function_.firstBlock + localBlock].isStep;
  }

  /// How much of an arc (Arc::to is its source) only passes through steps, from the line back to
  /// it. By counts alone a step does not say who goes where; as much as can comes back, for whoever
  /// arrives at the end of a scope was in the clean-ups of the same line before.
  uint64_t takeHeld(const Arc &arc, const std::set<uint32_t> &blocks,
                    std::map<uint32_t, uint64_t> &held) const {
    if (!isStep(arc.to))
      return 0;
    if (held.try_emplace(arc.to, 0).second) {
      uint64_t arrived = 0;
      for (const Arc &before : incoming_[arc.to])
        arrived += blocks.contains(before.to) ? before.count : takeHeld(before, blocks, held);
      held[arc.to] = arrived;
    }
    uint64_t taken = std::min(arc.count, held[arc.to]);
    held[arc.to] -= taken;
    return taken;
  }

  template <typename Visit> void forEachEdge(Visit visit) {
    for (uint32_t i = 0; i < function_.blockCount; ++i) {
      const SiteBlock &block = table_.blocks[function_.firstBlock + i];
      for (uint32_t j = 0; j < block.edgeCount; ++j)
        visit(table_.edges[block.firstEdge + j]);
    }
  }

  /// An edge that is not critical is the only one out of its source or into its target. An unwind
  /// edge gets what the call's normal edge leaves over.
  uint64_t countOf(const SiteEdge &edge, uint32_t predecessors) const {
    if (edge.counter != kNoCounter)
      return counters_[edge.counter];
    if (predecessors == 1)
      return counters_[edge.to];
    const SiteBlock &from = table_.blocks[edge.from];
    if (from.edgeCount == 1)
      return counters_[edge.from];
    if (!edge.isUnwind)
      return counters_[edge.to];
    const SiteEdge &normal = table_.edges[from.firstEdge];
    uint64_t returned =
        normal.counter != kNoCounter ? counters_[normal.counter] : counters_[normal.to];
    return counters_[edge.from] - std::min(counters_[edge.from], returned);
  }

  /// Takes cycles out of the line's own graph one by one, each with the count of its rarest edge.
  uint64_t cycles(const std::set<uint32_t> &blocks) const {
    std::map<uint32_t, std::vector<Arc>> left;
    for (uint32_t block : blocks)
      for (const Arc &arc : arcs_[block])
        if (blocks.contains(arc.to) && arc.to != block && arc.count > 0)
          left[block].push_back(arc);
    uint64_t total = 0;
    for (;;) {
      uint64_t found = 0;
      std::set<uint32_t> finished;
      for (uint32_t block : blocks)
        if (!finished.contains(block) && (found = takeCycle(block, left, finished)) > 0)
          break;
      if (found == 0)
        return total;
      total += found;
    }
  }

  /// Depth-first search from `start` for one cycle; removes its count from its edges.
  static uint64_t takeCycle(uint32_t start, std::map<uint32_t, std::vector<Arc>> &left,
                            std::set<uint32_t> &finished) {
    struct Step {
      uint32_t block;
      size_t next;
    };
    std::vector<Step> path{{start, 0}};
    while (!path.empty()) {
      uint32_t block = path.back().block;
      std::vector<Arc> &arcs = left[block];
      if (path.back().next == arcs.size()) {
        finished.insert(block);
        path.pop_back();
        continue;
      }
      Arc &arc = arcs[path.back().next++];
      if (arc.count == 0 || finished.contains(arc.to))
        continue;
      auto onPath = std::find_if(path.begin(), path.end(),
                                 [&](const Step &step) { return step.block == arc.to; });
      if (onPath == path.end()) {
        path.push_back({arc.to, 0});
        continue;
      }
      uint64_t least = arc.count;
      for (auto step = onPath; step != path.end(); ++step)
        least = std::min(least, left[step->block][step->next - 1].count);
      for (auto step = onPath; step != path.end(); ++step)
        left[step->block][step->next - 1].count -= least;
      return least;
    }
    return 0;
  }

  const SiteTable &table_;
  const SiteFunction &function_;
  const std::vector<uint64_t> &counters_;
  std::vector<std::vector<Arc>> arcs_;
  std::vector<std::vector<Arc>> incoming_; ///< Arc::to is the source here
};

} // namespace

namespace {

using Place = std::pair<uint32_t, uint32_t>; ///< file index and line

/// For each line of a function: how many stretches of it there are in which block. A call whose
/// arguments stand on further lines comes back to its first line, which is entered again. Lines of
/// another file in between (initialisers of members, say) do not end a stretch.
std::map<Place, std::map<uint32_t, uint64_t>> stretchesOf(const SiteTable &table,
                                                          const SiteFunction &function) {
  std::map<Place, std::map<uint32_t, uint64_t>> stretches;
  std::map<uint32_t, uint32_t> last; ///< by file, in the block at hand
  uint32_t lastBlock = function.firstBlock;
  if (function.line != 0) { // the head of a function is entered with it
    stretches[{function.file, function.line}][0] = 1;
    last[function.file] = function.line;
  }
  for (uint32_t i = 0; i < function.siteCount; ++i) {
    const Site &site = table.sites[function.firstSite + i];
    if (site.line == 0)
      continue;
    if (site.block != lastBlock)
      last.clear();
    lastBlock = site.block;
    if (last[site.file] != site.line)
      ++stretches[{site.file, site.line}][site.block - function.firstBlock];
    last[site.file] = site.line;
  }
  return stretches;
}

} // namespace

void LineCounts::add(const SiteTable &table, const std::vector<uint64_t> &counters) {
  for (const SiteFunction &function : table.functions) {
    CountedFunction counted(table, function, counters);
    for (const auto &[place, stretches] : stretchesOf(table, function)) {
      const SiteFile &file = table.files[place.first];
      const std::string &name = table.strings[file.name];
      const std::string &directory = table.strings[file.directory];
      FileCounts &counts = files_[{name, name.starts_with("/") ? "" : directory}];
      counts.file = name;
      counts.directory = directory;
      counts.lines[place.second] += counted.entered(stretches);
    }
  }
}

std::vector<FileCounts> LineCounts::files() const {
  std::vector<FileCounts> files;
  for (const auto &[key, counts] : files_)
    files.push_back(counts);
  return files;
}

std::string printLineCounts(const std::vector<FileCounts> &files) {
  std::string text;
  for (const FileCounts &file : files) {
    text += fmt::format("{:>9}:{:>5}:Source:{}\n", "-", 0, file.file);
    std::vector<std::string> source = sourceLines(file.file, file.directory);
    if (source.empty())
      text += fmt::format("{:>9}:{:>5}:(source file not found; counts alone follow)\n", "-", 0);
    uint32_t last = file.lines.empty() ? 0 : file.lines.rbegin()->first;
    for (uint32_t line = 1; line <= std::max<size_t>(source.size(), last); ++line) {
      auto count = file.lines.find(line);
      if (source.empty() && count == file.lines.end())
        continue;
      std::string shown = count == file.lines.end() ? "-"
                          : count->second == 0      ? "#####"
                                                    : std::to_string(count->second);
      text += fmt::format("{:>9}:{:>5}:{}\n", shown, line,
                          line <= source.size() ? source[line - 1] : "");
    }
  }
  return text;
}

std::string lineCountsAsJson(const std::vector<FileCounts> &files) {
  llvm::json::Array list;
  for (const FileCounts &file : files) {
    llvm::json::Array lines;
    for (auto [line, count] : file.lines)
      lines.push_back(llvm::json::Object{{"line", line}, {"count", count}});
    list.push_back(llvm::json::Object{{"file", jsonString(file.file)},
                                      {"directory", jsonString(file.directory)},
                                      {"lines", std::move(lines)}});
  }
  return jsonText(llvm::json::Object{{"files", std::move(list)}});
}

} // namespace culprit
