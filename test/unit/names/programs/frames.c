// Locals; frames_test.cpp says where they are.
struct line {
  char text[16];
  int length, number;
};
int sink(void *, ...);

int fill(int n) {
  int count = 0, vla[n];
  char line[32];
  return sink(&count, vla, line);
}

int twice(int n) {
  int same[2];
  if (n) {
    double same;
    sink(&same);
  }
  return sink(same);
}

int main(void) {
  int tmp;
  struct line lines[4];
  return sink(&tmp, lines) + fill(3) + twice(3);
}
int sink(void *p, ...) { return p != 0; }
