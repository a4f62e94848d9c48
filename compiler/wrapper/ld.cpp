// The linker shim: clang runs it in place of the linker, with the linker's final command line. It
// adds one input, an object in memory that holds the link record, and becomes the real linker.
// Whatever goes wrong on the way, the real linker runs with the arguments as they came.
#include "compiler/wrapper/link_record.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace {

using namespace culprit;

/// The value of one of our variables, which the linker and its plugins must not see.
std::string takeVariable(const char *name) {
  const char *value = getenv(name);
  std::string text = value ? value : "";
  unsetenv(name);
  return text;
}

/// The linker that culprit-cc chose; without it (the command was copied by hand) the first on PATH.
std::string realLinker() {
  std::string path = takeVariable("CULPRIT_LD");
  if (!path.empty())
    return path;
  auto found = llvm::sys::findProgramByName("ld");
  return found ? *found : "/usr/bin/ld";
}

/// A name for `bytes` that lives as long as this process, also across exec; empty if that fails.
std::string fileInMemory(const std::string &bytes) {
  int fd = memfd_create("culprit-link", 0);
  if (fd < 0)
    return "";
  for (size_t done = 0; done < bytes.size();) {
    ssize_t count = write(fd, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return "";
    done += count;
  }
  return "/proc/self/fd/" + std::to_string(fd);
}

/// The extra input with the link record, or empty.
std::string recordObject(const std::vector<std::string> &args, const std::string &linker,
                         const std::string &maps) {
  llvm::SmallString<128> temporaryFolder;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, temporaryFolder);
  LinkContext context{linker, parsePrefixMaps(maps), temporaryFolder.str().str()};
  std::optional<std::string> object = linkRecordObject(args, context);
  return object ? fileInMemory(*object) : "";
}

} // namespace

int main(int argc, char **argv) {
  std::string linker = realLinker();
  std::string maps = takeVariable("CULPRIT_PREFIX_MAP");
  takeVariable("CULPRIT_FOREIGN");
  std::string extra = recordObject({argv + 1, argv + argc}, linker, maps);
  std::vector<char *> words(argv, argv + argc);
  words[0] = linker.data();
  if (!extra.empty())
    words.push_back(extra.data());
  words.push_back(nullptr);
  execv(linker.c_str(), words.data());
  fprintf(stderr, "culprit-cc: error: cannot execute linker %s: %s\n", linker.c_str(),
          strerror(errno));
  return 1;
}
