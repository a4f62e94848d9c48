// The contract between generated code, runtime and host: names, sections, version.
//
// abi/hooks.def lists the functions and data that generated code uses of the runtime; this file
// holds what is not a hook. Every twin refers to the symbol kVersionCheckSymbol, which only a
// runtime of the same version defines: a stale twin fails at link.
#ifndef CULPRIT_ABI_CONTRACT_H
#define CULPRIT_ABI_CONTRACT_H

#define CULPRIT_ABI_VERSION 1
#define CULPRIT_ABI_STRING_(x) #x
#define CULPRIT_ABI_STRING(x) CULPRIT_ABI_STRING_(x)
#define CULPRIT_ABI_VERSION_CHECK __culprit_version_mismatch_check_v1

namespace culprit::abi {

inline constexpr int kVersion = CULPRIT_ABI_VERSION;
/// Defined by the runtime, referred to by every twin.
inline constexpr char kVersionCheckSymbol[] = CULPRIT_ABI_STRING(CULPRIT_ABI_VERSION_CHECK);

/// Section of mode `count`'s counters, and the symbol of each module's array (prefix + module id).
inline constexpr char kCountSection[] = "culprit_counts";
inline constexpr char kCountSymbolPrefix[] = "__culprit_counts.";

/// Which image of the program this is (0: the executable): the distance between two symbols, which
/// holds in position-independent images, too.
inline constexpr char kImageIndexSymbol[] = "__culprit_image_index";
inline constexpr char kImageBaseSymbol[] = "__culprit_image_base";

/// Where an executable starts (runtime/entry.cpp), and where it would have: defined where that is
/// not `_start`.
inline constexpr char kEntrySymbol[] = "__culprit_entry";
inline constexpr char kProgramEntrySymbol[] = "__culprit_program_entry";
/// What the program header of the dynamic loader's path becomes: the kernel is to start the
/// executable itself.
inline constexpr unsigned kLoaderSegment = 0x6375'6c70;
/// Defined in a program that keeps the address of errno (compiler/twin/kept_errno.h).
#define CULPRIT_ERRNO_IS_KEPT __culprit_errno_is_kept
inline constexpr char kErrnoIsKeptSymbol[] = CULPRIT_ABI_STRING(CULPRIT_ERRNO_IS_KEPT);
/// The program's stdout; whoever refers to it gets all of stdio.
inline constexpr char kStreamsSymbol[] = "__culprit_stdout";
/// The program's three standard streams (externals/shims/stream_list.cpp), in this order.
inline constexpr char kStandardStreams[] = "_ZN7culprit17g_standardStreamsE";
inline constexpr const char *kStandardStreamNames[] = {"stdin", "stdout", "stderr"};
/// What instrumented shims of any image ask the executable for.
inline constexpr char kLocaleSymbol[] = "__culprit_libc_locale";

/// What libstdc++ gets from libc to keep it in objects of the program's (externals/external.h): one
/// function of each file. A linker takes nothing from archives for what a shared library refers to.
inline constexpr const char *kCalledByCppLibrary[] = {"__newlocale", "__wctype_l",
                                                      "__nl_langinfo_l", "fdopendir", "iconv_open"};

/// Functions of libc that the runtime stands in front of, in the program and in its libraries.
inline constexpr const char *kInterposed[] = {
    "readlink",
    "readlinkat",
    "realpath",
    "canonicalize_file_name",
    "open",
    "open64",
    "openat",
    "openat64",
    "execve",
    "execv",
    "makecontext",
    "setcontext",
    "swapcontext",
    "clone",
    "__clone",
    "getppid",
    "sigaction",
    "signal",
    "bsd_signal",
    "ssignal",
    "sysv_signal",
    "__sysv_signal",
    "sigset",
    "sigignore",
    "siginterrupt",
    "sigaltstack",
    "raise",
    "gsignal",
    "kill",
    "killpg",
    "tgkill",
    "sigqueue",
    "pthread_kill",
    "pthread_create",
    "pthread_join",
    "pthread_tryjoin_np",
    "pthread_timedjoin_np",
    "pthread_clockjoin_np",
    "pthread_detach",
    "pthread_getattr_np",
    "thrd_create",
    "thrd_join",
    "thrd_detach",
    "sigprocmask",
    "pthread_sigmask",
    "_exit",
    "_Exit",
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "free",
    "memalign",
    "aligned_alloc",
    "posix_memalign",
    "valloc",
    "pvalloc",
    "malloc_usable_size",
    // operator new and delete
    "_Znwm",
    "_Znam",
    "_ZnwmRKSt9nothrow_t",
    "_ZnamRKSt9nothrow_t",
    "_ZnwmSt11align_val_t",
    "_ZnamSt11align_val_t",
    "_ZnwmSt11align_val_tRKSt9nothrow_t",
    "_ZnamSt11align_val_tRKSt9nothrow_t",
    "_ZdlPv",
    "_ZdaPv",
    "_ZdlPvm",
    "_ZdaPvm",
    "_ZdlPvRKSt9nothrow_t",
    "_ZdaPvRKSt9nothrow_t",
    "_ZdlPvSt11align_val_t",
    "_ZdaPvSt11align_val_t",
    "_ZdlPvmSt11align_val_t",
    "_ZdaPvmSt11align_val_t",
    "_ZdlPvSt11align_val_tRKSt9nothrow_t",
    "_ZdaPvSt11align_val_tRKSt9nothrow_t",
};

/// What the runtime calls of a static libc in place of what it stands in front of.
inline constexpr const char *kStaticLibcNames[] = {
    "__pthread_create",        "__pthread_join",          "__pthread_tryjoin_np",
    "___pthread_timedjoin_np", "___pthread_clockjoin_np", "__pthread_detach",
    "__pthread_kill",          "__pthread_getattr_np",
};

/// The host's word to the runtime, taken out of the environment before any constructor runs.
/// Lines of the form key=value; see runtime/start.cpp.
inline constexpr char kStartVariable[] = "CULPRIT_START";

} // namespace culprit::abi
#endif
