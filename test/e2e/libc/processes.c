// What a process is and may do, time, locks, random bytes, sockets, and jumps.
#include "libc.h"
#include <ctype.h>
#include <fcntl.h>
#include <mcheck.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern int __sched_cpucount(size_t, const cpu_set_t *);
extern char **environ;

static void identity(void) {
  NUMBER(CALL(getuid)()); NUMBER(CALL(geteuid)()); NUMBER(CALL(getgid)()); NUMBER(CALL(getegid)()); NUMBER(CALL(getpgrp)() == getpgid(0)); NUMBER(CALL(getdtablesize)() > 3);
  gid_t groups[200]; int count = CALL(getgroups)(200, groups); NUMBER(count == CALL(getgroups)(0, NULL)); NUMBER(CALL(getgroups)(-1, groups));
  NUMBER(CALL(sysconf)(_SC_PAGESIZE)); NUMBER(CALL(sysconf)(_SC_OPEN_MAX) > 3); NUMBER(CALL(sysconf)(-5));
  cpu_set_t processors; NUMBER(CALL(sched_getaffinity)(0, sizeof processors, &processors)); NUMBER(CALL(__sched_cpucount)(sizeof processors, &processors) >= 1); NUMBER(CALL(sched_getaffinity)(0, 1, &processors));
  struct rusage usage; NUMBER(CALL(getrusage)(RUSAGE_SELF, &usage)); NUMBER(usage.ru_maxrss > 0); NUMBER(CALL(getrusage)(99, &usage)); NUMBER(CALL(setpriority)(99, 0, 0)); NUMBER(CALL(setpriority)(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0)));
  double load[3]; NUMBER(CALL(getloadavg)(load, 3)); NUMBER(load[0] >= 0); unsigned char bytes[64] = {0}; CALL(arc4random_buf)(bytes, 64); int sum = 0; for (int i = 0; i < 64; ++i) sum += bytes[i]; NUMBER(sum != 0); CALL(mtrace)();
  NUMBER(CALL(__ctype_get_mb_cur_max)()); setlocale(LC_ALL, "C.UTF-8"); NUMBER(CALL(__ctype_get_mb_cur_max)()); setlocale(LC_ALL, "C"); errno = 0;
}

static void moments(void) {
  struct timeval now; time_t before = time(NULL); NUMBER(CALL(gettimeofday)(&now, NULL)); NUMBER(now.tv_sec >= before); NUMBER(CALL(clock)() >= 0);
  struct timespec pause = {0, 1000}, wrong = {0, -1}; NUMBER(CALL(nanosleep)(&pause, NULL)); NUMBER(CALL(nanosleep)(&wrong, NULL));
  int pipes[2]; if (pipe(pipes) != 0) abort(); fd_set set; FD_ZERO(&set); FD_SET(pipes[0], &set); struct timeval none = {0, 0}; NUMBER(CALL(select)(pipes[0] + 1, &set, NULL, NULL, &none)); NUMBER(FD_ISSET(pipes[0], &set));
  if (write(pipes[1], "x", 1) != 1) abort(); FD_SET(pipes[0], &set); NUMBER(CALL(pselect)(pipes[0] + 1, &set, NULL, NULL, &pause, NULL)); NUMBER(FD_ISSET(pipes[0], &set)); close(pipes[0]); NUMBER(CALL(select)(pipes[0] + 1, &set, NULL, NULL, &none)); NUMBER(CALL(pselect)(-1, NULL, NULL, NULL, &pause, NULL)); close(pipes[1]);
  sigset_t mask, old, pending; sigemptyset(&mask); sigaddset(&mask, SIGUSR1); sigprocmask(SIG_BLOCK, &mask, &old); raise(SIGUSR1); NUMBER(CALL(sigpending)(&pending)); NUMBER(sigismember(&pending, SIGUSR1)); NUMBER(sigismember(&pending, SIGUSR2)); signal(SIGUSR1, SIG_IGN); sigprocmask(SIG_SETMASK, &old, NULL);
}

