//! The pending flips of a worker: the searcher orders them, pruners drop some.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use secateur_path::ChoiceKey;

use crate::flip::{Flip, FlipInfo};
use crate::postponed::Postponed;
use crate::prune::Pruner;
use crate::search::{FlipId, FlipResult, Searcher};
use crate::tree::{Closed, Incomplete, PathTree};
use crate::view::View;

/// The pending flips.
pub(crate) struct Frontier {
    /// Boxed, because the nodes of the map are seldom full.
    flips: BTreeMap<FlipId, Box<Flip>>,
    next: u64,
    pub searcher: Box<dyn Searcher>,
    pruners: Vec<Box<dyn Pruner>>,
    /// Pending flips by what an input must do to take them, if there are inputs that no flip was solved for.
    index: Option<Index>,
    /// Flips that the searcher has chosen before, and whose questions were too hard.
    pub postponed: Postponed,
    /// How many flips have a snapshot.
    snapshots: u64,
    /// How long an input may become for now. Flips that need a longer one are pending but not offered to the searcher.
    length: u32,
    /// These flips, by the length that they need.
    too_long: BTreeSet<(u32, FlipId)>,
    /// Flips for which the solver gave no answer, but which an input from outside may still take.
    unanswered: BTreeSet<FlipId>,
}

/// Finds the pending flip that an input takes.
#[derive(Default)]
struct Index {
    /// By the identity that a path has once it takes them.
    by_identity: FxHashMap<u64, FlipId>,
    /// Those for any other value than some, which do not change the identity.
    other_values: FxHashMap<u64, FlipId>,
}

impl Index {
    fn of(&mut self, key: ChoiceKey) -> &mut FxHashMap<u64, FlipId> {
        if matches!(key, ChoiceKey::OtherThan(_)) { &mut self.other_values } else { &mut self.by_identity }
    }
}

/// Why a flip is not tried.
#[derive(Clone, Copy)]
pub(crate) struct Pruned {
    /// The name of the pruner.
    pub by: &'static str,
    /// Whether the flip can add neither coverage nor a bug.
    pub lossless: bool,
}

impl Pruned {
    /// How the side of the flip is closed.
    pub(crate) fn closed(self) -> Closed {
        if self.lossless { Closed::Pruned(self.by) } else { Closed::Incomplete(Incomplete::Pruned(self.by)) }
    }
}

impl Frontier {
    /// With `has_inputs`, there are inputs that no flip was solved for, besides those that the searcher makes.
    pub(crate) fn new(searcher: Box<dyn Searcher>, pruners: Vec<Box<dyn Pruner>>, has_inputs: bool) -> Frontier {
        let index = (has_inputs || searcher.makes_inputs()).then(Index::default);
        Frontier {
            flips: BTreeMap::new(),
            next: 0,
            searcher,
            pruners,
            index,
            postponed: Postponed::default(),
            snapshots: 0,
            length: u32::MAX,
            too_long: BTreeSet::new(),
            unanswered: BTreeSet::new(),
        }
    }

    /// How many flips can be tried.
    pub(crate) fn len(&self) -> usize {
        self.flips.len() - self.unanswered.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number that the next flip gets.
    pub(crate) fn next_id(&self) -> u64 {
        self.next
    }

    /// The number of the newest pending flip; 0 if there is none.
    pub(crate) fn newest(&self) -> u64 {
        self.flips.last_key_value().map_or(0, |(id, _)| id.0)
    }

    pub(crate) fn snapshots(&self) -> u64 {
        self.snapshots
    }

    /// All flips in the order in which they were found.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (FlipId, &Flip)> {
        self.flips.iter().map(|(id, flip)| (*id, &**flip))
    }

    /// The pending flips whose number is at least this one.
    pub(crate) fn since(&self, number: u64) -> impl Iterator<Item = &Flip> {
        self.flips.range(FlipId(number)..).map(|(_, flip)| &**flip)
    }

    /// Adds a pending flip.
    pub(crate) fn add(&mut self, flip: Box<Flip>, tree: &mut PathTree) -> FlipId {
        let id = FlipId(self.next);
        self.next += 1;
        tree.set_pending(flip.side, id);
        if flip.info.length > self.length {
            self.too_long.insert((flip.info.length, id));
        } else {
            self.searcher.add(id, &flip.info);
        }
        self.put_back(id, flip);
        id
    }

    /// Makes a flip that was taken pending again.
    pub(crate) fn put_back(&mut self, id: FlipId, flip: Box<Flip>) {
        self.snapshots += u64::from(flip.snapshot.is_some());
        if let Some(index) = &mut self.index {
            index.of(flip.key).insert(flip.identity, id);
        }
        self.flips.insert(id, flip);
    }

    /// Keeps a flip that was taken for an input that takes it by itself; it is not tried again.
    pub(crate) fn keep_unanswered(&mut self, id: FlipId, flip: Box<Flip>) {
        self.put_back(id, flip);
        self.unanswered.insert(id);
    }

    /// Removes a flip for which the solver gave no answer.
    pub(crate) fn take_unanswered(&mut self) -> Option<(FlipId, Box<Flip>)> {
        let id = *self.unanswered.first()?;
        Some((id, self.take(id)?))
    }

    /// A pending flip.
    pub(crate) fn get(&self, id: FlipId) -> Option<&Flip> {
        self.flips.get(&id).map(|flip| &**flip)
    }

