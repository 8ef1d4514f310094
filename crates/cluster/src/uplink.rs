//! The side of a worker: takes tasks from the server, and sends what is found.
//!
//! To the exploration it is the subscriber's sink and the [`Remote`] on the other side of the exchange. A task stays in
//! the work queue, leased, while its worker explores it; it is acknowledged once its log says that it is finished. So a
//! worker that dies loses nothing: the task is delivered again, and whoever gets it reads from the log what is pending.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use rustc_hash::FxHashSet;
use secateur_campaign::{Delivery, Gathered, Items, Sink, Work};
use secateur_explore::{Counters, PendingItem, PendingName, PortableFlip, Remote, resident_memory};
use secateur_machine::CoverageMap;
use secateur_program::Program;
use tokio::task::JoinHandle;

use crate::error::ClusterError;
use crate::log::{AppendError, LogWriter, TaskView, read};
use crate::run::Run;
use crate::tuning::Tuning;
use crate::wire::{Entry, Given, News, Pointer, RunState, StepEntry, TaskId, WorkerStatus, decode, fragments};

/// How often what was found is sent. This is a constant because it decides only how much a killed worker does again.
const INTERVAL: Duration = Duration::from_millis(500);

/// How often the thread that sends looks whether there is something to do.
const TICK: Duration = Duration::from_millis(25);

/// How much is gathered before it is sent early, and before the workers have to wait. These only bound memory.
const MUCH: usize = 20_000;
const TOO_MUCH: usize = 200_000;

/// How often a worker shows how far it is, and how often it looks for news that it may have missed. These only decide
/// how soon people and workers hear of something.
const STATUS: Duration = Duration::from_secs(2);
const STATE: Duration = Duration::from_secs(3);

/// How many bits of a path's number are the worker's own.
const PATH_BITS: u32 = 36;

/// Connects one worker with a run.
pub(crate) struct Uplink {
    run: Run,
    consumer: Consumer<pull::Config>,
    program: Arc<Program>,
    /// Its number among the workers of the run.
    worker: u64,
    jobs: u32,
    tuning: Tuning,
    /// Set when another worker wants flips.
    demand: Arc<AtomicBool>,
    /// Set when the run does not go on.
    over: AtomicBool,
    /// Set when the user wants the worker to end.
    quit: Arc<AtomicBool>,
    paths: AtomicU64,
    state: Mutex<State>,
    change: Condvar,
    /// The task that it has. Whoever sends locks this first.
    held: Mutex<Option<Held>>,
    known: Mutex<Known>,
    background: Mutex<Vec<JoinHandle<()>>>,
}

/// What was found and not sent.
#[derive(Default)]
struct State {
    gathered: Gathered,
    /// The counters of the exploration that were sent.
    sent: Counters,
    /// The final counters of the exploration.
    counted: Option<Counters>,
    /// What is pending in the task.
    names: FxHashSet<PendingName>,
    given: Vec<Batch>,
    covered: Vec<u32>,
    /// Set to stop the exploration.
    interrupted: Arc<AtomicBool>,
    /// Another worker has the task: what is found does not count.
    is_fenced: bool,
    /// Why it cannot go on.
    failure: Option<ClusterError>,
    last_path: u64,
    is_closed: bool,
}

/// Flips that become a task.
struct Batch {
    task: TaskId,
    items: Vec<PendingItem>,
}

/// A task that is leased.
struct Held {
    writer: LogWriter,
    message: Message,
    /// The tasks that were put into the work queue since the last entry.
    published: Vec<TaskId>,
    /// Hears of workers that wait.
    listener: Option<JoinHandle<()>>,
    renewed: Instant,
    sent: Instant,
}

/// What is covered, by what is in logs.
#[derive(Default)]
struct Known {
    entries: BTreeSet<u32>,
    /// The map of the exploration.
    map: Option<CoverageMap>,
}

