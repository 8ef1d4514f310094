//! The system-call boundary: the only way out of the program. This is the table of all calls that are modelled, from
//! which `docs/environment.md` is made; `posix/` has the models. Any other call ends the path as unsupported.

use std::sync::LazyLock;

use super::shim::{CallOperands, INT, LONG};
use super::{Shim, system_names};
use crate::call::{Arguments, Returned};
use crate::hazards::{Hazards, NORMAL_END};
use crate::machine::{Machine, StepResult};
use crate::posix::refusal::{CallResult, Errno, Refusal};
use crate::posix::{
    Call, attributes, clock, duplicate, folders, identity, limits, links, mapping, metadata, nodes, open, pipes,
    privileges, programs, random, ready, signals, terminal, transfer,
};
use crate::state::State;
use crate::value::Value;

pub(super) const SHIMS: &[Shim] = &[
    Shim::new("__secateur_syscall", system_call).fails_by(exit_hazards),
    // For programs that are loaded without the C library.
    Shim::new("read", read).takes(&[INT, LONG, LONG]).fallback(),
    Shim::new("write", write).takes(&[INT, LONG, LONG]).fallback(),
];

/// The model of a system call.
type Model = fn(&mut Machine, &mut State, &Call<'_>) -> CallResult;

/// Calls that belong together.
struct Group {
    title: &'static str,
    rows: &'static [Row],
}

/// Calls that are explained together.
struct Row {
    calls: &'static [(&'static str, Model)],
    /// What they do, for the documentation.
    does: &'static str,
}

