// A job has a name of eight bytes and, behind it, a pointer to its queue. Renaming copies sixteen.
// expect: kind=segmentation-fault line=fail name=`job->queue->length`
// args: compressed-archive
// cause: line=cause
// locate: line=cause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct queue {
  int length;
  struct job *first;
};

struct job {
  int number;
  char name[8];
  struct queue *queue;
  struct job *next;
};

static void *xmalloc(size_t size) {
  void *block = malloc(size);
  if (!block)
    abort();
  return block;
}

static struct job *submit(struct queue *queue, int number) {
  struct job *job = xmalloc(sizeof *job);
  *job = (struct job){number, "", queue, queue->first};
  queue->first = job;
  queue->length++;
  return job;
}

static void rename_job(struct job *job, const char *name) {
  strncpy(job->name, name, 16); // cause: sizeof job->name
}

static void finish(struct job *job) {
  job->queue->length--; // fail
  free(job);
}

int main(int argc, char **argv) {
  struct queue queue = {0, NULL};
  struct job *job = submit(&queue, 1);
  rename_job(job, argc > 1 ? argv[1] : "job");
  finish(job);
  printf("%d left\n", queue.length);
  return 0;
}
