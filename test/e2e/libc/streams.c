// stdio under the names for single threads, large files and fortified programs, and edge cases.
#include "libc.h"
#include <err.h>
#include <error.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio_ext.h>
#include <sys/wait.h>
#include <unistd.h>

extern int _IO_printf(const char *, ...), _IO_fprintf(FILE *, const char *, ...), _IO_vfprintf(FILE *, const char *, va_list), _IO_getc(FILE *), _IO_putc(int, FILE *);
extern int __overflow(FILE *, int), __underflow(FILE *), __uflow(FILE *);
extern int __printf_chk(int, const char *, ...), __fprintf_chk(FILE *, int, const char *, ...), __vprintf_chk(int, const char *, va_list), __vfprintf_chk(FILE *, int, const char *, va_list);
extern int __sprintf_chk(char *, int, size_t, const char *, ...), __snprintf_chk(char *, size_t, int, size_t, const char *, ...), __vsprintf_chk(char *, int, size_t, const char *, va_list),
    __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list), __asprintf_chk(char **, int, const char *, ...), __vasprintf_chk(char **, int, const char *, va_list),
    __dprintf_chk(int, int, const char *, ...), __vdprintf_chk(int, int, const char *, va_list);
extern int __wprintf_chk(int, const wchar_t *, ...), __fwprintf_chk(FILE *, int, const wchar_t *, ...), __vwprintf_chk(int, const wchar_t *, va_list), __vfwprintf_chk(FILE *, int, const wchar_t *, va_list),
    __swprintf_chk(wchar_t *, size_t, int, size_t, const wchar_t *, ...), __vswprintf_chk(wchar_t *, size_t, int, size_t, const wchar_t *, va_list);
extern int __isoc99_scanf(const char *, ...), __isoc99_fscanf(FILE *, const char *, ...), __isoc99_sscanf(const char *, const char *, ...), __isoc99_vscanf(const char *, va_list),
    __isoc99_vfscanf(FILE *, const char *, va_list), __isoc99_vsscanf(const char *, const char *, va_list), __isoc99_wscanf(const wchar_t *, ...), __isoc99_fwscanf(FILE *, const wchar_t *, ...),
    __isoc99_swscanf(const wchar_t *, const wchar_t *, ...), __isoc99_vwscanf(const wchar_t *, va_list), __isoc99_vfwscanf(FILE *, const wchar_t *, va_list), __isoc99_vswscanf(const wchar_t *, const wchar_t *, va_list);
extern int plain_vscanf(const char *, va_list) __asm__("vscanf"), plain_vfscanf(FILE *, const char *, va_list) __asm__("vfscanf");
extern char *__fgets_chk(char *, size_t, int, FILE *), *__fgets_unlocked_chk(char *, size_t, int, FILE *), *__gets_chk(char *, size_t), *gets(char *);
extern wchar_t *__fgetws_chk(wchar_t *, size_t, int, FILE *), *__fgetws_unlocked_chk(wchar_t *, size_t, int, FILE *);
extern size_t __fread_chk(void *, size_t, size_t, size_t, FILE *), __fread_unlocked_chk(void *, size_t, size_t, size_t, FILE *);

/* Calls a function of a va_list with what follows. */
#define WITH_LIST(name, result, call) \
  static result name(int which, const char *format, ...) { va_list list; va_start(list, format); result value = call; va_end(list); return value; }
static char buffer[100];
static wchar_t wide_buffer[100];
static char *block;
static FILE *file;
WITH_LIST(listed, int,
  which == 0 ? CALL(__vprintf_chk)(1, format, list) : which == 1 ? CALL(__vfprintf_chk)(stdout, 1, format, list) :
  which == 2 ? CALL(__vsprintf_chk)(buffer, 1, 100, format, list) : which == 3 ? CALL(__vsnprintf_chk)(buffer, 4, 1, 100, format, list) :
  which == 4 ? CALL(__vasprintf_chk)(&block, 1, format, list) : which == 5 ? CALL(__vdprintf_chk)(1, 1, format, list) :
  which == 6 ? CALL(_IO_vfprintf)(stdout, format, list) : which == 7 ? CALL(__isoc99_vfscanf)(file, format, list) :
  which == 8 ? CALL(__isoc99_vsscanf)("12 rest", format, list) : which == 9 ? CALL(__isoc99_vscanf)(format, list) :
  which == 10 ? CALL(vfprintf)(stdout, format, list) : which == 11 ? CALL(plain_vscanf)(format, list) :
  which == 12 ? CALL(plain_vfscanf)(file, format, list) : CALL(vprintf)(format, list))
