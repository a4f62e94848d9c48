// Days per month, counted from 1: December is written behind the table. Nothing happens to be hurt;
// guard words show it when the program ends.
// expect: kind=broken-guard line=none name=just past `days` (48 bytes)
// layout: {"guard": 16}
// cause: line=cause
// locate: line=cause
#include <stdio.h>

int days[12];
int total;

static int lengthOf(int month) {
  if (month == 2)
    return 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

static void fill(void) {
  for (int month = 1; month <= 12; month++)
    days[month] = lengthOf(month); // cause
}

static int sum(const int *values, int count) {
  int result = 0;
  for (int i = 0; i < count; i++)
    result += values[i];
  return result;
}

int main(void) {
  fill();
  total = sum(days, 12);
  printf("%d days\n", total);
  return 0;
}
