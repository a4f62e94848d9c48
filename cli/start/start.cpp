// What `culprit` names: a small program that becomes the tool, bin/culprit-host, beside it.
//
// The tool needs LLVM's libraries, and where a limit on address space leaves no room for them the
// dynamic loader ends it with words of its own before anything of ours has run. This program needs
// none of them, and says what is wrong.
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace {

constexpr rlim_t kLeast = 200 << 20; ///< bytes that the libraries take, and a little

/// As cli/command.h has them: `run` and its kin keep the small numbers for the program.
int statusFor(const char *command) {
  for (const char *passing : {"run", "record", "replay"})
    if (command && std::strcmp(command, passing) == 0)
      return 125;
  return 2;
}

std::string toolBeside() {
  char self[PATH_MAX];
  ssize_t size = readlink("/proc/self/exe", self, sizeof self);
  return size > 0 ? std::string(self, static_cast<size_t>(size)) + "-host" : "culprit-host";
}

} // namespace

int main(int, char **argv) {
  rlimit limit = {};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < kLeast) {
    std::fprintf(stderr,
                 "culprit: error: not enough memory for culprit itself: 'ulimit -v' is %llu kB; "
                 "raise it, a gigabyte is enough for most programs\n",
                 static_cast<unsigned long long>(limit.rlim_cur / 1024));
    return statusFor(argv[1]);
  }
  std::string tool = toolBeside();
  execv(tool.c_str(), argv);
  std::fprintf(stderr, "culprit: error: cannot run '%s': %s; culprit is not installed completely\n",
               tool.c_str(), std::strerror(errno));
  return statusFor(argv[1]);
}