static int wide_listed(int which, const wchar_t *format, ...) {
  va_list list;
  va_start(list, format);
  int value = which == 0 ? CALL(__vfwprintf_chk)(file, 1, format, list) : which == 1 ? CALL(__vswprintf_chk)(wide_buffer, 100, 1, 100, format, list) :
    which == 2 ? CALL(vfwprintf)(file, format, list) : which == 3 ? CALL(__isoc99_vfwscanf)(file, format, list) :
    which == 4 ? CALL(__isoc99_vswscanf)(L"34 rest", format, list) : which == 5 ? CALL(__isoc99_vwscanf)(format, list) :
    which == 6 ? CALL(__vwprintf_chk)(1, format, list) : CALL(vwprintf)(format, list);
  va_end(list);
  return value;
}

static void fill(const char *text) {
  FILE *out = CALL(fopen64)("text.txt", "w");
  CALL(fwrite_unlocked)(text, 1, strlen(text), out);
  NUMBER(CALL(fclose)(out));
}

static void bytes(void) {
  fill("line one\nline two\nno end");
  file = CALL(fopen64)("text.txt", "r+");
  NUMBER(CALL(fgetc_unlocked)(file)); NUMBER(CALL(_IO_getc)(file)); NUMBER(CALL(__underflow)(file)); NUMBER(CALL(__uflow)(file));
  TEXT(CALL(fgets_unlocked)(buffer, 100, file)); TEXT(CALL(__fgets_chk)(buffer, 100, 5, file)); TEXT(CALL(__fgets_unlocked_chk)(buffer, 100, 100, file));
  NUMBER(CALL(fread_unlocked)(buffer, 1, 3, file)); NUMBER(CALL(__fread_chk)(buffer, 100, 2, 1, file)); NUMBER(CALL(__fread_unlocked_chk)(buffer, 100, 1, 90, file));
  NUMBER(CALL(feof_unlocked)(file)); NUMBER(CALL(ferror_unlocked)(file)); CALL(clearerr_unlocked)(file); NUMBER(CALL(feof_unlocked)(file));
  NUMBER(CALL(ftello)(file)); NUMBER(CALL(ftello64)(file)); NUMBER(CALL(fseeko)(file, -3, SEEK_END)); NUMBER(CALL(fseeko64)(file, -9, SEEK_END)); NUMBER(CALL(fseeko64)(file, -99, SEEK_CUR));
  fpos64_t place; NUMBER(CALL(fgetpos64)(file, &place)); NUMBER(CALL(fputc_unlocked)('P', file)); NUMBER(CALL(fputs_unlocked)("UT", file) >= 0);
  NUMBER(CALL(fsetpos64)(file, &place)); NUMBER(CALL(fgetc)(file)); NUMBER(CALL(fileno_unlocked)(file) > 2); NUMBER(CALL(fflush_unlocked)(file));
  NUMBER(CALL(_IO_putc)('Q', file)); NUMBER(CALL(__overflow)(file, 'R')); CALL(rewind)(file); TEXT(CALL(fgets)(buffer, 100, file)); TEXT(CALL(fgets)(buffer, 100, file));
  file = CALL(freopen64)("text.txt", "a+", file); NUMBER(CALL(fputs)("!", file) >= 0); NUMBER(CALL(fseeko)(file, 0, SEEK_SET)); NUMBER(CALL(getc_unlocked)(file));
  CALL(_flushlbf)(); NUMBER(CALL(fclose)(file));
  NUMBER(CALL(fopen64)("none/none", "r") == NULL); NUMBER(CALL(fopen)("text.txt", "q") == NULL); NUMBER(CALL(fdopen)(99, "r") == NULL);
  file = CALL(tmpfile64)(); NUMBER(CALL(putc)('t', file)); CALL(rewind)(file); NUMBER(CALL(getc)(file)); NUMBER(CALL(getc)(file)); NUMBER(CALL(fclose)(file));
  char *name = CALL(tmpnam)(NULL); NUMBER(strncmp(name, "/tmp/file", 9)); NUMBER(strlen(name));
  NUMBER(CALL(putchar_unlocked)('\n'));
}

