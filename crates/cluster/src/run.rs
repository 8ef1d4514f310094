//! A run on the server: its streams, and what is known of it.
//!
//! | what | where | how long |
//! | --- | --- | --- |
//! | tasks that wait | stream `SECATEUR_WORK_run`, subject `secateur.run.work` | until a worker is done with them |
//! | what was found, by task | stream `SECATEUR_LOG_run`, subject `secateur.run.log.task` | until `gc` |
//! | the program and its options | object store `secateur-run` | until `gc` |
//! | state | key-value bucket `secateur-runs`, key `run` | until `gc` |
//! | how far each worker is | key-value bucket `secateur-workers`, key `run.worker` | ten seconds |
//! | requests for work, news | subjects `secateur.run.hungry` and `secateur.run.news` | never stored |

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::kv::{self, Store};
use async_nats::jetstream::object_store;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RawMessageErrorKind, RetentionPolicy, StorageType, Stream};
use futures_util::StreamExt;
use tokio::io::AsyncReadExt;

use crate::connection::{Server, reason};
use crate::error::ClusterError;
use crate::manifest::Manifest;
use crate::wire::{News, Pointer, RunRecord, RunState, TaskId, Unreadable, WorkerStatus, decode, encode};

const RUNS: &str = "secateur-runs";
const WORKERS: &str = "secateur-workers";
const PROGRAM: &str = "program";

/// The name of the consumer that all workers share.
const CONSUMER: &str = "workers";

/// How long the status of a worker is kept.
const STATUS_AGE: Duration = Duration::from_secs(10);

/// How many workers may wait for work, and how many tasks may be in work. These only bound the server's memory.
const MOST_WORKERS: i64 = 100_000;

/// How a run begins.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Its name.
    pub id: String,
    /// The files of the program.
    pub program: String,
    /// How long a worker may be silent before others get its task.
    pub lease: Duration,
    /// The most bytes that its log may take on the server.
    pub max_bytes: Option<u64>,
}

/// A run.
pub struct Run {
    pub(crate) server: Arc<Server>,
    /// Its name.
    pub id: String,
    pub(crate) lease: Duration,
}

impl Run {
    /// Begins a run: nobody explores yet.
    pub fn create(server: &Arc<Server>, options: &RunOptions, manifest: Vec<u8>) -> Result<Run, ClusterError> {
        let RunOptions { id, lease, .. } = options;
        let named = id.len() <= 64 && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') && !id.is_empty();
        if !named {
            return Err(ClusterError::RunName(id.clone()));
        }
        let run = Run { server: Arc::clone(server), id: id.clone(), lease: *lease };
        server.block_on(run.begin(options, manifest))?;
        Ok(run)
    }

