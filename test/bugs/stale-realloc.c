// Keeps a pointer to an element while the array is grown; the array has moved, and a string lives
// in the old block.
// expect: kind=segmentation-fault line=fail name=`first->name[0]`
// cause: line=cause
// locate: line=first
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
  const char *name;
  int age;
};

struct people {
  struct person *list;
  int count, room;
};

static struct person *add(struct people *people, const char *name, int age) {
  if (people->count == people->room) {
    people->room = people->room ? people->room * 2 : 1;
    people->list = realloc(people->list, people->room * sizeof *people->list); // first
    if (!people->list)
      abort();
  }
  struct person *person = &people->list[people->count++];
  person->name = name;
  person->age = age;
  return person;
}

static char *copy(const char *text) {
  char *result = malloc(16);
  if (!result)
    abort();
  return strcpy(result, text);
}

int main(void) {
  struct people people = {0};
  struct person *first = add(&people, "Ann", 41); // cause: kept while the array grows
  char *title = copy("The first: ");
  add(&people, "Bob", 37);
  char *unit = copy("years-of-age");
  printf("%s%c, %d people, in %s\n", title, first->name[0], people.count, unit); // fail
  free(title);
  free(unit);
  free(people.list);
  return 0;
}