const GROUPS: &[Group] = &[
    Group {
        title: "Files",
        rows: &[
            Row {
                calls: &[("open", open::open), ("openat", open::openat), ("creat", open::creat)],
                does: "as usual. What nobody has put into the tree does not exist. `O_TMPFILE` fails with `EOPNOTSUPP`",
            },
            Row { calls: &[("close", open::close), ("memfd_create", open::memfd_create)], does: "as usual" },
            Row {
                calls: &[
                    ("read", transfer::read::<false, false>),
                    ("readv", transfer::read::<true, false>),
                    ("pread64", transfer::read::<false, true>),
                    ("preadv", transfer::read::<true, true>),
                ],
                does: "as usual, never less than there is. Waiting for an empty pipe ends the path",
            },
            Row {
                calls: &[
                    ("write", transfer::write::<false, false>),
                    ("writev", transfer::write::<true, false>),
                    ("pwrite64", transfer::write::<false, true>),
                    ("pwritev", transfer::write::<true, true>),
                ],
                does: "as usual, always everything. A file of more than 64 MB ends the path",
            },
            Row { calls: &[("lseek", transfer::lseek)], does: "as usual; `ESPIPE` for standard output and error" },
            Row {
                calls: &[
                    ("truncate", transfer::truncate),
                    ("ftruncate", transfer::ftruncate),
                    ("fallocate", transfer::fallocate),
                ],
                does: "as usual; of the modes of `fallocate`, 0 only",
            },
            Row {
                calls: &[
                    ("fsync", transfer::sync),
                    ("fdatasync", transfer::sync),
                    ("sync", transfer::sync_all),
                    ("syncfs", transfer::sync),
                    ("sync_file_range", transfer::sync),
                    ("fadvise64", transfer::advise),
                ],
                does: "succeed without effect where they apply",
            },
            Row {
                calls: &[("copy_file_range", transfer::missing)],
                does: "`ENOSYS`, as on older systems: programs then copy by themselves",
            },
        ],
    },
    Group {
        title: "Descriptors",
        rows: &[
            Row {
                calls: &[("dup", duplicate::dup), ("dup2", duplicate::dup2), ("dup3", duplicate::dup3)],
                does: "as usual; there are 256 descriptors",
            },
            Row {
                calls: &[("fcntl", duplicate::fcntl)],
                does: "`F_DUPFD`, `F_GETFD`, `F_SETFD`, `F_GETFL`, `F_SETFL`, and locks, which nobody else holds; others end \
                       the path",
            },
            Row { calls: &[("flock", duplicate::flock)], does: "succeeds" },
            Row {
                calls: &[("pipe", pipes::pipe), ("pipe2", pipes::pipe2)],
                does: "a pipe within the program, for 64 KB in all. Writing to one that nobody reads ends the path",
            },
            Row {
                calls: &[
                    ("poll", ready::poll),
                    ("ppoll", ready::ppoll),
                    ("select", ready::select),
                    ("pselect6", ready::select),
                ],
                does: "files are always ready, pipes if there is something. Time-outs are over at once; waiting for ever \
                       ends the path",
            },
            Row {
                calls: &[("ioctl", terminal::ioctl)],
                does: "`ENOTTY` for requests to a terminal, which no descriptor is; `EOPNOTSUPP` for `FICLONE`; `FIONREAD`; others \
                       end the path",
            },
        ],
    },
    Group {
        title: "Names and folders",
        rows: &[
            Row {
                calls: &[
                    ("unlink", links::unlink),
                    ("unlinkat", links::unlinkat),
                    ("rmdir", folders::rmdir),
                    ("mkdir", folders::mkdir),
                    ("mkdirat", folders::mkdirat),
                    ("rename", links::rename),
                    ("renameat", links::renameat),
                    ("renameat2", links::renameat2),
                    ("link", links::link),
                    ("linkat", links::linkat),
                    ("symlink", links::symlink),
                    ("symlinkat", links::symlinkat),
                    ("readlink", links::readlink),
                    ("readlinkat", links::readlinkat),
                ],
                does: "as usual. Of the flags, `AT_REMOVEDIR`, `AT_SYMLINK_FOLLOW` and `RENAME_NOREPLACE`",
            },
            Row {
                calls: &[("mknod", nodes::mknod), ("mknodat", nodes::mknodat)],
                does: "files and named pipes as usual, but opening such a pipe ends the path; `EPERM` for devices",
            },
            Row { calls: &[("getdents64", folders::getdents)], does: "entries in the order of their names" },
            Row {
                calls: &[("getcwd", folders::getcwd), ("chdir", folders::chdir), ("fchdir", folders::fchdir)],
                does: "as usual; programs start in `/home/user`",
            },
        ],
    },
    Group {
        title: "What is known of a file",
        rows: &[
            Row {
                calls: &[
                    ("stat", metadata::stat),
                    ("lstat", metadata::lstat),
                    ("fstat", metadata::fstat),
                    ("newfstatat", metadata::newfstatat),
                    ("statx", metadata::statx),
                ],
                does: "as usual. Inodes are numbered in the order in which the program looks at them; everything belongs to \
                       user 1000",
            },
            Row {
                calls: &[("statfs", metadata::statfs), ("fstatfs", metadata::fstatfs)],
                does: "a disk of a million blocks of 4 KB, half of them free",
            },
            Row {
                calls: &[
                    ("access", metadata::access),
                    ("faccessat", metadata::faccessat),
                    ("faccessat2", metadata::faccessat2),
                ],
                does: "by the permissions of the owner",
            },
            Row {
                calls: &[
                    ("chmod", metadata::chmod),
                    ("fchmod", metadata::fchmod),
                    ("fchmodat", metadata::fchmodat),
                    ("umask", metadata::umask),
                ],
                does: "as usual; the mask is 022 at first",
            },
            Row {
                calls: &[
                    ("chown", metadata::chown),
                    ("lchown", metadata::lchown),
                    ("fchown", metadata::fchown),
                    ("fchownat", metadata::fchownat),
                ],
                does: "`EPERM`, unless nothing changes",
            },
            Row { calls: &[("utimensat", metadata::utimensat)], does: "as usual" },
            Row {
                calls: &[
                    ("getxattr", attributes::of_path),
                    ("lgetxattr", attributes::of_link),
                    ("fgetxattr", attributes::of_descriptor),
                    ("setxattr", attributes::of_path),
                    ("lsetxattr", attributes::of_link),
                    ("fsetxattr", attributes::of_descriptor),
                    ("listxattr", attributes::of_path),
                    ("llistxattr", attributes::of_link),
                    ("flistxattr", attributes::of_descriptor),
                    ("removexattr", attributes::of_path),
                    ("lremovexattr", attributes::of_link),
                    ("fremovexattr", attributes::of_descriptor),
                ],
                does: "`EOPNOTSUPP`",
            },
        ],
    },
    Group {
        title: "Memory",
        rows: &[
            Row {
                calls: &[("mmap", mapping::mmap)],
                does: "anonymous memory and private copies of files; shared files that can be written to, fixed addresses and \
                       memory that cannot be read end the path",
            },
            Row {
                calls: &[("munmap", mapping::munmap), ("mremap", mapping::mremap)],
                does: "of a whole mapping; of a part ends the path. `mremap` moves what may move; anything else ends the path",
            },
            Row {
                calls: &[("mprotect", mapping::mprotect)],
                does: "succeeds if memory can be read and written afterwards; anything else ends the path",
            },
            Row {
                calls: &[("madvise", mapping::advise), ("mlock", mapping::advise), ("munlock", mapping::advise)],
                does: "succeed: everything is in memory",
            },
            Row {
                calls: &[("mincore", mapping::mincore)],
                does: "`ENOSYS`, since which pages are mapped depends on how the program was loaded",
            },
        ],
    },
    Group {
        title: "Time",
        rows: &[
            Row {
                calls: &[("time", clock::time), ("gettimeofday", clock::gettimeofday)],
                does: "always 2023-11-14 22:13:20 UTC",
            },
            Row {
                calls: &[
                    ("clock_gettime", clock::clock_gettime),
                    ("clock_getres", clock::clock_getres),
                    ("times", clock::times),
                ],
                does: "the same time; 1000 s since the system was started, 10 ms used by the program",
            },
            Row {
                calls: &[("nanosleep", clock::nanosleep), ("clock_nanosleep", clock::clock_nanosleep)],
                does: "return at once",
            },
            Row {
                calls: &[
                    ("alarm", signals::alarm),
                    ("setitimer", signals::setitimer),
                    ("getitimer", signals::getitimer),
                ],
                does: "never fire",
            },
        ],
    },
    Group {
        title: "Identity",
        rows: &[
            Row {
                calls: &[
                    ("getpid", identity::process),
                    ("gettid", identity::process),
                    ("set_tid_address", identity::process),
                    ("getppid", identity::parent),
                    ("getpgrp", identity::process),
                    ("getpgid", identity::process_group),
                    ("getsid", identity::process_group),
                ],
                does: "process 4242, started by 4241, the leader of its group and session",
            },
            Row {
                calls: &[
                    ("getuid", identity::user),
                    ("geteuid", identity::user),
                    ("getgid", identity::group),
                    ("getegid", identity::group),
                    ("getgroups", identity::groups),
                ],
                does: "user and group 1000",
            },
            Row {
                calls: &[("getresuid", identity::get_identity), ("getresgid", identity::get_identity)],
                does: "the same",
            },
            Row {
                calls: &[
                    ("setuid", identity::set_identity::<1>),
                    ("setgid", identity::set_identity::<1>),
                    ("setreuid", identity::set_identity::<2>),
                    ("setregid", identity::set_identity::<2>),
                    ("setresuid", identity::set_identity::<3>),
                    ("setresgid", identity::set_identity::<3>),
                ],
                does: "`EPERM`, unless nothing changes",
            },
            Row {
                calls: &[
                    ("setgroups", privileges::refused),
                    ("sethostname", privileges::refused),
                    ("setdomainname", privileges::refused),
                    ("settimeofday", privileges::refused),
                    ("clock_settime", privileges::refused),
                    ("mount", privileges::refused),
                    ("umount2", privileges::refused),
                    ("chroot", privileges::chroot),
                ],
                does: "`EPERM`: the program is not the superuser",
            },
            Row {
                calls: &[("setsid", identity::setsid), ("setpgid", identity::setpgid)],
                does: "`EPERM`, unless nothing changes",
            },
            Row {
                calls: &[
                    ("getpriority", identity::priority),
                    ("setpriority", identity::set_priority),
                    ("sched_yield", identity::sched_yield),
                ],
                does: "the usual priority, which can be lowered; nobody else is running",
            },
            Row { calls: &[("uname", identity::uname)], does: "Linux 6.1.0 on `localhost`" },
            Row {
                calls: &[("fork", identity::fork), ("vfork", identity::fork)],
                does: "`EAGAIN`; the run is then not complete, and says so",
            },
            Row { calls: &[("wait4", identity::wait)], does: "`ECHILD`: there are no children" },
            Row {
                calls: &[("execve", programs::execve), ("execveat", programs::execveat)],
                does: "fail for what does not exist or is not executable; anything else ends the path",
            },
        ],
    },
    Group {
        title: "Limits and chance",
        rows: &[
            Row {
                calls: &[
                    ("getrlimit", limits::getrlimit),
                    ("setrlimit", limits::setrlimit),
                    ("prlimit64", limits::prlimit),
                ],
                does: "8 MB of stack, 256 descriptors, no core files, no other limits. Setting one has no effect",
            },
            Row {
                calls: &[
                    ("getrusage", limits::getrusage),
                    ("sysinfo", limits::sysinfo),
                    ("sched_getaffinity", limits::processors),
                ],
                does: "10 ms were used, of one processor; 4 GB of memory",
            },
            Row {
                calls: &[("getrandom", random::getrandom)],
                does: "the same bytes in every run, as from `/dev/urandom`",
            },
        ],
    },
    Group {
        title: "Signals and the end",
        rows: &[
            Row {
                calls: &[("rt_sigprocmask", signals::block)],
                does: "which signals are handled and blocked is known to the C library, which delivers those that the program \
                       sends to itself",
            },
            Row {
                calls: &[("kill", signals::kill), ("tkill", signals::tkill)],
                does: "`SIGABRT` is the bug `abort`; the end by another signal ends the path. `ESRCH` for other processes",
            },
            Row { calls: &[("exit", exit), ("exit_group", exit)], does: "the end of the path" },
        ],
    },
];