    async fn begin(&self, options: &RunOptions, manifest: Vec<u8>) -> Result<(), ClusterError> {
        let runs = runs(&self.server).await?;
        if runs.get(&self.id).await.map_err(failed)?.is_some() {
            return Err(ClusterError::RunExists(self.id.clone()));
        }
        // What a run that was not removed properly has left.
        self.remove_streams().await;
        let jetstream = &self.server.jetstream;
        let log = Config {
            name: self.log_stream(),
            subjects: vec![format!("secateur.{}.log.*", self.id)],
            max_bytes: options.max_bytes.map_or(-1, |most| i64::try_from(most).unwrap_or(i64::MAX)),
            discard: DiscardPolicy::New,
            storage: StorageType::File,
            ..Config::default()
        };
        jetstream.create_stream(log).await.map_err(failed)?;
        let work = Config {
            name: self.work_stream(),
            subjects: vec![self.work_subject()],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            ..Config::default()
        };
        let work = jetstream.create_stream(work).await.map_err(failed)?;
        let workers = pull::Config {
            durable_name: Some(CONSUMER.to_string()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.lease,
            max_deliver: -1,
            max_ack_pending: MOST_WORKERS,
            max_waiting: MOST_WORKERS,
            ..pull::Config::default()
        };
        work.create_consumer(workers).await.map_err(failed)?;
        let store = object_store::Config { bucket: self.store(), ..object_store::Config::default() };
        let store = jetstream.create_object_store(store).await.map_err(failed)?;
        store.put(PROGRAM, &mut manifest.as_slice()).await.map_err(|error| self.put_failed(&error))?;
        let record = RunRecord {
            version: secateur_campaign::VERSION.to_string(),
            state: RunState::Running,
            program: options.program.clone(),
            began: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
            lease: self.lease.as_millis() as u64,
        };
        runs.put(&self.id, encode(&record).into()).await.map_err(failed)?;
        Ok(())
    }

    fn put_failed(&self, error: &dyn std::error::Error) -> ClusterError {
        let reason = reason(error);
        if is_full(&reason) {
            ClusterError::Full { run: self.id.clone(), reason }
        } else {
            ClusterError::Server(reason)
        }
    }

    /// A run that was begun.
    pub fn open(server: &Arc<Server>, id: &str) -> Result<(Run, RunRecord), ClusterError> {
        let record = server.block_on(record(server, id))?;
        if record.version != secateur_campaign::VERSION {
            return Err(ClusterError::Version { run: id.to_string(), version: record.version });
        }
        let run = Run { server: Arc::clone(server), id: id.to_string(), lease: Duration::from_millis(record.lease) };
        Ok((run, record))
    }

    /// The run of this name, or the only one, or the only one in this state.
    pub fn find(
        server: &Arc<Server>,
        id: Option<&str>,
        state: Option<RunState>,
    ) -> Result<(Run, RunRecord), ClusterError> {
        if let Some(id) = id {
            return Run::open(server, id);
        }
        let mut ids = list(server)?;
        if let Some(state) = state.filter(|_| ids.len() > 1) {
            ids.retain(|(_, record)| record.as_ref().is_ok_and(|record| record.state == state));
        }
        match ids.as_slice() {
            [] => Err(ClusterError::NoRun),
            [(id, _)] => Run::open(server, id),
            several => {
                Err(ClusterError::SeveralRuns(several.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>().join(", ")))
            }
        }
    }

    /// The program and the options.
    pub fn manifest(&self) -> Result<Manifest, ClusterError> {
        let bytes = self.server.block_on(async {
            let store = self.server.jetstream.get_object_store(self.store()).await.map_err(failed)?;
            let mut object = store.get(PROGRAM).await.map_err(failed)?;
            let mut bytes = Vec::new();
            object.read_to_end(&mut bytes).await.map_err(|_| ClusterError::Damaged(self.id.clone()))?;
            Ok(bytes)
        })?;
        Manifest::decode(&bytes).map_err(|problem| match problem {
            Unreadable::Format(format) => {
                ClusterError::Version { run: self.id.clone(), version: format!("format {format}") }
            }
            _ => ClusterError::Damaged(self.id.clone()),
        })
    }

    /// The state.
    pub fn state(&self) -> Result<RunState, ClusterError> {
        self.server.block_on(record(&self.server, &self.id)).map(|record| record.state)
    }

    /// Changes the state, and tells all who work for the run.
    pub fn set_state(&self, state: RunState) -> Result<(), ClusterError> {
        self.server.block_on(async {
            let record = record(&self.server, &self.id).await?;
            let runs = runs(&self.server).await?;
            runs.put(&self.id, encode(&RunRecord { state, ..record }).into()).await.map_err(failed)?;
            self.tell(&News::State(state)).await;
            Ok(())
        })
    }

    /// Tells all who work for the run; who misses it learns it later.
    pub(crate) async fn tell(&self, news: &News) {
        let client = &self.server.client;
        if client.publish(self.news_subject(), encode(news).into()).await.is_ok() {
            let _ = client.flush().await;
        }
    }

    /// A number that no other worker has.
    pub(crate) fn join(&self) -> Result<u64, ClusterError> {
        self.server.block_on(async {
            let runs = runs(&self.server).await?;
            // The revisions of a bucket only grow.
            runs.put(format!("joined.{}", self.id), Vec::new().into()).await.map_err(failed)
        })
    }

    /// Shows how far a worker is, for some seconds.
    pub(crate) async fn show(&self, worker: u64, status: &WorkerStatus) {
        if let Ok(workers) = workers(&self.server).await {
            let _ = workers.put(format!("{}.{worker}", self.id), encode(status).into()).await;
        }
    }

    /// The consumer that all workers share.
    pub(crate) async fn consumer(&self) -> Result<Consumer<pull::Config>, ClusterError> {
        let stream = self.server.jetstream.get_stream_no_info(self.work_stream()).await.map_err(failed)?;
        stream.get_consumer(CONSUMER).await.map_err(|error| ClusterError::Server(error.to_string()))
    }

    /// How many tasks wait, how many are in work, and how many had to be given to a second worker.
    pub fn queue(&self) -> Result<(u64, u64, u64), ClusterError> {
        self.server.block_on(async {
            let consumer = self.consumer().await?;
            let info = consumer.cached_info();
            Ok((info.num_pending, info.num_ack_pending as u64, info.num_redelivered as u64))
        })
    }

    /// Whether this message is still in the work queue.
    pub(crate) async fn is_queued(&self, message: u64) -> Result<bool, ClusterError> {
        let stream = self.server.jetstream.get_stream_no_info(self.work_stream()).await.map_err(failed)?;
        match stream.get_raw_message(message).await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => Ok(false),
            Err(error) => Err(failed(error)),
        }
    }

