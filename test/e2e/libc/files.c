// Files by name and by descriptor: rights, owners, times, links, positions, mappings, and errors.
#include "libc.h"
#include <fcntl.h>
#include <fnmatch.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

extern int futimesat(int, const char *, const struct timeval *);

static void by_name(const char *name) {
  struct stat64 s;
  NUMBER(CALL(stat64)(name, &s)); NUMBER(s.st_mode); NUMBER(s.st_size);
}
static void changed(const char *name) {
  struct stat64 s;
  NUMBER(CALL(stat64)(name, &s)); NUMBER(s.st_mtim.tv_sec); NUMBER(s.st_mtim.tv_nsec);
}

static void names(void) {
  NUMBER(CALL(umask)(022)); NUMBER(CALL(umask)(022));
  NUMBER(mkdir("d", 0777)); NUMBER(CALL(chdir)("d")); NUMBER(CALL(chdir)("missing"));
  int here = CALL(openat)(AT_FDCWD, ".", O_RDONLY | O_DIRECTORY); NUMBER(here >= 0);
  int made = CALL(openat)(here, "file", O_CREAT | O_RDWR, 0666); NUMBER(write(made, "0123456789", 10));
  NUMBER(CALL(openat)(here, "none", O_RDONLY)); NUMBER(CALL(open64)("none/file", O_RDONLY)); NUMBER(CALL(open64)("file", O_CREAT | O_EXCL, 0600));
  NUMBER(CALL(link)("file", "twin")); NUMBER(CALL(link)("file", "twin")); NUMBER(symlink("file", "soft")); NUMBER(symlink("gone", "dead"));
  struct stat s; struct stat64 t;
  NUMBER(CALL(lstat)("soft", &s)); NUMBER(S_ISLNK(s.st_mode)); NUMBER(s.st_size); NUMBER(CALL(lstat64)("dead", &t)); NUMBER(CALL(stat64)("dead", &t)); NUMBER(CALL(fstat64)(made, &t)); NUMBER(t.st_nlink);
  NUMBER(CALL(access)("file", R_OK)); NUMBER(CALL(access)("gone", F_OK)); NUMBER(CALL(access)("file", X_OK)); NUMBER(CALL(eaccess)("file", W_OK)); NUMBER(CALL(eaccess)("gone", W_OK));
  NUMBER(CALL(unlinkat)(here, "twin", 0)); NUMBER(CALL(unlinkat)(here, "twin", 0)); NUMBER(CALL(unlink)("soft")); NUMBER(CALL(unlink)("none")); NUMBER(CALL(remove)("dead"));
  NUMBER(CALL(rmdir)("none")); NUMBER(CALL(rmdir)("file")); NUMBER(mkdir("sub", 0700)); NUMBER(CALL(remove)("sub")); NUMBER(mkdir("sub", 0700)); NUMBER(CALL(rmdir)("sub"));
  NUMBER(chdir("..")); NUMBER(CALL(fchdir)(here)); NUMBER(CALL(access)("file", F_OK)); NUMBER(CALL(fchdir)(made)); close(made); close(here);
  NUMBER(CALL(fnmatch)("*.[ch]", "main.c", 0)); NUMBER(CALL(fnmatch)("*.[!ch]", "main.c", 0)); NUMBER(CALL(fnmatch)("*", ".hidden", FNM_PERIOD)); NUMBER(CALL(fnmatch)("a/*", "a/b/c", FNM_PATHNAME)); NUMBER(CALL(fnmatch)("\\*", "*", 0));
}