    /// Goes on in another order.
    pub(crate) fn set_searcher(&mut self, mut searcher: Box<dyn Searcher>) {
        let offered = self.flips.iter().filter(|(id, flip)| {
            flip.info.length <= self.length && !self.unanswered.contains(id) && !self.postponed.contains(**id)
        });
        offered.for_each(|(id, flip)| searcher.add(*id, &flip.info));
        self.searcher = searcher;
    }

    /// Removes a pending flip.
    pub(crate) fn take(&mut self, id: FlipId) -> Option<Box<Flip>> {
        let flip = self.flips.remove(&id)?;
        self.unanswered.remove(&id);
        self.snapshots -= u64::from(flip.snapshot.is_some());
        if let Some(index) = &mut self.index {
            index.of(flip.key).remove(&flip.identity);
        }
        Some(flip)
    }

    /// All flips, for another worker.
    pub(crate) fn into_flips(self) -> impl Iterator<Item = Flip> {
        self.flips.into_values().map(|flip| *flip)
    }

    /// The flip to try next; it may no longer be pending. If the searcher finds none, for example because it came to
    /// a part of the tree where paths are suspended, it is the oldest. `None` if there is none, except those for longer
    /// inputs.
    pub(crate) fn pick(&mut self, view: &mut View<'_>) -> Option<FlipId> {
        self.searcher.next(view).or_else(|| {
            let can_be_tried = |(id, flip): &(FlipId, &Flip)| {
                let waits = self.unanswered.contains(id) || self.postponed.contains(*id);
                flip.info.length <= self.length && !waits
            };
            self.iter().find(can_be_tried).map(|(id, _)| id)
        })
    }

    /// Whether there are flips that need longer inputs than are tried for now.
    pub(crate) fn has_longer(&self) -> bool {
        !self.too_long.is_empty()
    }

    /// Sets how long an input may become for now.
    pub(crate) fn set_length(&mut self, length: u32) {
        self.length = length;
        while let Some(&(needed, id)) = self.too_long.first().filter(|(needed, _)| *needed <= length) {
            self.too_long.remove(&(needed, id));
            if let Some(flip) = self.flips.get(&id) {
                self.searcher.add(id, &flip.info);
            }
        }
    }

    /// Whether a flip that is about to be tried is pruned.
    pub(crate) fn prune_pending(&mut self, id: FlipId, view: &mut View<'_>) -> Option<Pruned> {
        let flip = self.flips.get(&id)?;
        prune(&mut self.pruners, &flip.info, view)
    }

    /// Whether a flip that was just found is pruned.
    pub(crate) fn prune(&mut self, info: &FlipInfo, view: &mut View<'_>) -> Option<Pruned> {
        prune(&mut self.pruners, info, view)
    }

    /// The pending flip that a path has taken if it now has this identity.
    pub(crate) fn taken_by(&self, identity: u64) -> Option<(FlipId, &Flip)> {
        let id = self.index.as_ref()?.by_identity.get(&identity)?;
        Some((*id, self.flips.get(id)?))
    }

    /// The pending flip for any other value, at a decision on a value to which a path with this identity has come.
    pub(crate) fn other_value(&self, identity: u64) -> Option<(FlipId, &Flip)> {
        let id = self.index.as_ref()?.other_values.get(&identity)?;
        Some((*id, self.flips.get(id)?))
    }

    /// Removes up to `most` flips for another worker, of the first `looked_at` for which that is allowed. Flips close
    /// to the start are the quickest to reach and have the largest subtrees; every second one stays here, so that this
    /// worker does not run out next.
    pub(crate) fn hand_over(&mut self, most: usize, looked_at: usize, may: impl Fn(&Flip) -> bool) -> Vec<Flip> {
        let count = most.min(self.len() / 2);
        let can_be_tried = |id: &FlipId| !self.unanswered.contains(id);
        let candidates = self.flips.iter().filter(|(id, _)| can_be_tried(id)).step_by(2);
        let candidates = candidates.take(looked_at).filter(|(_, flip)| may(flip));
        let ids: Vec<FlipId> = candidates.map(|(id, _)| *id).take(count).collect();
        let mut flips = Vec::new();
        for id in ids {
            if let Some(flip) = self.take(id) {
                self.searcher.tried(Some(id), FlipResult::HandedOver);
                flips.push(*flip);
            }
        }
        flips
    }

    /// Drops half of the snapshots, the oldest first: depth-first search needs them last, and any can be rebuilt by
    /// replaying.
    pub(crate) fn drop_snapshots(&mut self) {
        let mut left = self.snapshots.div_ceil(2);
        for flip in self.flips.values_mut() {
            if left == 0 {
                break;
            }
            if flip.snapshot.take().is_some() {
                left -= 1;
                self.snapshots -= 1;
            }
        }
    }

    pub(crate) fn drop_all_snapshots(&mut self) {
        for flip in self.flips.values_mut() {
            flip.snapshot = None;
        }
        self.snapshots = 0;
    }
}

fn prune(pruners: &mut [Box<dyn Pruner>], info: &FlipInfo, view: &mut View<'_>) -> Option<Pruned> {
    let pruner = pruners.iter_mut().find_map(|pruner| pruner.prunes(info, view).then_some(pruner))?;
    Some(Pruned { by: pruner.name(), lossless: pruner.is_lossless() })
}
