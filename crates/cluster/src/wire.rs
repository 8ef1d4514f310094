//! What is sent, and how it is written: nothing else in Secateur knows these forms.
//!
//! Every message begins with a mark and the number of the format; another format is refused. A checksum finds what was
//! damaged. What is well-formed may still be about another program, which its reader checks.

use secateur_campaign::{Items, Step, Work, checksum};
use secateur_explore::PendingName;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// How every message begins.
const MARK: [u8; 3] = *b"SCT";

/// The number of the format. Whoever changes what is sent changes it, too.
pub const FORMAT: u8 = 2;

/// The mark, the format and the checksum.
const HEADER: usize = 12;

/// The most bytes of an entry that one message carries. Servers take a megabyte unless told otherwise.
const MAX_CHUNK: usize = 512 << 10;

/// Why a message cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unreadable {
    /// It is not ours.
    Foreign,
    /// It is of another version.
    Format(u8),
    /// It is cut off or was changed, or it makes no sense.
    Damaged,
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unreadable::Foreign => write!(f, "it is no message of Secateur"),
            Unreadable::Format(format) => write!(f, "it is of another version of Secateur (format {format})"),
            Unreadable::Damaged => write!(f, "it is damaged"),
        }
    }
}

/// A message as it is sent.
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    sealed(postcard::to_allocvec(message).unwrap_or_default())
}

/// Reads a message.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Unreadable> {
    postcard::from_bytes(opened(bytes)?).map_err(|_| Unreadable::Damaged)
}

fn sealed(body: Vec<u8>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + body.len());
    bytes.extend_from_slice(&MARK);
    bytes.push(FORMAT);
    bytes.extend_from_slice(&checksum(&body).to_le_bytes());
    bytes.extend_from_slice(&body);
    bytes
}

fn opened(bytes: &[u8]) -> Result<&[u8], Unreadable> {
    if !bytes.starts_with(&MARK) {
        return Err(Unreadable::Foreign);
    }
    let format = *bytes.get(MARK.len()).ok_or(Unreadable::Foreign)?;
    if format != FORMAT {
        return Err(Unreadable::Format(format));
    }
    let sum = bytes.get(4..HEADER).and_then(|sum| sum.try_into().ok()).ok_or(Unreadable::Damaged)?;
    let body = bytes.get(HEADER..).ok_or(Unreadable::Damaged)?;
    if checksum(body) != u64::from_le_bytes(sum) {
        return Err(Unreadable::Damaged);
    }
    Ok(body)
}

/// Names a part of the path tree that one worker explores: some pending items, and what comes of them until it is given
/// to others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct TaskId(pub u64);

impl TaskId {
    /// The whole tree.
    pub const ROOT: TaskId = TaskId(1);
}

impl std::fmt::Display for TaskId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// What waits in the work queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pointer {
    /// The task; its items are in its log.
    pub task: TaskId,
}

/// An entry in the log of a task.
#[derive(Serialize, Deserialize)]
pub enum Entry {
    /// It begins with these items.
    Created(Items),
    /// A worker explores it from now on, and no other that did before.
    Claimed {
        /// The worker.
        worker: u64,
        /// The message in the work queue by which it holds the task.
        lease: u64,
    },
    /// What the worker has found since the last entry.
    Step(Box<StepEntry>),
    /// It cannot be explored.
    Dead {
        /// Why, as a sentence.
        why: String,
    },
    /// In no log of a task: a worker has nothing more to do for the run.
    Farewell {
        /// The worker.
        worker: u64,
        /// What it has done.
        work: Box<Work>,
    },
}

/// What a worker has found.
#[derive(Default, Serialize, Deserialize)]
pub struct StepEntry {
    /// The paths, and what is pending. Its counters are those since the last entry.
    pub step: Step,
    /// What is pending and was given to new tasks.
    pub given: Vec<Given>,
    /// The tasks among those given before that wait in the work queue by now.
    pub published: Vec<TaskId>,
    /// How much of the task is pending.
    pub pending: u64,
    /// Nothing more comes.
    pub finished: bool,
}

/// Pending items that became a task of their own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Given {
    /// The task.
    pub task: TaskId,
    /// Its items.
    pub names: Vec<PendingName>,
}

