// `culprit cache`: what the cache holds, and how to empty it.
#include "compiler/cache/cache.h"

#include "cli/command.h"
#include "report/json.h"
#include "support/output.h"

#include <chrono>
#include <fmt/chrono.h>

namespace culprit {
namespace {

std::string humanSize(uint64_t bytes) {
  if (bytes < 1024)
    return fmt::format("{} B", bytes);
  if (bytes < 1024 * 1024)
    return fmt::format("{:.1f} KiB", static_cast<double>(bytes) / 1024);
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1024 * 1024));
}

class CacheCommand : public Command {
public:
  const char *name() const override { return "cache"; }
  const char *summary() const override { return "list or clear the cache of analysis builds"; }
  const char *details() const override {
    return "Analysis builds are kept by content in CULPRIT_CACHE_DIR, else "
           "XDG_CACHE_HOME/culprit,\n"
           "else ~/.cache/culprit. When it passes CULPRIT_CACHE_SIZE (default 5G) the least\n"
           "recently used go. Clearing loses nothing but time.";
  }
  void addOptions(CLI::App &app) override {
    app.add_flag("--clear", clear_, "remove everything in the cache");
  }

  int run(const CommonOptions &common) override {
    Cache cache = Cache::open();
    if (clear_) {
      uint64_t freed = cache.clear();
      diagnose(Severity::Note,
               fmt::format("freed {} in '{}'", humanSize(freed), cache.folder().string()));
      return 0;
    }
    uint64_t total = 0;
    llvm::json::Array items;
    std::string text;
    for (const CacheItem &item : cache.list()) {
      total += item.bytes;
      auto used = std::chrono::time_point_cast<std::chrono::seconds>(
          std::chrono::file_clock::to_sys(item.used));
      std::string when = fmt::format("{:%Y-%m-%d %H:%M:%S}", used);
      text += fmt::format("{:<7} {:>11}  {}  {}\n", item.what, humanSize(item.bytes), when,
                          item.path.filename().string());
      items.push_back(llvm::json::Object{{"kind", item.what},
                                         {"bytes", item.bytes},
                                         {"used", when},
                                         {"path", jsonString(item.path.string())}});
    }
    writeReport(common.json,
                jsonText(llvm::json::Object{{"folder", jsonString(cache.folder().string())},
                                            {"bytes", total},
                                            {"cap", Cache::sizeCap()},
                                            {"items", std::move(items)}}));
    if (common.json != "-")
      writeOut(fmt::format("{}{} of {} in '{}'\n", text, humanSize(total),
                           humanSize(Cache::sizeCap()), cache.folder().string()));
    return 0;
  }

private:
  bool clear_ = false;
};

CacheCommand cacheCommand;
const CommandRegistration registration(cacheCommand);

} // namespace
} // namespace culprit
