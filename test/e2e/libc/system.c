// Folders, processes, terminals, loaded libraries, languages and what else programs ask the system.
#include "libc.h"
#include <dirent.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <getopt.h>
#include <glob.h>
#include <gnu/libc-version.h>
#include <langinfo.h>
#include <libintl.h>
#include <nl_types.h>
#include <regex.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>
#include <wordexp.h>

extern char **environ;
extern ssize_t __getdelim(char **, size_t *, int, FILE *);
extern int __posix_getopt(int, char *const *, const char *);
extern locale_t __newlocale(int, const char *, locale_t), __duplocale(locale_t), __uselocale(locale_t);
extern void __freelocale(locale_t);
extern char *__nl_langinfo_l(nl_item, locale_t);
extern int *__errno_location(void), *__h_errno_location(void);
extern void __syslog_chk(int, int, const char *, ...), __vsyslog_chk(int, int, const char *, va_list);

static int by_name(const struct dirent64 **a, const struct dirent64 **b) { return strcmp((*a)->d_name, (*b)->d_name); }
static int no_dots(const struct dirent64 *entry) { return entry->d_name[0] != '.'; }

static void folders(void) {
  mkdir("folder", 0700); close(open("folder/b", O_CREAT, 0600)); close(open("folder/a", O_CREAT, 0600)); mkdir("folder/sub", 0700);
  errno = 0; struct dirent64 **list; int count = CALL(scandir64)("folder", &list, no_dots, by_name); NUMBER(count); for (int i = 0; i < count; ++i) { TEXT(list[i]->d_name); free(list[i]); } free(list);
  count = CALL(scandirat64)(AT_FDCWD, "folder", &list, NULL, CALL(alphasort64)); NUMBER(count); for (int i = 0; i < count; ++i) { TEXT(list[i]->d_name); free(list[i]); } free(list);
  NUMBER(CALL(scandir64)("none", &list, NULL, NULL));
  DIR *dir = CALL(opendir)("folder"); int seen = 0; while (CALL(readdir64)(dir)) ++seen; NUMBER(seen); CALL(rewinddir)(dir);
  struct dirent entry, *result = NULL; struct dirent64 entry64, *result64 = NULL; NUMBER(CALL(readdir_r)(dir, &entry, &result)); NUMBER(result == &entry); NUMBER(CALL(readdir64_r)(dir, &entry64, &result64)); NUMBER(result64 == &entry64);
  for (seen = 2; CALL(readdir_r)(dir, &entry, &result) == 0 && result; ++seen) {} NUMBER(seen); NUMBER(CALL(closedir)(dir));
  glob64_t found; NUMBER(CALL(glob64)("folder/[ab]*", GLOB_MARK, NULL, &found)); NUMBER(found.gl_pathc); TEXT(found.gl_pathv[0]); CALL(globfree64)(&found); NUMBER(CALL(glob64)("none*", 0, NULL, &found));
  wordexp_t words; NUMBER(CALL(wordexp)("a 'b c' $HOME_NOT_SET_ folder/s*", &words, 0)); NUMBER(words.we_wordc); for (size_t i = 0; i < words.we_wordc; ++i) TEXT(words.we_wordv[i]); CALL(wordfree)(&words); NUMBER(CALL(wordexp)("bad )", &words, 0));
}

static int spawn(posix_spawn_file_actions_t *actions, const char *command) {
  pid_t child; int status = -1;
  fflush(stdout);
  int error = CALL(posix_spawnp)(&child, "sh", actions, NULL, (char *[]){"sh", "-c", (char *)command, NULL}, environ);
  if (error == 0) waitpid(child, &status, 0);
  return error ? error : status >> 8;
}

static void children(void) {
  posix_spawn_file_actions_t actions;
  CALL(posix_spawn_file_actions_init)(&actions); NUMBER(CALL(posix_spawn_file_actions_addchdir_np)(&actions, "folder")); NUMBER(spawn(&actions, "test -f a && exit 9")); CALL(posix_spawn_file_actions_destroy)(&actions);
  int folder = open("folder", O_RDONLY);
  CALL(posix_spawn_file_actions_init)(&actions); NUMBER(CALL(posix_spawn_file_actions_addfchdir_np)(&actions, folder)); NUMBER(CALL(posix_spawn_file_actions_addclosefrom_np)(&actions, 3));
  NUMBER(spawn(&actions, "test -f b && exit 8")); CALL(posix_spawn_file_actions_destroy)(&actions); CALL(posix_spawn_file_actions_init)(&actions); NUMBER(CALL(posix_spawn_file_actions_addtcsetpgrp_np)(&actions, -1)); NUMBER(CALL(posix_spawn_file_actions_addchdir_np)(&actions, "none"));
  CALL(posix_spawn_file_actions_destroy)(&actions); close(folder);
}

static void terminals(void) {
  int master = CALL(posix_openpt)(O_RDWR | O_NOCTTY);
  if (master >= 0) { NUMBER(strncmp(CALL(ptsname)(master), "/dev/pts/", 9)); close(master); }
  NUMBER(CALL(ptsname)(0) == NULL || isatty(0)); char name[L_cuserid]; NUMBER(CALL(cuserid)(name) == name); errno = 0;
  int pipes[2], status; if (pipe(pipes) != 0 || write(pipes[1], "secret\n", 7) != 7) abort();
  fflush(stdout);
  if (fork() == 0) { setsid(); dup2(pipes[0], 0); char *word = CALL(getpass)("word? "); printf("%s\n", word); exit(0); }
  wait(&status); NUMBER(status);
}