impl Uplink {
    pub(crate) fn new(
        run: Run,
        program: Arc<Program>,
        jobs: u32,
        quit: Arc<AtomicBool>,
        tuning: Tuning,
    ) -> Result<Arc<Uplink>, ClusterError> {
        let worker = run.join()?;
        let consumer = run.server.block_on(run.consumer())?;
        let uplink = Arc::new(Uplink {
            run,
            consumer,
            program,
            worker,
            jobs,
            tuning,
            demand: Arc::default(),
            over: AtomicBool::new(false),
            quit,
            paths: AtomicU64::new(0),
            state: Mutex::default(),
            change: Condvar::new(),
            held: Mutex::new(None),
            known: Mutex::default(),
            background: Mutex::default(),
        });
        uplink.listen_to_news()?;
        Ok(uplink)
    }

    /// Sends what is found until [`Uplink::close`] is called. It has a thread of its own.
    pub(crate) fn send(&self, show: &(dyn Fn(&WorkerStatus) + Sync)) {
        let (mut shown, mut asked) = (Instant::now(), Instant::now());
        let (mut demanded, mut paths_before) = (Instant::now(), 0);
        loop {
            let state = self.state();
            if state.is_closed {
                return;
            }
            let waited = self.change.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner);
            let is_urgent = !waited.0.given.is_empty() || waited.0.gathered.len() > MUCH;
            drop(waited);
            if self.quit.load(Ordering::Relaxed) {
                self.interrupt();
            }
            if self.demand.load(Ordering::Relaxed) {
                if demanded.elapsed() > self.tuning.demand_time {
                    self.demand.store(false, Ordering::Relaxed);
                }
            } else {
                demanded = Instant::now();
            }
            self.send_if_due(is_urgent);
            if shown.elapsed() >= STATUS {
                let paths = self.paths.load(Ordering::Relaxed);
                let rate = (paths - paths_before) as f64 / shown.elapsed().as_secs_f64();
                (shown, paths_before) = (Instant::now(), paths);
                let status = self.status(paths, rate as u64);
                show(&status);
                self.run.server.block_on(self.run.show(self.worker, &status));
            }
            if asked.elapsed() >= STATE {
                asked = Instant::now();
                match self.run.state() {
                    Ok(state) => self.heard(&News::State(state)),
                    Err(ClusterError::UnknownRun(_)) => self.heard(&News::State(RunState::Stopped)),
                    Err(_) => {}
                }
            }
        }
    }

    fn status(&self, paths: u64, rate: u64) -> WorkerStatus {
        let held = lock(&self.held).is_some();
        WorkerStatus {
            host: std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_string(),
            process: std::process::id(),
            jobs: self.jobs,
            paths,
            rate,
            pending: held.then(|| self.state().names.len() as u64),
            memory: resident_memory().unwrap_or(0),
        }
    }

    fn send_if_due(&self, is_urgent: bool) {
        let Ok(mut held) = self.held.try_lock() else { return };
        let Some(task) = held.as_mut() else { return };
        if task.renewed.elapsed() >= self.run.lease / 3 {
            task.renewed = Instant::now();
            // If it is lost, the next one renews the lease.
            let _ = self.run.server.block_on(task.message.ack_with(AckKind::Progress));
        }
        if is_urgent || task.sent.elapsed() >= INTERVAL {
            self.send_step(task, false);
        }
    }

    /// Sends what was gathered; returns whether the task is finished.
    fn send_step(&self, task: &mut Held, finish: bool) -> bool {
        task.sent = Instant::now();
        let (entry, batches, covered) = {
            let mut state = self.state();
            if state.is_fenced || state.failure.is_some() {
                return false;
            }
            let mut step = state.gathered.take();
            let batches = std::mem::take(&mut state.given);
            let finished = finish && state.names.is_empty();
            if step.is_empty() && batches.is_empty() && !finished && !finish {
                return false;
            }
            let counters = state.counted.clone().unwrap_or_else(|| state.gathered.counters());
            step.set_counters(counters.since(&state.sent));
            state.sent = counters;
            let given = batches
                .iter()
                .map(|batch| Given { task: batch.task, names: batch.items.iter().map(PendingItem::name).collect() });
            let given = given.collect();
            let published = std::mem::take(&mut task.published);
            let pending = state.names.len() as u64;
            let entry = StepEntry { step, given, published, pending, finished };
            (entry, batches, std::mem::take(&mut state.covered))
        };
        let finished = entry.finished;
        let sent = self.run.server.block_on(async {
            task.writer.append(&self.run, &Entry::Step(Box::new(entry)), &self.quit).await?;
            for batch in batches {
                let task_id = batch.task;
                self.publish(batch).await?;
                task.published.push(task_id);
            }
            if !covered.is_empty() {
                self.run.tell(&News::Covered(covered.clone())).await;
            }
            Ok(())
        });
        self.change.notify_all();
        match sent {
            Ok(()) => {
                lock(&self.known).entries.extend(covered);
                finished
            }
            Err(error) => {
                self.fail(error);
                false
            }
        }
    }

    /// Creates a task and puts it into the work queue. Both may have happened before.
    async fn publish(&self, batch: Batch) -> Result<(), AppendError> {
        let mut writer = LogWriter::new(batch.task, batch.task.0, 0);
        match writer.append(&self.run, &Entry::Created(Items::pack(batch.items)), &self.quit).await {
            // Others have gone on with it.
            Ok(()) | Err(AppendError::Fenced) => {}
            Err(error) => return Err(error),
        }
        loop {
            match self.run.enqueue(batch.task, 0).await {
                Ok(()) => return Ok(()),
                Err(ClusterError::Server(reason)) if crate::run::is_full(&reason) => {
                    return Err(AppendError::Failed(ClusterError::Full { run: self.run.id.clone(), reason }));
                }
                Err(_) if self.quit.load(Ordering::Relaxed) && !self.run.server.is_connected() => {
                    return Err(AppendError::GivenUp);
                }
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
    }

    fn fail(&self, error: AppendError) {
        let mut state = self.state();
        match error {
            AppendError::Fenced => {
                tracing::warn!("another worker has the task: this one was silent for too long");
                state.is_fenced = true;
            }
            AppendError::Failed(failure) => state.failure = Some(failure),
            AppendError::GivenUp => state.is_fenced = true,
        }
        state.interrupted.store(true, Ordering::Relaxed);
        drop(state);
        self.change.notify_all();
    }

    /// Waits for a task, from which an exploration is about to start.
    pub(crate) fn first_items(&self) -> Result<Option<Vec<PendingItem>>, ClusterError> {
        let items = self.next_items();
        match self.state().failure.clone() {
            Some(failure) => Err(failure),
            None => Ok(items),
        }
    }

    /// Whether it has the task with which the run began.
    pub(crate) fn has_first_task(&self) -> bool {
        lock(&self.held).as_ref().is_some_and(|held| held.writer.task == TaskId::ROOT)
    }

    /// Begins an exploration of the task: returns what stops it, and the number before that of its first path.
    pub(crate) fn begin_exploration(&self) -> (Arc<AtomicBool>, u64) {
        let mut state = self.state();
        state.interrupted = Arc::new(AtomicBool::new(self.is_over()));
        (state.sent, state.counted) = (Counters::default(), None);
        state.gathered = Gathered::default();
        // As many as may have started and not ended.
        state.last_path += 2048;
        (Arc::clone(&state.interrupted), (self.worker << PATH_BITS) + state.last_path)
    }

    /// An exploration has ended: gives the task back unless it is finished. `was_large` says that memory was too short
    /// for it.
    pub(crate) fn end_exploration(&self, counters: Counters, was_large: bool) -> Result<(), ClusterError> {
        lock(&self.known).map = None;
        self.state().counted = Some(counters);
        let mut held = lock(&self.held);
        let Some(mut task) = held.take() else {
            return self.state().failure.clone().map_or(Ok(()), Err);
        };
        drop(held);
        stop_listening(&mut task);
        let finished = self.send_step(&mut task, true);
        let mut state = self.state();
        if let Some(failure) = state.failure.clone() {
            drop(state);
            self.give_back(&task);
            return Err(failure);
        }
        if std::mem::take(&mut state.is_fenced) {
            state.names.clear();
            state.given.clear();
            state.covered.clear();
            return Ok(());
        }
        let left = std::mem::take(&mut state.names);
        drop(state);
        if finished {
            self.acknowledge(&task);
        } else if was_large && left.len() > self.tuning.task_items {
            self.split(task)?;
        } else {
            self.give_back(&task);
        }
        Ok(())
    }

    /// Turns a task into several.
    fn split(&self, mut task: Held) -> Result<(), ClusterError> {
        let view = self.run.server.block_on(read(&self.run, task.writer.task))?;
        let mut items: Vec<PendingItem> = view.pending.into_values().collect();
        while !items.is_empty() {
            let rest = items.split_off(items.len().min(self.tuning.task_items));
            self.state().given.push(Batch { task: new_task(), items });
            items = rest;
        }
        if self.send_step(&mut task, true) {
            self.acknowledge(&task);
        }
        Ok(())
    }

    /// The next worker need not wait for the end of the lease; but if this fails, it does.
    fn give_back(&self, task: &Held) {
        let _ = self.run.server.block_on(task.message.double_ack_with(AckKind::Nak(None)));
    }

    fn acknowledge(&self, task: &Held) {
        let server = &self.run.server;
        // If it is not acknowledged, it is delivered again, and found to be finished.
        let _ = server.block_on(task.message.double_ack());
    }

    /// Waits for a task and claims it; `None` if there is nothing to wait for any more.
    fn next_items(&self) -> Option<Vec<PendingItem>> {
        let mut pause = self.tuning.first_pause;
        loop {
            if self.is_over() || self.state().failure.is_some() {
                return None;
            }
            let message = self.run.server.block_on(self.next_message(pause));
            pause = (pause * 2).min(self.tuning.longest_pause);
            let Some(message) = message else { continue };
            match self.run.server.block_on(self.claim(message.clone())) {
                Ok(Some((held, pending))) => {
                    self.state().names = pending.iter().map(PendingItem::name).collect();
                    *lock(&self.held) = Some(held);
                    return Some(pending);
                }
                Ok(None) => pause = self.tuning.first_pause,
                Err(error) => {
                    tracing::warn!("{error}");
                    let later = AckKind::Nak(Some(self.tuning.longest_pause));
                    let _ = self.run.server.block_on(message.ack_with(later));
                }
            }
        }
    }

    async fn next_message(&self, wait: Duration) -> Option<Message> {
        let batch = self.consumer.batch().max_messages(1).expires(wait);
        let Ok(mut messages) = batch.messages().await else {
            tokio::time::sleep(wait).await;
            return None;
        };
        // A busy worker hears of this.
        let _ = self.run.server.client.publish(self.run.hungry_subject(), Vec::new().into()).await;
        match messages.next().await {
            Some(Ok(message)) => Some(message),
            Some(Err(_)) => {
                tokio::time::sleep(wait).await;
                None
            }
            None => None,
        }
    }

    /// Claims the task that a message points to; `None` if it needs nobody.
    async fn claim(&self, message: Message) -> Result<Option<(Held, Vec<PendingItem>)>, ClusterError> {
        let server_fault = |error: async_nats::Error| ClusterError::Server(error.to_string());
        let lease = message.info().map_err(server_fault)?.stream_sequence;
        let task = match decode::<Pointer>(&message.payload) {
            Ok(Pointer { task }) => task,
            Err(problem) => {
                self.report_dead(new_task(), 0, format!("a message in the work queue cannot be read: {problem}")).await;
                message.double_ack().await.map_err(server_fault)?;
                return Ok(None);
            }
        };
        loop {
            let view = read(&self.run, task).await?;
            let TaskView { last, .. } = view;
            // A message that the server has lost holds no task.
            let elsewhere = match view.lease {
                Some(other) if other != lease => self.run.is_queued(other).await?,
                _ => false,
            };
            if view.is_finished || elsewhere {
                if view.is_finished && self.publish_all(view.unpublished).await.is_err() {
                    return Ok(None);
                }
                message.double_ack().await.map_err(server_fault)?;
                return Ok(None);
            }
            if let Some(why) = self.unusable(&view) {
                self.report_dead(task, last, why).await;
                message.double_ack().await.map_err(server_fault)?;
                return Ok(None);
            }
            let owner = random();
            let mut writer = LogWriter::new(task, owner, last);
            match writer.append(&self.run, &Entry::Claimed { worker: self.worker, lease }, &self.quit).await {
                Ok(()) => {}
                Err(AppendError::Fenced) => continue,
                Err(error) => {
                    self.fail(error);
                    return Ok(None);
                }
            }
            let published: Vec<TaskId> = view.unpublished.keys().copied().collect();
            if self.publish_all(view.unpublished).await.is_err() {
                return Ok(None);
            }
            let listener = self.listen_to_the_hungry().await;
            let now = Instant::now();
            let held = Held { writer, message, published, listener, renewed: now, sent: now };
            return Ok(Some((held, view.pending.into_values().collect())));
        }
    }

    async fn publish_all(&self, batches: std::collections::BTreeMap<TaskId, Vec<PendingItem>>) -> Result<(), ()> {
        for (task, items) in batches {
            self.publish(Batch { task, items }).await.map_err(|error| self.fail(error))?;
        }
        Ok(())
    }

    /// Why a task cannot be explored, if it cannot.
    fn unusable(&self, view: &TaskView) -> Option<String> {
        if let Some(problem) = &view.damaged {
            return Some(format!("a task cannot be read: {problem}"));
        }
        if !view.exists {
            return Some("a task is not in the log".to_string());
        }
        let most = self.tuning.task_claims;
        if view.claims >= most {
            return Some(format!("a task was given up: {most} workers ended without finding anything in it"));
        }
        let fits = view.pending.values().all(|item| item.fits(&self.program));
        (!fits).then(|| "a task is of another program".to_string())
    }

    async fn report_dead(&self, task: TaskId, last: u64, why: String) {
        let mut writer = LogWriter::new(task, random(), last);
        if let Err(AppendError::Failed(error)) = writer.append(&self.run, &Entry::Dead { why }, &self.quit).await {
            self.fail(AppendError::Failed(error));
        }
    }

    /// Hears what all are told.
    fn listen_to_news(self: &Arc<Self>) -> Result<(), ClusterError> {
        let server = &self.run.server;
        let mut news = server.block_on(server.client.subscribe(self.run.news_subject())).map_err(crate::run::failed)?;
        let uplink = Arc::downgrade(self);
        let listener = server.spawn(async move {
            while let Some(message) = news.next().await {
                let Some(uplink) = uplink.upgrade() else { return };
                if let Ok(news) = decode(&message.payload) {
                    uplink.heard(&news);
                }
            }
        });
        lock(&self.background).push(listener);
        Ok(())
    }

    fn heard(&self, news: &News) {
        match news {
            News::State(RunState::Running) | News::Problem(_) => {}
            News::State(RunState::Stopped | RunState::Finished) => {
                self.over.store(true, Ordering::Relaxed);
                self.interrupt();
            }
            News::Covered(entries) => {
                let mut known = lock(&self.known);
                if let Some(map) = &known.map {
                    restore(map, entries);
                }
                known.entries.extend(entries);
            }
        }
    }

    /// Whether the worker should not explore any more.
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed) || self.quit.load(Ordering::Relaxed)
    }

    fn interrupt(&self) {
        self.state().interrupted.store(true, Ordering::Relaxed);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Ends [`Uplink::send`], and says what was done besides paths.
    pub(crate) fn close(&self, work: Work) {
        self.state().is_closed = true;
        self.change.notify_all();
        let farewell = Entry::Farewell { worker: self.worker, work: Box::new(work) };
        let server = &self.run.server;
        server.block_on(async {
            for fragment in fragments(&farewell, random(), 0) {
                // Nothing depends on it.
                if let Ok(sent) = server.jetstream.publish(self.run.farewell_subject(), fragment.into()).await {
                    let _ = tokio::time::timeout(INTERVAL, std::future::IntoFuture::into_future(sent)).await;
                }
            }
        });
    }

    /// Tells all that the run cannot go on.
    pub(crate) fn report_problem(&self, problem: &ClusterError) {
        self.run.server.block_on(self.run.tell(&News::Problem(problem.to_string())));
    }

    /// Hears of workers that wait: each request reaches one of those that explore.
    async fn listen_to_the_hungry(&self) -> Option<JoinHandle<()>> {
        let subject = self.run.hungry_subject();
        let mut hungry = self.run.server.client.queue_subscribe(subject, "busy".to_string()).await.ok()?;
        let demand = Arc::clone(&self.demand);
        Some(self.run.server.spawn(async move {
            while hungry.next().await.is_some() {
                demand.store(true, Ordering::Relaxed);
            }
        }))
    }
}