    /// How many messages the log has, and how many bytes.
    pub fn log_size(&self) -> Result<(u64, u64), ClusterError> {
        self.server.block_on(async {
            let stream = self.server.jetstream.get_stream(self.log_stream()).await.map_err(failed)?;
            let state = &stream.cached_info().state;
            Ok((state.messages, state.bytes))
        })
    }

    /// Puts a task into the work queue.
    pub(crate) async fn enqueue(&self, task: TaskId, attempt: u32) -> Result<(), ClusterError> {
        let publish = async_nats::jetstream::message::PublishMessage::build()
            .payload(encode(&Pointer { task }).into())
            .message_id(format!("{task}.{attempt}"));
        let sent = self.server.jetstream.send_publish(self.work_subject(), publish).await.map_err(failed)?;
        sent.await.map_err(failed)?;
        Ok(())
    }

    /// Removes everything of the run from the server.
    pub fn remove(&self) -> Result<(), ClusterError> {
        remove(&self.server, &self.id)
    }

    async fn remove_streams(&self) {
        // Each may have been removed before.
        let _ = self.server.jetstream.delete_stream(self.log_stream()).await;
        let _ = self.server.jetstream.delete_stream(self.work_stream()).await;
        let _ = self.server.jetstream.delete_object_store(self.store()).await;
    }

    pub(crate) async fn log(&self) -> Result<Stream<()>, ClusterError> {
        self.server.jetstream.get_stream_no_info(self.log_stream()).await.map_err(failed)
    }

    pub(crate) fn log_stream(&self) -> String {
        format!("SECATEUR_LOG_{}", self.id)
    }

    fn work_stream(&self) -> String {
        format!("SECATEUR_WORK_{}", self.id)
    }

    fn store(&self) -> String {
        format!("secateur-{}", self.id)
    }

    pub(crate) fn log_subject(&self, task: TaskId) -> String {
        format!("secateur.{}.log.{task}", self.id)
    }

    pub(crate) fn farewell_subject(&self) -> String {
        format!("secateur.{}.log.farewell", self.id)
    }

    fn work_subject(&self) -> String {
        format!("secateur.{}.work", self.id)
    }

    pub(crate) fn hungry_subject(&self) -> String {
        format!("secateur.{}.hungry", self.id)
    }

    pub(crate) fn news_subject(&self) -> String {
        format!("secateur.{}.news", self.id)
    }
}

/// The task of a subject of the log; `None` for farewells.
pub(crate) fn task_of(subject: &str) -> Option<TaskId> {
    u64::from_str_radix(subject.rsplit('.').next()?, 16).ok().map(TaskId)
}

/// A run by its name, or why it cannot be read.
pub type ListedRun = (String, Result<RunRecord, Unreadable>);

