//! Native help: runs mutated inputs of a libFuzzer harness on the natively compiled program, many thousands per second,
//! and keeps those that cover something new there.
//!
//! Coverage is that of the user's branches, under the same numbers as everywhere else. Which bug an input shows and
//! where is for others to find out: here it only crashes. Sanitizers make a program several times slower, so only
//! inputs that do something new run with AddressSanitizer.

mod mutate;
mod process;

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use super::build::{self, Build, Builds};
use super::{ReplayError, ReplayOptions};
use crate::out_dir::read_program;
use crate::tuning::Tuning;
use mutate::Mutator;
use process::{End, NewlyCovered, Observed, Process};

/// How native help works.
#[derive(Clone, Debug, Default)]
pub struct NativeOptions {
    /// The seed of mutations.
    pub seed: u64,
    /// The most bytes of an input.
    pub max_len: usize,
    /// Words that occur in the program.
    pub words: Vec<Vec<u8>>,
    /// Numbers that can be tuned by measuring.
    pub tuning: Tuning,
}

/// An input that covers something new, or crashes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The data.
    pub data: Vec<u8>,
    /// Whether the program crashed on it.
    pub crashes: bool,
}

/// What native runs have done so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NativeCounts {
    /// How many inputs were run.
    pub runs: u64,
    /// How many crashed.
    pub crashes: u64,
    /// How many took too long or too much memory.
    pub hangs: u64,
}

/// The program with AddressSanitizer, for inputs that do something new.
pub struct Checker(Process);

impl Checker {
    /// Compiles the program of an output folder.
    pub fn build(out: &Path, options: &ReplayOptions) -> Result<Checker, ReplayError> {
        start(out, options, Build::Checked).map(Checker)
    }
}

/// Mutates inputs and runs them.
pub struct Native {
    process: Process,
    checker: Option<Checker>,
    /// Inputs for the checker.
    unchecked: Vec<Vec<u8>>,
    mutator: Mutator,
    /// Inputs that were the first to do something.
    corpus: Vec<Vec<u8>>,
    /// The sets of outcomes on which the program has crashed.
    crashed: Vec<u64>,
    found: Vec<Found>,
    counts: NativeCounts,
    tuning: Tuning,
}

impl Native {
    /// Compiles the program of an output folder.
    pub fn build(out: &Path, options: &ReplayOptions, native: NativeOptions) -> Result<Native, ReplayError> {
        Ok(Native {
            process: start(out, options, Build::Fast)?,
            checker: None,
            unchecked: Vec::new(),
            mutator: Mutator::new(native.seed, native.words, native.max_len, native.tuning.mutant_changes),
            corpus: vec![Vec::new()],
            crashed: Vec::new(),
            found: Vec::new(),
            counts: NativeCounts::default(),
            tuning: native.tuning,
        })
    }

    /// From now on, inputs that do something new, and those that have, run there, too.
    pub fn check_with(&mut self, checker: Checker) {
        self.checker = Some(checker);
    }

