//! Native help: while the engine explores, mutated inputs run on the native program. What covers something new there is
//! followed in the engine like a seed, and what the engine finds is mutated in turn.
//!
//! Both take turns on the thread of the first worker, so that a run takes no more processors than it was given.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use secateur_explore::InputSource;
use secateur_program::Program;
use secateur_suite::replay::{Found, Native, NativeCounts, NativeOptions, ReplayError, ReplayOptions};

use crate::seeds::{SeedInputs, fuzzer_input};

/// How much native help is wanted.
#[derive(Clone, Debug)]
pub struct NativeHelp {
    /// The percentage of the time of the first worker.
    pub share: u32,
    /// The most bytes of an input.
    pub max_len: u32,
    /// The seed of mutations.
    pub seed: u64,
    /// How the program is compiled and confined.
    pub replay: ReplayOptions,
}

/// The engine explores alone for this long: most small programs are done by then, and the compiler takes as long.
const ALONE: Duration = Duration::from_secs(1);
/// How long native runs take in one turn.
const TURN: Duration = Duration::from_millis(20);
/// From this many seeds on, those that cover nothing more natively are left out.
const MANY_SEEDS: usize = 64;

/// Follows seeds, then what native runs find.
pub(crate) struct NativeSource {
    options: NativeHelp,
    words: Vec<Vec<u8>>,
    out: PathBuf,
    started: Instant,
    seeds: SeedInputs,
    state: NativeState,
    /// What is to be followed.
    queue: VecDeque<Vec<u8>>,
    /// The inputs that the engine has found, until they can be run.
    waiting: Vec<Vec<u8>>,
    /// How long native runs have taken.
    spent: Duration,
    report: NativeReport,
}

/// What the campaign learns of it.
#[derive(Clone, Default)]
pub(crate) struct NativeReport(Arc<Mutex<NativeSummaryParts>>);

/// What native runs have done, and why there were none.
#[derive(Clone, Default)]
pub(crate) struct NativeSummaryParts {
    pub counts: NativeCounts,
    pub followed: u64,
    pub problem: Option<String>,
    pub unconfined: Vec<&'static str>,
}