/// All runs on a server, those that cannot be read included.
pub fn list(server: &Arc<Server>) -> Result<Vec<ListedRun>, ClusterError> {
    server.block_on(async {
        let store = runs(server).await?;
        let mut list = Vec::new();
        for id in keys(&store).await?.into_iter().filter(|key| !key.contains('.')) {
            if let Some(record) = store.get(&id).await.map_err(failed)? {
                list.push((id, decode(&record)));
            }
        }
        list.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(list)
    })
}

/// The workers that have shown how far they are in the last seconds, by run and number.
pub fn list_workers(server: &Arc<Server>) -> Result<Vec<(String, u64, WorkerStatus)>, ClusterError> {
    server.block_on(async {
        let store = workers(server).await?;
        let mut list = Vec::new();
        for key in keys(&store).await? {
            let Some((run, number)) = key.rsplit_once('.') else { continue };
            let status = store.get(&key).await.map_err(failed)?;
            if let (Ok(number), Some(Ok(status))) = (number.parse(), status.map(|status| decode(&status))) {
                list.push((run.to_string(), number, status));
            }
        }
        list.sort_by_key(|(run, number, _)| (run.clone(), *number));
        Ok(list)
    })
}

/// Removes everything of a run from the server, of whatever version it is.
pub fn remove(server: &Arc<Server>, id: &str) -> Result<(), ClusterError> {
    server.block_on(async {
        let store = runs(server).await?;
        if store.get(id).await.map_err(failed)?.is_none() {
            return Err(ClusterError::UnknownRun(id.to_string()));
        }
        let run = Run { server: Arc::clone(server), id: id.to_string(), lease: Duration::ZERO };
        run.remove_streams().await;
        let _ = store.purge(format!("joined.{id}")).await;
        store.purge(id).await.map_err(failed)
    })
}

async fn record(server: &Arc<Server>, id: &str) -> Result<RunRecord, ClusterError> {
    let unknown = || ClusterError::UnknownRun(id.to_string());
    // A name with other characters cannot be a key.
    let bytes = runs(server).await?.get(id).await.map_err(|error| match error.kind() {
        kv::EntryErrorKind::InvalidKey => unknown(),
        _ => failed(error),
    })?;
    decode(&bytes.ok_or_else(unknown)?).map_err(|problem| match problem {
        Unreadable::Format(format) => {
            ClusterError::Version { run: id.to_string(), version: format!("format {format}") }
        }
        _ => ClusterError::Damaged(id.to_string()),
    })
}

async fn runs(server: &Arc<Server>) -> Result<Store, ClusterError> {
    bucket(server, RUNS, Duration::ZERO).await
}

async fn workers(server: &Arc<Server>) -> Result<Store, ClusterError> {
    bucket(server, WORKERS, STATUS_AGE).await
}

/// A key-value bucket, which is made if there is none; its values expire after `age`, if that is not zero. It is made
/// as the stream that it is, since the library asks servers more about themselves for a bucket than older ones can say.
async fn bucket(server: &Arc<Server>, name: &str, age: Duration) -> Result<Store, ClusterError> {
    if let Ok(store) = server.jetstream.get_key_value(name).await {
        return Ok(store);
    }
    let stream = Config {
        name: format!("KV_{name}"),
        subjects: vec![format!("$KV.{name}.>")],
        max_messages_per_subject: 1,
        max_age: age,
        discard: DiscardPolicy::New,
        storage: StorageType::File,
        allow_rollup: true,
        deny_delete: true,
        allow_direct: true,
        num_replicas: 1,
        ..Config::default()
    };
    server.jetstream.create_stream(stream).await.map_err(failed)?;
    server.jetstream.get_key_value(name).await.map_err(failed)
}

async fn keys(store: &Store) -> Result<Vec<String>, ClusterError> {
    let mut keys = store.keys().await.map_err(failed)?;
    let mut list = Vec::new();
    while let Some(key) = keys.next().await {
        list.push(key.map_err(failed)?);
    }
    Ok(list)
}

/// Whether the server says that there is no room.
pub(crate) fn is_full(reason: &str) -> bool {
    ["maximum bytes", "insufficient", "no space left", "resource limits exceeded", "maximum messages"]
        .iter()
        .any(|part| reason.contains(part))
}

pub(crate) fn failed(error: impl std::error::Error) -> ClusterError {
    ClusterError::Server(reason(&error))
}
