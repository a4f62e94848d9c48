// Accesses and, behind each, the expressions that they are written as, in the order of the code.
#include <stddef.h>
struct item {
  int key;
  char *name;
  struct {
    int x, y;
  };
  union {
    double real;
    char bytes[8];
    void *pointer;
  } u;
  unsigned low : 3, mid : 5, high : 12;
  short last[];
};
struct bag {
  struct item items[4];
  struct bag *next;
  struct item *more;
  int count;
};
struct bag bag, *bags[3];
static int grid[4][5];
_Thread_local int mine[3];
int *find(struct bag *b, int k);

int scalars(int *p, int **pp, int i, const char *s) {
  *p = 1;                     // *p
  **pp = 2;                   // *pp; **pp
  p[i] = 3;                   // p[i]
  p[i + 1] = s[i - 2];        // s[i - 2]; p[i + 1]
  pp[i][2 * i] = 4;           // pp[i]; pp[i][2 * i]
  *(p + 3) = 5;               // p[3]
  int sum = *p++;             // *p
  p[(i << 2) & 7] = sum;      // p[(i << 2) & 7]
  return p[i > 2 ? 1 : 0];    // p[...]
}

int records(struct bag *b, struct item *it, int i) {
  b->next->count = 1;          // b->next; b->next->count
  b->items[i].key = 2;         // b->items[i].key
  it->name[i] = 'x';           // it->name; it->name[i]
  it->y = 3;                   // it->y
  (*it).x = 4;                 // it->x
  it->u.bytes[i] = 1;          // it->u.bytes[i]
  it->u.real = 1;              // it->u.real
  it->u.pointer = 0;           // it->u.pointer
  it->low = 1;                 // it->low
  it->mid = i;                 // it->mid
  it->last[i] = 6;             // it->last[i]
  b->more[i].u.bytes[2] = 7;   // b->more; b->more[i].u.bytes[2]
  struct item *e = &b->items[i];
  e->key = it->mid;            // it->mid; e->key
  *it = *e;                    // ?
  return it[i].high;           // it[i].high
}

int globals(int i, int j) {
  grid[i][j] = 1;              // grid[i][j]
  bag.items[i].y = 2;          // bag.items[i].y
  bags[i]->count = 3;          // bags[i]; bags[i]->count
  mine[i] = 4;                 // mine[i]
  bag.items[2].u.bytes[1] = 5; // bag.items[2].u.bytes[1]
  grid[1][2] = 6;              // grid[1][2]
  bags[1]->next = 0;           // bags[1]; bags[1]->next
  return *find(&bag, i);       // *find(&bag, i)
}

int arrays(int n, int i, int (*rows)[5], int m[][3]) {
  int vla[n], local[4];
  vla[i] = 1;                  // vla[i]
  local[i] = 2;                // local[i]
  local[vla[i]] = 3;           // vla[i]; local[vla[i]]
  rows[i][2] = 4;              // rows[i][2]
  (*rows)[i] = 5;              // (*rows)[i]
  m[i][n] = 6;                 // m[i][n]
  return find(&bag, 1)[i];     // find(&bag, 1)[i]
}

int main(void) { return 0; }
int *find(struct bag *b, int k) { return &b->count + k; }
struct command { int (*run)(int); };
int calls(struct command *c, int (*plain)(int)) {
  int first = c->run(2);
  return first + plain(3) + c->run(4);
}
