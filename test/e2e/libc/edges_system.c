// System interfaces in unusual ways: signals, timers, events, mappings, threads.
#include "libc.h"
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static volatile int signals;
static void on_signal(int number) {
  signals += number;
}

static void waits(void) {
  sigset_t set, before, pending;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  NUMBER(CALL(sigprocmask)(SIG_BLOCK, &set, &before));
  raise(SIGUSR1);
  NUMBER(CALL(sigpending)(&pending));
  NUMBER(CALL(sigismember)(&pending, SIGUSR1));
  int got = 0;
  NUMBER(CALL(sigwait)(&set, &got));
  NUMBER(got);
  siginfo_t info;
  CALL(sigqueue)(getpid(), SIGUSR2, (union sigval){.sival_int = 77});
  NUMBER(CALL(sigwaitinfo)(&set, &info));
  NUMBER(info.si_value.sival_int);
  NUMBER(CALL(sigtimedwait)(&set, &info, &(struct timespec){0, 1000}));
  int file = CALL(signalfd)(-1, &set, SFD_NONBLOCK);
  raise(SIGUSR2);
  struct signalfd_siginfo read_info;
  NUMBER(read(file, &read_info, sizeof read_info));
  NUMBER(read_info.ssi_signo);
  NUMBER(read(file, &read_info, sizeof read_info));
  close(file);
  sigprocmask(SIG_SETMASK, &before, NULL);
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND}, old;
  NUMBER(CALL(sigaction)(SIGUSR1, &action, NULL));
  raise(SIGUSR1);
  NUMBER(CALL(sigaction)(SIGUSR1, NULL, &old));
  NUMBER(old.sa_handler == SIG_DFL);
  NUMBER(signals);
  NUMBER(CALL(sigaction)(SIGKILL, &action, NULL));
  NUMBER(CALL(signal)(999, SIG_IGN) == SIG_ERR);
  NUMBER(CALL(kill)(getpid(), 0));
  NUMBER(CALL(sigaddset)(&set, 0));
  TEXT(CALL(strsignal)(SIGSEGV));
  TEXT(CALL(strsignal)(999));
  TEXT(CALL(sigabbrev_np)(SIGPIPE));
  action.sa_flags = 0;
  sigaction(SIGALRM, &action, NULL);
  struct itimerval timer = {{0, 0}, {0, 20000}};
  NUMBER(CALL(setitimer)(ITIMER_REAL, &timer, NULL));
  NUMBER(CALL(pause)());
  char byte;
  int pipes[2];
  NUMBER(CALL(pipe2)(pipes, O_CLOEXEC));
  setitimer(ITIMER_REAL, &timer, NULL);
  NUMBER(CALL(read)(pipes[0], &byte, 1));
  setitimer(ITIMER_REAL, &timer, NULL);
  struct timespec rest;
  NUMBER(CALL(nanosleep)(&(struct timespec){5, 0}, &rest));
  NUMBER(rest.tv_sec);
  setitimer(ITIMER_REAL, &timer, NULL);
  NUMBER(CALL(select)(0, NULL, NULL, NULL, NULL));
  fd_set reads;
  FD_ZERO(&reads);
  FD_SET(pipes[0], &reads);
  struct timeval soon = {0, 1000};
  NUMBER(CALL(select)(pipes[0] + 1, &reads, NULL, NULL, &soon));
  write(pipes[1], "x", 1);
  struct pollfd polls[2] = {{pipes[0], POLLIN, 0}, {-1, POLLIN, 5}};
  NUMBER(CALL(poll)(polls, 2, 0));
  NUMBER(polls[0].revents);
  NUMBER(polls[1].revents);
  close(pipes[1]);
  NUMBER(CALL(ppoll)(polls, 1, NULL, &set));
  NUMBER(polls[0].revents);
  close(pipes[0]);
  NUMBER(poll(polls, 1, 0));
  NUMBER(polls[0].revents == POLLNVAL);
  timer_t posix;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
  NUMBER(CALL(timer_create)(CLOCK_MONOTONIC, &event, &posix));
  NUMBER(CALL(timer_settime)(posix, 0, &(struct itimerspec){{0, 0}, {0, 10000000}}, NULL));
  pause();
  NUMBER(CALL(timer_getoverrun)(posix));
  NUMBER(CALL(timer_delete)(posix));
  NUMBER(CALL(sigpause)(0) == -1 || 1);
}

