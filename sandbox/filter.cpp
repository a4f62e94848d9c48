// See filter.h; libseccomp makes the filter from these lists.
//
// System calls that are newer than the lists are answered with ENOSYS, for which programs are
// prepared: nobody knows what they will be able to do.
#include "sandbox/filter.h"

#include "support/diagnostics.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

namespace culprit {
namespace {

constexpr uint32_t kFirstUnknownCall = 450; ///< after futex_waitv, Linux 5.16

/// Change the machine, look into other processes, or go round the file system. Never allowed.
constexpr int kDenied[] = {
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_move_mount,
    SYS_open_tree,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_mount_setattr,
    SYS_swapon,
    SYS_swapoff,
    SYS_reboot,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_ptrace,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_userfaultfd,
    SYS_open_by_handle_at,
    SYS_setns,
    SYS_unshare,
    SYS_quotactl,
    SYS_quotactl_fd,
    SYS_acct,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_iopl,
    SYS_ioperm,
    SYS_vhangup,
    SYS_fanotify_init,
    SYS_pidfd_getfd,
    SYS_process_madvise,
    SYS_process_mrelease,
    SYS_kcmp,
    SYS_syslog,
    SYS_lookup_dcookie,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_migrate_pages,
    SYS_move_pages,
    SYS_memfd_secret,
};

/// As if the kernel did not have them: programs fall back to what can be looked at.
constexpr int kMissing[] = {
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_clone3,
};

/// The host counts processes, lets the first program start and knows the granted files. The C
/// library opens files with openat; only the runtime and a few others use open.
constexpr int kAskedAlways[] = {
    SYS_execve, SYS_execveat, SYS_fork, SYS_vfork, SYS_open,
};

/// Without namespaces: whatever takes a path, changes a file's attributes, or names a process.
constexpr int kAskedWithoutNamespaces[] = {
    SYS_openat,
    SYS_openat2,
    SYS_creat,
    SYS_truncate,
    SYS_stat,
    SYS_lstat,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_access,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_readlink,
    SYS_readlinkat,
    SYS_unlink,
    SYS_unlinkat,
    SYS_rename,
    SYS_renameat,
    SYS_renameat2,
    SYS_mkdir,
    SYS_mkdirat,
    SYS_rmdir,
    SYS_link,
    SYS_linkat,
    SYS_symlink,
    SYS_symlinkat,
    SYS_mknod,
    SYS_mknodat,
    SYS_chmod,
    SYS_fchmod,
    SYS_fchmodat,
    SYS_chown,
    SYS_fchown,
    SYS_lchown,
    SYS_fchownat,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
    SYS_utimensat,
    SYS_chdir,
    SYS_fchdir,
    SYS_getcwd,
    SYS_getdents,
    SYS_getdents64,
    SYS_getxattr,
    SYS_lgetxattr,
    SYS_listxattr,
    SYS_llistxattr,
    SYS_statfs,
    SYS_kill,
    SYS_tkill,
    SYS_tgkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
};

/// Without namespaces: extended attributes, as on a file system that has none.
constexpr int kUnsupportedWithoutNamespaces[] = {
    SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
};

/// Without namespaces: what reaches beyond the sandbox and is not worth imitating.
constexpr int kDeniedWithoutNamespaces[] = {
    SYS_shmget,
    SYS_shmat,
    SYS_shmctl,
    SYS_semget,
    SYS_semop,
    SYS_semtimedop,
    SYS_semctl,
    SYS_msgget,
    SYS_msgsnd,
    SYS_msgrcv,
    SYS_msgctl,
    SYS_mq_open,
    SYS_mq_unlink,
    SYS_pidfd_open,
    SYS_pidfd_send_signal,
    SYS_inotify_add_watch,
    SYS_bind,
    SYS_connect,
    SYS_listen,
    SYS_name_to_handle_at,
    SYS_uselib,
    SYS_setpriority,
    SYS_ioprio_set,
};

/// A condition on a number of 32 bits: the rest of the register is not the kernel's concern, and
/// must not make two numbers differ. With other comparisons, what is too large does not pass.
scmp_arg_cmp number(unsigned argument, scmp_compare comparison, uint32_t value) {
  scmp_arg_cmp condition = SCMP_CMP32(argument, comparison, value, 0);
  if (comparison == SCMP_CMP_EQ)
    condition = SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, UINT32_MAX, value);
  return condition;
}

class Filter {
public:
  Filter() : context_(seccomp_init(SCMP_ACT_ALLOW)) {
    if (!context_)
      failInternal("libseccomp cannot make a filter");
  }
  ~Filter() { seccomp_release(context_); }
  Filter(const Filter &) = delete;
  Filter &operator=(const Filter &) = delete;

  template <size_t N> void add(uint32_t action, const int (&calls)[N]) {
    for (int call : calls)
      add(action, call);
  }