    /// What the sandbox cannot prevent on this system.
    pub fn unconfined(&self) -> Vec<&'static str> {
        self.process.unconfined()
    }

    /// What was done so far.
    pub fn counts(&self) -> NativeCounts {
        self.counts
    }

    /// The inputs that were found since this was last asked.
    pub fn take_found(&mut self) -> Vec<Found> {
        std::mem::take(&mut self.found)
    }

    /// Runs inputs as they are; returns for each whether it was the first to have some outcome of a branch. Those that
    /// did anything new are mutated from now on, but do not count as found.
    pub fn run(&mut self, inputs: &[Vec<u8>]) -> io::Result<Vec<bool>> {
        let mut covers_new = Vec::with_capacity(inputs.len());
        while covers_new.len() < inputs.len() {
            let rest = &inputs[covers_new.len()..];
            let observed = self.observe(rest, self.tuning.batch_time)?;
            for (input, observed) in rest.iter().zip(observed) {
                if observed.newly_covered > NewlyCovered::Nothing && observed.end == End::Returned {
                    self.corpus.push(input.clone());
                }
                covers_new.push(observed.newly_covered == NewlyCovered::Outcome);
            }
        }
        Ok(covers_new)
    }

    /// A few of these inputs that have all outcomes of branches that all of them have, the shortest first; as indices.
    pub fn reduce(&mut self, inputs: &[Vec<u8>]) -> io::Result<Vec<usize>> {
        let mut order: Vec<usize> = (0..inputs.len()).collect();
        order.sort_by_key(|index| inputs[*index].len());
        let sorted: Vec<Vec<u8>> = order.iter().map(|index| inputs[*index].clone()).collect();
        let covers_new = self.run(&sorted)?;
        Ok(order.into_iter().zip(covers_new).filter(|(_, is_new)| *is_new).map(|(index, _)| index).collect())
    }

    /// Runs mutants for about this time.
    pub fn fuzz(&mut self, time: Duration) -> io::Result<()> {
        let end = Instant::now() + time;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return self.check_news();
            }
            let mutants = self.mutants();
            let observed = self.observe(&mutants, left)?;
            for (mutant, observed) in mutants.into_iter().zip(observed) {
                self.consider(mutant, observed)?;
            }
        }
    }

    /// A batch of mutants.
    fn mutants(&mut self) -> Vec<Vec<u8>> {
        let batch = self.tuning.mutant_batch;
        let mut mutants = Vec::with_capacity(batch);
        while mutants.len() < batch {
            // Short inputs run faster, and a change of one is more likely to matter.
            let candidates = [self.pick(), self.pick()];
            let parent = candidates.into_iter().min_by_key(|index| self.corpus[*index].len()).unwrap_or_default();
            for _ in 0..self.tuning.mutants {
                let other = self.pick();
                let mut mutant = self.corpus[parent].clone();
                self.mutator.mutate(&mut mutant, &self.corpus[other]);
                mutants.push(mutant);
            }
            if Process::fitting(&mutants) < mutants.len() {
                break;
            }
        }
        mutants
    }

    /// An input of the corpus: any, or one of the newest, which have been mutated least.
    fn pick(&mut self) -> usize {
        let all = self.corpus.len();
        let part = self.tuning.newest_part;
        let newest = if self.mutator.below(2) == 0 { all } else { (all / part).max(part).min(all) };
        all - 1 - self.mutator.below(newest)
    }

    fn consider(&mut self, mutant: Vec<u8>, observed: Observed) -> io::Result<()> {
        match (observed.end, observed.newly_covered) {
            (End::Crashed, _) if self.keeps_crash(observed.signature) => {
                self.crashed.push(observed.signature);
                self.found.push(Found { data: mutant, crashes: true });
            }
            (End::Returned, NewlyCovered::Outcome) => {
                let data = self.trim(mutant, observed.signature)?;
                self.add(data.clone());
                self.found.push(Found { data, crashes: false });
            }
            (End::Returned, NewlyCovered::Count) => self.add(mutant),
            _ => {}
        }
        Ok(())
    }

    /// Keeps an input that did something new.
    fn add(&mut self, input: Vec<u8>) {
        self.unchecked.push(input.clone());
        self.corpus.push(input);
    }

    /// Runs what did something new with AddressSanitizer.
    fn check_news(&mut self) -> io::Result<()> {
        let Some(Checker(process)) = &mut self.checker else { return Ok(()) };
        let mut crashed = Vec::new();
        while !self.unchecked.is_empty() {
            let observed = process.run(&self.unchecked, self.tuning.batch_time)?;
            let inputs = self.unchecked.drain(..observed.len());
            crashed.extend(inputs.zip(observed).filter(|(_, observed)| observed.end == End::Crashed));
        }
        for (data, observed) in crashed {
            self.counts.crashes += 1;
            if self.keeps_crash(observed.signature) {
                self.crashed.push(observed.signature);
                self.found.push(Found { data, crashes: true });
            }
        }
        Ok(())
    }

    /// Whether an input that crashes with these outcomes is kept.
    fn keeps_crash(&self, signature: u64) -> bool {
        self.crashed.len() < self.tuning.kept_crashes && !self.crashed.contains(&signature)
    }

    /// Leaves out parts of an input as long as it has the same outcomes of branches.
    fn trim(&mut self, mut input: Vec<u8>, signature: u64) -> io::Result<Vec<u8>> {
        let mut part = input.len() / 2;
        while part > 0 && input.len() >= self.tuning.trim_from {
            let starts = (0..input.len()).step_by(part.max(input.len() / self.tuning.trim_parts));
            let shorter: Vec<Vec<u8>> =
                starts.map(|start| [&input[..start], &input[(start + part).min(input.len())..]].concat()).collect();
            let observed = self.observe(&shorter, self.tuning.batch_time)?;
            let same =
                observed.iter().position(|observed| observed.signature == signature && observed.end == End::Returned);
            match same.and_then(|index| shorter.into_iter().nth(index)) {
                Some(shorter) => input = shorter,
                None => part /= 2,
            }
            part = part.min(input.len() / 2);
        }
        Ok(input)
    }

    fn observe(&mut self, inputs: &[Vec<u8>], time: Duration) -> io::Result<Vec<Observed>> {
        let observed = self.process.run(inputs, time)?;
        self.counts.runs += observed.len() as u64;
        self.counts.crashes += observed.iter().filter(|observed| observed.end == End::Crashed).count() as u64;
        self.counts.hangs += observed.iter().filter(|observed| observed.end == End::Hung).count() as u64;
        Ok(observed)
    }
}

/// Compiles the program of an output folder, to run many inputs.
fn start(out: &Path, options: &ReplayOptions, build: Build) -> Result<Process, ReplayError> {
    let (bitcode, stored) = read_program(out)?;
    let program = (bitcode.as_slice(), stored.libraries.as_slice());
    let builds = Builds::make(out, options, program, &build::instrument, [build].into_iter())?;
    let branches = stored.code.native_branches();
    let process = Process::new(builds.executable(build), &stored.program, branches, options.trust);
    process.map_err(|source| ReplayError::NoScratch { source })
}