static void events(void) {
  uint64_t value = 3;
  int counter = CALL(eventfd)(5, EFD_SEMAPHORE | EFD_NONBLOCK);
  NUMBER(read(counter, &value, 8));
  NUMBER(value);
  NUMBER(read(counter, &value, 4));
  NUMBER(CALL(eventfd_write)(counter, 2));
  eventfd_t got;
  NUMBER(CALL(eventfd_read)(counter, &got));
  NUMBER(got);
  int poller = CALL(epoll_create1)(EPOLL_CLOEXEC);
  struct epoll_event event = {EPOLLIN | EPOLLET, {.u64 = 42}}, ready[4];
  NUMBER(CALL(epoll_ctl)(poller, EPOLL_CTL_ADD, counter, &event));
  NUMBER(CALL(epoll_ctl)(poller, EPOLL_CTL_ADD, counter, &event));
  NUMBER(CALL(epoll_wait)(poller, ready, 4, 0));
  NUMBER(ready[0].data.u64);
  NUMBER(CALL(epoll_wait)(poller, ready, 4, 0));
  NUMBER(CALL(epoll_wait)(poller, ready, 0, 0));
  NUMBER(CALL(epoll_ctl)(poller, EPOLL_CTL_DEL, counter, NULL));
  close(counter);
  close(poller);
  int timer = CALL(timerfd_create)(CLOCK_MONOTONIC, TFD_NONBLOCK);
  NUMBER(read(timer, &value, 8));
  NUMBER(CALL(timerfd_settime)(timer, 0, &(struct itimerspec){{0, 1000000}, {0, 1000000}}, NULL));
  usleep(20000);
  NUMBER(read(timer, &value, 8));
  NUMBER(value >= 5);
  struct itimerspec left;
  NUMBER(CALL(timerfd_gettime)(timer, &left));
  NUMBER(left.it_interval.tv_nsec);
  close(timer);
  mkdir("watched", 0755);
  int watcher = CALL(inotify_init1)(IN_NONBLOCK),
      watch = CALL(inotify_add_watch)(watcher, "watched", IN_ALL_EVENTS);
  NUMBER(watch);
  fclose(fopen("watched/file", "w"));
  rename("watched/file", "watched/other");
  unlink("watched/other");
  char buffer[1000];
  long size = read(watcher, buffer, sizeof buffer);
  for (char *at = buffer; at < buffer + size;
       at += sizeof(struct inotify_event) + ((struct inotify_event *)at)->len) {
    struct inotify_event *one = (void *)at;
    printf("%x %s %d\n", one->mask, one->len ? one->name : "", one->cookie != 0);
  }
  NUMBER(CALL(inotify_rm_watch)(watcher, watch));
  NUMBER(CALL(inotify_rm_watch)(watcher, 99));
  close(watcher);
  rmdir("watched");
}

