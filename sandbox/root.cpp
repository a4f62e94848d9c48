// See root.h.
#include "sandbox/root.h"

#include "sandbox/proc_text.h"
#include "support/diagnostics.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

// Folders of the memory while the root is built.
constexpr const char *kOutside = "/outside"; ///< the machine's root
constexpr const char *kRoot = "/root";       ///< the sandbox's root
constexpr const char *kLayers = "/layers";   ///< upper layers and work folders
constexpr off_t kMostCopied = 1 << 20;       ///< bytes of a file in a folder that is built anew

[[noreturn]] void refuse(const std::string &what) {
  throw Failure(ExitCode::Refused, fmt::format("{}: {}", what, std::strerror(errno)));
}

void makeFolder(const std::string &path) {
  if (mkdir(path.c_str(), 0755) != 0 && errno != EEXIST)
    refuse("cannot make the folder '" + path + "'");
}

void makeFile(const std::string &path) {
  UniqueFd file(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

/// Mode, owner and times, as far as this user may give files to others. A folder that the user may
/// not write to must not become writable by being the user's own.
void copyAttributes(const std::string &from, const struct stat &facts, const std::string &to) {
  mode_t mode = facts.st_mode & 07777;
  bool isOwned = lchown(to.c_str(), facts.st_uid, facts.st_gid) == 0;
  if (!isOwned && access(from.c_str(), W_OK) != 0)
    mode &= ~0222U;
  chmod(to.c_str(), mode);
  timespec times[2] = {facts.st_atim, facts.st_mtim};
  utimensat(AT_FDCWD, to.c_str(), times, AT_SYMLINK_NOFOLLOW);
}

/// A path as a value of an overlay's options.
std::string escapeOption(const std::string &path) {
  std::string out;
  for (char c : path) {
    if (c == '\\' || c == ':' || c == ',')
      out += '\\';
    out += c;
  }
  return out;
}

bool makeReadOnly(const std::string &path) {
  mount_attr attributes = {};
  attributes.attr_set = MOUNT_ATTR_RDONLY;
  return syscall(SYS_mount_setattr, AT_FDCWD, path.c_str(), AT_RECURSIVE, &attributes,
                 sizeof attributes) == 0;
}

bool bindReadOnly(const std::string &from, const std::string &to) {
  if (mount(from.c_str(), to.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0)
    return false;
  if (makeReadOnly(to))
    return true;
  int error = errno;
  umount2(to.c_str(), MNT_DETACH);
  errno = error;
  return false;
}

/// What the kernel lets be set through /proc counts for the whole machine, and root in the sandbox
/// is root to it.
void protectSettings(const std::string &proc) {
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(proc, error)) {
    std::string path = entry.path().string();
    struct stat facts = {};
    if (lstat(path.c_str(), &facts) != 0 || S_ISLNK(facts.st_mode) ||
        std::isdigit(static_cast<unsigned char>(entry.path().filename().string()[0])))
      continue;
    if ((S_ISDIR(facts.st_mode) || (facts.st_mode & 0222) != 0) && !bindReadOnly(path, path))
      refuse(fmt::format("cannot protect '/proc/{}'", entry.path().filename().string()));
  }
}

bool isBelow(const std::string &path, const std::string &folder) {
  return path == folder || path.starts_with(folder + "/");
}

} // namespace

std::vector<Place> readPlaces(int memory) {
  std::vector<Place> places;
  std::string text = procText(memory, kPlacesFile);
  for (size_t at = 0; at < text.size();) {
    size_t middle = text.find('\0', at + 1);
    size_t end = text.find('\0', middle + 1);
    if (end == std::string::npos)
      break;
    places.push_back({text[at] == 'o', text.substr(at + 1, middle - at - 1),
                      text.substr(middle + 1, end - middle - 1)});
    at = end + 1;
  }
  return places;
}

SandboxRoot::SandboxRoot(uint64_t memorySize, std::vector<std::string> essential)
    : memorySize_(memorySize), essential_(std::move(essential)),
      mounts_(procText("/proc/self/mountinfo")) {}

void SandboxRoot::begin() {
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    refuse("cannot keep mounts to the sandbox");
  // Any folder will do: nothing is covered once the memory is the root.
  const char *point = access("/tmp", F_OK) == 0 ? "/tmp" : "/dev";
  std::string options = "mode=0755";
  if (memorySize_ > 0)
    options += fmt::format(",size={}", memorySize_);
  if (mount("culprit", point, "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()) != 0)
    refuse("cannot mount memory as a file system in a user namespace");
  std::string base = point;
  for (const char *folder : {kOutside, kRoot, kLayers})
    makeFolder(base + folder);
  if (syscall(SYS_pivot_root, point, (base + kOutside).c_str()) != 0)
    refuse("cannot turn to another root folder");
  chdir("/");
  memory_ = UniqueFd(open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (mount(kRoot, kRoot, nullptr, MS_BIND, nullptr) != 0)
    refuse("cannot mount the sandbox's root folder");
  makeFolder(std::string(kRoot) + "/proc");
}

bool SandboxRoot::mountProcesses() {
  std::string point = std::string(kRoot) + "/proc";
  return mount("proc", point.c_str(), "proc", MS_NOSUID | MS_NOEXEC | MS_NODEV, nullptr) == 0;
}

UniqueFd SandboxRoot::reopen(int fd, bool isInput) const {
  char path[4096];
  std::string link = fmt::format("{}/proc/self/fd/{}", kOutside, fd);
  ssize_t length = readlink(link.c_str(), path, sizeof path - 1);
  struct stat open = {};
  struct stat found = {};
  if (length <= 0 || path[0] != '/' || fstat(fd, &open) != 0)
    return {};
  std::string outside = kOutside + std::string(path, static_cast<size_t>(length));
  if (lstat(outside.c_str(), &found) != 0 || found.st_dev != open.st_dev ||
      found.st_ino != open.st_ino)
    return {};
  std::string point = fmt::format("/stream{}", fd);
  makeFile(point);
  int flags = fcntl(fd, F_GETFL);
  if (!bindReadOnly(outside, point))
    return {};
  int access = isInput ? O_RDONLY : O_WRONLY;
  // A named pipe without a writer must not hold us up.
  UniqueFd file(::open(point.c_str(), access | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
  if (file.isOpen()) {
    fcntl(file.get(), F_SETFL, flags & (O_APPEND | O_NONBLOCK));
    lseek(file.get(), lseek(fd, 0, SEEK_CUR), SEEK_SET);
  }
  return file;
}

void SandboxRoot::share(const fs::path &folder) {
  shared_.push_back(folder.string());
}

/// Where nothing can be laid over, the program may at least read.
void SandboxRoot::mountReadOnly(const std::string &path) {
  int error = errno;
  bool isNeeded = std::any_of(essential_.begin(), essential_.end(),
                              [&](const std::string &needed) { return isBelow(needed, path); });
  if (isNeeded) {
    errno = error;
    refuse(fmt::format("cannot lay an overlay over '{}' in a user namespace", path));
  }
  if (!bindReadOnly(kOutside + path, kRoot + path))
    chmod((kRoot + path).c_str(), 0);
}

void SandboxRoot::overlay(const std::string &path) {
  std::string lower = kOutside + path;
  std::string upper = fmt::format("{}/u{}", kLayers, places_.size());
  std::string work = fmt::format("{}/w{}", kLayers, places_.size());
  makeFolder(upper);
  makeFolder(work);
  struct stat facts = {};
  if (stat(lower.c_str(), &facts) == 0)
    copyAttributes(lower, facts, upper);
  unsigned long flags = MS_NODEV | MS_NOSUID | (mounts_.isReadOnly(path) ? MS_RDONLY : 0) |
                        (mounts_.isWithoutPrograms(path) ? MS_NOEXEC : 0);
  std::string layers =
      fmt::format("lowerdir={},upperdir={},workdir={}", escapeOption(lower), upper, work);
  std::string point = kRoot + path;
  // Without user attributes, which tmpfs has had since Linux 6.6, a folder that was deleted cannot
  // be made anew; all else works.
  if (mount("overlay", point.c_str(), "overlay", flags, (layers + ",userxattr").c_str()) != 0 &&
      mount("overlay", point.c_str(), "overlay", flags, layers.c_str()) != 0)
    mountReadOnly(path);
  else
    places_.push_back({true, path, upper});
}

void SandboxRoot::copyFile(const std::string &path, const struct stat &facts) {
  std::string from = kOutside + path;
  std::string to = kRoot + path;
  UniqueFd in(open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  UniqueFd out(open(to.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  if (facts.st_size > kMostCopied) {
    if (!bindReadOnly(from, to))
      chmod(to.c_str(), 0);
    return;
  }
  while (in.isOpen() && sendfile(out.get(), in.get(), nullptr, kMostCopied) > 0)
    continue;
  copyAttributes(from, facts, to);
}

void SandboxRoot::addEntry(const std::string &path) {
  std::string from = kOutside + path;
  std::string to = kRoot + path;
  struct stat facts = {};
  if (lstat(from.c_str(), &facts) != 0)
    return;
  if (S_ISDIR(facts.st_mode)) {
    makeFolder(to);
    place(path);
  } else if (S_ISLNK(facts.st_mode)) {
    std::error_code ignored;
    fs::copy_symlink(from, to, ignored);
    lchown(to.c_str(), facts.st_uid, facts.st_gid);
    timespec times[2] = {facts.st_atim, facts.st_mtim};
    utimensat(AT_FDCWD, to.c_str(), times, AT_SYMLINK_NOFOLLOW);
  } else if (S_ISREG(facts.st_mode)) {
    copyFile(path, facts);
  } else if (S_ISFIFO(facts.st_mode)) {
    mkfifo(to.c_str(), 0600);
    copyAttributes(from, facts, to);
  }
}

void SandboxRoot::build(const std::string &path) {
  places_.push_back({false, path, kRoot + path});
  std::string from = kOutside + path;
  DIR *folder = opendir(from.c_str());
  if (folder) {
    while (const dirent *entry = readdir(folder)) {
      std::string name = entry->d_name;
      if (name != "." && name != "..")
        addEntry(path + "/" + name);
    }
    closedir(folder);
  }
  struct stat facts = {};
  if (stat(from.c_str(), &facts) == 0)
    copyAttributes(from, facts, kRoot + path);
}

void SandboxRoot::place(const std::string &path) {
  if (path == "/proc" || path == "/sys" || path == "/dev")
    return;
  if (mounts_.hasBelow(path))
    build(path);
  else
    overlay(path);
}

void SandboxRoot::addDevices() {
  std::string dev = std::string(kRoot) + "/dev";
  std::string outside = std::string(kOutside) + "/dev";
  makeFolder(dev);
  for (const char *name : {"/null", "/zero", "/full", "/random", "/urandom", "/tty"}) {
    makeFile(dev + name);
    if (!bindReadOnly(outside + name, dev + name))
      unlink((dev + name).c_str());
  }
  symlink("/proc/self/fd", (dev + "/fd").c_str());
  symlink("/proc/self/fd/0", (dev + "/stdin").c_str());
  symlink("/proc/self/fd/1", (dev + "/stdout").c_str());
  symlink("/proc/self/fd/2", (dev + "/stderr").c_str());
  symlink("pts/ptmx", (dev + "/ptmx").c_str());
  for (const char *name : {"/shm", "/pts", "/mqueue"})
    makeFolder(dev + name);
  if (access((outside + "/shm").c_str(), F_OK) == 0 && !mounts_.hasBelow("/dev/shm"))
    overlay("/dev/shm");
  mount("devpts", (dev + "/pts").c_str(), "devpts", MS_NOSUID | MS_NOEXEC,
        "newinstance,ptmxmode=0666,mode=0620");
  mount("mqueue", (dev + "/mqueue").c_str(), "mqueue", MS_NOSUID | MS_NOEXEC, nullptr);
  chmod(dev.c_str(), 0555);
}

void SandboxRoot::addSystem() {
  std::string proc = std::string(kRoot) + "/proc";
  processes_ = UniqueFd(open(proc.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  protectSettings(proc);
  std::string sys = std::string(kRoot) + "/sys";
  makeFolder(sys);
  if (!bindReadOnly(std::string(kOutside) + "/sys", sys))
    chmod(sys.c_str(), 0555);
}

void SandboxRoot::finish() {
  addDevices();
  addSystem();
  place("");
  for (const std::string &folder : shared_)
    if (mount((kOutside + folder).c_str(), (kRoot + folder).c_str(), nullptr, MS_BIND | MS_REC,
              nullptr) != 0)
      refuse(fmt::format("cannot share the folder '{}' with the sandbox", folder));
  UniqueFd list(openat(memory_.get(), kPlacesFile, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  for (const Place &place : places_) {
    std::string item = (place.isOverlay ? "o" : "b") + place.path + '\0' + place.upper.substr(1);
    if (write(list.get(), item.c_str(), item.size() + 1) < 0)
      refuse("cannot note the places of the sandbox");
  }
  chdir(kRoot);
  if (syscall(SYS_pivot_root, ".", ".") != 0 || umount2(".", MNT_DETACH) != 0)
    refuse("cannot turn to the sandbox's root folder");
  chdir("/");
}

} // namespace culprit
