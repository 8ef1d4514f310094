//! The side of whoever writes the output folder: reads the log of the run from its beginning, and knows when it is
//! over.
//!
//! A collector keeps nothing that is not in the log, so one that was killed is replaced by another. Its ledger of tasks
//! says when the run is over: every task that was created or given is finished. Entries arrive in the order in which
//! the server took them, and a task is mentioned by its giver before its own first entry, so nothing can be missed.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use futures_util::StreamExt;
use secateur_campaign::{Items, Next, Step, Steps, Work};
use secateur_explore::{PendingItem, PortablePath};
use secateur_program::Program;
use tokio::task::JoinHandle;

use crate::error::ClusterError;
use crate::log::{LogWriter, read};
use crate::run::{Run, failed, task_of};
use crate::wire::{Assembler, Entry, News, RunState, StepEntry, TaskId, decode};

/// How long to wait for the next message. These times only decide how soon something is noticed.
const WAIT: Duration = Duration::from_millis(50);

/// How often tasks that nobody has are looked for, if nothing is heard of any task.
const SILENCE: Duration = Duration::from_secs(3);

/// How long to wait at the end for what workers have done besides paths.
const FAREWELL: Duration = Duration::from_millis(1500);

/// Reads what workers find.
pub struct Collector {
    run: Run,
    program: Arc<Program>,
    messages: Messages,
    assemblers: HashMap<TaskId, Assembler>,
    farewells: Assembler,
    ledger: Ledger,
    ready: VecDeque<Next>,
    /// Workers that have claimed a task, and those that will find nothing more.
    workers: HashSet<u64>,
    gone: HashSet<u64>,
    work: Work,
    news: Receiver<News>,
    listener: JoinHandle<()>,
    /// When the workers were asked to stop.
    stopped: Option<Instant>,
    heard: Instant,
    /// How often nobody had a task that is not finished.
    orphaned: u32,
    attempt: u32,
    /// Called when the run begins.
    begun: Option<Box<dyn FnOnce() + Send>>,
}

/// Which tasks are not finished, and how much is pending in each.
#[derive(Default)]
struct Ledger {
    open: BTreeMap<TaskId, u64>,
    has_begun: bool,
}

/// The messages of the log, in order.
struct Messages {
    stream: Option<pull::Stream>,
    /// The number of the last one.
    last: u64,
}

impl Collector {
    /// For a run on a server. Nobody explores for it before [`Steps::begin`], which calls `begun`.
    pub fn new(
        run: Run,
        program: Arc<Program>,
        begun: impl FnOnce() + Send + 'static,
    ) -> Result<Collector, ClusterError> {
        let server = Arc::clone(&run.server);
        let (told, news) = channel();
        let listener = server.block_on(async {
            let mut news = server.client.subscribe(run.news_subject()).await.map_err(failed)?;
            Ok(server.spawn(async move {
                while let Some(message) = news.next().await {
                    if let Ok(news) = decode(&message.payload)
                        && told.send(news).is_err()
                    {
                        return;
                    }
                }
            }))
        })?;
        Ok(Collector {
            run,
            program,
            messages: Messages { stream: None, last: 0 },
            assemblers: HashMap::new(),
            farewells: Assembler::default(),
            ledger: Ledger::default(),
            ready: VecDeque::new(),
            workers: HashSet::new(),
            gone: HashSet::new(),
            work: Work::default(),
            news,
            listener,
            stopped: None,
            heard: Instant::now(),
            orphaned: 0,
            attempt: 0,
            begun: Some(Box::new(begun)),
        })
    }

    /// Reads one message, if there is one; returns whether there was.
    fn read(&mut self) -> Result<bool, ClusterError> {
        let Some((subject, payload)) = self.run.server.block_on(self.messages.next(&self.run)) else {
            return Ok(false);
        };
        self.heard = Instant::now();
        self.orphaned = 0;
        let Some(task) = task_of(&subject) else {
            if let Ok(Some(Entry::Farewell { worker, work })) = self.farewells.add(&payload) {
                self.gone.insert(worker);
                self.work.instructions += work.instructions;
                self.work.expressions += work.expressions;
                self.work.solver += &work.solver;
            }
            return Ok(true);
        };
        match self.assemblers.entry(task).or_default().add(&payload) {
            Ok(Some(entry)) => self.take_up(task, entry),
            Ok(None) => {}
            Err(problem) => self.ready.push_back(Next::Lost {
                why: format!("a message cannot be read ({problem}): paths are missing"),
                items: 1,
            }),
        }
        Ok(true)
    }