static void formats(void) {
  NUMBER(CALL(_IO_printf)("%d %s\n", 1, "one")); NUMBER(CALL(_IO_fprintf)(stdout, "%c\n", 'c')); NUMBER(CALL(__printf_chk)(1, "%5.1f|\n", 2.25)); NUMBER(CALL(__fprintf_chk)(stdout, 1, "%x\n", 255));
  NUMBER(listed(0, "%s\n", "vprintf")); NUMBER(listed(1, "%s\n", "vfprintf")); NUMBER(listed(2, "%s", "vsprintf")); TEXT(buffer); NUMBER(listed(3, "%s", "vsnprintf")); TEXT(buffer);
  NUMBER(listed(4, "%s", "vasprintf")); TEXT(block); free(block); CALL(fflush)(stdout); NUMBER(listed(5, "%s\n", "vdprintf")); NUMBER(listed(6, "%s\n", "old")); NUMBER(listed(10, "%*d\n", 30, 7));
  NUMBER(CALL(__sprintf_chk)(buffer, 1, 100, "%d%%", 50)); TEXT(buffer); NUMBER(CALL(__snprintf_chk)(buffer, 3, 1, 100, "%d", 12345)); TEXT(buffer);
  NUMBER(CALL(__asprintf_chk)(&block, 1, "%s-%s", "a", "b")); TEXT(block); free(block); CALL(fflush)(stdout); NUMBER(CALL(__dprintf_chk)(1, 1, "%o\n", 8));
  NUMBER(CALL(printf)("%f %F %e %g %a %Lf\n", 0.0 / 0.0, -1.0 / 0.0, 1e300, 1e-5, -0.0, 1e4000L)); NUMBER(CALL(printf)("%.*s|%-8s|%08.3f|%+d|% d|%#o|%'d\n", 2, "cut", "left", 3.14159, 5, 5, 8, 1234567));
  NUMBER(CALL(snprintf)(NULL, 0, "%2147483647d", 1)); NUMBER(CALL(snprintf)(NULL, 0, "%2147483647d%d", 1, 2)); NUMBER(CALL(snprintf)(NULL, 0, "%99999999999d", 1)); NUMBER(CALL(snprintf)(buffer, 5, "%300d", 1));
}

static void scans(void) {
  int n = 0, m = 0;
  fill("12 ab 3.5 0x1p3 nan zz");
  file = CALL(fopen)("text.txt", "r");
  double d = 0; float f = 0;
  NUMBER(CALL(__isoc99_fscanf)(file, "%d %2s", &n, buffer)); NUMBER(n); TEXT(buffer); NUMBER(listed(12, "%lf", &d)); NUMBER(listed(7, "%f", &f)); REAL(d); REAL(f); NUMBER(listed(13, "%s\n", "vprintf"));
  NUMBER(CALL(__isoc99_fscanf)(file, "%a", &f)); NUMBER(f != f); NUMBER(CALL(__isoc99_fscanf)(file, "%d", &n)); NUMBER(CALL(__isoc99_fscanf)(file, "%s", buffer)); NUMBER(CALL(__isoc99_fscanf)(file, "%s", buffer));
  CALL(fclose)(file);
  NUMBER(CALL(__isoc99_sscanf)("7,8", "%d,%d", &n, &m)); NUMBER(n + m); NUMBER(listed(8, "%d", &n)); NUMBER(n); NUMBER(CALL(__isoc99_sscanf)("", "%d", &n));
  NUMBER(CALL(__isoc99_swscanf)(L"9 x", L"%d %ls", &n, wide_buffer)); WIDE(wide_buffer); NUMBER(wide_listed(4, L"%d", &n)); NUMBER(n);
}

