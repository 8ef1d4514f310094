//! Functions of the C library that show a program the outside world. In native replay, calls of them go to functions
//! of `runtime/replay/world`, which show what the machine showed.

use crate::llvm::Module;

/// The functions, in order. Replay has a function `__secateur_NAME` for each.
#[rustfmt::skip]
pub const INTERPOSED: &[&str] = &[
    "__open64_2", "__open_2", "__openat64_2", "__openat_2", "access", "alarm", "arc4random", "arc4random_buf",
    "arc4random_uniform", "canonicalize_file_name", "chdir", "chmod", "chown", "chroot", "clock", "clock_gettime",
    "clock_nanosleep", "clock_settime", "closedir", "copy_file_range", "creat", "creat64", "eaccess", "endutent",
    "endutxent", "euidaccess", "execl", "execle", "execlp", "execv", "execve", "execvp", "execvpe", "faccessat",
    "fchmodat", "fchown", "fchownat", "fgetxattr", "flistxattr", "fopen", "fopen64", "fork", "fremovexattr", "freopen",
    "freopen64", "fsetxattr", "fstat", "fstat64", "fstatat", "fstatat64", "fstatfs", "fstatfs64", "fstatvfs",
    "fstatvfs64", "fts_children", "fts_close", "fts_open", "fts_read", "fts_set", "ftw", "ftw64",
    "get_current_dir_name", "get_nprocs", "get_nprocs_conf", "getauxval", "getcwd", "getdtablesize", "getegid",
    "getentropy", "geteuid", "getgid", "getgrent", "getgrgid", "getgrnam", "getgrouplist", "getgroups", "gethostid",
    "gethostname", "getloadavg", "getlogin", "getlogin_r", "getpass", "getpgid", "getpgrp", "getpid", "getppid",
    "getpriority", "getpwent", "getpwnam", "getpwuid", "getrandom", "getresgid", "getresuid", "getrlimit",
    "getrlimit64", "getrusage", "getsid", "gettid", "gettimeofday", "getuid", "getutent", "getutxent", "getxattr",
    "glob", "glob64", "initgroups", "ioctl", "kill", "lchmod", "lchown", "lgetxattr", "link", "linkat", "listxattr",
    "llistxattr", "lremovexattr", "lsetxattr", "lstat", "lstat64", "mincore", "mkdir", "mkdirat", "mkdtemp", "mkfifo",
    "mkfifoat", "mknod", "mknodat", "mkostemp", "mkostemp64", "mkostemps", "mkostemps64", "mkstemp", "mkstemp64",
    "mkstemps", "mkstemps64", "nanosleep", "nftw", "nftw64", "nice", "open", "open64", "openat", "openat64", "opendir",
    "pclose", "poll", "popen", "posix_spawn", "posix_spawnp", "readdir", "readdir64", "readlink", "readlinkat",
    "realpath", "remove", "removexattr", "rename", "renameat", "renameat2", "rewinddir", "rmdir", "scandir",
    "scandir64", "sched_getaffinity", "seekdir", "select", "setdomainname", "setegid", "seteuid", "setgid", "setgroups",
    "sethostname", "setitimer", "setmntent", "setpgid", "setpriority", "setregid", "setresgid", "setresuid", "setreuid",
    "setrlimit", "setrlimit64", "setsid", "settimeofday", "setuid", "setutent", "setutxent", "setxattr", "sleep",
    "stat", "stat64", "statfs", "statfs64", "statvfs", "statvfs64", "statx", "symlink", "symlinkat", "sysconf",
    "sysinfo", "system", "telldir", "time", "times", "timespec_get", "tmpfile", "tmpfile64", "truncate", "truncate64",
    "uname", "unlink", "unlinkat", "usleep", "utime", "utimensat", "utimes", "utmpname", "utmpxname", "vfork",
];

/// Makes the calls of a program go to the functions of replay. What the program defines itself stays.
pub(crate) fn interpose(module: &Module<'_>) {
    for name in INTERPOSED {
        if let Some(function) = module.function(name).filter(|function| function.is_declaration()) {
            function.set_name(&format!("__secateur_{name}"));
        }
    }
}