  template <typename... Conditions> void add(uint32_t action, int call, Conditions... conditions) {
    int error = seccomp_rule_add(context_, action, call, sizeof...(conditions), conditions...);
    if (error != 0)
      failInternal("libseccomp refuses a rule for system call {}: {}", call, std::strerror(-error));
  }

  std::vector<sock_filter> compile() const {
    UniqueFd file(memfd_create("filter", MFD_CLOEXEC));
    struct stat facts = {};
    if (seccomp_export_bpf(context_, file.get()) != 0 || fstat(file.get(), &facts) != 0)
      failInternal("libseccomp cannot write its filter");
    std::vector<sock_filter> program = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kFirstUnknownCall, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    };
    size_t own = program.size();
    program.resize(own + static_cast<size_t>(facts.st_size) / sizeof(sock_filter));
    if (pread(file.get(), program.data() + own, static_cast<size_t>(facts.st_size), 0) !=
        facts.st_size)
      failInternal("the filter cannot be read back");
    return program;
  }

private:
  scmp_filter_ctx context_;
};

/// Packets stay in the sandbox's own network namespace. Sockets with names in the file system do
/// not belong to one, nor do virtual machines' sockets.
void addSockets(Filter &filter, SandboxWay way) {
  constexpr uint32_t kOwn[] = {AF_INET, AF_INET6, AF_NETLINK};
  constexpr uint32_t kMostFamilies = 64;
  for (uint32_t family = 0; family < kMostFamilies; ++family) {
    bool isOwn = way == SandboxWay::Namespace &&
                 (family == kOwn[0] || family == kOwn[1] || family == kOwn[2]);
    if (!isOwn)
      filter.add(SCMP_ACT_ERRNO(EACCES), SYS_socket, number(0, SCMP_CMP_EQ, family));
  }
  filter.add(SCMP_ACT_ERRNO(EACCES), SYS_socket, number(0, SCMP_CMP_GE, kMostFamilies));
  // A pair of sockets for datagrams is no channel between its two ends: each can send to any name.
  filter.add(SCMP_ACT_ERRNO(EACCES), SYS_socketpair, number(0, SCMP_CMP_NE, AF_UNIX));
  constexpr uint64_t kType = 0xf;
  for (uint64_t type : {SOCK_DGRAM, SOCK_RAW})
    filter.add(SCMP_ACT_ERRNO(EACCES), SYS_socketpair,
               scmp_arg_cmp(SCMP_CMP(1, SCMP_CMP_MASKED_EQ, kType, type)));
}

/// Without namespaces files that are only read are those outside: locks on them are granted, and
/// hold nobody off.
void addLocks(Filter &filter) {
  constexpr uint32_t kLocks[] = {F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW};
  for (uint32_t command : kLocks)
    filter.add(SCMP_ACT_ERRNO(0), SYS_fcntl, number(1, SCMP_CMP_EQ, command));
  filter.add(SCMP_ACT_ERRNO(0), SYS_flock);
}

/// Without namespaces files that are only read are those outside, and file systems have requests
/// that change them all the same. Terminals, sockets and the plainest requests are known; of
/// others, file systems let those through that say that they only read.
void addRequestsOfFiles(Filter &filter) {
  constexpr uint32_t kKind = 0xff00;
  constexpr uint32_t kKindAndDirection = 0xc000ff00;
  constexpr uint32_t kDirections[] = {0U << 30, 1U << 30, 3U << 30}; // none, write, both
  for (uint32_t kind = 0; kind <= 0xff; ++kind) {
    if (kind == 0 || kind == 'T' || kind == 0x89)
      continue;
    auto deny = [&](uint32_t mask, uint32_t value) {
      filter.add(SCMP_ACT_ERRNO(ENOTTY), SYS_ioctl,
                 scmp_arg_cmp{1, SCMP_CMP_MASKED_EQ, mask, value});
    };
    if (kind != 'f' && kind != 'v' && kind != 'X')
      deny(kKind, kind << 8);
    else
      for (uint32_t direction : kDirections)
        deny(kKindAndDirection, direction | kind << 8);
  }
}

/// What the sandbox has set, so that no memory image is made outside, stays; the program is told
/// that its own limit is in force.
void addCoreLimit(Filter &filter) {
  filter.add(SCMP_ACT_ERRNO(0), SYS_setrlimit, number(0, SCMP_CMP_EQ, RLIMIT_CORE));
  filter.add(SCMP_ACT_ERRNO(0), SYS_prlimit64, number(1, SCMP_CMP_EQ, RLIMIT_CORE),
             scmp_arg_cmp{2, SCMP_CMP_NE, 0, 0}, scmp_arg_cmp{3, SCMP_CMP_EQ, 0, 0});
  filter.add(SCMP_ACT_ERRNO(EPERM), SYS_prlimit64, number(1, SCMP_CMP_EQ, RLIMIT_CORE),
             scmp_arg_cmp{2, SCMP_CMP_NE, 0, 0}, scmp_arg_cmp{3, SCMP_CMP_NE, 0, 0});
}

