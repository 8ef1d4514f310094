//! A campaign that others explore: it takes up what they find and decides when they stop.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use secateur_explore::{
    ClosedFlip, Counters, Event, FlipEnd, PendingItem, Progress, RunResult, StopReason, Subscriber,
};
use secateur_machine::Machine;

use crate::contribute::Work;
use crate::keep::Keep;
use crate::recorder::Recorder;
use crate::stored::{Step, StoredEvent};

/// Where steps come from.
pub trait Steps {
    /// The output folder is ours: those who explore may begin. The error is a sentence.
    fn begin(&mut self) -> Result<(), String>;

    /// What comes next; it waits only a little. The error is a sentence: nothing more can come.
    fn next(&mut self) -> Result<Next, String>;

    /// Asks those who explore to stop. What they have found until then still comes.
    fn stop(&mut self);

    /// After the end: what is pending, and how much more is whose items cannot be had.
    fn pending(&mut self) -> (Vec<PendingItem>, u64);

    /// After the end: what was done besides paths.
    fn work(&mut self) -> Work;
}

/// What comes next.
pub enum Next {
    /// Something was found.
    Step(Box<Step>),
    /// Nothing for now. This many flips and paths are pending.
    Nothing {
        /// How many.
        pending: u64,
    },
    /// Something that the user should know.
    Warning(String),
    /// Something pending is lost: its paths are missing.
    Lost {
        /// Why, as a sentence.
        why: String,
        /// How much is lost.
        items: u64,
    },
    /// Nothing is pending.
    Over,
    /// Those who explore have stopped.
    Stopped,
}

/// When to stop.
pub(crate) struct CollectLimits {
    pub at: Option<Instant>,
    pub paths: Option<u64>,
    pub interrupted: Arc<AtomicBool>,
    pub keep: Keep,
    /// How many paths and open sides are listed.
    pub listed: u64,
}

/// Takes up steps until there are no more.
pub(crate) fn collect(
    steps: &mut dyn Steps,
    machine: &mut Machine,
    recorder: &mut Recorder<'_>,
    limits: &CollectLimits,
) -> Result<(RunResult, Work), secateur_suite::OutError> {
    let mut reason = None;
    let mut counters = Counters::default();
    let mut numbers = Numbers::new(limits.listed);
    let mut begun = Some(steps.begin());
    loop {
        let next = match begun.take() {
            Some(Err(sentence)) => Err(sentence),
            _ => steps.next(),
        };
        match next {
            Ok(Next::Step(mut step)) => {
                counters += &step.counters;
                for event in &mut step.events {
                    let is_new = event.covered().iter().filter(|entry| machine.coverage.restore(**entry)).count() > 0;
                    if !is_new && limits.keep == Keep::NewCoverage {
                        event.covers_nothing_new();
                    }
                    numbers.renumber(event);
                }
                recorder.take_up(&mut step)?;
            }
            Ok(Next::Nothing { pending }) => counters.pending = pending,
            Ok(Next::Warning(sentence)) => recorder.warn(&sentence),
            Ok(Next::Lost { why, items }) => {
                recorder.warn(&why);
                counters.stopped += items.max(1);
                counters.left += items.max(1);
            }
            Ok(Next::Over) => break,
            Ok(Next::Stopped) => {
                reason = reason.or(Some(StopReason::Interrupted));
                break;
            }
            Err(sentence) => {
                recorder.warn(&sentence);
                reason = reason.or(Some(StopReason::Interrupted));
                counters.stopped += 1;
                counters.left += 1;
                break;
            }
        }
        let branches = machine.program.source_outcomes(|branch, outcome| machine.coverage.taken(branch, outcome));
        recorder.receive(Event::Progress(Box::new(Progress {
            counters: counters.clone(),
            branches,
            selection: None,
        })))?;
        if reason.is_none() {
            reason = limits.hit(&counters, recorder);
            if reason.is_some() {
                steps.stop();
            }
        }
    }
    let (pending, unknown) = steps.pending();
    counters.pending = unknown;
    counters.left += unknown;
    for item in &pending {
        counters.left += 1;
        match item {
            PendingItem::Flip(flip) => {
                counters.pending += 1;
                recorder.receive(Event::FlipClosed(numbers.pending(flip.info.closed_by(FlipEnd::Pending))))?;
            }
            PendingItem::Path(path) => {
                counters.stopped += 1;
                let flip = ClosedFlip { departure: path.departure, branch: None, end: FlipEnd::Pending };
                recorder.receive(Event::FlipClosed(numbers.pending(flip)))?;
            }
        }
    }
    let work = steps.work();
    let reason = reason.filter(|_| counters.left > 0).unwrap_or(StopReason::Finished);
    Ok((RunResult { reason, counters, expressions: work.expressions }, work))
}

impl CollectLimits {
    fn hit(&self, counters: &Counters, recorder: &Recorder<'_>) -> Option<StopReason> {
        if self.interrupted.load(Ordering::Relaxed) {
            Some(StopReason::Interrupted)
        } else if recorder.has_bug() {
            Some(StopReason::Bug)
        } else if self.at.is_some_and(|at| Instant::now() >= at) {
            Some(StopReason::Time)
        } else {
            self.paths.is_some_and(|most| counters.paths() >= most).then_some(StopReason::Paths)
        }
    }
}

/// Gives paths numbers from 1, in the order in which they are heard of. Each process has numbers of its own, far apart.
struct Numbers {
    known: HashMap<u64, u64>,
    next: u64,
    /// How many are remembered: beyond what is listed, nobody looks for the parent of a path.
    most: usize,
}

impl Numbers {
    fn new(listed: u64) -> Numbers {
        let most = usize::try_from(listed.saturating_mul(2)).unwrap_or(usize::MAX);
        Numbers { known: HashMap::new(), next: 1, most }
    }

    fn renumber(&mut self, event: &mut StoredEvent) {
        for number in event.numbers() {
            *number = self.of(*number);
        }
    }

    fn pending(&mut self, flip: ClosedFlip) -> ClosedFlip {
        let mut event = StoredEvent::FlipClosed(flip);
        self.renumber(&mut event);
        match event {
            StoredEvent::FlipClosed(flip) => flip,
            _ => flip,
        }
    }

    fn of(&mut self, number: u64) -> u64 {
        if number == 0 {
            return 0;
        }
        if let Some(known) = self.known.get(&number) {
            return *known;
        }
        let own = self.next;
        self.next += 1;
        if self.known.len() < self.most {
            self.known.insert(number, own);
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_numbered_as_they_are_heard_of() {
        let mut numbers = Numbers::new(1);
        assert_eq!((numbers.of(0), numbers.of(7 << 36), numbers.of(5), numbers.of(7 << 36)), (0, 1, 2, 1));
        assert_eq!((numbers.of(9), numbers.of(9)), (3, 4), "those are not remembered");
    }
}
