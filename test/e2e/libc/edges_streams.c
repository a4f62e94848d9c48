// Streams in unusual ways: partial reads, pushed-back letters, positions in memory, modes, states.
#include "libc.h"
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio_ext.h>
#include <sys/wait.h>
#include <unistd.h>

static void show_bytes(const char *name, const void *bytes, size_t size) {
  printf("%s:", name);
  for (size_t i = 0; i < size; ++i)
    printf(" %02x", ((const unsigned char *)bytes)[i]);
  printf("\n");
}

static void pushed_back(void) {
  FILE *file = CALL(fopen)("pushed", "w+");
  fputs("abcdef\nsecond\n", file);
  rewind(file);
  NUMBER(CALL(ungetc)('Z', file));
  NUMBER(CALL(ftell)(file));
  NUMBER(CALL(fgetc)(file));
  NUMBER(CALL(fgetc)(file));
  for (int i = 0; i < 5; ++i)
    NUMBER(CALL(ungetc)('0' + i, file));
  NUMBER(CALL(ftell)(file));
  NUMBER(CALL(ungetc)(EOF, file));
  char line[40] = "";
  TEXT(CALL(fgets)(line, 8, file));
  NUMBER(CALL(ftello)(file));
  NUMBER(CALL(fseek)(file, 0, SEEK_END));
  NUMBER(CALL(fgetc)(file));
  NUMBER(CALL(feof)(file));
  NUMBER(CALL(ungetc)('q', file));
  NUMBER(CALL(feof)(file));
  NUMBER(CALL(fgetc)(file));
  NUMBER(CALL(fgetc)(file));
  NUMBER(CALL(fseek)(file, 3, SEEK_SET));
  CALL(ungetc)('!', file);
  NUMBER(CALL(fseek)(file, 1, SEEK_CUR));
  NUMBER(CALL(fgetc)(file));
  CALL(ungetc)('?', file);
  NUMBER(CALL(fflush)(file));
  NUMBER(CALL(ftell)(file));
  NUMBER(CALL(fseek)(file, -1, SEEK_SET));
  NUMBER(CALL(fseek)(file, 0, 77));
  NUMBER(CALL(fputc)('W', file));
  NUMBER(CALL(fseek)(file, 0, SEEK_SET));
  TEXT(CALL(fgets)(line, 40, file));
  fpos_t place;
  NUMBER(CALL(fgetpos)(file, &place));
  NUMBER(CALL(fgetc)(file));
  NUMBER(CALL(fsetpos)(file, &place));
  NUMBER(CALL(getw)(file));
  NUMBER(CALL(putw)(0x41424344, file));
  NUMBER(CALL(fclose)(file));
  NUMBER(CALL(unlink)("pushed"));
}

static void lines(void) {
  FILE *file = fopen("lines", "w+");
  CALL(fwrite)("one\0two\nthree;four", 1, 18, file);
  rewind(file);
  char *line = NULL;
  size_t size = 0;
  NUMBER(CALL(getdelim)(&line, &size, '\n', file));
  show_bytes("line", line, 8);
  NUMBER(CALL(getdelim)(&line, &size, ';', file));
  TEXT(line);
  NUMBER(CALL(getdelim)(&line, &size, ';', file));
  TEXT(line);
  NUMBER(CALL(getdelim)(&line, &size, ';', file));
  NUMBER(CALL(feof)(file));
  NUMBER(CALL(ferror)(file));
  NUMBER(CALL(getline)(NULL, &size, file));
  NUMBER(CALL(getline)(&line, NULL, file));
  CALL(clearerr)(file);
  rewind(file);
  free(line);
  line = NULL;
  size = 77777;
  NUMBER(CALL(getline)(&line, &size, file));
  NUMBER(size > 0);
  free(line);
  rewind(file);
  line = malloc(1);
  size = 1;
  NUMBER(CALL(getline)(&line, &size, file));
  NUMBER(CALL(getdelim)(&line, &size, -1, file));
  free(line);
  char few[4] = "###";
  rewind(file);
  TEXT(CALL(fgets)(few, 1, file));
  NUMBER(few[0]);
  TEXT(CALL(fgets)(few, 2, file));
  NUMBER(CALL(fgets)(few, 0, file) == NULL);
  NUMBER(CALL(fread)(few, 0, 5, file));
  NUMBER(CALL(fread)(few, 3, 1, file));
  NUMBER(CALL(fread)(few, 3, 100, stdin));
  fclose(file);
  unlink("lines");
}