    fn take_up(&mut self, task: TaskId, entry: Entry) {
        match entry {
            Entry::Created(_) => {
                if task == TaskId::ROOT {
                    self.ledger.has_begun = true;
                    self.ledger.open.insert(task, 1);
                }
            }
            Entry::Claimed { worker, .. } => {
                self.workers.insert(worker);
                self.gone.remove(&worker);
            }
            Entry::Step(entry) => {
                let StepEntry { step, given, pending, finished, .. } = *entry;
                for given in given {
                    self.ledger.open.insert(given.task, given.names.len() as u64);
                }
                if finished {
                    self.ledger.open.remove(&task);
                    self.assemblers.remove(&task);
                } else {
                    self.ledger.open.insert(task, pending);
                }
                self.add(step);
            }
            Entry::Dead { why } => {
                self.assemblers.remove(&task);
                self.ready.push_back(match self.ledger.open.remove(&task) {
                    Some(items) => Next::Lost { why: format!("{why}; its paths are missing"), items },
                    // A message that points to no task. If one has lost its own, it gets another.
                    None => Next::Warning(why),
                });
            }
            Entry::Farewell { .. } => {}
        }
    }

    fn add(&mut self, mut step: Step) {
        // Which items they are is only of interest to whoever explores the task.
        let _ = step.take_added();
        self.ready.push_back(if step.fits(&self.program) {
            Next::Step(Box::new(step))
        } else {
            Next::Lost { why: "a message is about another program; its paths are missing".to_string(), items: 1 }
        });
    }

    /// Whether the workers that were asked to stop have done so.
    fn has_stopped(&self, since: Instant) -> bool {
        // A worker that does not answer may be dead, and its lease ends. Tasks that were given back count as work for
        // the server, so only the workers know. If the server is away, nobody can answer.
        let patience = if self.run.server.is_connected() { self.run.lease + SILENCE } else { SILENCE };
        let is_late = since.elapsed() > patience;
        is_late || self.workers.is_subset(&self.gone)
    }

    /// If nobody has a task that is not finished, puts it into the work queue again.
    fn look_for_orphans(&mut self) -> Result<(), ClusterError> {
        self.heard = Instant::now();
        let (waiting, in_work, _) = match self.run.queue() {
            Ok(queue) => queue,
            // The server is away.
            Err(_) => return Ok(()),
        };
        if waiting + in_work > 0 {
            self.orphaned = 0;
            return Ok(());
        }
        self.orphaned += 1;
        if self.orphaned < 2 {
            return Ok(());
        }
        self.orphaned = 0;
        self.attempt += 1;
        let tasks: Vec<TaskId> = self.ledger.open.keys().copied().collect();
        let sentence = format!("{} tasks had got lost on the server; they are put into its queue again", tasks.len());
        self.ready.push_back(Next::Warning(sentence));
        for task in tasks {
            self.run.server.block_on(self.run.enqueue(task, self.attempt))?;
        }
        Ok(())
    }

    fn hear_news(&mut self) {
        while let Ok(news) = self.news.try_recv() {
            match news {
                News::State(RunState::Stopped) => {
                    self.stopped.get_or_insert_with(Instant::now);
                }
                News::Problem(problem) => {
                    self.ready.push_back(Next::Warning(format!("a worker cannot go on: {problem}")));
                    self.stop();
                }
                News::State(_) | News::Covered(_) => {}
            }
        }
    }

    /// Waits for what the workers have done besides paths.
    fn hear_farewells(&mut self) {
        let until = Instant::now() + FAREWELL;
        while !self.workers.is_subset(&self.gone) && Instant::now() < until {
            if self.read().is_err() {
                return;
            }
        }
    }
}

impl Steps for Collector {
    fn begin(&mut self) -> Result<(), String> {
        let Some(begun) = self.begun.take() else { return Ok(()) };
        let created = self.run.server.block_on(create_first_task(&self.run));
        created.and_then(|()| self.run.set_state(RunState::Running)).map_err(|error| error.to_string())?;
        begun();
        Ok(())
    }

