// printf to streams of each kind; shows the sizes of the write() calls that come of it.
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

static int writing;
static pid_t reader;
static const char *label;

/* A process that shows what each write() brings: packets of a socket keep their bounds. */
static void show_packets(int from) {
  static char packet[300000];
  ssize_t last = 0, size;
  unsigned sum = 0, times = 0;
  do {
    size = recv(from, packet, sizeof packet, 0);
    int is_mark = size > 0 && packet[0] == 1;
    if (times > 0 && (size != last || is_mark)) {
      printf(" %u*%zd", times, last);
      times = 0;
    }
    if (is_mark) {
      printf(" %x\n%s %.*s:", sum, label, (int)size - 1, packet + 1);
      sum = 0;
      continue;
    }
    for (ssize_t i = 0; i < size; ++i)
      sum = sum * 31 + (unsigned char)packet[i];
    last = size;
    ++times;
  } while (size > 0);
  printf(" %x\n", sum);
  exit(0);
}

static void mark(const char *text) {
  char packet[100];
  int size = snprintf(packet, sizeof packet, "\1%s", text);
  if (write(writing, packet, size) != size)
    abort();
}

static void start_reader(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0)
    abort();
  fflush(stdout);
  reader = fork();
  if (reader == 0) {
    close(ends[1]);
    show_packets(ends[0]);
  }
  close(ends[0]);
  writing = ends[1];
}

static FILE *open_stream(int buffering, size_t size) {
  static char own[1000];
  start_reader();
  FILE *file = fdopen(writing, "w");
  if (buffering >= 0 && setvbuf(file, *label == 'o' ? own : NULL, buffering, size) != 0)
    abort();
  return file;
}

static void close_stream(FILE *file) {
  mark("close");
  fclose(file);
  waitpid(reader, NULL, 0);
}

static void narrow(FILE *file) {
  static char text[20001];
  memset(text, 'x', 20000);
  printf("%d\n", fprintf(file, "a\nb%d\nc", 5));
  mark("lines");
  printf("%d\n", fprintf(file, "%s", "end\n"));
  mark("one piece");
  printf("%d\n", fprintf(file, "%.5000s|%5000d|%-6000s|", text, 7, "left"));
  mark("pads");
  printf("%d\n", fprintf(file, "%s\n%s", text, text));
  mark("long");
  printf("%d\n", fprintf(file, "%.5000f %9000.3e %.300Lf %a\n", 1 / 3.0, 1e100, 2.5L, 0.1));
  mark("floats");
  int before = -1, after = -1;
  errno = ENOENT;
  printf("%d", fprintf(file, "%4$n%2$s %1$d %m%3$n\n", 3, "two", &after, &before));
  printf(" %d %d\n", before, after);
  mark("positions");
  for (int i = 0; i < 3000; ++i)
    fprintf(file, "%d %s\n", i, "ab");
  mark("many");
  printf("%d\n", fprintf(file, "%05000x%ls%lc%c\n", 255, L"wide", L'w', 0));
  mark("zeros");
  printf("%d\n", fprintf(file, "ok %lc never", (wint_t)0x20ac));
  printf("%d\n", fprintf(file, "plain"));
  mark("bad");
  printf("%d\n", fprintf(file, ""));
  printf("%d %d\n", fwprintf(file, L"wide"), errno);
  printf("%d\n", fwide(file, 0));
}

static void wide(FILE *file) {
  static wchar_t text[20001];
  wmemset(text, L'x', 20000);
  printf("%d\n", fwprintf(file, L"a\nb%d\nc", 5));
  mark("lines");
  printf("%d\n", fwprintf(file, L"x\ny\nz"));
  mark("lines again");
  printf("%d\n", fputws(L"x\ny\nz", file));
  mark("fputws");
  printf("%d\n", fwprintf(file, L"%ls", L"end\n"));
  mark("one piece");
  printf("%d\n", fwprintf(file, L"%.5000ls|%5000d|%-6000s|", text, 7, "left"));
  mark("pads");
  printf("%d\n", fwprintf(file, L"%ls\n%ls", text, text));
  mark("long");
  wmemset(text, L'\xe9', 5000);
  printf("%d\n", fwprintf(file, L"%ls\n%ls", text, text));
  mark("two bytes");
  wmemset(text, 0x20ac, 5000);
  printf("%d\n", fwprintf(file, L"%ls\n%.100ls", text, text));
  mark("three bytes");
  int before = -1, after = -1;
  errno = ENOENT;
  printf("%d", fwprintf(file, L"%4$n%2$s %1$d %m%3$n\n", 3, "two", &after, &before));
  printf(" %d %d\n", before, after);
  mark("positions");
  for (int i = 0; i < 3000; ++i)
    fwprintf(file, L"%d %s\n", i, "ab");
  mark("many");
  printf("%d\n", fwprintf(file, L"ok %s never", "\xff\xfe"));
  mark("bad");
  printf("%d %d\n", fprintf(file, "narrow"), errno);
  printf("%d\n", fwide(file, 0));
}

static void each(void (*test)(FILE *), const char *name) {
  static const struct { const char *name; int mode; size_t size; } kinds[] = {
    {"default", -1, 0}, {"full", _IOFBF, 0}, {"full 100", _IOFBF, 100}, {"full 10000", _IOFBF, 10000},
    {"line", _IOLBF, 0}, {"line 1000", _IOLBF, 1000}, {"none", _IONBF, 0},
    {"own 200", _IOFBF, 200}, {"own 1000", _IOFBF, 1000}, {"own line 100", _IOLBF, 100}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    label = kinds[i].name;
    printf("%s\n", name);
    FILE *file = open_stream(kinds[i].mode, kinds[i].size);
    test(file);
    close_stream(file);
  }
}

int main(void) {
  setvbuf(stdout, NULL, _IOFBF, 1 << 16);
  each(narrow, "narrow");
  printf("%s\n", setlocale(LC_ALL, "C.UTF-8"));
  each(narrow, "narrow utf-8");
  each(wide, "wide");
  label = "dprintf";
  FILE *file = open_stream(-1, 0);
  static char text[20001];
  memset(text, 'x', 20000);
  printf("%d\n", dprintf(writing, "a\nb%d\n%s %5000d\n", 3, text, 9));
  mark("long");
  printf("%d %d\n", dprintf(-1, "x"), errno);
  errno = 0;
  close_stream(file);
  FILE *full = fopen("/dev/full", "w");
  printf("%d %d\n", fprintf(full, "short"), errno);
  printf("%d %d %d\n", fprintf(full, "%10000d", 1), errno, ferror(full));
  setvbuf(full, NULL, _IONBF, 0);
  clearerr(full);
  printf("%d %d\n", fprintf(full, "x%d", 1), errno);
  printf("%d %d %d\n", fprintf(full, "%10000d", 1), errno, ferror(full));
  printf("%d\n", dprintf(fileno(full), "x"));
  FILE *input = fopen("/dev/null", "r");
  errno = 0;
  printf("%d %d %d\n", fprintf(input, "x"), errno, ferror(input));
  fprintf(stderr, "%s %d %m\n", "stderr", 1);
  return 0;
}
