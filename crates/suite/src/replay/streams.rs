//! The output streams of a native run.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::fd::OwnedFd;
use std::process::Child;
use std::time::Duration;

/// One stream. We never block on it: a process that keeps its other end open must not delay us.
#[derive(Debug, Default)]
pub(super) struct Stream {
    /// Until its end.
    source: Option<File>,
    kept: Vec<u8>,
}

/// How much of the output is kept.
const LIMIT: usize = 1 << 20;

impl Stream {
    pub(super) fn of(source: Option<OwnedFd>) -> io::Result<Stream> {
        if let Some(source) = &source {
            // No other process reads from this end of the pipe.
            rustix::io::ioctl_fionbio(source, true)?;
        }
        Ok(Stream { source: source.map(File::from), kept: Vec::new() })
    }

    /// Reads what is available, but not for ever from an endless writer. Output beyond the limit is dropped without
    /// blocking the writer.
    pub(super) fn read_available(&mut self) {
        const MAX_READS: usize = 256;
        let Some(source) = &mut self.source else { return };
        let mut buffer = [0; 8192];
        for _ in 0..MAX_READS {
            match source.read(&mut buffer) {
                Ok(len @ 1..) => {
                    let room = LIMIT.saturating_sub(self.kept.len());
                    self.kept.extend(&buffer[..len.min(room)]);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                // An error counts as the end of the stream.
                _ => {
                    self.source = None;
                    return;
                }
            }
        }
    }

    /// What was read so far.
    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.kept)
    }
}

/// Waits until there is something to read or the process has ended, with a timeout; then reads what there is.
pub(super) fn wait_for_events(streams: &mut [Stream; 2], process: Option<&OwnedFd>, most: Duration) {
    let sources = streams.iter().filter_map(|stream| stream.source.as_ref());
    let sources = sources.map(|source| PollFd::new(source, PollFlags::IN));
    let processes = process.map(|process| PollFd::new(process, PollFlags::IN));
    let mut events: Vec<PollFd<'_>> = sources.chain(processes).collect();
    let most = Timespec { tv_sec: most.as_secs() as i64, tv_nsec: most.subsec_nanos().into() };
    // It is no error if a signal ends the wait early: the caller polls again.
    let _ = poll(&mut events, Some(&most));
    for stream in streams {
        stream.read_available();
    }
}

/// A descriptor that becomes readable when the process ends; none on old kernels.
pub(super) fn open_process(child: &Child) -> Option<OwnedFd> {
    pidfd_open(Pid::from_child(child), PidfdFlags::empty()).ok()
}