static void memory_streams(void) {
  char *held = NULL;
  size_t size = 0;
  FILE *file = CALL(open_memstream)(&held, &size);
  fputs("hello", file);
  NUMBER(CALL(fflush)(file));
  NUMBER(size);
  TEXT(held);
  NUMBER(CALL(fseeko)(file, 2, SEEK_SET));
  fputs("LL", file);
  fflush(file);
  NUMBER(size);
  TEXT(held);
  NUMBER(CALL(fseek)(file, 10, SEEK_SET));
  fputs("x", file);
  fflush(file);
  NUMBER(size);
  show_bytes("gap", held, size);
  NUMBER(CALL(fseek)(file, 0, SEEK_END));
  NUMBER(ftell(file));
  NUMBER(CALL(fseek)(file, -3, SEEK_CUR));
  fputs("e", file);
  NUMBER(CALL(fseek)(file, -100, SEEK_CUR));
  NUMBER(CALL(fclose)(file));
  NUMBER(size);
  show_bytes("all", held, size);
  free(held);
  wchar_t *wides = NULL;
  file = CALL(open_wmemstream)(&wides, &size);
  fputws(L"wide", file);
  fflush(file);
  NUMBER(size);
  fseek(file, 1, SEEK_SET);
  fputwc(L'\u00e4', file);
  fclose(file);
  NUMBER(size);
  NUMBER(wides[1]);
  free(wides);
  static const char *const modes[] = {"r", "r+", "w", "w+", "a", "a+", "rb", "x", ""};
  for (unsigned i = 0; i < sizeof modes / sizeof *modes; ++i) {
    char buffer[12] = "abc\0efghijk";
    FILE *memory = CALL(fmemopen)(buffer, 11, modes[i]);
    printf("fmemopen %s: %d errno %d\n", modes[i], memory != NULL, errno);
    errno = 0;
    if (!memory)
      continue;
    NUMBER(ftell(memory));
    NUMBER(fputs("12", memory));
    NUMBER(fflush(memory));
    NUMBER(ftell(memory));
    NUMBER(fseek(memory, 0, SEEK_END));
    NUMBER(ftell(memory));
    rewind(memory);
    char got[20];
    size_t count = fread(got, 1, 20, memory);
    NUMBER(count);
    show_bytes("got", got, count);
    NUMBER(fseek(memory, 12, SEEK_SET));
    NUMBER(fputs("longer than the rest", memory));
    NUMBER(fclose(memory));
    show_bytes("buffer", buffer, 12);
  }
  file = CALL(fmemopen)(NULL, 8, "w+");
  NUMBER(fputs("0123456789", file));
  NUMBER(fflush(file));
  rewind(file);
  char got[20];
  NUMBER(fread(got, 1, 20, file));
  fclose(file);
  NUMBER(CALL(fmemopen)(NULL, 0, "w+") != NULL);
}