impl Sink for Uplink {
    fn begin(&self, coverage: CoverageMap) {
        let mut known = lock(&self.known);
        restore(&coverage, &known.entries);
        known.map = Some(coverage);
    }

    fn deliver(&self, delivery: Delivery) {
        let mut state = self.state();
        while state.gathered.len() > TOO_MUCH && !state.is_fenced && state.failure.is_none() {
            let waited = self.change.wait_timeout(state, TICK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if state.is_fenced || state.failure.is_some() {
            return;
        }
        let (removed, added) = delivery.names();
        for name in removed {
            state.names.remove(&name);
        }
        state.names.extend(added);
        state.covered.extend(delivery.covered());
        let number = delivery.last_path() & ((1 << PATH_BITS) - 1);
        state.last_path = state.last_path.max(number);
        self.paths.fetch_add(delivery.paths(), Ordering::Relaxed);
        state.gathered.add(delivery);
        if state.gathered.len() > MUCH {
            self.change.notify_all();
        }
    }
}

impl Remote for Uplink {
    fn wants_flips(&self) -> bool {
        self.demand.load(Ordering::Relaxed)
    }

    fn give(&self, flips: Vec<PortableFlip>) {
        self.demand.store(false, Ordering::Relaxed);
        let items: Vec<PendingItem> = flips.into_iter().map(PendingItem::Flip).collect();
        let mut state = self.state();
        for item in &items {
            state.names.remove(&item.name());
        }
        state.given.push(Batch { task: new_task(), items });
        drop(state);
        self.change.notify_all();
    }

    fn fetch(&self) -> Option<Vec<PendingItem>> {
        let mut held = lock(&self.held);
        if let Some(mut task) = held.take() {
            drop(held);
            stop_listening(&mut task);
            self.demand.store(false, Ordering::Relaxed);
            if !self.send_step(&mut task, true) {
                // The exploration ends, and what is left is given back.
                *lock(&self.held) = Some(task);
                return None;
            }
            self.acknowledge(&task);
        } else {
            drop(held);
        }
        self.next_items()
    }
}

impl Drop for Uplink {
    fn drop(&mut self) {
        for task in lock(&self.background).drain(..) {
            task.abort();
        }
    }
}

fn restore<'a>(map: &CoverageMap, entries: impl IntoIterator<Item = &'a u32>) {
    for entry in entries {
        map.restore(*entry);
    }
}

fn stop_listening(task: &mut Held) {
    if let Some(listener) = task.listener.take() {
        listener.abort();
    }
}

fn new_task() -> TaskId {
    TaskId(random())
}

/// A number that nobody else draws.
fn random() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    // Its keys come from the system, and differ from call to call.
    RandomState::new().build_hasher().finish()
}

/// No change to what is locked is interrupted by a panic, which ends the worker by itself.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