static void attributes(void) {
  int file = open("file", O_RDWR);
  NUMBER(CALL(fchmod)(file, 0640)); NUMBER(CALL(fchmod)(-1, 0640)); by_name("file");
  NUMBER(CALL(chown)("file", -1, -1)); NUMBER(CALL(chown)("gone", -1, -1)); NUMBER(CALL(fchown)(file, getuid(), -1)); NUMBER(CALL(fchown)(-1, 0, 0));
  struct timespec exact[2] = {{5, 6}, {1000, 7000}}, now[2] = {{0, UTIME_OMIT}, {0, UTIME_OMIT}};
  NUMBER(CALL(futimens)(file, exact)); changed("file"); NUMBER(CALL(utimensat)(AT_FDCWD, "file", now, 0)); changed("file");
  exact[1].tv_nsec = 2000000000; NUMBER(CALL(utimensat)(AT_FDCWD, "file", exact, 0));
  NUMBER(CALL(futimesat)(AT_FDCWD, "file", (struct timeval[]){{1, 2}, {3, 4}})); changed("file"); NUMBER(CALL(utimes)("file", (struct timeval[]){{1, 2}, {30, 40}})); changed("file"); NUMBER(CALL(utimes)("gone", NULL));
  NUMBER(CALL(utime)("file", &(struct utimbuf){9, 99})); changed("file"); NUMBER(CALL(utime)("gone", NULL));
  struct statvfs system; NUMBER(CALL(statvfs)(".", &system)); NUMBER(system.f_bsize > 0); NUMBER(CALL(statvfs)("gone", &system));
  close(file);
}

static void contents(void) {
  char bytes[16] = "";
  int file = CALL(open64)("file", O_RDWR);
  NUMBER(CALL(pread64)(file, bytes, 4, 3)); TEXT(bytes); NUMBER(CALL(pread64)(file, bytes, 4, 100)); NUMBER(CALL(pread64)(file, bytes, 4, -1)); NUMBER(CALL(pwrite64)(file, "XY", 2, 8)); NUMBER(CALL(pwrite64)(-1, "XY", 2, 8));
  NUMBER(CALL(lseek64)(file, -2, SEEK_END)); NUMBER(read(file, bytes, 9)); NUMBER(strncmp(bytes, "XY", 2)); NUMBER(CALL(lseek64)(file, 0, 99)); NUMBER(CALL(lseek64)(file, 1l << 40, SEEK_SET));
  NUMBER(CALL(ftruncate)(file, 5)); by_name("file"); NUMBER(CALL(ftruncate64)(file, 6)); NUMBER(CALL(truncate)("file", 9000)); by_name("file"); NUMBER(CALL(truncate)("gone", 1)); NUMBER(CALL(ftruncate)(file, -1)); NUMBER(CALL(ftruncate64)(-1, 1));
  NUMBER(CALL(fsync)(file)); NUMBER(CALL(fsync)(-1)); NUMBER(CALL(fdatasync)(file)); NUMBER(CALL(fdatasync)(-1));
  NUMBER(CALL(fcntl64)(file, F_GETFL) & O_ACCMODE); NUMBER(CALL(fcntl64)(file, F_SETFD, FD_CLOEXEC)); NUMBER(CALL(fcntl64)(file, F_GETFD)); NUMBER(CALL(fcntl64)(-1, F_GETFD));
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET}; NUMBER(CALL(fcntl64)(file, F_SETLK, &lock)); NUMBER(CALL(fcntl64)(file, F_GETLK, &lock)); NUMBER(lock.l_type);
  char *map = CALL(mmap64)(NULL, 9000, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0); NUMBER(map != MAP_FAILED); memcpy(map, "mapped", 6); NUMBER(pread(file, bytes, 6, 0)); NUMBER(memcmp(bytes, "mapped", 6));
  map = CALL(mremap)(map, 9000, 4096, 0); NUMBER(map[0]); map = CALL(mremap)(map, 4096, 3 * 4096, MREMAP_MAYMOVE); NUMBER(map[5]); NUMBER(CALL(munmap)(map, 3 * 4096)); NUMBER(CALL(munmap)((void *)1, 1)); NUMBER(CALL(mmap64)(NULL, 0, 0, 0, 0, 0) == MAP_FAILED);
  close(file);
  char name[] = "made-XXXXXX", other[] = "made-XXXXXX", wrong[] = "XXX"; file = CALL(mkstemp)(name); NUMBER(file >= 0); NUMBER(CALL(access)(name, W_OK)); close(file); file = CALL(mkstemp64)(other); NUMBER(strcmp(name, other) != 0); close(file); NUMBER(CALL(mkstemp)(wrong)); NUMBER(CALL(mkstemp64)(wrong)); unlink(name); unlink(other);
}

int main(void) {
  CALL(remove)("d/file"); CALL(rmdir)("d"); errno = 0; // of the run before
  names();
  attributes();
  contents();
  return 0;
}
