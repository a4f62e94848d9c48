// What posix_spawn is to do with files: libc's list is behind a token in the program's structure.
#include "externals/external.h"
#include "externals/models/tokens.h"
#include "externals/outside.h"

#include <errno.h>
#include <spawn.h>

namespace culprit {
namespace {

using Actions = posix_spawn_file_actions_t;

TokenEntry *entryFor(const Actions *actions) {
  return actions ? entryOf(TokenKind::SpawnActions, actions->__actions) : nullptr;
}

/// libc's for the program's; others as they are.
template <typename Pointer> Pointer behind(Pointer actions) {
  TokenEntry *entry = entryFor(actions);
  return entry ? static_cast<Pointer>(entry->theirs) : actions;
}

} // namespace

CULPRIT_EXTERNAL int posix_spawn_file_actions_init(Actions *actions) {
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return CULPRIT_NEXT(posix_spawn_file_actions_init)(actions);
  auto *theirs = static_cast<Actions *>(__libc_malloc(sizeof(Actions)));
  void *token = theirs ? makeToken(TokenKind::SpawnActions, theirs) : nullptr;
  if (!token) {
    __libc_free(theirs);
    return ENOMEM;
  }
  *actions = {};
  actions->__actions = static_cast<__spawn_action *>(token);
  return CULPRIT_NEXT(posix_spawn_file_actions_init)(theirs);
}

CULPRIT_EXTERNAL int posix_spawn_file_actions_destroy(Actions *actions) {
  TokenEntry *entry = entryFor(actions);
  if (!entry)
    return CULPRIT_NEXT(posix_spawn_file_actions_destroy)(actions);
  int error = CULPRIT_NEXT(posix_spawn_file_actions_destroy)(static_cast<Actions *>(entry->theirs));
  __libc_free(entry->theirs);
  dropToken(actions->__actions);
  return error;
}

#define CULPRIT_SPAWN_ACTION(name, parameters, ...)                                                \
  CULPRIT_EXTERNAL int posix_spawn_file_actions_##name parameters {                                \
    return CULPRIT_NEXT(posix_spawn_file_actions_##name)(behind(actions), __VA_ARGS__);            \
  }
CULPRIT_SPAWN_ACTION(addopen,
                     (Actions * actions, int file, const char *path, int flags, mode_t mode), file,
                     path, flags, mode)
CULPRIT_SPAWN_ACTION(addclose, (Actions * actions, int file), file)
CULPRIT_SPAWN_ACTION(adddup2, (Actions * actions, int file, int copy), file, copy)
CULPRIT_SPAWN_ACTION(addchdir_np, (Actions * actions, const char *path), path)
CULPRIT_SPAWN_ACTION(addfchdir_np, (Actions * actions, int file), file)
CULPRIT_SPAWN_ACTION(addclosefrom_np, (Actions * actions, int file), file)
CULPRIT_SPAWN_ACTION(addtcsetpgrp_np, (Actions * actions, int file), file)

CULPRIT_EXTERNAL int posix_spawn(pid_t *process, const char *path, const Actions *actions,
                                 const posix_spawnattr_t *attributes, char *const *arguments,
                                 char *const *environment) {
  return CULPRIT_NEXT(posix_spawn)(process, path, behind(actions), attributes, arguments,
                                   environment);
}

CULPRIT_EXTERNAL int posix_spawnp(pid_t *process, const char *file, const Actions *actions,
                                  const posix_spawnattr_t *attributes, char *const *arguments,
                                  char *const *environment) {
  return CULPRIT_NEXT(posix_spawnp)(process, file, behind(actions), attributes, arguments,
                                    environment);
}

} // namespace culprit