static void wide_streams(void) {
  fill("w\xc3\xa9" "e\nsecond\n44");
  file = CALL(fopen)("text.txt", "r");
  NUMBER(CALL(fgetwc_unlocked)(file)); NUMBER(CALL(getwc_unlocked)(file)); WIDE(CALL(fgetws_unlocked)(wide_buffer, 100, file)); WIDE(CALL(__fgetws_chk)(wide_buffer, 100, 4, file));
  WIDE(CALL(__fgetws_unlocked_chk)(wide_buffer, 100, 100, file)); int n = 0; NUMBER(CALL(__isoc99_fwscanf)(file, L"%1d", &n)); NUMBER(n); NUMBER(wide_listed(3, L"%d", &n)); NUMBER(CALL(fgetwc)(file) == WEOF);
  CALL(fclose)(file);
  file = CALL(fopen)("text.txt", "w+");
  NUMBER(CALL(fputwc_unlocked)(0x20ac, file)); NUMBER(CALL(putwc_unlocked)(L'p', file)); NUMBER(CALL(fputws_unlocked)(L"text\n", file)); NUMBER(CALL(__fwprintf_chk)(file, 1, L"%d\n", 5));
  NUMBER(wide_listed(0, L"%ls\n", L"list")); NUMBER(wide_listed(2, L"%s\n", "narrow")); CALL(rewind)(file); while (CALL(fgetws)(wide_buffer, 100, file)) WIDE(wide_buffer);
  NUMBER(CALL(fputwc)(0x7fffffff, file) == WEOF); CALL(fclose)(file);
  NUMBER(CALL(__swprintf_chk)(wide_buffer, 100, 1, 100, L"%d", 7)); WIDE(wide_buffer); NUMBER(wide_listed(1, L"%s", "x")); WIDE(wide_buffer);
}

static void inputs(void) {
  int pipes[2];
  if (pipe(pipes) != 0 || write(pipes[1], "first\nsecond\n5 6 7 8\n", 21) != 21) abort();
  close(pipes[1]); dup2(pipes[0], 0);
  TEXT(CALL(gets)(buffer)); TEXT(CALL(__gets_chk)(buffer, 100));
  int n = 0; NUMBER(CALL(__isoc99_scanf)("%d", &n)); NUMBER(n); NUMBER(listed(9, "%d", &n)); NUMBER(n); NUMBER(listed(11, "%d", &n)); NUMBER(n); NUMBER(CALL(getchar_unlocked)()); NUMBER(CALL(getchar)());
  NUMBER(CALL(getchar)()); NUMBER(CALL(getchar)()); NUMBER(CALL(getchar)()); NUMBER(CALL(feof)(stdin));
}

static void *prints(void *who) {
  for (int i = 0; i < 20; ++i) {
    CALL(flockfile)(file); CALL(fprintf)(file, "%s %d ", (char *)who, i); CALL(fputs)("whole", file); CALL(putc_unlocked)('\n', file); CALL(funlockfile)(file);
    CALL(fprintf)(file, "%s single %d\n", (char *)who, i);
  }
  return NULL;
}

static void threads(void) {
  static char *names[] = {"a", "b", "c", "d"};
  pthread_t made[4];
  file = CALL(fopen)("text.txt", "w");
  for (int i = 0; i < 4; ++i) pthread_create(&made[i], NULL, prints, names[i]);
  for (int i = 0; i < 4; ++i) pthread_join(made[i], NULL);
  NUMBER(CALL(ftrylockfile)(file)); CALL(funlockfile)(file); NUMBER(CALL(fclose)(file));
  file = CALL(fopen)("text.txt", "r");
  int whole = 0, single = 0, lines = 0, n;
  while (CALL(fgets)(buffer, 100, file)) {
    char end[100];
    ++lines;
    whole += sscanf(buffer, "%*[abcd] %d %5[whole]", &n, end) == 2 && strlen(end) == 5;
    single += sscanf(buffer, "%*[abcd] single %d", &n) == 1;
  }
  NUMBER(lines); NUMBER(whole); NUMBER(single);
  CALL(fclose)(file);
}

static void processes(void) {
  file = CALL(fopen)("text.txt", "w");
  CALL(fputs)("before ", file);
  CALL(fflush)(stdout);
  if (fork() == 0) { CALL(fprintf)(file, "child\n"); exit(3); }
  int status; wait(&status); NUMBER(WEXITSTATUS(status));
  CALL(fprintf)(file, "parent\n"); CALL(fclose)(file);
  file = CALL(fopen)("text.txt", "r"); while (CALL(fgets)(buffer, 100, file)) TEXT(buffer); CALL(fclose)(file);
  file = CALL(popen)("read a; echo got $a; exit 5", "r"); NUMBER(file != NULL); CALL(pclose)(file);
  file = CALL(popen)("cat; exit 7", "w"); CALL(fputs)("through cat\n", file); NUMBER(CALL(pclose)(file) >> 8);
  file = CALL(popen)("echo a; echo b", "re"); TEXT(CALL(fgets)(buffer, 100, file)); TEXT(CALL(fgets)(buffer, 100, file)); NUMBER(CALL(pclose)(file)); NUMBER(CALL(popen)("true", "x") == NULL); NUMBER(CALL(pclose)(CALL(popen)("kill -9 $$", "r")));
}

