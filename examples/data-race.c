// Data race, after the one of the parallel compressor pbzip2: the main thread hands blocks to a
// worker through a queue and destroys the queue at the end.
//
// What is wrong: line 69 destroys the queue without waiting for the worker, which looks at it once
// more after it has taken the last block. When `destroy` sets the pointer to NULL (line 54) before
// the worker reads it again, the worker fails on line 39. The pause on line 38 makes that likely.
//
// demo: culprit run -- ./data-race -> segmentation-fault, line 39
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct queue {
  pthread_mutex_t lock;
  int blocks[8];
  int count;
  int is_closed;
};

static struct queue *queue;
static volatile long done;

static int take(struct queue *from) {
  pthread_mutex_lock(&from->lock);
  int block = from->count > 0 ? from->blocks[--from->count] : -1;
  pthread_mutex_unlock(&from->lock);
  return block;
}

static void *work(void *unused) {
  for (;;) {
    int block = take(queue);
    if (block >= 0)
      done += block * block;
    else
      usleep(1000);
    usleep(20000); // compress
    if (queue->is_closed)
      return unused;
  }
}

static void put(int block) {
  pthread_mutex_lock(&queue->lock);
  queue->blocks[queue->count++] = block;
  pthread_mutex_unlock(&queue->lock);
}

static void destroy(void) {
  queue->is_closed = 1;
  struct queue *old = queue;
  pthread_mutex_destroy(&old->lock);
  queue = NULL;
  free(old);
}

int main(void) {
  pthread_t worker;
  queue = calloc(1, sizeof *queue);
  if (!queue)
    return 1;
  pthread_mutex_init(&queue->lock, NULL);
  for (int i = 1; i <= 3; i++)
    put(i);
  pthread_create(&worker, NULL, work, NULL);
  while (done < 14)
    usleep(1000);
  destroy();
  pthread_join(worker, NULL);
  printf("%ld\n", done);
  return 0;
}