static void states(void) {
  char buffer[3];
  FILE *file = fopen("states", "w+");
  NUMBER(CALL(setvbuf)(file, buffer, _IOFBF, 3));
  NUMBER(CALL(__fbufsize)(file));
  fputs("abcdefg", file);
  NUMBER(CALL(__fpending)(file) <= 3);
  NUMBER(CALL(setvbuf)(file, NULL, 7, 0));
  NUMBER(CALL(__fwriting)(file));
  NUMBER(CALL(__freading)(file));
  NUMBER(CALL(fflush)(file));
  rewind(file);
  NUMBER(fgetc(file));
  NUMBER(CALL(__freading)(file));
  NUMBER(CALL(__freadable)(file));
  NUMBER(CALL(__flbf)(file));
  CALL(__fpurge)(file);
  NUMBER(fgetc(file));
  NUMBER(CALL(fileno)(file) > 2);
  FILE *again = CALL(freopen)("states2", "w", file);
  NUMBER(again == file);
  fputs("second", file);
  NUMBER(CALL(freopen)(NULL, "r", file) == file);
  char line[20] = "";
  TEXT(fgets(line, 20, file));
  NUMBER(CALL(fputc)('x', file));
  NUMBER(ferror(file));
  NUMBER(CALL(fputs)("x", file));
  clearerr(file);
  NUMBER(CALL(freopen)("/nonexistent/x", "r", file) == NULL);
  NUMBER(CALL(fopen)("states", "") != NULL);
  NUMBER(CALL(fopen)("states", "rx") != NULL);
  FILE *exclusive = CALL(fopen)("states", "wx");
  NUMBER(exclusive != NULL);
  NUMBER(CALL(fdopen)(999, "r") != NULL);
  int descriptor = open("states", O_RDONLY);
  NUMBER(CALL(fdopen)(descriptor, "w") != NULL);
  FILE *appended = CALL(fdopen)(descriptor, "r");
  NUMBER(fgetc(appended));
  NUMBER(lseek(descriptor, 0, SEEK_CUR));
  NUMBER(fclose(appended));
  NUMBER(lseek(descriptor, 0, SEEK_CUR));
  FILE *both = fopen("states", "a+");
  NUMBER(ftell(both));
  NUMBER(fgetc(both));
  fseek(both, 0, SEEK_CUR);
  fputc('E', both);
  NUMBER(ftell(both));
  rewind(both);
  TEXT(fgets(line, 20, both));
  fclose(both);
  FILE *temporary = CALL(tmpfile)();
  NUMBER(temporary != NULL);
  fputs("t", temporary);
  rewind(temporary);
  NUMBER(fgetc(temporary));
  NUMBER(fgetc(temporary));
  fclose(temporary);
  NUMBER(CALL(fwide)(stderr, 0));
  file = fopen("states", "r");
  NUMBER(CALL(fwide)(file, 1));
  NUMBER(CALL(fwide)(file, -1));
  NUMBER(CALL(fgetwc)(file));
  NUMBER(CALL(ungetwc)(L'x', file));
  NUMBER(CALL(getwc)(file));
  NUMBER(fgetc(file));
  fclose(file);
  FILE *full = fopen("/dev/full", "w");
  NUMBER(fputs("text", full));
  NUMBER(CALL(fflush)(full));
  NUMBER(ferror(full));
  NUMBER(CALL(fclose)(full));
  FILE *folder = fopen(".", "r");
  NUMBER(folder != NULL);
  NUMBER(fgetc(folder));
  NUMBER(ferror(folder));
  fclose(folder);
  unlink("states");
  unlink("states2");
}

static volatile int alarms;
static void on_alarm(int number) {
  ++alarms;
  (void)number;
}
static void children(void) {
  int pipes[2];
  pipe(pipes);
  struct sigaction action = {.sa_handler = on_alarm};
  sigaction(SIGALRM, &action, NULL);
  FILE *file = fdopen(pipes[0], "r");
  ualarm(30000, 0);
  NUMBER(CALL(fgetc)(file));
  NUMBER(ferror(file));
  NUMBER(feof(file));
  clearerr(file);
  write(pipes[1], "partial", 7);
  char got[20] = "";
  NUMBER(CALL(fread)(got, 1, 4, file));
  TEXT(got);
  close(pipes[1]);
  NUMBER(CALL(fread)(got, 1, 19, file));
  TEXT(got);
  NUMBER(feof(file));
  fclose(file);
  FILE *child = CALL(popen)("echo out; exit 3", "r");
  TEXT(fgets(got, 20, child));
  NUMBER(CALL(pclose)(child));
  child = popen("kill -9 $$", "r");
  NUMBER(fgetc(child));
  int status = pclose(child);
  NUMBER(WIFSIGNALED(status));
  NUMBER(WTERMSIG(status));
  child = popen("cat >popen.out", "w");
  fputs("to child\n", child);
  NUMBER(pclose(child));
  child = popen("cat popen.out", "re");
  TEXT(fgets(got, 20, child));
  NUMBER(pclose(child));
  unlink("popen.out");
  NUMBER(CALL(popen)("true", "rw") != NULL);
  NUMBER(CALL(system)("exit 7"));
  NUMBER(CALL(system)(NULL));
  NUMBER(CALL(system)("nonexistent-command-x 2>/dev/null"));
  signal(SIGPIPE, SIG_IGN);
  child = popen("true", "w");
  usleep(50000);
  NUMBER(fputs("x", child));
  NUMBER(fflush(child));
  NUMBER(pclose(child));
}

