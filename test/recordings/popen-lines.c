// Reads what another program prints.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char line[256];
  FILE *stream = popen("date +%N; echo done; exit 3", "r");
  while (fgets(line, sizeof line, stream))
    printf("> %s", line);
  printf("status %d\n", pclose(stream));
  printf("system %d\n", system("exit 4"));
  return 0;
}
