// Dangling pointer: a queue of jobs that remembers the most urgent one.
//
// What is wrong: line 38 gives a job a second owner, and line 44 frees the job that was taken from
// the queue, so that `urgent` goes on pointing to it. The next block of that size is a result, and
// takes its place (line 48), so that line 56 takes a time for the text of the urgent job.
//
// demo: culprit run -- ./dangling-pointer scan print copy -> segmentation-fault, line 56
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
  const char *text;
  int priority;
  struct job *next;
};

struct result {
  long started, ended;
  struct result *next;
};

static struct job *first, *urgent;
static struct result *results;

static void *xmalloc(size_t size) {
  void *block = malloc(size);
  if (!block)
    exit(1);
  return block;
}

static void add(const char *text, int priority) {
  struct job *job = xmalloc(sizeof *job);
  *job = (struct job){text, priority, first};
  first = job;
  if (!urgent || priority > urgent->priority)
    urgent = job;
}

static void take(void) {
  struct job *job = first;
  first = job->next;
  free(job);
}

static void note(long started, long ended) {
  struct result *result = xmalloc(sizeof *result);
  *result = (struct result){started, ended, results};
  results = result;
}

static int length_of_urgent(void) {
  int length = 0;
  if (urgent)
    while (urgent->text[length])
      length++;
  return length;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    add(argv[i], i);
  if (first)
    take();
  note(1300, 1305);
  printf("the urgent one has %d letters\n", length_of_urgent());
  return 0;
}