/// What all workers of a run are told at once. Who misses it learns it later.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum News {
    /// The run is in another state.
    State(RunState),
    /// Paths have covered these for the first time.
    Covered(Vec<u32>),
    /// Somebody cannot go on; the run stops.
    Problem(String),
}

/// Whether workers explore.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum RunState {
    /// They do.
    Running,
    /// They were asked to stop.
    Stopped,
    /// Nothing is left to do.
    Finished,
}

impl RunState {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            RunState::Running => "running",
            RunState::Stopped => "stopped",
            RunState::Finished => "finished",
        }
    }
}

/// What is known of a run without looking at its streams.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunRecord {
    /// The version of Secateur that has begun it.
    pub version: String,
    /// Its state.
    pub state: RunState,
    /// The files of the program.
    pub program: String,
    /// When it began, in seconds since 1970.
    pub began: u64,
    /// How long a worker may be silent before others get its task, in milliseconds.
    pub lease: u64,
}

/// How far a worker is.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// The machine that it runs on.
    pub host: String,
    /// Its process.
    pub process: u32,
    /// How many threads explore.
    pub jobs: u32,
    /// Paths that it has ended.
    pub paths: u64,
    /// How many of them in the last second.
    pub rate: u64,
    /// What is pending in its task; `None` if it waits for one.
    pub pending: Option<u64>,
    /// The memory that it uses, in bytes.
    pub memory: u64,
}

/// A part of an entry: an entry may be larger than a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fragment<'a> {
    /// Who writes: one number for each claim of a task.
    pub owner: u64,
    /// The number of the fragment among those of the owner.
    pub index: u32,
    /// Whether the entry ends with it.
    pub is_last: bool,
    /// A part of the entry.
    pub part: &'a [u8],
}

const FRAGMENT_HEADER: usize = 13;

impl Fragment<'_> {
    fn encode(&self) -> Vec<u8> {
        let mut body = Vec::with_capacity(FRAGMENT_HEADER + self.part.len());
        body.extend_from_slice(&self.owner.to_le_bytes());
        body.extend_from_slice(&self.index.to_le_bytes());
        body.push(u8::from(self.is_last));
        body.extend_from_slice(self.part);
        sealed(body)
    }

    /// Reads a fragment.
    pub fn decode(bytes: &[u8]) -> Result<Fragment<'_>, Unreadable> {
        let body = opened(bytes)?;
        let number = |from: usize, to: usize| body.get(from..to).ok_or(Unreadable::Damaged);
        Ok(Fragment {
            owner: u64::from_le_bytes(number(0, 8)?.try_into().map_err(|_| Unreadable::Damaged)?),
            index: u32::from_le_bytes(number(8, 12)?.try_into().map_err(|_| Unreadable::Damaged)?),
            is_last: *body.get(12).ok_or(Unreadable::Damaged)? == 1,
            part: body.get(FRAGMENT_HEADER..).ok_or(Unreadable::Damaged)?,
        })
    }
}

/// An entry as fragments, numbered from `index` on.
pub fn fragments(entry: &Entry, owner: u64, index: u32) -> Vec<Vec<u8>> {
    let bytes = postcard::to_allocvec(entry).unwrap_or_default();
    let count = bytes.len().div_ceil(MAX_CHUNK).max(1);
    let part = |number: usize| {
        let part = bytes.get(number * MAX_CHUNK..).unwrap_or_default();
        let part = part.get(..MAX_CHUNK).unwrap_or(part);
        Fragment { owner, index: index + number as u32, is_last: number + 1 == count, part }.encode()
    };
    (0..count).map(part).collect()
}

/// Puts the fragments of one log together. An entry that its writer could not end counts as not written.
#[derive(Default)]
pub struct Assembler {
    owner: u64,
    parts: Vec<u8>,
}