const EXIT: u64 = libc::SYS_exit as u64;
const EXIT_GROUP: u64 = libc::SYS_exit_group as u64;

fn exit_hazards(call: &CallOperands<'_>) -> Hazards {
    if matches!(call.constant(0), Some(EXIT | EXIT_GROUP)) { NORMAL_END } else { Hazards::ANY }
}

fn exit(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> CallResult {
    Err(machine.exit(state, call.get(0))?.into())
}

/// The model of the call with this number.
fn model(number: u64) -> Option<Model> {
    static MODELS: LazyLock<Vec<Option<Model>>> = LazyLock::new(|| {
        let calls = || GROUPS.iter().flat_map(|group| group.rows).flat_map(|row| row.calls);
        let named = |name: &str| calls().find(|(other, _)| *other == name).map(|(_, model)| *model);
        (0..system_names::COUNT).map(|number| system_names::name(number).and_then(named)).collect()
    });
    MODELS.get(usize::try_from(number).ok()?).copied().flatten()
}

/// The table of all modelled calls, in Markdown.
pub fn system_call_table() -> String {
    let mut text = String::new();
    for group in GROUPS {
        text.push_str(&format!("### {}\n\n| call | answer |\n| --- | --- |\n", group.title));
        for row in group.rows {
            let names: Vec<String> = row.calls.iter().map(|(name, _)| format!("`{name}`")).collect();
            text.push_str(&format!("| {} | {} |\n", names.join(", "), row.does));
        }
        text.push('\n');
    }
    text
}

fn system_call(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let number = machine.pin(state, arguments.get(0))?;
    let Some(model) = model(number) else {
        let what = match system_names::name(number) {
            Some(name) => format!("system call `{name}`"),
            None => format!("system call {number}"),
        };
        return Err(machine.unsupported(state, what));
    };
    let result = answer(machine, state, model, arguments, 1)?;
    Ok(Returned::Value(Value::concrete(result as u64)))
}

/// What the system returns: the result, or a negated error number.
fn answer(
    machine: &mut Machine,
    state: &mut State,
    model: Model,
    arguments: &Arguments,
    first: usize,
) -> StepResult<i64> {
    match model(machine, state, &Call { arguments, first }) {
        Ok(result) => Ok(result as i64),
        Err(Refusal::Error(Errno(number))) => Ok(-i64::from(number)),
        Err(Refusal::Stop(stop)) => Err(stop),
    }
}

fn read(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let result = answer(machine, state, transfer::read::<false, false>, arguments, 0)?;
    Ok(Returned::Value(Value::concrete(result.max(-1) as u64)))
}

fn write(machine: &mut Machine, state: &mut State, arguments: &Arguments) -> StepResult<Returned> {
    let result = answer(machine, state, transfer::write::<false, false>, arguments, 0)?;
    Ok(Returned::Value(Value::concrete(result.max(-1) as u64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The documentation lists what the table has. `BLESS=1` rewrites it.
    #[test]
    fn the_documentation_lists_all_calls() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/environment.md");
        let text = std::fs::read_to_string(path).unwrap();
        let end = text.find("-->\n\n").unwrap() + 5;
        let expected = format!("{}{}", &text[..end], system_call_table().trim_end().to_string() + "\n");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path, &expected).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap(), expected, "BLESS=1 rewrites docs/environment.md");
    }

    #[test]
    fn every_modelled_call_exists_and_is_listed_once() {
        let mut names: Vec<&str> =
            GROUPS.iter().flat_map(|group| group.rows).flat_map(|row| row.calls).map(|(name, _)| *name).collect();
        let known: Vec<&str> = (0..system_names::COUNT).filter_map(system_names::name).collect();
        assert_eq!(names.iter().find(|name| !known.contains(name)), None);
        let listed = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), listed);
        assert!(model(libc::SYS_read as u64).is_some() && model(libc::SYS_socket as u64).is_none());
    }
}
