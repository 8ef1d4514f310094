//! What a native run writes.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::process::Child;
use std::time::Duration;

/// One of its streams. It is never waited for: whoever still holds its other end must not hold us up.
#[derive(Debug, Default)]
pub(super) struct Stream {
    /// Until its end.
    source: Option<File>,
    kept: Vec<u8>,
}

/// As much as is kept.
const LIMIT: usize = 1 << 20;

impl Stream {
    pub(super) fn of(source: Option<OwnedFd>) -> io::Result<Stream> {
        if let Some(source) = &source {
            // SAFETY: the descriptor is open; these calls take numbers only. Nobody else reads from this end of the pipe.
            let set = unsafe {
                let flags = libc::fcntl(source.as_raw_fd(), libc::F_GETFL);
                libc::fcntl(source.as_raw_fd(), libc::F_SETFL, flags | libc::O_NONBLOCK)
            };
            if set < 0 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(Stream { source: source.map(File::from), kept: Vec::new() })
    }

    /// The descriptor to wait for; -1 at the end of the stream.
    pub(super) fn descriptor(&self) -> i32 {
        self.source.as_ref().map_or(-1, AsRawFd::as_raw_fd)
    }

    /// Reads what is there, but not for ever from one who writes without end. What is beyond the limit is dropped, but never blocks the writer.
    pub(super) fn read_available(&mut self) {
        const MOST_AT_ONCE: usize = 256;
        let Some(source) = &mut self.source else { return };
        let mut buffer = [0; 8192];
        for _ in 0..MOST_AT_ONCE {
            match source.read(&mut buffer) {
                Ok(len @ 1..) => {
                    let room = LIMIT.saturating_sub(self.kept.len());
                    self.kept.extend(&buffer[..len.min(room)]);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                // An error ends the stream as its end does.
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

/// Waits until there is something to read or the process has ended, but not for longer than this; reads what there is.
pub(super) fn wait_for_events(streams: &mut [Stream; 2], process: Option<&OwnedFd>, most: Duration) {
    let event = |descriptor: i32| libc::pollfd { fd: descriptor, events: libc::POLLIN, revents: 0 };
    // Negative descriptors are left out.
    let [first, second] = &*streams;
    let mut events = [event(first.descriptor()), event(second.descriptor()), event(-1)];
    if let Some(process) = process {
        events[2] = event(process.as_raw_fd());
    }
    let time = libc::timespec { tv_sec: most.as_secs() as i64, tv_nsec: most.subsec_nanos().into() };
    // SAFETY: the list is as long as is said, and the time lives here.
    unsafe { libc::ppoll(events.as_mut_ptr(), events.len() as libc::nfds_t, &time, std::ptr::null()) };
    for (stream, event) in streams.iter_mut().zip(&events) {
        if event.revents != 0 {
            stream.read_available();
        }
    }
}

/// A descriptor that becomes readable when the process ends; none on old kernels.
pub(super) fn open_process(child: &Child) -> Option<OwnedFd> {
    // SAFETY: the call takes numbers; its result, if there is one, is a descriptor that nobody else owns.
    unsafe {
        let descriptor = libc::syscall(libc::SYS_pidfd_open, child.id(), 0);
        (descriptor >= 0).then(|| OwnedFd::from_raw_fd(descriptor as i32))
    }
}