static int visited(const char *path, const struct stat *status, int type, struct FTW *where) {
  printf("%s %d %d %d %d\n", path, type, where->level, where->base, S_ISDIR(status->st_mode));
  return strcmp(path, "tree/stop") == 0 ? 7 : 0;
}
static int reversed(const struct dirent **a, const struct dirent **b) {
  return strcmp((*b)->d_name, (*a)->d_name);
}
static int no_dots(const struct dirent *entry) {
  return entry->d_name[0] != '.';
}
static void files(void) {
  mkdir("tree", 0755);
  mkdir("tree/a", 0755);
  fclose(fopen("tree/a/f", "w"));
  symlink("none", "tree/a/l");
  NUMBER(CALL(nftw)("tree", visited, 5, FTW_PHYS | FTW_DEPTH));
  NUMBER(CALL(nftw)("none", visited, 5, 0));
  rename("tree/a", "tree/stop");
  NUMBER(CALL(nftw)("tree", visited, 1, FTW_PHYS));
  struct dirent **names;
  int count = CALL(scandir)("tree/stop", &names, no_dots, reversed);
  for (int i = 0; i < count; ++i) {
    TEXT(names[i]->d_name);
    free(names[i]);
  }
  free(names);
  NUMBER(CALL(scandir)("none", &names, NULL, NULL));
  char target[3];
  NUMBER(CALL(readlink)("tree/stop/l", target, 3));
  NUMBER(CALL(readlink)("tree", target, 3));
  TEXT(CALL(realpath)("tree/none/x", NULL));
  system("rm -r tree");
  int file = CALL(open)("mapped", O_RDWR | O_CREAT | O_TRUNC, 0600);
  NUMBER(CALL(posix_fallocate)(file, 0, 10000));
  char *map = CALL(mmap)(NULL, 10000, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  strcpy(map + 5000, "in the map");
  NUMBER(CALL(msync)(map, 10000, MS_SYNC));
  char got[20] = "";
  NUMBER(CALL(pread)(file, got, 10, 5000));
  TEXT(got);
  NUMBER(CALL(pwrite)(file, "new", 3, 5000));
  TEXT(map + 5000);
  char *copy = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 4096);
  copy[0] = 'p';
  NUMBER(map[4096]);
  NUMBER(CALL(mmap)(NULL, 0, PROT_READ, MAP_PRIVATE, file, 0) == MAP_FAILED);
  NUMBER(CALL(mmap)(NULL, 10, PROT_READ, MAP_PRIVATE, file, 5) == MAP_FAILED);
  NUMBER(CALL(mprotect)(copy, 4096, PROT_READ));
  map = CALL(mremap)(map, 12288, 20480, MREMAP_MAYMOVE);
  NUMBER(map[5000]);
  NUMBER(CALL(madvise)(map, 4096, MADV_DONTNEED));
  NUMBER(CALL(munmap)(map, 20480));
  NUMBER(CALL(munmap)(copy, 4096));
  NUMBER(CALL(flock)(file, LOCK_EX | LOCK_NB));
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 10};
  NUMBER(CALL(fcntl)(file, F_SETLK, &lock));
  NUMBER(CALL(lockf)(file, F_TEST, 5));
  struct iovec pieces[3] = {{"a", 1}, {NULL, 0}, {"bcd", 3}};
  lseek(file, 0, SEEK_SET);
  NUMBER(CALL(writev)(file, pieces, 3));
  char x[2], y[9];
  struct iovec parts[2] = {{x, 2}, {y, 9}};
  NUMBER(CALL(preadv)(file, parts, 2, 1));
  NUMBER(x[0]);
  NUMBER(CALL(readv)(-1, parts, 2));
  NUMBER(CALL(ftruncate)(file, -1));
  NUMBER(CALL(lseek)(file, 0, SEEK_HOLE) >= 0);
  NUMBER(CALL(dup3)(file, file, 0));
  struct stat status;
  NUMBER(CALL(fstatat)(AT_FDCWD, "mapped", &status, 0));
  NUMBER(status.st_size);
  NUMBER(CALL(access)("mapped", X_OK) == -1 || getuid() == 0);
  NUMBER(CALL(utimensat)(AT_FDCWD, "mapped", (struct timespec[]){{1, 2}, {3, UTIME_OMIT}}, 0));
  stat("mapped", &status);
  NUMBER(status.st_atim.tv_nsec);
  NUMBER(CALL(pathconf)(".", _PC_NAME_MAX));
  NUMBER(CALL(sysconf)(12345));
  close(file);
  NUMBER(CALL(close)(file));
  unlink("mapped");
  char name[] = "tempXXXXXX.txt";
  file = CALL(mkstemps)(name, 4);
  NUMBER(file > 2);
  unlink(name);
  close(file);
  char bad[] = "tempXXX";
  NUMBER(CALL(mkstemp)(bad));
  char folder[] = "dirXXXXXX";
  NUMBER(CALL(mkdtemp)(folder) == folder);
  rmdir(folder);
  file = CALL(memfd_create)("m", 0);
  NUMBER(write(file, "abc", 3));
  NUMBER(CALL(sendfile)(1, file, &(off_t){0}, 0));
  close(file);
}

