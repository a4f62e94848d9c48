// See folders.h.
#include "recording/folders.h"

#include "recording/log.h"
#include "support/diagnostics.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/chrono.h>
#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;

fs::path recordingsFolder() {
  const char *state = std::getenv("XDG_STATE_HOME");
  const char *home = std::getenv("HOME");
  if (state && *state == '/')
    return fs::path(state) / "culprit" / "recordings";
  if (!home || !*home)
    failUsage("there is no place for recordings: neither XDG_STATE_HOME nor HOME is set; set one, "
              "or name a folder with -o");
  return fs::path(home) / ".local" / "state" / "culprit" / "recordings";
}

fs::path newRecordingFolder(const fs::path &program) {
  auto now = std::chrono::system_clock::now();
  auto part = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()) % 1000;
  return recordingsFolder() / fmt::format("{}-{:%Y%m%d-%H%M%S}-{:03}-{}",
                                          program.filename().string(),
                                          fmt::localtime(std::chrono::system_clock::to_time_t(now)),
                                          part.count(), getpid());
}

std::vector<fs::path> listRecordings() {
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(recordingsFolder(), error))
    if (fs::exists(logIn(entry.path())))
      found.emplace_back(fs::last_write_time(logIn(entry.path()), error), entry.path());
  std::sort(found.begin(), found.end(), std::greater<>());
  std::vector<fs::path> folders;
  for (auto &[time, path] : found)
    folders.push_back(std::move(path));
  return folders;
}

fs::path findRecording(const std::string &name) {
  if (!name.empty()) {
    bool isPath = fs::exists(name) || name.find('/') != std::string::npos;
    fs::path folder = isPath ? fs::path(name) : recordingsFolder() / name;
    if (!fs::exists(folder))
      failUsage("there is no recording '{}'; 'culprit ls' lists them", name);
    return folder;
  }
  std::vector<fs::path> all = listRecordings();
  if (all.empty())
    failUsage("there is no recording in '{}'; make one with 'culprit record -- PROGRAM'",
              recordingsFolder().string());
  return all.front();
}

void removeRecording(const fs::path &folder) {
  if (!fs::exists(logIn(folder)))
    failUsage("'{}' is no recording; nothing was removed", folder.string());
  std::error_code error;
  fs::remove_all(folder / "files", error);
  for (int64_t number : partsOf(folder))
    fs::remove(partIn(folder, number), error);
  if (!error)
    fs::remove(logIn(folder), error);
  if (!error)
    fs::remove(folder, error);
  if (error)
    failUsage("cannot remove '{}': {}", folder.string(), error.message());
}

uint64_t sizeOfRecording(const fs::path &folder) {
  uint64_t size = 0;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder, error))
    if (entry.is_regular_file(error))
      size += entry.file_size(error);
  return size;
}

} // namespace culprit
