// Two accounts, two locks, taken in the order of the transfer.
// expect: kind=deadlock line=fail
// timeout: 20
// cause: line=cause
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

struct account {
  pthread_mutex_t lock;
  long balance;
};

static struct account ann = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account bob = {PTHREAD_MUTEX_INITIALIZER, 100};
static pthread_barrier_t both;

static void transfer(struct account *from, struct account *to, long amount) {
  pthread_mutex_lock(&from->lock);
  pthread_barrier_wait(&both);
  pthread_mutex_lock(&to->lock); // cause: in one order, fail
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
}

static void *other(void *unused) {
  transfer(&bob, &ann, 10);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&both, NULL, 2);
  pthread_create(&thread, NULL, other, NULL);
  transfer(&ann, &bob, 20);
  pthread_join(thread, NULL); // fail
  printf("%ld %ld\n", ann.balance, bob.balance);
  return 0;
}
