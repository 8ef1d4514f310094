//! Processes of Secateur that a test starts and ends.

#![allow(dead_code)] // Each test binary uses a part of it.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::workbench::Workbench;

/// Starts Secateur without output.
pub fn start(bench: &Workbench, args: &[&str]) -> Child {
    bench.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// A process that must end by itself, and soon.
pub fn ends(mut process: Child) -> Option<i32> {
    let until = Instant::now() + Duration::from_secs(100);
    while Instant::now() < until {
        if let Some(status) = process.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    kill(&mut process);
    panic!("it does not end");
}

/// Ends a process at once.
pub fn kill(process: &mut Child) {
    let _ = process.kill();
    let _ = process.wait();
}

/// Sends a signal to a process.
pub fn signal(process: &Child, signal: i32) {
    // SAFETY: the process is our child and has not been waited for.
    unsafe { libc::kill(process.id() as i32, signal) };
}

/// A worker that is asked to leave does so by itself.
pub fn leaves(worker: Child) {
    signal(&worker, libc::SIGINT);
    assert_eq!(ends(worker), Some(0));
}
