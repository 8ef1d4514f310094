//! `OUT/pending`: what a run has found and what is pending, from which it can be continued.
//!
//! A thread appends a step to it twice a second. A step fits together (`explore/src/pending.rs`), and has a checksum:
//! of a run that was killed, everything up to the last whole step counts. To continue, everything that was found is
//! written anew, so the rest of the folder need not fit together.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use secateur_explore::{Continued, Counters, Event, PendingChange, PendingItem, PendingName};
use secateur_suite::{OutDir, OutError, PENDING, StoredPending};
use serde::{Deserialize, Serialize};

use crate::checksum::checksum;
use crate::gathered::{Delivery, Gathered};
use crate::keeper::KeptPath;
use crate::stored::{Step, StoredEvent};

/// The first line of the file; a change of the format changes the number.
const MAGIC: &[u8] = b"secateur-pending 2\n";

/// How often steps are written. This is a constant because it decides only how much a killed run loses.
const INTERVAL: Duration = Duration::from_millis(500);

/// How many events and items a step may have before it is written early. This only bounds memory.
const MAX_STEP: usize = 10_000;

/// How a run began.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Beginning {
    /// The version of Secateur.
    pub version: String,
    /// The command line, without the name of the program.
    pub arguments: Vec<String>,
    /// The working directory.
    pub folder: PathBuf,
}

/// A journal that was read.
pub struct Journal {
    /// How the run began.
    pub beginning: Beginning,
    /// Everything up to the last whole step.
    bytes: Vec<u8>,
    /// Where the steps start.
    steps: usize,
    /// The user's program as it was.
    pub bitcode: Vec<u8>,
}

/// Why a run cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// There is nothing to continue.
    #[error("{}: nothing is pending there: that run has finished, or it is no output folder of `secateur run` or `verify`", .0.display())]
    Nothing(PathBuf),
    /// Another version wrote it.
    #[error("{}: it was written by another version of Secateur{}, and only that one can continue it; run the program again", .0.display(), version(.1))]
    Version(PathBuf, String),
    /// It cannot be read.
    #[error(transparent)]
    Out(#[from] OutError),
    /// The program is not the same.
    #[error("the program has changed since that run began, so its paths are others now; run it again")]
    Changed,
    /// A step makes no sense although its checksum is right.
    #[error("{}: it is damaged; run the program again", .0.display())]
    Damaged(PathBuf),
}

fn version(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" ({name})") }
}

impl Journal {
    /// Reads the journal of an output folder.
    pub fn read(out: &Path) -> Result<Journal, JournalError> {
        let nothing = || JournalError::Nothing(out.into());
        let Some(StoredPending { journal: mut bytes, bitcode }) = secateur_suite::read_pending(out)? else {
            return Err(nothing());
        };
        let path = out.join(PENDING);
        let foreign = |name: &str| JournalError::Version(path.clone(), name.to_string());
        if !bytes.starts_with(MAGIC) {
            return Err(foreign(""));
        }
        let mut at = MAGIC.len();
        let first = record(&bytes, &mut at).ok_or_else(nothing)?;
        let beginning: Beginning = postcard::from_bytes(first).map_err(|_| foreign(""))?;
        if beginning.version != crate::VERSION {
            return Err(foreign(&beginning.version));
        }
        let steps = at;
        while record(&bytes, &mut at).is_some() {}
        bytes.truncate(at);
        Ok(Journal { beginning, bytes, steps, bitcode })
    }

    /// Hands over each step, in order.
    pub(crate) fn replay<E: From<JournalError>>(
        &self,
        path: &Path,
        mut each: impl FnMut(&mut Step) -> Result<(), E>,
    ) -> Result<Continuation, E> {
        let damaged = || JournalError::Damaged(path.join(PENDING));
        let mut pending: BTreeMap<PendingName, PendingItem> = BTreeMap::new();
        let mut continuation = Continuation::default();
        let mut at = self.steps;
        while let Some(bytes) = record(&self.bytes, &mut at) {
            let mut step: Step = postcard::from_bytes(bytes).map_err(|_| damaged())?;
            for name in &step.removed {
                pending.remove(name);
            }
            let added = std::mem::take(&mut step.added).unpack().ok_or_else(damaged)?;
            pending.extend(added.into_iter().map(|item| (item.name(), item)));
            for event in &step.events {
                if let StoredEvent::PathEnded(path, _) = event {
                    continuation.continued.paths = continuation.continued.paths.max(path.number);
                    continuation.covered.extend(&path.covered);
                }
            }
            (continuation.counters, continuation.seconds) = (step.counters.clone(), step.seconds);
            continuation.has_begun = true;
            each(&mut step)?;
        }
        for item in pending.into_values() {
            if let PendingItem::Path(path) = &item {
                continuation.continued.paths = continuation.continued.paths.max(path.number);
            }
            continuation.continued.items.push(item);
        }
        Ok(continuation)
    }