static void processes(void) {
  extern char **environ;
  pid_t child;
  int status;
  posix_spawn_file_actions_t actions;
  CALL(posix_spawn_file_actions_init)(&actions);
  CALL(posix_spawn_file_actions_addopen)(&actions, 1, "spawned", O_WRONLY | O_CREAT | O_TRUNC,
                                         0600);
  posix_spawnattr_t attributes;
  CALL(posix_spawnattr_init)(&attributes);
  sigset_t set;
  sigemptyset(&set);
  NUMBER(CALL(posix_spawnattr_setsigmask)(&attributes, &set));
  NUMBER(CALL(posix_spawnattr_setflags)(&attributes, POSIX_SPAWN_SETSIGMASK));
  char *arguments[] = {"sh", "-c", "echo spawned; exit 4", NULL};
  NUMBER(CALL(posix_spawnp)(&child, "sh", &actions, &attributes, arguments, environ));
  NUMBER(CALL(waitpid)(child, &status, 0) == child);
  NUMBER(WEXITSTATUS(status));
  NUMBER(CALL(posix_spawn)(&child, "/nonexistent", NULL, NULL, arguments, environ));
  CALL(posix_spawn_file_actions_destroy)(&actions);
  CALL(posix_spawnattr_destroy)(&attributes);
  char line[20] = "";
  FILE *file = fopen("spawned", "r");
  TEXT(fgets(line, 20, file));
  fclose(file);
  unlink("spawned");
  fflush(stdout);
  if ((child = fork()) == 0) {
    raise(SIGSTOP);
    _exit(5);
  }
  siginfo_t info;
  NUMBER(CALL(waitid)(P_PID, child, &info, WSTOPPED));
  NUMBER(info.si_code == CLD_STOPPED);
  kill(child, SIGCONT);
  struct rusage usage;
  NUMBER(CALL(wait4)(child, &status, 0, &usage) == child);
  NUMBER(WEXITSTATUS(status));
  NUMBER(CALL(waitpid)(-1, &status, WNOHANG));
  fflush(stdout);
  if ((child = vfork()) == 0)
    execlp("nonexistent-x", "x", NULL), _exit(9);
  waitpid(child, &status, 0);
  NUMBER(WEXITSTATUS(status));
  struct rlimit limit;
  NUMBER(CALL(getrlimit)(RLIMIT_NOFILE, &limit));
  limit.rlim_cur = 5000000000;
  NUMBER(CALL(setrlimit)(RLIMIT_CORE, &(struct rlimit){5, 3}));
  NUMBER(CALL(nice)(0));
  NUMBER(CALL(execv)("/nonexistent", arguments));
  int ends[2];
  NUMBER(CALL(socketpair)(AF_UNIX, SOCK_SEQPACKET, 0, ends));
  NUMBER(CALL(send)(ends[0], "packet", 6, 0));
  NUMBER(CALL(recv)(ends[1], line, 3, MSG_PEEK | MSG_TRUNC));
  struct iovec piece = {line, 3};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  NUMBER(CALL(recvmsg)(ends[1], &message, 0));
  NUMBER(message.msg_flags & MSG_TRUNC);
  char control[CMSG_SPACE(sizeof(int))] = "";
  struct msghdr passing = {
      .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  struct cmsghdr *header = CMSG_FIRSTHDR(&passing);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  *(int *)CMSG_DATA(header) = 1;
  NUMBER(CALL(sendmsg)(ends[0], &passing, 0));
  memset(control, 0, sizeof control);
  NUMBER(CALL(recvmsg)(ends[1], &passing, 0));
  NUMBER(*(int *)CMSG_DATA(CMSG_FIRSTHDR(&passing)) > 2);
  NUMBER(CALL(shutdown)(ends[0], SHUT_WR));
  NUMBER(recv(ends[1], line, 5, 0));
  NUMBER(CALL(getsockopt)(ends[0], SOL_SOCKET, SO_TYPE, &status, &(socklen_t){4}));
  NUMBER(status);
  NUMBER(CALL(connect)(ends[0], (struct sockaddr *)&(struct sockaddr_un){AF_UNIX, "none"}, 10));
  NUMBER(CALL(accept)(ends[0], NULL, NULL));
}

static mtx_t mutex;
static cnd_t condition;
static tss_t slot;
static once_flag once = ONCE_FLAG_INIT;
static int total, destroyed;
static sem_t semaphore;
static pthread_barrier_t barrier;
static void once_only(void) {
  ++total;
}
static void destroy(void *value) {
  destroyed += *(int *)value;
}
static int worker(void *argument) {
  static int kept[4];
  int which = *(int *)argument;
  kept[which] = which + 1;
  call_once(&once, once_only);
  tss_set(slot, &kept[which]);
  mtx_lock(&mutex);
  total += which;
  cnd_signal(&condition);
  mtx_unlock(&mutex);
  sem_post(&semaphore);
  pthread_barrier_wait(&barrier);
  if (which == 2)
    thrd_exit(55);
  return which * 10;
}
static void *sleeper(void *argument) {
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
  for (;;)
    usleep(1000);
  return argument;
}
static void threads(void) {
  thrd_t made[4];
  int which[4] = {0, 1, 2, 3}, result;
  NUMBER(CALL(mtx_init)(&mutex, mtx_timed | mtx_recursive));
  NUMBER(CALL(cnd_init)(&condition));
  NUMBER(CALL(tss_create)(&slot, destroy));
  NUMBER(CALL(sem_init)(&semaphore, 0, 0));
  NUMBER(CALL(pthread_barrier_init)(&barrier, NULL, 5));
  NUMBER(CALL(sem_trywait)(&semaphore));
  NUMBER(CALL(sem_timedwait)(&semaphore, &(struct timespec){1, 0}));
  for (int i = 0; i < 4; ++i)
    NUMBER(CALL(thrd_create)(&made[i], worker, &which[i]));
  for (int i = 0; i < 4; ++i)
    NUMBER(CALL(sem_wait)(&semaphore));
  NUMBER(CALL(sem_getvalue)(&semaphore, &result));
  NUMBER(result);
  CALL(pthread_barrier_wait)(&barrier);
  for (int i = 0; i < 4; ++i) {
    NUMBER(CALL(thrd_join)(made[i], &result));
    NUMBER(result);
  }
  NUMBER(total);
  NUMBER(destroyed);
  NUMBER(CALL(mtx_trylock)(&mutex));
  NUMBER(CALL(mtx_trylock)(&mutex));
  NUMBER(CALL(cnd_timedwait)(&condition, &mutex, &(struct timespec){1, 0}));
  mtx_unlock(&mutex);
  NUMBER(CALL(thrd_sleep)(&(struct timespec){0, 1000}, NULL));
  CALL(mtx_destroy)(&mutex);
  struct timespec now;
  NUMBER(CALL(timespec_get)(&now, TIME_UTC));
  NUMBER(CALL(timespec_get)(&now, 99));
  pthread_t thread;
  void *ended;
  pthread_create(&thread, NULL, sleeper, NULL);
  NUMBER(CALL(pthread_tryjoin_np)(thread, &ended));
  NUMBER(CALL(pthread_cancel)(thread));
  NUMBER(CALL(pthread_join)(thread, &ended));
  NUMBER(ended == PTHREAD_CANCELED);
  pthread_mutexattr_t kind;
  pthread_mutex_t checked;
  pthread_mutexattr_init(&kind);
  NUMBER(CALL(pthread_mutexattr_settype)(&kind, PTHREAD_MUTEX_ERRORCHECK));
  pthread_mutex_init(&checked, &kind);
  NUMBER(CALL(pthread_mutex_lock)(&checked));
  NUMBER(CALL(pthread_mutex_lock)(&checked));
  NUMBER(CALL(pthread_mutex_unlock)(&checked));
  NUMBER(CALL(pthread_mutex_unlock)(&checked));
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  NUMBER(CALL(pthread_rwlock_rdlock)(&lock));
  NUMBER(CALL(pthread_rwlock_trywrlock)(&lock));
  NUMBER(CALL(pthread_rwlock_unlock)(&lock));
  char name[16];
  NUMBER(CALL(pthread_setname_np)(pthread_self(), "a name that is too long"));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  NUMBER(CALL(pthread_attr_setstacksize)(&attributes, 1));
  size_t size;
  NUMBER(CALL(pthread_attr_setguardsize)(&attributes, 5000));
  CALL(pthread_attr_getguardsize)(&attributes, &size);
  NUMBER(size);
  (void)name;
  sem_t *named = CALL(sem_open)("/culprit-edges", O_CREAT, 0600, 2);
  NUMBER(named != SEM_FAILED);
  NUMBER(sem_wait(named));
  NUMBER(CALL(sem_close)(named));
  NUMBER(CALL(sem_unlink)("/culprit-edges"));
  NUMBER(CALL(sem_unlink)("/culprit-edges"));
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 1000);
  waits();
  events();
  files();
  processes();
  threads();
}
