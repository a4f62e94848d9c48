// A little interpreter: evaluates the sums in its input.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
static const char *at;
static long sum(void);
static long term(void) {
  while (isspace((unsigned char)*at)) at++;
  if (*at == '(') { at++; long value = sum(); if (*at == ')') at++; return value; }
  return strtol(at, (char **)&at, 10);
}
static long sum(void) {
  long value = term();
  for (;;) {
    while (isspace((unsigned char)*at)) at++;
    if (*at == '+') { at++; value += term(); }
    else if (*at == '*') { at++; value *= term(); }
    else return value;
  }
}
int main(void) {
  char line[256];
  while (fgets(line, sizeof line, stdin)) {
    at = line;
    while (*at && !isdigit((unsigned char)*at) && *at != '(') at++;
    printf("%ld\n", sum());
  }
  return 0;
}
