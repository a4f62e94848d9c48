// One thread resets the current document between the other one's check and use.
// expect: kind=segmentation-fault line=fail name=`current->words`
// cause: line=cause
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

struct document {
  long words;
};

static struct document only = {3};
static struct document *volatile current = &only;
static sem_t checked, reset;

static void *closer(void *unused) {
  sem_wait(&checked);
  current = NULL; // cause: no lock
  sem_post(&reset);
  return unused;
}

static void render(const char *title) {
  sem_post(&checked);
  sem_wait(&reset);
  printf("%s\n", title);
}

static long count(void) {
  if (!current)
    return 0;
  render("document");
  return current->words; // fail
}

int main(void) {
  pthread_t thread;
  sem_init(&checked, 0, 0);
  sem_init(&reset, 0, 0);
  pthread_create(&thread, NULL, closer, NULL);
  printf("%ld\n", count());
  pthread_join(thread, NULL);
  return 0;
}
