// A vector of marks is sized for the days of February and written for the days of March.
// expect: kind=broken-heap line=fail name=8 bytes before the heap block of 16 bytes allocated at @alloc
// cause: line=cause
// locate: line=alloc and=second
#include <cstdio>
#include <vector>

struct Calendar { // fail: its destructor
  std::vector<char> marks;
  std::vector<int> counts;

  explicit Calendar(int days) : marks(days), counts(4) {} // alloc
};

static void markAll(Calendar &calendar, int days) {
  for (int day = 0; day < days; day++) {
    calendar.marks[day] = 1; // second
    calendar.counts[day % 4]++;
  }
}

static int lengthOf(int month) {
  return month == 2 ? 28 : 44;
}

static int total(const Calendar &calendar) {
  std::vector<int> sums(calendar.counts);
  int sum = 0;
  for (int count : sums)
    sum += count;
  return sum;
}

int main(int argc, char **) {
  Calendar calendar(lengthOf(2));
  markAll(calendar, lengthOf(argc + 2)); // cause
  std::printf("%d\n", total(calendar));
}
