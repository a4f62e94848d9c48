// A ring buffer whose index may be its capacity: the job behind the last one is no job.
// expect: kind=broken-heap line=fail name=behind the padding after `r.jobs[7].argument`
// cause: line=cause
// locate: line=first and=second
#include <stdio.h>
#include <stdlib.h>

struct job {
  void (*run)(int);
  int argument;
};

struct ring {
  struct job *jobs;
  unsigned capacity, head, tail;
};

static void hello(int number) {
  printf("job %d\n", number);
}

static unsigned after(const struct ring *r, unsigned index) {
  return index >= r->capacity ? 0 : index + 1; // cause: index + 1 >= capacity
}

__attribute__((noinline)) static void push(struct ring *r, struct job job) {
  r->jobs[r->tail] = job; // first
  r->tail = after(r, r->tail);
}

__attribute__((noinline)) static int pop(struct ring *r, struct job *job) {
  if (r->head == r->tail)
    return 0;
  *job = r->jobs[r->head];
  r->head = after(r, r->head);
  return 1;
}

int main(void) {
  struct ring r = {malloc(8 * sizeof(struct job)), 8, 0, 0}; // second
  struct job job;
  for (int i = 0; i < 20; ++i) {
    push(&r, (struct job){hello, i});
    if (pop(&r, &job))
      job.run(job.argument);
  }
  free(r.jobs); // fail
}
