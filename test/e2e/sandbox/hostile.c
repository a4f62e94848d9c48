/* Tries to change something outside. The first argument says how; others are what it needs to know. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/io_uring.h>
#include <linux/sockios.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static void put(int fd, const char *text) {
  if (write(fd, text, strlen(text)) < 0)
    perror("write");
}

static void overwrite(const char *path) {
  int fd = open(path, O_RDWR | O_CREAT, 0666);
  put(fd, "HOSTILE");
  close(fd);
}

static void map_shared(const char *path) {
  int fd = open(path, O_RDWR);
  char *map = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED)
    return;
  memcpy(map, "HOSTILE", 7);
  msync(map, 4096, MS_SYNC);
}

static void send_tcp(int port) {
  struct sockaddr_in to = {AF_INET, htons(port), {htonl(INADDR_LOOPBACK)}, {0}};
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0)
    put(fd, "HOSTILE");
}

static void send_udp(int port) {
  struct sockaddr_in to = {AF_INET, htons(port), {htonl(INADDR_LOOPBACK)}, {0}};
  sendto(socket(AF_INET, SOCK_DGRAM, 0), "HOSTILE", 7, 0, (struct sockaddr *)&to, sizeof to);
}

static void send_unix(const char *name, int is_abstract) {
  struct sockaddr_un to = {AF_UNIX, ""};
  strcpy(to.sun_path + is_abstract, name);
  socklen_t size = offsetof(struct sockaddr_un, sun_path) + is_abstract + strlen(name);
  sendto(socket(AF_UNIX, SOCK_DGRAM, 0), "HOSTILE", 7, 0, (struct sockaddr *)&to, size);
}

/* A pair of sockets is no socket of a network, and yet can send to names. */
static void send_by_pair(const char *name) {
  struct sockaddr_un to = {AF_UNIX, ""};
  strcpy(to.sun_path, name);
  const int kinds[] = {SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET, SOCK_STREAM};
  for (int i = 0; i < 4; ++i) {
    int ends[2] = {-1, -1};
    struct iovec text = {"HOSTILE", 7};
    struct msghdr message = {&to, sizeof to, &text, 1, 0, 0, 0};
    socketpair(AF_UNIX, kinds[i], 0, ends);
    sendto(ends[0], "HOSTILE", 7, 0, (struct sockaddr *)&to, sizeof to);
    sendmsg(ends[0], &message, 0);
    if (connect(ends[0], (struct sockaddr *)&to, sizeof to) == 0)
      put(ends[0], "HOSTILE");
    strcpy(to.sun_path, "bound");
    bind(ends[0], (struct sockaddr *)&to, sizeof to);
    strcpy(to.sun_path, name);
  }
}

static void kill_all(int victim) {
  signal(SIGTERM, SIG_IGN);
  signal(SIGUSR1, SIG_IGN);
  kill(victim, SIGTERM);
  kill(-victim, SIGTERM);
  syscall(SYS_tgkill, victim, victim, SIGTERM);
  syscall(SYS_tkill, victim, SIGTERM);
  sigqueue(victim, SIGTERM, (union sigval){1});
  int fd = (int)syscall(SYS_pidfd_open, victim, 0);
  syscall(SYS_pidfd_send_signal, fd, SIGTERM, 0, 0);
  kill(getppid(), SIGTERM);
  kill(0, SIGTERM);
  kill(-1, SIGTERM);
}

/* A descriptor can be told to send somebody a signal when there is something to read. Kernels with
   scopes of Landlock keep that back. */
static void signal_by_socket(int victim) {
  int ends[2], to = victim;
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  fcntl(ends[0], F_SETFL, O_ASYNC);
  for (int way = 0; way < 5; way++) {
    struct f_owner_ex owner = {F_OWNER_PID, victim};
    if (way == 0) fcntl(ends[0], F_SETOWN, victim);
    if (way == 1) fcntl(ends[0], F_SETOWN_EX, &owner);
    if (way == 2) ioctl(ends[0], FIOSETOWN, &to);
    if (way == 3) ioctl(ends[0], SIOCSPGRP, &to);
    if (way == 4) syscall(SYS_ioctl, ends[0], 1UL << 32 | SIOCSPGRP, &to);
    put(ends[1], "HOSTILE");
  }
  puts(fcntl(ends[0], F_GETOWN) == victim ? "owned" : "kept off");
}

static void write_memory(int victim, unsigned long address) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", victim);
  int fd = open(path, O_RDWR);
  pwrite(fd, "HOSTILE", 7, (off_t)address);
  struct iovec own = {"HOSTILE", 7};
  struct iovec other = {(void *)address, 7};
  process_vm_writev(victim, &own, 1, &other, 1, 0);
}

static void bomb(void) {
  for (;;)
    fork();
}

static void fill_disk(void) {
  static char block[1 << 20];
  memset(block, 'x', sizeof block);
  int fd = open("filler", O_WRONLY | O_CREAT, 0666);
  while (write(fd, block, sizeof block) > 0)
    continue;
}

static void fill_memory(void) {
  for (;;) {
    char *block = malloc(1 << 20);
    if (block)
      memset(block, 1, 1 << 20);
  }
}

static void daemonise(const char *path) {
  if (fork())
    return;
  setsid();
  if (fork())
    _exit(0);
  for (int i = 0; i < 600; ++i) {
    usleep(100000);
    overwrite(path);
  }
}

