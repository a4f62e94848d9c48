// What the system says of itself and the process.
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>
int main(void) {
  struct utsname name;
  struct sysinfo info;
  struct rusage usage;
  struct rlimit limit;
  uname(&name);
  sysinfo(&info);
  getrusage(RUSAGE_SELF, &usage);
  getrlimit(RLIMIT_NOFILE, &limit);
  printf("%s %s %lu %ld %ld %ld\n", name.sysname, name.release, info.freeram, (long)info.uptime,
         usage.ru_minflt, (long)limit.rlim_cur);
  struct passwd *user = getpwuid(getuid());
  printf("%s %d %d %d %s %ld\n", user ? user->pw_name : "?", getpid(), getppid(), getpgrp(),
         getenv("HOME") ? "home" : "none", sysconf(_SC_NPROCESSORS_ONLN));
  char line[256];
  FILE *maps = fopen("/proc/self/stat", "r");
  printf("%s", fgets(line, sizeof line, maps));
  return 0;
}
