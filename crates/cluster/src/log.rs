//! The log of a task: who explores it, what was found, and what is pending.
//!
//! A worker appends under the condition that nobody else has: the server refuses an entry unless the last one of the
//! task is the one that its writer knows. So a worker that was silent for too long, and whose task was given to
//! another, cannot add anything any more, and everything is in the log once. What was sent and not acknowledged is sent
//! again under the same condition.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use futures_util::StreamExt;
use secateur_explore::{PendingItem, PendingName};

use crate::connection::reason;
use crate::error::ClusterError;
use crate::run::{Run, failed, is_full};
use crate::wire::{Assembler, Entry, Fragment, StepEntry, TaskId, fragments};

/// How long to wait before something is sent again. This is a constant because it affects only how soon a server that
/// was away is noticed.
const RETRY: Duration = Duration::from_millis(100);

/// Why an entry was not appended.
#[derive(Debug)]
pub(crate) enum AppendError {
    /// Another worker has the task.
    Fenced,
    /// The run is gone, or the server cannot take more.
    Failed(ClusterError),
    /// The server is away, and nobody wants to wait for it.
    GivenUp,
}

/// Appends to the log of a task, for one owner.
pub(crate) struct LogWriter {
    pub task: TaskId,
    owner: u64,
    next: u32,
    /// The sequence number of the last message of the task.
    last: u64,
}

impl LogWriter {
    /// For a new owner of a task, whose last message has this number.
    pub(crate) fn new(task: TaskId, owner: u64, last: u64) -> LogWriter {
        LogWriter { task, owner, next: 0, last }
    }

    /// Appends an entry. While the server is away, it waits, unless `quit` is set.
    pub(crate) async fn append(&mut self, run: &Run, entry: &Entry, quit: &AtomicBool) -> Result<(), AppendError> {
        for fragment in fragments(entry, self.owner, self.next) {
            self.send(run, fragment, quit).await?;
            self.next += 1;
        }
        Ok(())
    }

    async fn send(&mut self, run: &Run, fragment: Vec<u8>, quit: &AtomicBool) -> Result<(), AppendError> {
        let subject = run.log_subject(self.task);
        loop {
            let publish =
                PublishMessage::build().payload(fragment.clone().into()).expected_last_subject_sequence(self.last);
            let sent = match run.server.jetstream.send_publish(subject.clone(), publish).await {
                Ok(sent) => sent.await,
                Err(error) => Err(error),
            };
            let error = match sent {
                Ok(acknowledged) => {
                    self.last = acknowledged.sequence;
                    return Ok(());
                }
                Err(error) => error,
            };
            match error.kind() {
                PublishErrorKind::WrongLastSequence => {
                    if let Some(last) = self.sent_before(run, &subject).await {
                        self.last = last;
                        return Ok(());
                    }
                    return Err(AppendError::Fenced);
                }
                PublishErrorKind::StreamNotFound if run.server.is_connected() => {
                    let gone = run.server.jetstream.get_stream(run.log_stream()).await.is_err();
                    if gone && run.server.has_jetstream().await {
                        return Err(AppendError::Failed(ClusterError::UnknownRun(run.id.clone())));
                    }
                }
                PublishErrorKind::Other | PublishErrorKind::MaxPayloadExceeded => {
                    let reason = reason(&error);
                    if is_full(&reason) {
                        let full = ClusterError::Full { run: run.id.clone(), reason };
                        return Err(AppendError::Failed(full));
                    }
                    tracing::warn!("{reason}");
                }
                _ => {}
            }
            if quit.load(Ordering::Relaxed) && !run.server.is_connected() {
                return Err(AppendError::GivenUp);
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    /// If the last message of the task is the one that is being sent, its number: only its acknowledgement was lost.
    async fn sent_before(&self, run: &Run, subject: &str) -> Option<u64> {
        let last = run.log().await.ok()?.get_last_raw_message_by_subject(subject).await.ok()?;
        let fragment = Fragment::decode(&last.payload).ok()?;
        (fragment.owner == self.owner && fragment.index == self.next).then_some(last.sequence)
    }
}

/// A task as its log says.
#[derive(Default)]
pub(crate) struct TaskView {
    /// What is pending.
    pub pending: BTreeMap<PendingName, PendingItem>,
    /// The tasks that were given away and may not wait in the work queue yet, with their items.
    pub unpublished: BTreeMap<TaskId, Vec<PendingItem>>,
    /// The message in the work queue by which it is held, if it was ever claimed.
    pub lease: Option<u64>,
    /// How often it was claimed since anything was found.
    pub claims: u32,
    /// Nothing more comes of it.
    pub is_finished: bool,
    /// An entry that cannot be read, if there is one.
    pub damaged: Option<String>,
    /// Whether it has any entry.
    pub exists: bool,
    /// The number of its last message.
    pub last: u64,
}

impl TaskView {
    fn add(&mut self, entry: Entry) -> Option<()> {
        self.exists = true;
        match entry {
            Entry::Created(items) => self.extend(items.unpack()?),
            Entry::Claimed { lease, .. } => {
                self.lease = Some(lease);
                self.claims += 1;
            }
            Entry::Step(entry) => {
                let StepEntry { mut step, given, published, finished, .. } = *entry;
                if !step.is_empty() || !given.is_empty() {
                    self.claims = 0;
                }
                for name in step.removed() {
                    self.pending.remove(name);
                }
                self.extend(step.take_added()?);
                for task in published {
                    self.unpublished.remove(&task);
                }
                for given in given {
                    let items = given.names.iter().map(|name| self.pending.remove(name));
                    self.unpublished.insert(given.task, items.collect::<Option<_>>()?);
                }
                self.is_finished = finished;
            }
            Entry::Dead { .. } => self.is_finished = true,
            Entry::Farewell { .. } => {}
        }
        Some(())
    }

    fn extend(&mut self, items: Vec<PendingItem>) {
        self.pending.extend(items.into_iter().map(|item| (item.name(), item)));
    }
}

/// Reads the log of a task.
pub(crate) async fn read(run: &Run, task: TaskId) -> Result<TaskView, ClusterError> {
    let config = pull::Config {
        filter_subject: run.log_subject(task),
        ack_policy: AckPolicy::None,
        inactive_threshold: Duration::from_secs(30),
        memory_storage: true,
        ..pull::Config::default()
    };
    let consumer = run.log().await?.create_consumer(config).await.map_err(failed)?;
    let mut left = consumer.cached_info().num_pending;
    let mut view = TaskView::default();
    let mut assembler = Assembler::default();
    while left > 0 {
        let batch = consumer.fetch().max_messages(left.min(500) as usize);
        let mut batch = batch.messages().await.map_err(failed)?;
        let mut count = 0;
        while let Some(message) = batch.next().await {
            let message = message.map_err(|error| ClusterError::Server(error.to_string()))?;
            count += 1;
            if let Ok(info) = message.info() {
                view.last = info.stream_sequence;
            }
            let added = match assembler.add(&message.payload) {
                Ok(Some(entry)) => view.add(entry).ok_or_else(|| "it makes no sense".to_string()),
                Ok(None) => Ok(()),
                Err(problem) => Err(problem.to_string()),
            };
            if let Err(problem) = added {
                view.damaged.get_or_insert(problem);
            }
        }
        if count == 0 {
            return Err(ClusterError::Server(format!("the log of task {task} ends early")));
        }
        left = left.saturating_sub(count);
    }
    let name = consumer.cached_info().name.clone();
    let _ = run.log().await?.delete_consumer(&name).await;
    Ok(view)
}
