// Walks through folders, logins, and records of system tables.
#include "libc.h"
#include <aliases.h>
#include <fcntl.h>
#include <fstab.h>
#include <ftw.h>
#include <rpc/netdb.h>
#include <sys/stat.h>
#include <ttyent.h>
#include <unistd.h>
#include <utmp.h>
#include <utmpx.h>

static const char *last;
static int count;
static unsigned long sum;

/* Folders are read in the file system's order: what is found is added up. */
static void add(const char *path, const struct stat *status, int flag, int base) {
  unsigned long hash = 5381;
  for (last = path; *path; ++path) hash = hash * 33 + *path;
  sum += hash + flag * 7 + base + (S_ISREG(status->st_mode) ? status->st_size : 0);
  ++count;
}
static int visit(const char *path, const struct stat *status, int flag) { add(path, status, flag, 0); return 0; }
static int inner(const char *path, const struct stat *status, int flag, struct FTW *place) { add(path, status, flag, place->base); return 0; }
static int outer(const char *path, const struct stat *status, int flag, struct FTW *place) {
  add(path, status, flag, place->base * 3 + place->level);
  return flag == FTW_D && place->level == 1 ? CALL(nftw)(path, inner, 3, FTW_PHYS) : 0;
}
static int stops(const char *path, const struct stat *status, int flag, struct FTW *place) { return flag == FTW_F ? 42 : 0; }
static void counted(const char *name, int result) { printf("%s: %d %d %lx errno %d\n", name, result, count, sum, errno); count = 0; sum = 0; errno = 0; }

static void walks(void) {
  mkdir("tree", 0700); mkdir("tree/one", 0700); mkdir("tree/one/deep", 0700); mkdir("tree/two", 0700);
  for (int i = 0; i < 20; ++i) {
    char name[300];
    snprintf(name, sizeof name, "tree/one/%0*d", 5 + i * 10, i);
    int made = open(name, O_CREAT | O_WRONLY, 0600);
    if (write(made, name, i) < 0 || symlink("nowhere", "tree/two/link") > 0) abort();
    close(made);
  }
  errno = 0;
  counted("ftw", CALL(ftw)("tree", visit, 5)); counted("ftw64", CALL(ftw64)("tree", (int (*)(const char *, const struct stat64 *, int))visit, 5));
  counted("nftw", CALL(nftw)("tree", outer, 5, FTW_DEPTH | FTW_PHYS)); counted("nftw64", CALL(nftw64)("tree", (int (*)(const char *, const struct stat64 *, int, struct FTW *))inner, 1, 0));
  counted("stops", CALL(nftw)("tree", stops, 5, FTW_PHYS)); counted("missing", CALL(nftw)("none", inner, 5, 0));
}

static void user(const char *name, const struct utmp *record) {
  if (record) printf("%s: %d %.*s %.*s\n", name, record->ut_type, UT_LINESIZE, record->ut_line, UT_NAMESIZE, record->ut_user);
  else printf("%s: none errno %d\n", name, errno);
  errno = 0;
}

static void logins(void) {
  close(open("logins", O_CREAT | O_TRUNC | O_RDWR, 0600));
  CALL(utmpname)("logins");
  CALL(setutent)();
  struct utmp record = {.ut_type = USER_PROCESS, .ut_pid = 12, .ut_line = "pts/7", .ut_id = "p7", .ut_user = "somebody"};
  user("put", CALL(pututline)(&record)); strcpy(record.ut_line, "pts/8"); strcpy(record.ut_id, "p8"); user("put", (struct utmp *)CALL(pututxline)((struct utmpx *)&record));
  CALL(setutent)(); user("first", CALL(getutent)()); user("second", (struct utmp *)CALL(getutxent)()); user("end", CALL(getutent)());
  CALL(setutxent)(); user("line", CALL(getutline)(&record)); CALL(setutxent)(); user("line", (struct utmp *)CALL(getutxline)((struct utmpx *)&record));
  CALL(setutent)(); user("id", CALL(getutid)(&record)); CALL(setutent)(); user("id", (struct utmp *)CALL(getutxid)((struct utmpx *)&record)); CALL(endutent)();
}

static void tables(void) {
  struct fstab *disk; struct ttyent *terminal; struct rpcent *procedure; struct aliasent *alias;
  NUMBER(CALL(setfsent)()); for (count = 0; (disk = CALL(getfsent)()) && count < 5; ++count) printf("%s %s %s\n", disk->fs_spec, disk->fs_file, disk->fs_type);
  NUMBER(CALL(getfsspec)("/dev/none") == NULL); NUMBER(CALL(getfsfile)("/none") == NULL); CALL(endfsent)(); errno = 0;
  CALL(setttyent)(); for (count = 0; (terminal = CALL(getttyent)()) && count < 5; ++count) printf("%s\n", terminal->ty_name); NUMBER(CALL(getttynam)("none") == NULL); CALL(endttyent)(); errno = 0;
  CALL(setrpcent)(1); for (count = 0; (procedure = CALL(getrpcent)()) && count < 5; ++count) printf("%s %d\n", procedure->r_name, procedure->r_number); CALL(endrpcent)(); errno = 0;
  procedure = CALL(getrpcbyname)("portmapper"); if (procedure) NUMBER(procedure->r_number); procedure = CALL(getrpcbynumber)(100003); if (procedure) TEXT(procedure->r_name); errno = 0;
  CALL(setaliasent)(); for (count = 0; (alias = CALL(getaliasent)()) && count < 5; ++count) printf("%s\n", alias->alias_name); CALL(endaliasent)(); NUMBER(CALL(getaliasbyname)("no-such-alias") == NULL);
}

int main(void) {
  walks();
  logins();
  tables();
  return 0;
}
