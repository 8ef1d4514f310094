//! Writes tests on a thread of their own: creating a file can take longer than exploring a path. If the thread cannot
//! keep up, whoever finds tests writes some of them, too.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;

use crate::{OutDir, OutError, Prediction, TestCase};

/// How many tests may wait. Few, because waiting tests are lost if the process is killed.
const MAX_WAITING: usize = 64;

/// How many tests may wait with those that are written but not listed.
const MAX_LISTED: usize = 2 * MAX_WAITING;

/// A test on its way.
enum Job {
    /// It is to be written under this number.
    Write(u64, Box<TestCase>, Prediction),
    /// Its files are written; its line in the list of tests is not.
    List(u64, String),
}

/// Tests on their way to the thread. It takes all that wait at once, so that the threads wake each other once per
/// batch: waking a thread can take longer than writing a test.
#[derive(Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    jobs: Vec<Job>,
    /// No more tests will be added, or no more will be taken.
    closed: bool,
}

/// A thread that writes tests in the order in which it receives them.
pub struct TestWriter {
    out: Arc<OutDir>,
    queue: Arc<Queue>,
    thread: Option<JoinHandle<Result<(), OutError>>>,
}

impl TestWriter {
    /// Starts the thread.
    pub fn start(out: Arc<OutDir>) -> TestWriter {
        let queue = Arc::new(Queue::default());
        let (of_thread, its_queue) = (Arc::clone(&out), Arc::clone(&queue));
        let thread = std::thread::spawn(move || write_all(&of_thread, &its_queue));
        TestWriter { out, queue, thread: Some(thread) }
    }

    /// Queues a test and returns the name of its file; if the queue is full, writes it. An error may be that of an
    /// earlier test.
    pub fn write(&mut self, test: TestCase, prediction: Prediction) -> Result<String, OutError> {
        let number = self.out.reserve_test();
        let job = if self.queue.is_full() {
            self.out.write_test_files(number, &test, &prediction)?;
            Job::List(number, prediction.to_line(number, &test))
        } else {
            Job::Write(number, Box::new(test), prediction)
        };
        if !self.queue.add(job) {
            // The thread ends early only if it has failed.
            self.finish()?;
        }
        Ok(self.out.test_name(number))
    }

    /// Waits until all is written.
    pub fn finish(&mut self) -> Result<(), OutError> {
        self.queue.close();
        match self.thread.take() {
            Some(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            None => Ok(()),
        }
    }
}

impl Drop for TestWriter {
    /// Queued tests are written even if the caller does not wait for the result.
    fn drop(&mut self) {
        let _ = self.finish();
    }
}

impl Queue {
    /// So many tests wait that the caller had better write some, too.
    fn is_full(&self) -> bool {
        self.lock().jobs.len() >= MAX_WAITING
    }

    /// Adds a test once there is room. False if the queue is closed.
    fn add(&self, job: Job) -> bool {
        let full = |waiting: &mut Waiting| waiting.jobs.len() >= MAX_LISTED && !waiting.closed;
        let mut waiting = self.changed.wait_while(self.lock(), full).unwrap_or_else(|poisoned| poisoned.into_inner());
        if waiting.closed {
            return false;
        }
        waiting.jobs.push(job);
        if waiting.jobs.len() == 1 {
            self.changed.notify_all();
        }
        true
    }

    /// All waiting tests, once there are any; none when the queue is closed and empty.
    fn take(&self) -> Vec<Job> {
        let empty = |waiting: &mut Waiting| waiting.jobs.is_empty() && !waiting.closed;
        let mut waiting = self.changed.wait_while(self.lock(), empty).unwrap_or_else(|poisoned| poisoned.into_inner());
        let jobs = std::mem::take(&mut waiting.jobs);
        if jobs.len() >= MAX_LISTED {
            self.changed.notify_all();
        }
        jobs
    }

    fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Closes the queue when the thread ends, for whatever reason, so that nobody waits for it.
struct Closing<'a>(&'a Queue);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Once something has failed, nothing more is written, but what is written is still listed. Each test is listed at once:
/// when the disk is full, those before can be used.
fn write_all(out: &OutDir, queue: &Queue) -> Result<(), OutError> {
    let _closing = Closing(queue);
    let mut result = Ok(());
    loop {
        let jobs = queue.take();
        if jobs.is_empty() {
            return result;
        }
        for job in jobs {
            let done = match job {
                Job::Write(..) if result.is_err() => continue,
                Job::Write(number, test, prediction) => out.write_reserved(number, &test, &prediction).map(drop),
                Job::List(number, line) => out.list_test(number, &line),
            };
            result = result.and(done);
        }
        if result.is_err() {
            queue.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::out_dir::read_tests;
    use crate::{Expected, OutOptions};

    fn exit(code: i32) -> Prediction {
        Prediction { end: Expected::Exit(code), branches: 0, hash: 0, log: Vec::new() }
    }

    #[test]
    fn order_is_kept() {
        let temporary = tempfile::tempdir().unwrap();
        let out = OutDir::create(temporary.path(), OutOptions::default()).unwrap();
        let mut writer = TestWriter::start(Arc::new(out));
        for code in 0..200 {
            writer.write(TestCase::default(), exit(code)).unwrap();
        }
        writer.finish().unwrap();
        let tests = read_tests(temporary.path()).unwrap();
        let codes: Vec<Expected> = tests.into_iter().map(|test| test.prediction.end).collect();
        assert_eq!(codes, (0..200).map(Expected::Exit).collect::<Vec<_>>());
    }

    #[test]
    fn a_failure_is_reported() {
        let temporary = tempfile::tempdir().unwrap();
        let out = OutDir::create(temporary.path(), OutOptions::default()).unwrap();
        std::fs::remove_dir_all(temporary.path().join("tests")).unwrap();
        let mut writer = TestWriter::start(Arc::new(out));
        let failed = (0..1000).any(|code| writer.write(TestCase::default(), exit(code)).is_err());
        assert!(failed || writer.finish().is_err());
    }
}