    /// What the next run begins its own journal with.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// How a run goes on.
#[derive(Default)]
pub(crate) struct Continuation {
    /// Whether anything was written before the run was killed. Else it starts from the beginning.
    pub has_begun: bool,
    pub continued: Continued,
    /// What its paths have covered.
    pub covered: Vec<u32>,
    pub counters: Counters,
    pub seconds: f64,
}

/// Writes the journal of a run.
pub(crate) struct JournalWriter {
    shared: Arc<Shared>,
    /// The events of the batch that is being delivered.
    batch: Vec<StoredEvent>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    file: File,
    gathered: Gathered,
    /// The counters of earlier runs.
    earlier: Counters,
    started: Instant,
    /// Nothing more comes.
    is_over: bool,
    /// Why it could not be written.
    failure: Option<std::io::Error>,
}

impl JournalWriter {
    /// The beginning of a journal that has no steps.
    pub(crate) fn beginning(beginning: &Beginning) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        append(&mut bytes, beginning);
        bytes
    }

    /// Continues a journal that was begun.
    pub(crate) fn new(out: &OutDir, earlier: Counters, started: Instant) -> Result<JournalWriter, OutError> {
        let state = State {
            file: out.open_pending()?,
            gathered: Gathered::default(),
            earlier: Counters { pending: 0, stopped: 0, left: 0, snapshots: 0, ..earlier },
            started,
            is_over: false,
            failure: None,
        };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        Ok(JournalWriter { shared, batch: Vec::new(), thread: None })
    }

    /// An event is delivered.
    pub(crate) fn receive(&mut self, event: &Event<Box<KeptPath>>) {
        self.batch.extend(StoredEvent::of(event).map(StoredEvent::without_output));
    }

    /// All of a batch was delivered, with this change unless the run is stopping.
    pub(crate) fn delivered(&mut self, worker: usize, change: Option<(PendingChange, Counters)>) {
        let Some((change, counters)) = change else {
            self.batch.clear();
            return;
        };
        if self.thread.is_none() {
            let shared = Arc::clone(&self.shared);
            // Without the thread, only a run that is stopped can be continued.
            self.thread = std::thread::Builder::new().name("journal".into()).spawn(move || shared.write_steps()).ok();
        }
        let mut state = self.shared.lock();
        state.gathered.add(Delivery { worker, events: std::mem::take(&mut self.batch), change, counters });
        if state.gathered.len() > MAX_STEP {
            state.write();
        }
    }

    /// Writes the last step.
    pub(crate) fn finish(&mut self) -> Option<std::io::Error> {
        self.shared.lock().is_over = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // It only writes.
            let _ = thread.join();
        }
        let mut state = self.shared.lock();
        state.write();
        state.failure.take()
    }
}

impl Drop for JournalWriter {
    fn drop(&mut self) {
        self.finish();
    }
}

impl Shared {
    fn write_steps(&self) {
        let mut state = self.lock();
        while !state.is_over {
            let waited = self.changed.wait_timeout(state, INTERVAL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            state.write();
        }
    }

    /// No change to the state is interrupted by a panic.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn write(&mut self) {
        let mut step = self.gathered.take();
        if step.is_empty() || self.failure.is_some() {
            return;
        }
        step.counters = self.earlier.clone();
        step.counters += &self.gathered.counters();
        step.seconds = self.started.elapsed().as_secs_f64();
        let mut bytes = Vec::new();
        append(&mut bytes, &step);
        // A step that is not whole ends what can be read, so nothing may follow it.
        self.failure = self.file.write_all(&bytes).err();
    }
}

/// Adds a record: its length, its checksum, itself.
fn append(bytes: &mut Vec<u8>, record: &impl Serialize) {
    let content = postcard::to_allocvec(record).unwrap_or_default();
    bytes.extend_from_slice(&(content.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&checksum(&content).to_le_bytes());
    bytes.extend_from_slice(&content);
}

/// The next record, if it is whole.
fn record<'a>(bytes: &'a [u8], at: &mut usize) -> Option<&'a [u8]> {
    let rest = bytes.get(*at..)?;
    let length = u32::from_le_bytes(rest.get(..4)?.try_into().ok()?) as usize;
    let sum = u64::from_le_bytes(rest.get(4..12)?.try_into().ok()?);
    let content = rest.get(12..)?.get(..length)?;
    if checksum(content) != sum {
        return None;
    }
    *at += 12 + length;
    Some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn journal() -> Vec<u8> {
        let mut bytes = JournalWriter::beginning(&Beginning {
            version: crate::VERSION.to_string(),
            arguments: vec!["run".to_string(), "a.c".to_string()],
            folder: "/src".into(),
        });
        append(&mut bytes, &Step { seconds: 1.0, ..Step::default() });
        append(&mut bytes, &Step { seconds: 2.0, ..Step::default() });
        bytes
    }

    fn steps(bytes: &[u8]) -> usize {
        let mut at = MAGIC.len();
        std::iter::from_fn(|| record(bytes, &mut at).map(drop)).count()
    }

    /// Whatever was cut off or changed, what is read is a beginning of what was written.
    #[test]
    fn only_whole_records_are_read() {
        let bytes = journal();
        assert_eq!(steps(&bytes), 3);
        let mut last = 0;
        for length in MAGIC.len()..bytes.len() {
            let now = steps(&bytes[..length]);
            assert!(now >= last && now < 3, "{length}");
            last = now;
        }
        for index in MAGIC.len()..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[index] ^= 0x10;
            assert!(steps(&damaged) < 3, "{index}");
        }
    }
}
