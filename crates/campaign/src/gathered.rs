//! What the workers of a process have delivered and nobody has stored or sent yet.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use secateur_explore::{Counters, PendingChange, PendingItem, PendingName};

use crate::stored::{Items, Step, StoredEvent};

/// What a worker delivers at once; it fits together.
pub struct Delivery {
    /// The number of the worker.
    pub(crate) worker: usize,
    pub(crate) events: Vec<StoredEvent>,
    pub(crate) change: PendingChange,
    /// The counters of the worker.
    pub(crate) counters: Counters,
}

impl Delivery {
    /// The names of what is no longer pending, and of what is.
    pub fn names(&self) -> (impl Iterator<Item = PendingName>, impl Iterator<Item = PendingName>) {
        (self.change.removed.iter().copied(), self.change.added.iter().map(PendingItem::name))
    }

    /// What its paths were the first to cover.
    pub fn covered(&self) -> impl Iterator<Item = u32> {
        self.events.iter().flat_map(StoredEvent::covered).copied()
    }

    /// How many paths have ended.
    pub fn paths(&self) -> u64 {
        self.events.iter().filter(|event| event.path().is_some()).count() as u64
    }

    /// The greatest number of a path that has ended.
    pub fn last_path(&self) -> u64 {
        self.events.iter().filter_map(StoredEvent::path).max().unwrap_or(0)
    }
}

/// Deliveries that become a step.
#[derive(Default)]
pub struct Gathered {
    step: Step,
    /// What is new since the last step.
    added: FxHashMap<PendingName, PendingItem>,
    /// The counters of each worker.
    workers: BTreeMap<usize, Counters>,
}

impl Gathered {
    /// Adds a delivery.
    pub fn add(&mut self, delivery: Delivery) {
        let Delivery { worker, events, change, counters } = delivery;
        for event in events {
            self.step.add(event);
        }
        for name in change.removed {
            // A flip that was found since the last step was never mentioned; a path may have been, as its flip.
            if !matches!(self.added.remove(&name), Some(PendingItem::Flip(_))) {
                self.step.removed.push(name);
            }
        }
        for item in change.added {
            self.added.insert(item.name(), item);
        }
        self.workers.insert(worker, counters);
    }

    /// How many events and pending items there are.
    pub fn len(&self) -> usize {
        self.step.events.len() + self.added.len()
    }

    /// Whether nothing was delivered since the last step.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.step.is_empty()
    }

    /// The counters of all workers.
    pub fn counters(&self) -> Counters {
        let mut all = Counters::default();
        self.workers.values().for_each(|counters| all += counters);
        all
    }

    /// What was gathered since the last step, without counters.
    pub fn take(&mut self) -> Step {
        let mut step = std::mem::take(&mut self.step);
        step.added = Items::pack(std::mem::take(&mut self.added).into_values());
        step
    }
}
