// Names of files, terminals and users that libc makes: in blocks of the program's where the program
// frees them, else in one slot each.
#include "externals/external.h"
#include "externals/models/kept_text.h"
#include "externals/models/moved_block.h"

#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <libgen.h>

// <libgen.h> has a macro that makes this basename; C++ has overloads of the other.
#undef basename

namespace culprit {
namespace {

char g_terminal[PATH_MAX];
char g_pseudoTerminal[64];
char g_login[256];
char g_controlling[16];
char g_owner[256];
char g_password[PATH_MAX];
char g_temporary[PATH_MAX];

} // namespace

CULPRIT_EXTERNAL char *getcwd(char *buffer, size_t size) {
  char *path = CULPRIT_NEXT(getcwd)(buffer, size);
  if (!path || buffer || !CULPRIT_CALLED_BY_PROGRAM)
    return path;
  return static_cast<char *>(movedBlock(path, size == 0 ? strlen(path) + 1 : size));
}

CULPRIT_EXTERNAL char *get_current_dir_name() {
  char *path = CULPRIT_NEXT(get_current_dir_name)();
  return CULPRIT_CALLED_BY_PROGRAM ? movedText(path) : path;
}

CULPRIT_EXTERNAL char *tempnam(const char *folder, const char *prefix) {
  char *path = CULPRIT_NEXT(tempnam)(folder, prefix);
  return CULPRIT_CALLED_BY_PROGRAM ? movedText(path) : path;
}

CULPRIT_EXTERNAL char *tmpnam(char *buffer) {
  char *path = CULPRIT_NEXT(tmpnam)(buffer);
  return buffer || !CULPRIT_CALLED_BY_PROGRAM ? path : copyInto(g_temporary, path);
}

CULPRIT_EXTERNAL char *ttyname(int file) {
  char *path = CULPRIT_NEXT(ttyname)(file);
  return CULPRIT_CALLED_BY_PROGRAM ? copyInto(g_terminal, path) : path;
}

CULPRIT_EXTERNAL char *ptsname(int file) {
  char *path = CULPRIT_NEXT(ptsname)(file);
  return CULPRIT_CALLED_BY_PROGRAM ? copyInto(g_pseudoTerminal, path) : path;
}

CULPRIT_EXTERNAL char *ctermid(char *buffer) {
  char *path = CULPRIT_NEXT(ctermid)(buffer);
  return buffer || !CULPRIT_CALLED_BY_PROGRAM ? path : copyInto(g_controlling, path);
}

CULPRIT_EXTERNAL char *getlogin() {
  char *name = CULPRIT_NEXT(getlogin)();
  return CULPRIT_CALLED_BY_PROGRAM ? copyInto(g_login, name) : name;
}

CULPRIT_EXTERNAL char *cuserid(char *buffer) {
  char *name = CULPRIT_NEXT(cuserid)(buffer);
  return buffer || !CULPRIT_CALLED_BY_PROGRAM ? name : copyInto(g_owner, name);
}

CULPRIT_EXTERNAL char *getpass(const char *prompt) {
  char *text = CULPRIT_NEXT(getpass)(prompt);
  return CULPRIT_CALLED_BY_PROGRAM ? copyInto(g_password, text) : text;
}

CULPRIT_EXTERNAL char *getusershell() {
  char *path = CULPRIT_NEXT(getusershell)();
  return CULPRIT_CALLED_BY_PROGRAM ? keptText(path) : path;
}

// These cut the path where it is, or return a text of libc's: "." or "/".

CULPRIT_EXTERNAL char *dirname(char *path) {
  char *folder = CULPRIT_NEXT(dirname)(path);
  return folder == path || !CULPRIT_CALLED_BY_PROGRAM ? folder : keptText(folder);
}

CULPRIT_EXTERNAL char *__xpg_basename(char *path) {
  char *name = CULPRIT_NEXT(__xpg_basename)(path);
  bool isInPath = path && *path;
  return isInPath || !CULPRIT_CALLED_BY_PROGRAM ? name : keptText(name);
}

} // namespace culprit
