// Globals of all shapes; each is named as the expression in the macro.
#include "say.h"
#include <stddef.h>
#include <stdint.h>

struct limit {
  int min, max;
  char unit[3];
};
struct config {
  char name[32];
  struct limit limits[4];
  struct {
    int x, y;
  };
  union {
    uint64_t whole;
    uint8_t bytes[8];
  } id;
  union {
    int alone;
    float real;
  };
  unsigned low : 3, mid : 5, high : 12;
  char after;
  double weight;
};

struct config config;
struct config configs[3];
int grid[4][5][6];
char name[32];
static long counter;
_Thread_local int threadCount = 3;
_Thread_local struct limit threadLimit;
enum colour { RED } colour;
const char *strings[2] = {"first", "second"};
struct open {
  int count;
  int items[];
};
struct open openEnded = {3, {1, 2, 3}};
typedef struct limit limit_t;
static const limit_t typedefed[2];
struct {
  struct {
    struct {
      int deep[2];
    } b[2];
  } a;
} nested;
_Complex double complicated;

int *statics(void) {
  static int calls[3];
  SAY(counter);
  say(&calls[2], "`statics()::calls[2]`");
  return calls;
}

int main(void) {
  counter++;
  SAY(config.limits[2].max);
  SAY(config.limits[3].unit[1]);
  SAY(config.name[31]);
  SAY(config.y);
  SAY(config.id.whole);
  say(&config.id.bytes[3], "`config.id.bytes[3]`");
  SAY(config.alone);
  SAY(config.after);
  SAY(config.weight);
  say((char *)&config.alone + 4, "`config.{low, mid}`");
  say((char *)&config.alone + 5, "`config.high`");
  say((char *)&config.limits[1].unit[2] + 1, "the padding after `config.limits[1].unit`");
  say((char *)&config.limits[1].max + 2, "byte 2 of `config.limits[1].max`");
  SAY(configs[1].limits[0].min);
  SAY(configs[2].id.whole);
  SAY(grid[3][4][5]);
  SAY(grid[0][2][1]);
  SAY(name[17]);
  SAY(colour);
  SAY(strings[1]);
  say(strings[1] + 3, "`\"second\"[3]`");
  SAY(openEnded.count);
  SAY(openEnded.items[2]);
  SAY(typedefed[1].max);
  SAY(nested.a.b[1].deep[1]);
  say((char *)&complicated + 8, "byte 8 of `complicated`");
  sayThreadLocal(&threadCount, "threadCount");
  say(&threadCount, "`threadCount` of thread 1");
  say(&threadLimit.max, "`threadLimit.max` of thread 1");
  say((char *)(uintptr_t)&main, "in the code of `main()`");
  say(0, "no memory of the program (null page: null pointer)");
  say((void *)8, "no memory of the program (null page: null pointer plus 8)");
  say((void *)-16, "no memory of the program (null page: null pointer minus 16)");
  say((void *)0x123456789000, "in the heap, near no block that the failure has to do with");
  say((void *)0x6123456789000, "no memory of the program (no possible address)");
  say((void *)0x5123456789ab, "no memory of the program");
  statics();
  finish();
  return 0;
}
