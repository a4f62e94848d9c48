// A standard output and input of wide characters.
#include "libc.h"
#include <unistd.h>

extern int __wprintf_chk(int, const wchar_t *, ...), __vwprintf_chk(int, const wchar_t *, va_list), __isoc99_wscanf(const wchar_t *, ...), __isoc99_vwscanf(const wchar_t *, va_list);

static int listed(int which, const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  int value = which == 0 ? CALL(__vwprintf_chk)(1, format, list) : which == 1 ? CALL(vwprintf)(format, list) : CALL(__isoc99_vwscanf)(format, list);
  va_end(list);
  return value;
}

int main(void) {
  int pipes[2], n = 0;
  if (pipe(pipes) != 0 || write(pipes[1], "\xe2\x82\xacx12 13 \xff", 10) != 10) abort();
  close(pipes[1]); dup2(pipes[0], 0);
  CALL(setlocale)(LC_ALL, "C.UTF-8");
  CALL(wprintf)(L"%lc %ls %d\n", 0x20ac, L"text", CALL(__wprintf_chk)(1, L"%s\n", "first"));
  listed(0, L"%d\n", 5); listed(1, L"%5.2f\n", 2.5); CALL(putwchar)(0xe9); CALL(putwchar_unlocked)(L'\n');
  wint_t one = CALL(getwchar)(), two = CALL(getwchar_unlocked)();
  int first = CALL(__isoc99_wscanf)(L"%d", &n), third = n, second = listed(2, L"%d", &n);
  CALL(wprintf)(L"%x %x %d %d %d %d\n", one, two, first, third, second, n);
  one = CALL(getwchar)(); errno = 0; two = CALL(getwchar)();
  CALL(wprintf)(L"%x %x %d %d %d\n", one, two, errno, ferror(stdin), CALL(printf)("bytes"));
  return 0;
}
