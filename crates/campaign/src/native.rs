//! Native help: while the engine explores, mutated inputs run on the native program. What covers something new there is
//! followed in the engine like a seed, and what the engine finds is mutated in turn.
//!
//! Both take turns on the thread of the first worker, so that a run takes no more processors than it was given.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use secateur_explore::{Input, InputSource};
use secateur_program::Program;
use secateur_suite::Tuning as SuiteTuning;
use secateur_suite::replay::{
    Checker, Deadline, Found, Native, NativeCounts, NativeOptions, ReplayError, ReplayOptions,
};

use crate::seeds::{SeedInputs, fuzzer_input};
use crate::tuning::Tuning;

/// Where an input comes from that was found by native runs.
pub(crate) const NATIVE: &str = "native";

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
    /// When native runs take place: tuned numbers.
    pub tuning: Tuning,
    /// What they run: tuned numbers.
    pub mutation: SuiteTuning,
}

/// How long a compiler may take to end once it is told to. This is a constant because it affects nothing that is found.
const STOPPING: Duration = Duration::from_millis(200);

/// Follows seeds, then what native runs find.
struct NativeSource {
    options: NativeHelp,
    /// Ends the compiler.
    give_up: Arc<AtomicBool>,
    words: Vec<Vec<u8>>,
    out: PathBuf,
    started: Instant,
    seeds: SeedInputs,
    state: NativeState,
    /// Where the program with AddressSanitizer comes from, which is compiled second.
    checker: Option<Receiver<Result<Checker, ReplayError>>>,
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
pub(crate) struct NativeReport(Arc<Mutex<NativeFindings>>);

/// What native runs have done, and why there were none.
#[derive(Clone, Default)]
pub(crate) struct NativeFindings {
    pub counts: NativeCounts,
    pub problem: Option<String>,
    pub unconfined: Vec<&'static str>,
}

impl NativeReport {
    pub(crate) fn get(&self) -> NativeFindings {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn update(&self, change: impl FnOnce(&mut NativeFindings)) {
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
    fn new(mut options: NativeHelp, program: &Program, out: PathBuf, seeds: SeedInputs) -> NativeSource {
        let give_up = Arc::new(AtomicBool::new(false));
        options.replay.deadline = options.replay.deadline.unless(Arc::clone(&give_up));
        NativeSource {
            give_up,
            words: words_of(program, &options.tuning),
            options,
            out,
            started: Instant::now(),
            waiting: seeds.inputs.iter().map(|input| data_of(input)).collect(),
            seeds,
            state: NativeState::Waiting,
            checker: None,
            queue: VecDeque::new(),
            spent: Duration::ZERO,
            report: NativeReport::default(),
        }
    }

    fn start_build(&mut self) {
        let (sender, receiver) = channel();
        let (check_sender, checker) = channel();
        let (out, replay) = (self.out.clone(), self.options.replay.clone());
        let options = NativeOptions {
            seed: self.options.seed,
            max_len: self.options.max_len as usize,
            words: std::mem::take(&mut self.words),
            tuning: self.options.mutation.clone(),
        };
        thread::spawn(move || {
            let native = Native::build(&out, &replay, options);
            let is_built = native.is_ok();
            // If nobody waits any more, nobody needs it.
            if sender.send(native).is_ok() && is_built {
                let _ = check_sender.send(Checker::build(&out, &replay));
            }
        });
        self.state = NativeState::Building(receiver);
        self.checker = Some(checker);
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

    /// Takes over the program with AddressSanitizer, if it is compiled.
    fn finish_checker(&mut self) {
        let (NativeState::Running(native, _), Some(receiver)) = (&mut self.state, &self.checker) else { return };
        match receiver.try_recv() {
            Ok(Ok(checker)) => native.check_with(checker),
            Ok(Err(error)) => tracing::warn!("native runs do without AddressSanitizer: {error}"),
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => {}
        }
        self.checker = None;
    }

    fn give_up(&mut self, problem: &str) {
        tracing::warn!("there is no native help: {problem}");
        self.report.update(|report| report.problem = Some(problem.lines().take(2).collect::<Vec<_>>().join(" ")));
        self.state = NativeState::Off;
    }

    /// The next input that is already there.
    fn next_known(&mut self) -> Option<Input> {
        self.seeds.next(&[]).or_else(|| Some(Input { bytes: self.queue.pop_front()?.into(), from: NATIVE }))
    }

    /// Runs natively until something is found or its share of the time is used up.
    fn take_turns(&mut self) {
        while self.queue.is_empty() && self.is_due() {
            self.take_turn();
        }
    }

    /// Whether native runs have had less than their share, and there is time left.
    fn is_due(&self) -> bool {
        let NativeState::Running(_, since) = &self.state else { return false };
        let share = f64::from(self.options.share) / 100.0;
        self.spent.as_secs_f64() <= share * since.elapsed().as_secs_f64() && !self.options.replay.deadline.is_over()
    }

    fn take_turn(&mut self) {
        self.finish_checker();
        let NativeState::Running(native, _) = &mut self.state else { return };
        let begin = Instant::now();
        let waiting = std::mem::take(&mut self.waiting);
        let ran = native.run(&waiting).and_then(|_| native.fuzz(self.options.tuning.native_turn));
        self.spent += begin.elapsed();
        let (counts, found) = (native.counts(), native.take_found());
        self.report.update(|report| report.counts = counts);
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

/// Ends the compiler if nobody waits for it any more.
impl Drop for NativeSource {
    fn drop(&mut self) {
        self.give_up.store(true, Ordering::Relaxed);
        if let NativeState::Building(receiver) = &self.state {
            // Instrumenting cannot be interrupted, but ends by itself.
            let _ = receiver.recv_timeout(STOPPING);
        }
        if let Some(receiver) = &self.checker {
            let _ = receiver.recv_timeout(STOPPING);
        }
    }
}

impl InputSource for NativeSource {
    fn next(&mut self, found: &[Arc<[u8]>]) -> Option<Input> {
        if matches!(self.state, NativeState::Off) {
            return self.next_known();
        }
        self.waiting.extend(found.iter().map(|input| data_of(input)));
        if let Some(input) = self.next_known() {
            return Some(input);
        }
        match self.state {
            NativeState::Waiting if self.started.elapsed() >= self.options.tuning.native_start => self.start_build(),
            NativeState::Building(_) => self.finish_build(),
            _ => self.take_turns(),
        }
        self.next_known()
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
fn words_of(program: &Program, tuning: &Tuning) -> Vec<Vec<u8>> {
    let lengths = 2..=tuning.native_word_length;
    let mut words: Vec<Vec<u8>> = Vec::new();
    for global in program.globals.iter().filter(|global| global.constant) {
        for word in global.init.split(|byte| *byte == 0) {
            let is_word = lengths.contains(&word.len()) && word.iter().all(|byte| (b' '..=b'~').contains(byte));
            if is_word && words.len() < tuning.native_words {
                words.push(word.to_vec());
            }
        }
    }
    words.sort();
    words.dedup();
    words
}

/// The inputs that are followed besides those of flips: seeds, and what native runs find. Also returns where to look
/// for what the native runs have done, if there are any.
pub(crate) fn inputs(
    seeds: Option<SeedInputs>,
    help: Option<NativeHelp>,
    program: &Program,
    out: &Path,
    deadline: Deadline,
) -> (Option<Box<dyn InputSource>>, Option<NativeReport>) {
    match help.filter(|help| help.share > 0) {
        Some(help) => {
            let help = NativeHelp { replay: ReplayOptions { deadline, ..help.replay }, ..help };
            let source = NativeSource::new(help, program, out.to_path_buf(), seeds.unwrap_or_default());
            let report = source.report.clone();
            (Some(Box::new(source)), Some(report))
        }
        None => (seeds.map(|seeds| Box::new(seeds) as Box<dyn InputSource>), None),
    }
}

/// Leaves out those of many seeds that cover nothing more than the others when they run natively. If that is not
/// possible, all are followed.
pub(crate) fn reduce(seeds: &mut SeedInputs, help: &NativeHelp, out: &Path, deadline: &Deadline) {
    if seeds.inputs.len() < help.tuning.many_seeds {
        return;
    }
    let options =
        NativeOptions { max_len: help.max_len as usize, tuning: help.mutation.clone(), ..NativeOptions::default() };
    let data: Vec<Vec<u8>> = seeds.inputs.iter().map(|input| data_of(input)).collect();
    let replay = ReplayOptions { deadline: deadline.clone(), ..help.replay.clone() };
    let kept = Native::build(out, &replay, options)
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