    fn next(&mut self) -> Result<Next, String> {
        let sentence = |error: ClusterError| error.to_string();
        self.hear_news();
        if let Some(next) = self.ready.pop_front() {
            return Ok(next);
        }
        let has_read = self.read().map_err(sentence)?;
        if let Some(next) = self.ready.pop_front() {
            return Ok(next);
        }
        if self.ledger.has_begun && self.ledger.open.is_empty() {
            self.run.set_state(RunState::Finished).map_err(sentence)?;
            self.hear_farewells();
            return Ok(Next::Over);
        }
        if !has_read {
            if let Some(since) = self.stopped
                && self.has_stopped(since)
                // What was found until the last worker stopped may have come in the meantime.
                && !self.read().map_err(sentence)?
            {
                self.hear_farewells();
                return Ok(self.ready.pop_front().unwrap_or(Next::Stopped));
            }
            if self.stopped.is_none() && self.heard.elapsed() > SILENCE {
                self.look_for_orphans().map_err(sentence)?;
            }
        }
        Ok(Next::Nothing { pending: self.ledger.open.values().sum() })
    }

    fn stop(&mut self) {
        if self.stopped.is_none() {
            self.stopped = Some(Instant::now());
            if let Err(error) = self.run.set_state(RunState::Stopped) {
                self.ready.push_back(Next::Warning(error.to_string()));
            }
        }
    }

    fn pending(&mut self) -> (Vec<PendingItem>, u64) {
        let mut tasks = self.ledger.open.iter();
        let mut pending = Vec::new();
        while let Some((task, left)) = tasks.next() {
            match self.run.server.block_on(read(&self.run, *task)) {
                Ok(view) => pending.extend(view.pending.into_values().filter(|item| item.fits(&self.program))),
                // The server is away, and asking for each task would take long.
                Err(_) => return (pending, left + tasks.map(|(_, left)| left).sum::<u64>()),
            }
        }
        (pending, 0)
    }

    fn work(&mut self) -> Work {
        std::mem::take(&mut self.work)
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        self.listener.abort();
        let _entered = self.run.server.enter();
        self.messages.stream = None;
    }
}

/// Creates the first task, unless there is one.
async fn create_first_task(run: &Run) -> Result<(), ClusterError> {
    let view = read(run, TaskId::ROOT).await?;
    if view.exists {
        return Ok(());
    }
    let items = Items::pack([PendingItem::Path(PortablePath::first())]);
    let mut writer = LogWriter::new(TaskId::ROOT, TaskId::ROOT.0, 0);
    // If another collector was quicker, it is there.
    let _ = writer.append(run, &Entry::Created(items), &false.into()).await;
    run.enqueue(TaskId::ROOT, 0).await
}

impl Messages {
    /// The next message, if one comes soon: its subject and its content.
    async fn next(&mut self, run: &Run) -> Option<(String, Vec<u8>)> {
        if self.stream.is_none() {
            self.stream = self.open(run).await.ok();
        }
        let Some(stream) = &mut self.stream else {
            tokio::time::sleep(WAIT).await;
            return None;
        };
        match tokio::time::timeout(WAIT, stream.next()).await {
            Err(_) => None,
            Ok(Some(Ok(message))) => {
                let number = message.info().map_or(0, |info| info.stream_sequence);
                if number != self.last + 1 {
                    // Nothing is ever removed from the log: one was lost on the way, or came twice.
                    self.stream = None;
                    return None;
                }
                self.last = number;
                Some((message.subject.to_string(), message.payload.to_vec()))
            }
            Ok(_) => {
                self.stream = None;
                None
            }
        }
    }

    async fn open(&self, run: &Run) -> Result<pull::Stream, ClusterError> {
        let config = pull::Config {
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: self.last + 1 },
            ack_policy: AckPolicy::None,
            inactive_threshold: Duration::from_secs(30),
            memory_storage: true,
            ..pull::Config::default()
        };
        let consumer = run.log().await?.create_consumer(config).await.map_err(failed)?;
        let stream = consumer.stream().max_messages_per_batch(500).heartbeat(Duration::from_secs(2));
        stream.expires(Duration::from_secs(10)).messages().await.map_err(failed)
    }
}