static void locks(void) {
  pthread_mutexattr_t kind; pthread_mutex_t lock; NUMBER(CALL(pthread_mutexattr_init)(&kind)); NUMBER(CALL(pthread_mutexattr_settype)(&kind, PTHREAD_MUTEX_RECURSIVE)); NUMBER(CALL(pthread_mutexattr_settype)(&kind, 99)); NUMBER(CALL(pthread_mutex_init)(&lock, &kind));
  NUMBER(CALL(pthread_mutex_trylock)(&lock)); NUMBER(CALL(pthread_mutex_trylock)(&lock)); NUMBER(pthread_mutex_unlock(&lock)); NUMBER(pthread_mutex_unlock(&lock)); NUMBER(pthread_mutex_unlock(&lock)); NUMBER(CALL(pthread_mutex_destroy)(&lock));
  NUMBER(CALL(pthread_mutexattr_destroy)(&kind)); pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER; NUMBER(CALL(pthread_mutex_trylock)(&plain)); NUMBER(CALL(pthread_mutex_trylock)(&plain));
}

static void children(void) {
  posix_spawnattr_t how; sigset_t none; pid_t child; int status; char *words[] = {"sh", "-c", "exit 6", NULL}; sigemptyset(&none);
  NUMBER(CALL(posix_spawnattr_init)(&how)); NUMBER(CALL(posix_spawnattr_setsigmask)(&how, &none)); NUMBER(CALL(posix_spawnattr_setflags)(&how, POSIX_SPAWN_SETSIGMASK)); NUMBER(CALL(posix_spawnattr_setflags)(&how, 0x4000));
  NUMBER(posix_spawnp(&child, "sh", NULL, &how, words, environ)); waitpid(child, &status, 0); NUMBER(WEXITSTATUS(status)); NUMBER(CALL(posix_spawnattr_destroy)(&how));
  int terminal = posix_openpt(O_RDWR | O_NOCTTY); errno = 0; if (terminal >= 0) { NUMBER(CALL(grantpt)(terminal)); NUMBER(CALL(unlockpt)(terminal)); close(terminal); }
  NUMBER(CALL(grantpt)(-1)); NUMBER(CALL(unlockpt)(-1));
}

static void sockets(void) {
  int one = 1; struct sockaddr_in where = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}}, peer; socklen_t length = sizeof where, space = sizeof peer; char bytes[8] = "";
  int server = CALL(socket)(AF_INET, SOCK_STREAM, 0); NUMBER(CALL(socket)(-1, 0, 0)); if (server < 0) return;
  NUMBER(CALL(setsockopt)(server, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one)); NUMBER(CALL(setsockopt)(server, SOL_SOCKET, -1, &one, sizeof one)); NUMBER(CALL(bind)(server, (struct sockaddr *)&where, sizeof where)); NUMBER(CALL(bind)(server, (struct sockaddr *)&where, 1)); NUMBER(getsockname(server, (struct sockaddr *)&where, &length)); NUMBER(CALL(listen)(server, 1)); NUMBER(CALL(listen)(-1, 1));
  int client = socket(AF_INET, SOCK_STREAM, 0); NUMBER(CALL(connect)(client, (struct sockaddr *)&where, sizeof where)); NUMBER(CALL(connect)(-1, (struct sockaddr *)&where, sizeof where)); int served = CALL(accept)(server, (struct sockaddr *)&peer, &space); NUMBER(served >= 0); NUMBER(space); NUMBER(CALL(accept)(-1, NULL, NULL));
  NUMBER(send(client, "hello", 5, 0)); space = sizeof peer; NUMBER(CALL(recvfrom)(served, bytes, 8, 0, (struct sockaddr *)&peer, &space)); TEXT(bytes); NUMBER(CALL(shutdown)(client, SHUT_WR)); NUMBER(CALL(recvfrom)(served, bytes, 8, 0, NULL, NULL)); NUMBER(CALL(shutdown)(-1, SHUT_WR)); close(served); close(client); close(server);
}

static jmp_buf place;
static void deeper(int depth) { char room[100]; memset(room, depth, sizeof room); if (depth == 0) _longjmp(place, 5); deeper(depth - 1); NUMBER(room[0]); }
static void jumps(void) { int value = _setjmp(place); NUMBER(value); if (value == 0) deeper(5); }

int main(void) {
  identity();
  moments();
  locks();
  children();
  sockets();
  jumps();
  return 0;
}