static void memory_streams(void) {
  char area[10] = "abc";
  file = CALL(fmemopen)(area, sizeof area, "r+"); NUMBER(CALL(fgetc)(file)); NUMBER(CALL(fseek)(file, 0, SEEK_END)); NUMBER(CALL(ftell)(file)); NUMBER(CALL(fclose)(file));
  file = CALL(fmemopen)(area, sizeof area, "w"); NUMBER(CALL(fprintf)(file, "0123456789abc")); NUMBER(CALL(fflush)(file)); NUMBER(CALL(fclose)(file)); NUMBER(memcmp(area, "012345678", 9));
  file = CALL(fmemopen)(area, 4, "a"); NUMBER(CALL(ftell)(file)); NUMBER(CALL(fclose)(file)); NUMBER(CALL(fmemopen)(NULL, 0, "r") == NULL);
  size_t size = 0; file = CALL(open_memstream)(&block, &size); NUMBER(CALL(fprintf)(file, "%9000d", 1)); NUMBER(CALL(fflush)(file)); NUMBER(size); NUMBER(CALL(fseek)(file, 10, SEEK_SET)); NUMBER(CALL(fputs)("mid", file) >= 0);
  NUMBER(CALL(fclose)(file)); NUMBER(size); NUMBER(strlen(block)); free(block);
  NUMBER(CALL(fopen)("text.txt", "r,ccs=nothing") == NULL); file = CALL(fopen)("text.txt", "w,ccs=UTF-8"); NUMBER(file != NULL); if (file) { NUMBER(CALL(fputws)(L"\x20ac\n", file)); NUMBER(CALL(fclose)(file)); }
  file = CALL(fopen)("text.txt", "r,ccs=UTF-8"); if (file) { NUMBER(CALL(fgetwc)(file)); NUMBER(CALL(fclose)(file)); }
  file = NULL; /* Such a file is libc's. */
}

static void listed_messages(int which, const char *format, ...) {
  va_list list;
  va_start(list, format);
  if (which == 0) CALL(vwarn)(format, list);
  else if (which == 1) CALL(vwarnx)(format, list);
  else if (which == 2) CALL(verr)(4, format, list);
  else CALL(verrx)(5, format, list);
  va_end(list);
}

static void messages(void) {
  errno = ENOENT; listed_messages(0, "%s", "vwarn"); listed_messages(1, "%s", "vwarnx"); CALL(warn)(NULL); CALL(error_at_line)(0, EPERM, "file.c", 12, "%s", "at line"); CALL(error_at_line)(0, 0, NULL, 0, "no file");
  error_one_per_line = 1; CALL(error_at_line)(0, 0, "file.c", 13, "once"); CALL(error_at_line)(0, 0, "file.c", 13, "once"); NUMBER(error_message_count);
  siginfo_t info = {.si_signo = SIGSEGV, .si_code = SEGV_MAPERR}; CALL(psiginfo)(&info, "info"); CALL(psignal)(SIGINT, NULL); CALL(psignal)(99999, "which");
  CALL(fflush)(stdout);
  for (int i = 0; i < 5; ++i) {
    int status;
    if (fork() == 0) {
      errno = EACCES;
      if (i == 0) CALL(err)(2, "err %d", i);
      if (i == 1) CALL(errx)(3, "errx %m");
      if (i < 4) listed_messages(i, "list %m");
      CALL(error)(6, EEXIST, "error");
    }
    wait(&status); NUMBER(WEXITSTATUS(status));
  }
}

int main(void) {
  CALL(setlocale)(LC_ALL, "C.UTF-8");
  bytes(); formats(); scans(); wide_streams(); inputs(); threads(); processes(); memory_streams(); messages();
  NUMBER(CALL(fcloseall)());
  return 0;
}
