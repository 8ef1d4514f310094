//! Functions of the C library that the user wants to behave differently: calls that may fail, times and identities that
//! are input. Calls of the program go to functions of `runtime/replay/world/failing.c` and `chosen.c` instead, in the
//! machine and in native replay alike, so that both mean the same.

use crate::llvm::Module;
use crate::options::LoadOptions;

/// What can fail although nothing is wrong with the call. There is a function `__secateur_failing_NAME` for each.
#[rustfmt::skip]
const FAILING: &[&str] = &[
    "aligned_alloc", "calloc", "chdir", "chmod", "close", "creat", "dup", "fclose", "fdatasync", "fdopen", "fflush",
    "fopen", "fstat", "fsync", "ftruncate", "getcwd", "link", "lstat", "malloc", "mkdir", "mkstemp", "mmap", "open",
    "openat", "opendir", "pipe", "posix_memalign", "pread", "pwrite", "read", "realloc", "reallocarray", "remove",
    "rename", "rmdir", "stat", "strdup", "strndup", "symlink", "tmpfile", "truncate", "unlink", "write",
];

/// What shows the time. There is a function `__secateur_any_NAME` for each.
const TIMES: &[&str] = &["clock", "clock_gettime", "gettimeofday", "time", "timespec_get"];

/// What shows who the program is and where. There is a function `__secateur_any_NAME` for each.
const IDENTITIES: &[&str] = &["getegid", "geteuid", "getgid", "gethostname", "getpid", "getppid", "getuid", "uname"];

/// How many calls may fail, for the functions above.
const FAILURES: &str = "__secateur_failures";

/// Makes the calls of the program go to the functions that the options ask for. What the program defines itself stays.
pub(crate) fn apply(module: &Module<'_>, options: &LoadOptions) {
    if options.fail_calls > 0 {
        module.add_number(FAILURES, options.fail_calls);
        replace(module, FAILING, "__secateur_failing_");
    }
    if options.symbolic_time {
        replace(module, TIMES, "__secateur_any_");
    }
    if options.symbolic_identity {
        replace(module, IDENTITIES, "__secateur_any_");
    }
}

fn replace(module: &Module<'_>, names: &[&str], prefix: &str) {
    for name in names {
        // Functions for large files have another name, and are the same.
        for spelled in [name.to_string(), format!("{name}64")] {
            let Some(function) = module.function(&spelled).filter(|function| function.is_declaration()) else {
                continue;
            };
            let substitute = format!("{prefix}{name}");
            match module.function(&substitute) {
                Some(known) => function.replace_uses_with(known),
                None => function.set_name(&substitute),
            }
        }
    }
}