impl Assembler {
    /// Adds the next fragment; returns the entry that ends with it, if one does.
    pub fn add(&mut self, fragment: &[u8]) -> Result<Option<Entry>, Unreadable> {
        let fragment = Fragment::decode(fragment)?;
        if fragment.owner != self.owner {
            self.parts.clear();
            self.owner = fragment.owner;
        }
        self.parts.extend_from_slice(fragment.part);
        if !fragment.is_last {
            return Ok(None);
        }
        let parts = std::mem::take(&mut self.parts);
        postcard::from_bytes(&parts).map(Some).map_err(|_| Unreadable::Damaged)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use secateur_explore::{PendingItem, PortablePath};

    use super::*;

    fn names() -> impl Strategy<Value = Vec<PendingName>> {
        vec(any::<u64>().prop_map(PendingName), 0..4)
    }

    /// Pending items, as bytes, since they cannot be printed.
    fn items() -> impl Strategy<Value = Vec<u8>> {
        let path = (any::<u64>(), vec(any::<u8>(), 0..40), vec(any::<(u32, u64)>(), 0..3), any::<u32>(), any::<u64>());
        let item = path.prop_map(|(name, input, exclusions, decisions, number)| {
            let name = PendingName(name);
            let input = input.into();
            PortablePath { name, input, exclusions, decisions, number, ..PortablePath::first() }
        });
        let pack = |paths: Vec<PortablePath>| Items::pack(paths.into_iter().map(PendingItem::Path));
        vec(item, 0..5).prop_map(move |paths| bytes(&Entry::Created(pack(paths))))
    }

    fn step_entry() -> impl Strategy<Value = Vec<u8>> {
        let given = (any::<u64>(), names()).prop_map(|(task, names)| Given { task: TaskId(task), names });
        let published = vec(any::<u64>().prop_map(TaskId), 0..4);
        (vec(given, 0..3), published, any::<u64>(), any::<bool>()).prop_map(|(given, published, pending, finished)| {
            bytes(&Entry::Step(Box::new(StepEntry { step: Step::default(), given, published, pending, finished })))
        })
    }

    /// Entries, as bytes.
    fn entry() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            items(),
            any::<(u64, u64)>().prop_map(|(worker, lease)| bytes(&Entry::Claimed { worker, lease })),
            step_entry(),
            ".{0,60}".prop_map(|why| bytes(&Entry::Dead { why })),
            any::<u64>().prop_map(|worker| bytes(&Entry::Farewell { worker, work: Box::default() })),
        ]
    }

    fn bytes(entry: &Entry) -> Vec<u8> {
        postcard::to_allocvec(entry).unwrap()
    }

    fn framed(entry: &[u8], owner: u64, index: u32) -> Vec<Vec<u8>> {
        fragments(&postcard::from_bytes(entry).unwrap(), owner, index)
    }

    fn news() -> impl Strategy<Value = News> {
        let state = prop_oneof![Just(RunState::Running), Just(RunState::Stopped), Just(RunState::Finished)];
        prop_oneof![
            state.prop_map(News::State),
            vec(any::<u32>(), 0..20).prop_map(News::Covered),
            ".{0,60}".prop_map(News::Problem),
        ]
    }

    fn put_together(fragments: &[Vec<u8>]) -> Result<Option<Entry>, Unreadable> {
        let mut assembler = Assembler::default();
        fragments.iter().try_fold(None, |_, fragment| assembler.add(fragment))
    }

    proptest! {
        /// Whatever is sent arrives as it was.
        #[test]
        fn random_messages_survive(entry in entry(), news in news(), owner: u64, index in 0..u32::MAX / 2) {
            prop_assert_eq!(decode(&encode(&news)), Ok(news));
            let read = put_together(&framed(&entry, owner, index)).unwrap().unwrap();
            prop_assert_eq!(bytes(&read), entry);
        }

        /// Whatever happens to a message on its way, it is refused.
        #[test]
        fn damaged_messages_are_refused(entry in entry(), at: prop::sample::Index, change in 1..=u8::MAX) {
            let fragment = framed(&entry, 1, 0).remove(0);
            let mut damaged = fragment.clone();
            damaged[at.index(fragment.len())] ^= change;
            prop_assert!(put_together(&[damaged]).is_err());
            prop_assert!(put_together(&[fragment[..at.index(fragment.len())].to_vec()]).is_err());
        }

        /// A message whose checksum is right may still hold anything: it is read or refused, and nothing panics.
        #[test]
        fn forged_messages_do_not_panic(body in vec(any::<u8>(), 0..200), entry in entry(), at: prop::sample::Index) {
            let _ = decode::<News>(&sealed(body.clone()));
            let _ = decode::<RunRecord>(&sealed(body.clone()));
            let _ = decode::<WorkerStatus>(&sealed(body.clone()));
            let _ = decode::<Pointer>(&sealed(body.clone()));
            let _ = Assembler::default().add(&body);
            let _ = Assembler::default().add(&sealed(body.clone()));
            // An entry with a part replaced.
            let mut entry = entry;
            let at = at.index(entry.len());
            entry.splice(at..(at + body.len()).min(entry.len()), body);
            let fragment = Fragment { owner: 1, index: 0, is_last: true, part: &entry }.encode();
            match put_together(&[fragment]) {
                Ok(Some(Entry::Created(items))) => drop(items.unpack()),
                Ok(Some(Entry::Step(mut entry))) => drop(entry.step.take_added()),
                _ => {}
            }
        }
    }

    #[test]
    fn what_is_sent_is_read_back_and_anything_else_is_refused() {
        let news = News::Covered(vec![3, 500, 70_000]);
        let bytes = encode(&news);
        assert_eq!(decode(&bytes), Ok(news));
        for length in 0..bytes.len() {
            assert!(decode::<News>(&bytes[..length]).is_err(), "{length}");
        }
        for index in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[index] ^= 0x20;
            assert!(decode::<News>(&damaged).is_err(), "{index}");
        }
        assert_eq!(decode::<News>(b"hello, world"), Err(Unreadable::Foreign));
        assert_eq!(decode::<News>(b"SCT\xff............"), Err(Unreadable::Format(255)));
    }

    /// What is recorded of a version. If this fails, the format has changed: give it another number.
    #[test]
    fn a_recorded_message_is_read() {
        let record = RunRecord {
            version: "0.1.0".to_string(),
            state: RunState::Stopped,
            program: "a.c".to_string(),
            began: 1_700_000_000,
            lease: 30_000,
        };
        let body = b"\x050.1.0\x01\x03a.c\x80\xe2\xcf\xaa\x06\xb0\xea\x01";
        let recorded = |format: u8| [b"SCT", &[format][..], &checksum(body).to_le_bytes(), body].concat();
        assert_eq!(decode(&recorded(FORMAT)), Ok(record.clone()));
        assert_eq!(encode(&record), recorded(FORMAT));
        let entry = fragments(&Entry::Claimed { worker: 7, lease: 300 }, 9, 2).remove(0);
        assert_eq!(entry[HEADER..], *b"\x09\0\0\0\0\0\0\0\x02\0\0\0\x01\x01\x07\xac\x02");
        // A record of the first version, byte by byte: it is refused by its number, whatever it would be read as.
        let first = b"SCT\x01\xde\xa5\x30\x6d\x4e\xcd\x4e\xbe\x050.1.0\x01\x03a.c\x80\xe2\xcf\xaa\x06\xb0\xea\x01";
        assert_eq!(decode::<RunRecord>(first), Err(Unreadable::Format(1)));
        for format in (0..=u8::MAX).filter(|format| *format != FORMAT) {
            assert_eq!(decode::<RunRecord>(&recorded(format)), Err(Unreadable::Format(format)));
            assert!(matches!(Assembler::default().add(&recorded(format)), Err(Unreadable::Format(_))));
        }
    }

    #[test]
    fn long_entries_are_put_together() {
        let entry = Entry::Dead { why: "x".repeat(3 * MAX_CHUNK) };
        let fragments = fragments(&entry, 5, 7);
        assert_eq!(fragments.len(), 4);
        let mut assembler = Assembler::default();
        assert!(matches!(assembler.add(&fragments[0]), Ok(None)), "its writer stops here");
        let others = super::fragments(&Entry::Claimed { worker: 1, lease: 2 }, 6, 0);
        assert!(matches!(assembler.add(&others[0]), Ok(Some(Entry::Claimed { worker: 1, lease: 2 }))));
        let mut whole = None;
        for fragment in &fragments {
            assert!(whole.is_none());
            whole = assembler.add(fragment).unwrap();
        }
        assert!(matches!(whole, Some(Entry::Dead { why }) if why.len() == 3 * MAX_CHUNK));
    }
}
