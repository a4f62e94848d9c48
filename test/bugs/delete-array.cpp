// An array of objects is deleted as if it were one object.
// expect: kind=wild-free line=fail name=of the heap block of 56 bytes allocated at @alloc
// cause: line=cause
// locate: line=cause
#include <cstdio>

struct Tracer {
  static int alive;
  int number, pad[3];
  Tracer() : number(alive++), pad{} {}
  ~Tracer() { alive--; }
};

int Tracer::alive = 0;

class Batch {
public:
  explicit Batch(int count) : tracers_(new Tracer[count]) {} // alloc
  ~Batch() {
    delete tracers_; // cause: delete[], fail
  }
  int last(int count) const { return tracers_[count - 1].number; }

private:
  Tracer *tracers_;
};

int main() {
  {
    Batch batch(3);
    std::printf("%d\n", batch.last(3));
  }
  std::printf("%d alive\n", Tracer::alive);
}
