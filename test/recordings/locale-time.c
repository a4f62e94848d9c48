// Local time, wide characters, conversion between encodings.
#include <iconv.h>
#include <locale.h>
#include <stdio.h>
#include <time.h>
#include <wchar.h>
int main(void) {
  char text[100], out[100], *from = "gr\xfc\xdf", *to = out;
  time_t now = time(0);
  setlocale(LC_ALL, "");
  strftime(text, sizeof text, "%A %d %B %Y %H:%M:%S %Z", localtime(&now));
  printf("%s\n", text);
  iconv_t conversion = iconv_open("UTF-8", "ISO-8859-1");
  size_t left = 4, room = sizeof out;
  iconv(conversion, &from, &left, &to, &room);
  iconv_close(conversion);
  printf("%.*s %d\n", (int)(to - out), out, (int)wcslen(L"wide"));
  return 0;
}