static void libraries(void) {
  void *self = CALL(dlopen)(NULL, RTLD_NOW), *libm = CALL(dlopen)("libm.so.6", RTLD_NOW); NUMBER(self && libm);
  double (*cosine)(double) = CALL(dlvsym)(libm, "cos", "GLIBC_2.2.5"); NUMBER(cosine(0)); NUMBER(CALL(dlvsym)(libm, "cos", "GLIBC_9.9") == NULL);
  Lmid_t space = -1; NUMBER(CALL(dlinfo)(libm, RTLD_DI_LMID, &space)); NUMBER(space); NUMBER(CALL(dlclose)(libm));
  void *again = CALL(dlmopen)(LM_ID_BASE, "libm.so.6", RTLD_NOW); NUMBER(again != NULL); NUMBER(CALL(dlmopen)(LM_ID_BASE, "libnone.so", RTLD_NOW) == NULL); NUMBER(CALL(dlerror)() != NULL); errno = 0;
  void *addresses[4]; int count = CALL(backtrace)(addresses, 4); char **texts = CALL(backtrace_symbols)(addresses, count); NUMBER(texts != NULL); free(texts); NUMBER(strlen(CALL(gnu_get_libc_release)()) > 0);
}

static void languages(void) {
  TEXT(CALL(dgettext)("domain", "message")); TEXT(CALL(dcgettext)("domain", "message", LC_MESSAGES)); TEXT(CALL(dngettext)("domain", "one", "many", 2)); TEXT(CALL(dngettext)("domain", "one", "many", 1));
  nl_catd catalogue = CALL(catopen)("no-such-catalogue", 0); NUMBER(catalogue == (nl_catd)-1); NUMBER(CALL(catclose)(catalogue));
  locale_t made = CALL(__newlocale)(LC_ALL_MASK, "C.UTF-8", NULL), twin = CALL(__duplocale)(made); TEXT(CALL(__nl_langinfo_l)(CODESET, twin)); locale_t old = CALL(__uselocale)(twin); TEXT(CALL(nl_langinfo)(CODESET)); CALL(__uselocale)(old);
  CALL(__freelocale)(twin); struct tm when = {0}; char *rest = CALL(strptime_l)("31 December 1999 x", "%d %B %Y", &when, made); TEXT(rest); NUMBER(when.tm_mon); CALL(freelocale)(made); NUMBER(CALL(newlocale)(LC_ALL_MASK, "xx_NONE", NULL) == NULL);
  setenv("TZ", "UTC", 1); when = (struct tm){.tm_year = 70, .tm_mday = 2}; NUMBER(CALL(timelocal)(&when)); NUMBER(CALL(timegm)(&when));
}

static void expressions(void) {
  struct re_pattern_buffer pattern = {0}; struct re_registers registers = {0}; char map[256];
  re_set_syntax(RE_SYNTAX_POSIX_EXTENDED); pattern.fastmap = map; TEXT(CALL(re_compile_pattern)("b+(c|d)", 7, &pattern)); NUMBER(CALL(re_compile_fastmap)(&pattern));
  NUMBER(CALL(re_match_2)(&pattern, "ab", 2, "bcx", 3, 1, &registers, 5)); NUMBER(registers.start[1]); NUMBER(CALL(re_search_2)(&pattern, "aab", 3, "bd", 2, 0, 5, &registers, 5)); NUMBER(registers.end[0]);
  pattern.fastmap = NULL; CALL(regfree)(&pattern);
}

static void logs(int flag, const char *format, ...) {
  va_list list;
  va_start(list, format);
  if (flag < 0) CALL(vsyslog)(LOG_DEBUG, format, list); else CALL(__vsyslog_chk)(LOG_DEBUG, flag, format, list);
  va_end(list);
}

static void rest(void) {
  FILE *file = fopen("parts", "w+"); fputs("a;bb;c", file); rewind(file); char *line = NULL; size_t size = 0;
  NUMBER(CALL(__getdelim)(&line, &size, ';', file)); TEXT(line); NUMBER(CALL(__getdelim)(&line, &size, ';', file)); NUMBER(CALL(__getdelim)(&line, &size, ';', file)); TEXT(line); NUMBER(CALL(__getdelim)(&line, &size, ';', file)); NUMBER(CALL(__getdelim)(NULL, &size, ';', file)); fclose(file);
  char *words[] = {"p", "-a", "x", "-b", NULL}; NUMBER(CALL(__posix_getopt)(4, words, "ab")); NUMBER(CALL(__posix_getopt)(4, words, "ab")); NUMBER(optind);
  *CALL(__errno_location)() = 33; NUMBER(errno == 33); *CALL(__h_errno_location)() = 2; NUMBER(*CALL(__h_errno_location)());
  CALL(openlog)("ident", LOG_PERROR, LOG_USER); errno = ENOENT; CALL(__syslog_chk)(LOG_DEBUG, 1, "%s %m", "checked"); errno = EPERM; logs(-1, "%m"); errno = EACCES; logs(1, "%d %m", 5); CALL(closelog)();
}

int main(void) {
  folders();
  children();
  terminals();
  libraries();
  languages();
  expressions();
  rest();
  return 0;
}