static void use_descriptors(void) {
  for (int fd = 0; fd < 64; ++fd) {
    if (fd != 1 && fd != 2)
      put(fd, "HOSTILE");
    if (fd != 1 && fd != 2 && ftruncate(fd, 0) == 0)
      puts("truncated");
    fchmod(fd, 0);
    if (fchown(fd, 1, 1) != 0)
      errno = 0;
    futimens(fd, 0);
    fsetxattr(fd, "user.hostile", "x", 1, 0);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int again = open(path, O_RDWR);
    if (again >= 0 && fd != 1 && fd != 2 && ftruncate(again, 0) == 0)
      put(again, "HOSTILE");
  }
  lseek(1, 0, SEEK_SET);
  ftruncate(1, 0);
  put(1, "last\n");
}

static void shared_memory(int id, const char *name) {
  char *map = shmat(id, 0, 0);
  if (map != (void *)-1)
    strcpy(map, "HOSTILE");
  shmctl(id, IPC_RMID, 0);
  int fd = shm_open(name, O_RDWR, 0666);
  if (fd >= 0)
    ftruncate(fd, 0);
  put(fd, "HOSTILE");
  shm_unlink(name);
}

static void link_tricks(const char *path) {
  if (link(path, "alias") == 0)
    overwrite("alias");
  if (symlink(path, "pointer") == 0)
    overwrite("pointer");
  unlink("alias");
  char target[64];
  int fd = open(path, O_RDONLY);
  snprintf(target, sizeof target, "/proc/self/fd/%d", fd);
  overwrite(target);
  linkat(fd, "", AT_FDCWD, "revived", AT_EMPTY_PATH);
  fchmod(fd, 0);
}

static void uring(const char *path) {
  struct io_uring_params parameters = {0};
  int fd = (int)syscall(SYS_io_uring_setup, 4, &parameters);
  if (fd >= 0)
    overwrite(path);
  puts(fd >= 0 ? "io_uring is there" : "no io_uring");
}

static int attributes(const char *path) {
  struct timeval times[2] = {{1, 0}, {1, 0}};
  int done = chmod(path, 0777) == 0;
  done += fchmodat(AT_FDCWD, path, 0700, 0) == 0;
  if (chown(path, 1, 1) != 0)
    errno = 0;
  done += utimes(path, times) == 0;
  setxattr(path, "user.hostile", "x", 1, 0);
  int version = 77;
  puts(ioctl(open(path, O_RDONLY), FS_IOC_SETVERSION, &version) == 0 ? "version set" : "kept off");
  return done;
}

static void folders(void) {
  mkdir("made", 0777);
  rename("folder", "renamed");
  rmdir("empty");
  mknod("device", S_IFCHR | 0666, 0);
  mkfifo("pipe", 0666);
}

static void privileged(void) {
  unshare(CLONE_NEWUSER | CLONE_NEWNS);
  mount("none", "folder", "tmpfs", 0, 0);
  mount(0, "/", 0, MS_REC | MS_REMOUNT | MS_BIND, 0);
  chroot("folder");
  sethostname("hostile", 7);
  int fd = open("/proc/sys/kernel/core_pattern", O_WRONLY);
  put(fd, "hostile");
  fd = open("/proc/sysrq-trigger", O_WRONLY);
  put(fd, "?");
  struct timeval now = {1, 0};
  settimeofday(&now, 0);
}

static int files(const char *how, const char *path) {
  if (!strcmp(how, "delete")) unlink(path);
  else if (!strcmp(how, "overwrite")) overwrite(path);
  else if (!strcmp(how, "rename")) rename(path, "elsewhere"), rename("other", path);
  else if (!strcmp(how, "truncate")) truncate(path, 1);
  else if (!strcmp(how, "attributes")) return attributes(path), 1;
  else if (!strcmp(how, "links")) link_tricks(path);
  else if (!strcmp(how, "map")) map_shared(path);
  else if (!strcmp(how, "folders")) folders();
  else if (!strcmp(how, "uring")) uring(path);
  else if (!strcmp(how, "daemon")) daemonise(path);
  else return 0;
  return 1;
}

int main(int argc, char **argv) {
  const char *how = argv[1];
  const char *what = argc > 2 ? argv[2] : "";
  if (files(how, what))
    return 0;
  if (!strcmp(how, "tcp")) send_tcp(atoi(what));
  else if (!strcmp(how, "udp")) send_udp(atoi(what));
  else if (!strcmp(how, "unix")) send_unix(what, 0);
  else if (!strcmp(how, "pair")) send_by_pair(what);
  else if (!strcmp(how, "abstract")) send_unix(what, 1);
  else if (!strcmp(how, "kill")) kill_all(atoi(what));
  else if (!strcmp(how, "owner")) signal_by_socket(atoi(what));
  else if (!strcmp(how, "ptrace")) ptrace(PTRACE_SEIZE, atoi(what), 0, 0), ptrace(PTRACE_ATTACH, atoi(what), 0, 0);
  else if (!strcmp(how, "memory")) write_memory(atoi(what), strtoul(argv[3], 0, 0));
  else if (!strcmp(how, "bomb")) bomb();
  else if (!strcmp(how, "disk")) fill_disk();
  else if (!strcmp(how, "hog")) fill_memory();
  else if (!strcmp(how, "spin")) for (;;) continue;
  else if (!strcmp(how, "sleep")) for (;;) pause();
  else if (!strcmp(how, "descriptors")) use_descriptors();
  else if (!strcmp(how, "shared")) shared_memory(atoi(what), argv[3]);
  else if (!strcmp(how, "execute")) execl("/bin/sh", "sh", "-c", what, (char *)0);
  else if (!strcmp(how, "privileged")) privileged();
  else if (!strcmp(how, "flood")) for (;;) puts("flood");
  else return 99;
  return 0;
}