/// Typing on the user's terminal, taking it over or from its driver, and attributes of files that
/// have no calls of their own.
void addControls(Filter &filter, SandboxWay way) {
  constexpr uint32_t kTerminal[] = {TIOCSTI, TIOCLINUX, TIOCSCTTY, TIOCCONS, TIOCSETD};
  for (uint32_t request : kTerminal)
    filter.add(SCMP_ACT_ERRNO(EPERM), SYS_ioctl, number(1, SCMP_CMP_EQ, request));
  // Standard input can be a file outside, in either way.
  constexpr uint32_t kOfOpenFiles[] = {F_SETLEASE, F_SET_RW_HINT, F_SET_FILE_RW_HINT};
  for (uint32_t command : kOfOpenFiles)
    filter.add(SCMP_ACT_ERRNO(EPERM), SYS_fcntl, number(1, SCMP_CMP_EQ, command));
  if (way == SandboxWay::Namespace)
    return;
  addRequestsOfFiles(filter);
  constexpr uint32_t kOwners[] = {8 /* F_SETOWN */, 15 /* F_SETOWN_EX */, 10 /* F_SETSIG */};
  for (uint32_t command : kOwners)
    filter.add(SCMP_ACT_ERRNO(EPERM), SYS_fcntl, number(1, SCMP_CMP_EQ, command));
  constexpr uint32_t kOwnersOfSockets[] = {FIOSETOWN, SIOCSPGRP};
  for (uint32_t request : kOwnersOfSockets)
    filter.add(SCMP_ACT_ERRNO(EPERM), SYS_ioctl, number(1, SCMP_CMP_EQ, request));
  constexpr int kOfProcesses[] = {SYS_sched_setparam, SYS_sched_setscheduler, SYS_sched_setattr,
                                  SYS_sched_setaffinity};
  for (int call : kOfProcesses)
    filter.add(SCMP_ACT_ERRNO(EPERM), call, number(0, SCMP_CMP_NE, 0));
  // Marks the sandbox's processes: see notify/members.h.
  filter.add(SCMP_ACT_ERRNO(EPERM), SYS_setrlimit, number(0, SCMP_CMP_EQ, RLIMIT_MSGQUEUE));
  // Of other processes, and of the mark, also where it is the process itself that is named.
  filter.add(SCMP_ACT_ERRNO(EPERM), SYS_prlimit64, number(0, SCMP_CMP_NE, 0));
  filter.add(SCMP_ACT_ERRNO(EPERM), SYS_prlimit64, number(0, SCMP_CMP_EQ, 0),
             number(1, SCMP_CMP_EQ, RLIMIT_MSGQUEUE));
}

std::vector<sock_filter> makeFilter(SandboxWay way) {
  seccomp_notif_sizes sizes = {};
  if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) != 0)
    throw Failure(ExitCode::Refused,
                  fmt::format("the kernel does not notify of system calls (seccomp, Linux 5.0): {}",
                              std::strerror(errno)));
  Filter filter;
  filter.add(SCMP_ACT_ERRNO(EPERM), kDenied);
  filter.add(SCMP_ACT_ERRNO(ENOSYS), kMissing);
  filter.add(SCMP_ACT_NOTIFY, kAskedAlways);
  filter.add(SCMP_ACT_NOTIFY, SYS_clone, SCMP_CMP(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
  addSockets(filter, way);
  addControls(filter, way);
  addCoreLimit(filter);
  if (way == SandboxWay::Notify) {
    filter.add(SCMP_ACT_NOTIFY, kAskedWithoutNamespaces);
    filter.add(SCMP_ACT_ERRNO(EPERM), kDeniedWithoutNamespaces);
    filter.add(SCMP_ACT_ERRNO(EOPNOTSUPP), kUnsupportedWithoutNamespaces);
    addLocks(filter);
  }
  return filter.compile();
}

} // namespace

const std::vector<sock_filter> &filterFor(SandboxWay way) {
  if (way == SandboxWay::Notify) {
    static const std::vector<sock_filter> notify = makeFilter(SandboxWay::Notify);
    return notify;
  }
  static const std::vector<sock_filter> namespaces = makeFilter(SandboxWay::Namespace);
  return namespaces;
}

UniqueFd installFilter(const std::vector<sock_filter> &filter) {
  sock_fprog program{static_cast<unsigned short>(filter.size()),
                     const_cast<sock_filter *>(filter.data())};
  unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
  long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  if (fd < 0 && errno == EINVAL) // before Linux 5.19
    fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  return UniqueFd(static_cast<int>(fd));
}

} // namespace culprit
