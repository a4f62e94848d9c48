// Starts a thread: this is not recorded.
#include <pthread.h>
#include <stdio.h>

static void *run(void *data) {
  printf("thread\n");
  return data;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  printf("joined\n");
  return 5;
}
