//! Writes tests beside the exploration: to make a file takes longer than many a path.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use crate::{OutDir, OutError, Prediction, TestCase};

/// How many tests may wait. Few, because those that wait are lost if the process is killed.
const WAITING: usize = 64;

/// A test to write, with its number.
type Job = (u64, TestCase, Prediction);

/// A thread that writes tests in the order in which it gets them.
pub struct TestWriter {
    out: Arc<OutDir>,
    sender: Option<SyncSender<Job>>,
    thread: Option<JoinHandle<Result<(), OutError>>>,
}

impl TestWriter {
    /// Starts the thread.
    pub fn start(out: Arc<OutDir>) -> TestWriter {
        let (sender, receiver) = sync_channel(WAITING);
        let of_thread = Arc::clone(&out);
        let thread = std::thread::spawn(move || write_all(&of_thread, receiver));
        TestWriter { out, sender: Some(sender), thread: Some(thread) }
    }

    /// Hands over a test and tells the name of its file; waits if too many are waiting. An error is that of an earlier test.
    pub fn write(&mut self, test: TestCase, prediction: Prediction) -> Result<String, OutError> {
        let number = self.out.reserve_test();
        let sent = self.sender.as_ref().is_some_and(|sender| sender.send((number, test, prediction)).is_ok());
        if !sent {
            // The thread ends early only when it has failed.
            self.finish()?;
        }
        Ok(self.out.test_name(number))
    }

    /// Waits until all is written.
    pub fn finish(&mut self) -> Result<(), OutError> {
        self.sender = None;
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

fn write_all(out: &OutDir, jobs: Receiver<Job>) -> Result<(), OutError> {
    for (number, test, prediction) in jobs {
        out.write_reserved(number, &test, &prediction)?;
    }
    Ok(())
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
