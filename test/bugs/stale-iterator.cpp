// Appends to the vector that it walks; the iterator still points into the old block.
// expect: kind=segmentation-fault line=fail name=`step->after->number`
// layout: {"fill": {"freed": 221}}
// cause: line=cause
// locate: line=cause
#include <cstdio>
#include <vector>

struct Step {
  int number;
  const Step *after;
};

static const Step kFirst{0, nullptr};

class Plan {
public:
  void add(int number, const Step *after) { steps_.push_back({number, after}); }

  int expand() {
    int sum = 0;
    for (auto step = steps_.begin(); step != steps_.end() && sum < 100; ++step) {
      if (step->number % 2 == 0)
        add(step->number + 1, &kFirst); // cause
      sum += step->after->number + 1;   // fail
    }
    return sum;
  }

private:
  std::vector<Step> steps_;
};

int main() {
  Plan plan;
  for (int i = 0; i < 4; i++)
    plan.add(i, &kFirst);
  std::printf("%d\n", plan.expand());
}