static void scans(void) {
  char *word = NULL, *letters = NULL;
  wchar_t *wides = NULL;
  int value = -1, count = -1;
  double real = 0;
  char few[5] = "####";
  NUMBER(CALL(sscanf)("hello world", "%ms %m[a-z]", &word, &letters));
  TEXT(word);
  TEXT(letters);
  free(word);
  free(letters);
  NUMBER(CALL(sscanf)("xyz", "%mc%n", &word, &count));
  NUMBER(*word);
  NUMBER(count);
  free(word);
  word = NULL;
  NUMBER(CALL(sscanf)("", "%ms", &word));
  NUMBER(word == NULL);
  NUMBER(CALL(sscanf)("wide", "%mls", &wides));
  WIDE(wides);
  free(wides);
  NUMBER(CALL(sscanf)("12abc", "%i%n%4c", &value, &count, few));
  NUMBER(value);
  NUMBER(count);
  show_bytes("few", few, 5);
  NUMBER(CALL(sscanf)("0x", "%i", &value));
  NUMBER(value);
  NUMBER(CALL(sscanf)("0x1p3 nan(12) -inf", "%lf", &real));
  NUMBER(real);
  NUMBER(CALL(sscanf)("99999999999999999999", "%d", &value));
  NUMBER(value);
  NUMBER(CALL(sscanf)("-", "%d", &value));
  NUMBER(CALL(sscanf)("1e", "%lf", &real));
  NUMBER(CALL(sscanf)("infinit", "%lf", &real));
  NUMBER(CALL(sscanf)("a]b-c", "%[]a]%*[b-]%c", few, few + 4));
  show_bytes("set", few, 5);
  NUMBER(CALL(sscanf)("%5", "%%%d", &value));
  NUMBER(value);
  NUMBER(CALL(sscanf)("12 34", "%2$d %1$d", &value, &count));
  NUMBER(value);
  NUMBER(count);
  short small;
  signed char tiny;
  long long big;
  NUMBER(CALL(sscanf)("70000 300 9223372036854775808", "%hd %hhd %lld", &small, &tiny, &big));
  NUMBER(small);
  NUMBER(tiny);
  NUMBER(big);
  errno = 0;
  char line[400];
  NUMBER(CALL(snprintf)(line, 20, "%*d|%-*d|", 5, 1, -5, 2));
  TEXT(line);
  NUMBER(CALL(snprintf)(NULL, 0, "%300.200d", 7));
  NUMBER(CALL(snprintf)(line, 400, "%.0f %#.0f %g %G %a %A %F", 2.5, 2.0, 1e-5, 1e20, 0.1, -1.5,
                        1.0 / 0.0));
  TEXT(line);
  NUMBER(CALL(snprintf)(line, 400, "%f %e %+g % d %'d %#x %#o %n", 0.0 / 0.0, -0.0, 3.0, 5, 1234567,
                        0, 8, &count));
  TEXT(line);
  NUMBER(count);
  NUMBER(CALL(snprintf)(line, 400, "%.3s|%.*s|%ls|%lc|%5c|%-5c|%%|%p", "abcdef", -1, "neg",
                        L"w\u00e4", L'\u20ac', 'x', 'y', (void *)0));
  TEXT(line);
  NUMBER(CALL(snprintf)(line, 10, "%ls", L"\xd800"));
  NUMBER(CALL(snprintf)(line, 400, "%Lf %La %.30Lg %jd %zd %td %hhx", 1.5L, 0.1L, 1 / 3.0L,
                        (intmax_t)-1, (ssize_t)-2, (ptrdiff_t)3, 511));
  TEXT(line);
  NUMBER(CALL(snprintf)(line, 400, "%2147483648d", 1));
  NUMBER(CALL(snprintf)(line, 400, "%1$s %1$s %3$*2$d", "a", 4, 5));
  TEXT(line);
  errno = 5;
  NUMBER(CALL(snprintf)(line, 400, "%m %y"));
  TEXT(line);
}

int main(void) {
  setlocale(LC_ALL, "C.UTF-8");
  pushed_back();
  lines();
  memory_streams();
  states();
  children();
  scans();
  NUMBER(alarms);
}
