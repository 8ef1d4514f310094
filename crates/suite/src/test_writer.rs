//! Writes tests beside the exploration: to make a file takes longer than many a path.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;

use crate::{OutDir, OutError, Prediction, TestCase};

/// How many tests may wait. Few, because those that wait are lost if the process is killed.
const WAITING: usize = 64;

/// A test to write, with its number.
type Job = (u64, TestCase, Prediction);

/// Tests on their way to the thread. It takes all that wait at once, so that the two wake each other once for many tests, and not for
/// each: that can take longer than to write it.
#[derive(Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    jobs: Vec<Job>,
    /// Nothing will be added, or nothing will be taken, any more.
    closed: bool,
}

/// A thread that writes tests in the order in which it gets them.
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

    /// Hands over a test and tells the name of its file; waits if too many are waiting. An error is that of an earlier test.
    pub fn write(&mut self, test: TestCase, prediction: Prediction) -> Result<String, OutError> {
        let number = self.out.reserve_test();
        if !self.queue.add((number, test, prediction)) {
            // The thread ends early only when it has failed.
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
    /// What was handed over is written even if nobody asks how that went.
    fn drop(&mut self) {
        let _ = self.finish();
    }
}

impl Queue {
    /// Adds a test once there is room. False if the queue is closed.
    fn add(&self, job: Job) -> bool {
        let full = |waiting: &mut Waiting| waiting.jobs.len() >= WAITING && !waiting.closed;
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

    /// All that wait, once there are any; none when the queue is closed and empty.
    fn take(&self) -> Vec<Job> {
        let empty = |waiting: &mut Waiting| waiting.jobs.is_empty() && !waiting.closed;
        let mut waiting = self.changed.wait_while(self.lock(), empty).unwrap_or_else(|poisoned| poisoned.into_inner());
        let jobs = std::mem::take(&mut waiting.jobs);
        if jobs.len() >= WAITING {
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

/// Closes the queue when the thread ends, however it does: nobody must wait for it then.
struct Closing<'a>(&'a Queue);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

fn write_all(out: &OutDir, queue: &Queue) -> Result<(), OutError> {
    let _closing = Closing(queue);
    loop {
        let jobs = queue.take();
        if jobs.is_empty() {
            return Ok(());
        }
        for (number, test, prediction) in jobs {
            out.write_reserved(number, &test, &prediction)?;
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
    fn a_failure_comes_back() {
        let temporary = tempfile::tempdir().unwrap();
        let out = OutDir::create(temporary.path(), OutOptions::default()).unwrap();
        std::fs::remove_dir_all(temporary.path().join("tests")).unwrap();
        let mut writer = TestWriter::start(Arc::new(out));
        let failed = (0..1000).any(|code| writer.write(TestCase::default(), exit(code)).is_err());
        assert!(failed || writer.finish().is_err());
    }
}
