// See paths.h.
#include "sandbox/notify/paths.h"

#include "sandbox/proc_text.h"

#include <cerrno>
#include <deque>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace culprit {
namespace fs = std::filesystem;
namespace {

constexpr int kMostLinks = 40;

std::string valueOf(const std::string &status, const std::string &key) {
  size_t at = status.find("\n" + key + ":\t");
  return at == std::string::npos ? "" : status.substr(at + key.size() + 3);
}

std::deque<std::string> split(const std::string &path) {
  std::deque<std::string> parts;
  std::istringstream text(path);
  for (std::string part; std::getline(text, part, '/');)
    if (!part.empty() && part != ".")
      parts.push_back(part);
  if (!path.empty() && path.back() == '/')
    parts.emplace_back("."); // the last part must be a folder
  return parts;
}

bool isNumber(const std::string &text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

std::string linkText(const std::string &path) {
  std::error_code error;
  return fs::read_symlink(path, error).string();
}

} // namespace

Caller callerOf(pid_t thread) {
  std::string status = procText(fmt::format("/proc/{}/status", thread));
  Caller caller;
  caller.thread = thread;
  caller.process = static_cast<pid_t>(std::strtol(valueOf(status, "Tgid").c_str(), nullptr, 10));
  caller.parent = static_cast<pid_t>(std::strtol(valueOf(status, "PPid").c_str(), nullptr, 10));
  caller.mask = static_cast<mode_t>(std::strtol(valueOf(status, "Umask").c_str(), nullptr, 8));
  return caller;
}

std::string Paths::folderOfProcess(pid_t process, pid_t parent) {
  if (auto found = folders_.find(process); found != folders_.end())
    return found->second;
  if (auto found = folders_.find(parent); found != folders_.end())
    return found->second;
  if (parent <= 1 || parent == getpid())
    return start_;
  return folderOfProcess(parent, callerOf(parent).parent);
}

std::string Paths::workingFolder(const Caller &caller) {
  return folderOfProcess(caller.process, caller.parent);
}

/// Children that have not yet looked at theirs have the folder that their parent had.
void Paths::changeFolder(const Caller &caller, const std::string &path) {
  std::string before = workingFolder(caller);
  std::error_code error;
  fs::path tasks = fmt::format("/proc/{}/task", caller.process);
  for (const fs::directory_entry &thread : fs::directory_iterator(tasks, error)) {
    std::ifstream children(thread.path() / "children");
    for (pid_t child = 0; children >> child;)
      folders_.try_emplace(child, before);
  }
  folders_[caller.process] = path;
}

void Paths::note(int fd, Handle handle) {
  struct stat facts = {};
  if (fstat(fd, &facts) == 0)
    handles_[{facts.st_dev, facts.st_ino}] = std::move(handle);
}

Handle *Paths::handleOf(const Caller &caller, int fd) {
  struct stat facts = {};
  if (stat(fmt::format("/proc/{}/fd/{}", caller.thread, fd).c_str(), &facts) != 0)
    return nullptr;
  auto found = handles_.find({facts.st_dev, facts.st_ino});
  return found == handles_.end() ? nullptr : &found->second;
}

Spot Paths::ofDescriptor(const Caller &caller, int fd) {
  Spot spot;
  Handle *handle = handleOf(caller, fd);
  NodePointer file = handle ? handle->file.lock() : nullptr;
  if (handle && (handle->isFolder || file)) {
    spot.path = handle->path;
    spot.node = file ? file : tree_.at(handle->path);
    spot.folder = tree_.at(folderOf(handle->path));
    spot.error = spot.node ? 0 : ENOENT;
    return spot;
  }
  std::string link = fmt::format("/proc/{}/fd/{}", caller.thread, fd);
  std::string target = linkText(link);
  struct stat facts = {};
  if (target.empty() || stat(link.c_str(), &facts) != 0) {
    spot.error = EBADF;
    return spot;
  }
  NodePointer node = target[0] == '/' ? tree_.at(target) : nullptr;
  if (node && node->facts.st_ino == facts.st_ino && node->facts.st_dev == facts.st_dev)
    return {0, target, node, tree_.at(folderOf(target)), ""};
  spot.direct = link;
  spot.node = std::make_shared<Node>();
  spot.node->facts = facts;
  return spot;
}

/// Links of /proc that are no texts but places.
std::optional<Spot> Paths::magic(const Caller &caller, const std::string &folder,
                                 const std::string &name) {
  if (!folder.starts_with("/proc/"))
    return std::nullopt;
  std::istringstream text(folder.substr(6));
  std::string process;
  std::string rest;
  std::getline(text, process, '/');
  std::getline(text, rest);
  if (!isNumber(process))
    return std::nullopt;
  if (rest.starts_with("task/"))
    rest = rest.find('/', 5) == std::string::npos ? "" : rest.substr(rest.find('/', 5) + 1);
  Caller other = callerOf(std::stoi(process));
  if (rest == "fd" && isNumber(name))
    return ofDescriptor(other, std::stoi(name));
  if (rest.empty() && name == "cwd") {
    std::string path = workingFolder(other);
    return Spot{0, path, tree_.at(path), tree_.at(folderOf(path)), ""};
  }
  return std::nullopt;
}

Spot Paths::resolve(const Caller &caller, int folder, const std::string &path, bool followsLast) {
  if (path.empty())
    return {ENOENT, "", nullptr, nullptr, ""};
  if (path[0] == '/')
    return walk(caller, "", path, followsLast);
  if (folder == AT_FDCWD)
    return walk(caller, workingFolder(caller), path, followsLast);
  Spot base = ofDescriptor(caller, folder);
  if (base.error != 0)
    return base;
  if (!base.node->isFolder())
    return {ENOTDIR, "", nullptr, nullptr, ""};
  return walk(caller, base.path, path, followsLast);
}

Spot Paths::walk(const Caller &caller, std::string base, const std::string &path,
                 bool followsLast) {
  std::deque<std::string> parts = split(path);
  std::string at = std::move(base);
  NodePointer node = tree_.at(at);
  NodePointer folder = at.empty() ? node : tree_.at(folderOf(at));
  for (int links = 0; !parts.empty();) {
    std::string name = parts.front();
    parts.pop_front();
    if (!node)
      return {ENOENT, at, nullptr, nullptr, ""};
    if (!node->isFolder())
      return {ENOTDIR, at, nullptr, nullptr, ""};
    if (name == ".")
      continue;
    if (name == "..") {
      at = folderOf(at);
      node = tree_.at(at);
      folder = tree_.at(folderOf(at));
      continue;
    }
    bool isLast = parts.empty();
    if (at == "/proc" && (name == "self" || name == "thread-self") && (!isLast || followsLast)) {
      if (name == "thread-self")
        parts.insert(parts.begin(), {"task", std::to_string(caller.thread)});
      parts.push_front(std::to_string(caller.process));
      continue;
    }
    NodePointer next = tree_.child(*node, name);
    if (next && next->isLink() && (!isLast || followsLast)) {
      if (++links > kMostLinks)
        return {ELOOP, at, nullptr, nullptr, ""};
      if (std::optional<Spot> place = magic(caller, at, name)) {
        if (isLast || place->error != 0)
          return *place;
        at = place->path;
        node = place->node;
        folder = place->folder;
        continue;
      }
      std::deque<std::string> target = split(next->target);
      parts.insert(parts.begin(), target.begin(), target.end());
      if (next->target.starts_with("/")) {
        at.clear();
        node = folder = tree_.root();
      }
      continue;
    }
    folder = node;
    node = next;
    at += "/" + name;
  }
  return {node ? 0 : ENOENT, at, node, folder, ""};
}

} // namespace culprit