impl NativeReport {
    pub(crate) fn get(&self) -> NativeSummaryParts {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn update(&self, change: impl FnOnce(&mut NativeSummaryParts)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

enum NativeState {
    /// It is too early.
    Waiting,
    /// The program is being compiled.
    Building(Receiver<Result<Native, ReplayError>>),
    /// Since when it runs.
    Running(Box<Native>, Instant),
    /// It is not possible.
    Off,
}

impl NativeSource {
    pub(crate) fn new(options: NativeHelp, program: &Program, out: PathBuf, seeds: SeedInputs) -> NativeSource {
        NativeSource {
            options,
            words: words_of(program),
            out,
            started: Instant::now(),
            seeds,
            state: NativeState::Waiting,
            queue: VecDeque::new(),
            waiting: Vec::new(),
            spent: Duration::ZERO,
            report: NativeReport::default(),
        }
    }

    pub(crate) fn report(&self) -> NativeReport {
        self.report.clone()
    }

    fn start_build(&mut self) {
        let (sender, receiver) = channel();
        let (out, replay) = (self.out.clone(), self.options.replay.clone());
        let options = NativeOptions {
            seed: self.options.seed,
            max_len: self.options.max_len as usize,
            words: std::mem::take(&mut self.words),
        };
        thread::spawn(move || {
            // If nobody waits any more, nobody needs it.
            let _ = sender.send(Native::build(&out, &replay, options));
        });
        self.state = NativeState::Building(receiver);
    }

    /// Takes over what was compiled, if it is done.
    fn finish_build(&mut self) {
        let NativeState::Building(receiver) = &self.state else { return };
        match receiver.try_recv() {
            Ok(Ok(native)) => {
                self.report.update(|report| report.unconfined = native.unconfined());
                self.state = NativeState::Running(Box::new(native), Instant::now());
            }
            Ok(Err(error)) => self.give_up(&error.to_string()),
            Err(TryRecvError::Empty) => {}
            Err(TryRecvError::Disconnected) => self.give_up("its thread ended"),
        }
    }

    fn give_up(&mut self, problem: &str) {
        tracing::warn!("there is no native help: {problem}");
        self.report.update(|report| report.problem = Some(problem.lines().take(2).collect::<Vec<_>>().join(" ")));
        self.state = NativeState::Off;
    }

    /// Runs natively if it is its turn.
    fn take_turn(&mut self) {
        let NativeState::Running(native, since) = &mut self.state else { return };
        let begin = Instant::now();
        let share = f64::from(self.options.share) / 100.0;
        if self.spent.as_secs_f64() > share * begin.duration_since(*since).as_secs_f64() {
            return;
        }
        let waiting = std::mem::take(&mut self.waiting);
        let ran = native.run(&waiting).and_then(|_| native.fuzz(TURN));
        self.spent += begin.elapsed();
        let (counts, found) = (native.counts(), native.take_found());
        self.report.update(|report| {
            report.counts = counts;
            report.followed += found.len() as u64;
        });
        for Found { data, crashes } in found {
            let input = fuzzer_input(&data);
            // A bug is worth more than coverage.
            if crashes { self.queue.push_front(input) } else { self.queue.push_back(input) }
        }
        if let Err(error) = ran {
            self.give_up(&error.to_string());
        }
    }
}

impl InputSource for NativeSource {
    fn next(&mut self, found: &[Arc<[u8]>]) -> Option<Vec<u8>> {
        if matches!(self.state, NativeState::Off) {
            return self.seeds.next(found).or_else(|| self.queue.pop_front());
        }
        self.waiting.extend(found.iter().map(|input| data_of(input)));
        if let Some(input) = self.seeds.next(&[]).or_else(|| self.queue.pop_front()) {
            return Some(input);
        }
        match self.state {
            NativeState::Waiting if self.started.elapsed() >= ALONE => self.start_build(),
            NativeState::Building(_) => self.finish_build(),
            _ => self.take_turn(),
        }
        self.queue.pop_front()
    }
}

/// The data of an input of the machine: its size comes first.
fn data_of(input: &[u8]) -> Vec<u8> {
    let (size, data) = input.split_at(input.len().min(8));
    let size = size.iter().rev().fold(0, |value, byte| value << 8 | usize::from(*byte));
    let mut data = data[..data.len().min(size)].to_vec();
    // Bytes beyond the end of an input are 0.
    data.resize(size.min(1 << 20), 0);
    data
}

/// The words in the constants of a program: what parsers compare with.
fn words_of(program: &Program) -> Vec<Vec<u8>> {
    const MOST: usize = 1024;
    const LENGTHS: std::ops::RangeInclusive<usize> = 2..=32;
    let mut words: Vec<Vec<u8>> = Vec::new();
    for global in program.globals.iter().filter(|global| global.constant) {
        for word in global.init.split(|byte| *byte == 0) {
            let is_word = LENGTHS.contains(&word.len()) && word.iter().all(|byte| (b' '..=b'~').contains(byte));
            if is_word && words.len() < MOST {
                words.push(word.to_vec());
            }
        }
    }
    words.sort();
    words.dedup();
    words
}

/// Leaves out those of many seeds that cover nothing more than the others when they run natively. If that is not possible,
/// all are followed.
pub(crate) fn reduce(seeds: &mut SeedInputs, help: &NativeHelp, out: PathBuf) {
    if seeds.inputs.len() < MANY_SEEDS {
        return;
    }
    let options = NativeOptions { max_len: help.max_len as usize, ..NativeOptions::default() };
    let data: Vec<Vec<u8>> = seeds.inputs.iter().map(|input| data_of(input)).collect();
    let kept = Native::build(&out, &help.replay, options)
        .map_err(|error| error.to_string())
        .and_then(|mut native| native.reduce(&data).map_err(|error| error.to_string()));
    match kept {
        Ok(kept) => {
            tracing::info!(given = data.len(), kept = kept.len(), "seeds");
            seeds.inputs = kept.into_iter().map(|index| fuzzer_input(&data[index])).collect();
        }
        Err(problem) => tracing::warn!("the seeds cannot be reduced natively: {problem}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_and_input_are_inverse() {
        for data in [&b""[..], b"a", b"hello\0"] {
            assert_eq!(data_of(&fuzzer_input(data)), data);
        }
        assert_eq!(data_of(&[3, 0, 0, 0, 0, 0, 0, 0, b'x']), b"x\0\0");
        assert_eq!(data_of(&[2]), b"\0\0");
        assert_eq!(data_of(&[]), b"");
    }
}
