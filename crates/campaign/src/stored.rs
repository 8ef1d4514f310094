//! What a campaign has found and what is pending, in the form in which it is stored and sent.
//!
//! The form belongs to one version of Secateur, which the envelope names: another version refuses it. Flips of one path
//! share its input, and many share a call stack, so each is written once.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use secateur_c_tests::Body;
use secateur_explore::{
    ClosedFlip, Counters, EndedPath, Event, FlipEnd, FlipInfo, PendingItem, PendingName, PortableFlip, PortablePath,
};
use secateur_graph::Call;
use secateur_machine::End;
use secateur_path::ChoiceKey;
use secateur_program::{BranchId, FuncId, LocId, Program};
use secateur_suite::bug::Native;
use secateur_suite::{BacktraceEntry, BugReport, Prediction, TestCase};
use serde::{Deserialize, Serialize};

use crate::keeper::KeptPath;

/// What has happened since the last step.
#[derive(Default, Serialize, Deserialize)]
pub struct Step {
    /// What was found, in order.
    pub(crate) events: Vec<StoredEvent>,
    /// How often no input takes a side of a branch.
    pub(crate) infeasible: BTreeMap<(BranchId, u32), u64>,
    /// What is no longer pending.
    pub(crate) removed: Vec<PendingName>,
    /// What is pending since then.
    pub(crate) added: Items,
    /// The counters of the whole run.
    pub(crate) counters: Counters,
    /// How long it has taken so far.
    pub(crate) seconds: f64,
}

/// An event that is more than a count.
#[derive(Serialize, Deserialize)]
pub(crate) enum StoredEvent {
    PathEnded(EndedPath, Option<Box<StoredPath>>),
    InputRan(End, Box<StoredPath>),
    FlipClosed(ClosedFlip),
}

/// What is kept of a path.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct StoredPath {
    test: TestCase,
    prediction: Prediction,
    wanted: bool,
    bug: Option<StoredBug>,
    c_test: Option<Result<Body, String>>,
    /// What it wrote to standard output and standard error, if somebody elsewhere shows that.
    output: Option<(Vec<u8>, Vec<u8>)>,
}

#[derive(Clone, Serialize, Deserialize)]
struct StoredBug {
    kind: String,
    message: String,
    file: String,
    line: u32,
    stack: Vec<BacktraceEntry>,
    needs: Vec<String>,
}

/// Pending items.
#[derive(Default, Serialize, Deserialize)]
pub struct Items {
    inputs: Vec<Vec<u8>>,
    stacks: Vec<Vec<Call>>,
    flips: Vec<StoredFlip>,
    paths: Vec<PortablePath>,
}

#[derive(Serialize, Deserialize)]
struct StoredFlip {
    input: u32,
    stack: u32,
    key: ChoiceKey,
    identity: u64,
    exclusions: Vec<(u32, u64)>,
    info: FlipInfo,
}

/// What is stored of an event; `None` if it is only counted, or belongs to this process alone.
impl StoredEvent {
    pub(crate) fn of(event: &Event<Box<KeptPath>>) -> Option<StoredEvent> {
        match event {
            Event::PathEnded(path, kept) => {
                Some(StoredEvent::PathEnded(path.clone(), kept.as_deref().map(|kept| Box::new(StoredPath::of(kept)))))
            }
            Event::InputRan(end, kept) => Some(StoredEvent::InputRan(end.clone(), Box::new(StoredPath::of(kept)))),
            Event::FlipClosed(flip) => Some(StoredEvent::FlipClosed(*flip)),
            Event::SideRefuted(_) | Event::Progress(_) => None,
        }
    }

    /// What its path was the first to cover, as far as its worker knew.
    pub(crate) fn covered(&self) -> &[u32] {
        match self {
            StoredEvent::PathEnded(path, _) => &path.covered,
            StoredEvent::InputRan(..) | StoredEvent::FlipClosed(_) => &[],
        }
    }

    /// The number of the path that has ended, if one has.
    pub(crate) fn path(&self) -> Option<u64> {
        match self {
            StoredEvent::PathEnded(path, _) => Some(path.number),
            StoredEvent::InputRan(..) | StoredEvent::FlipClosed(_) => None,
        }
    }

    /// Others have covered the same before, so that it need not become a test.
    pub(crate) fn covers_nothing_new(&mut self) {
        if let StoredEvent::PathEnded(_, Some(kept)) = self {
            kept.wanted = false;
        }
    }

    /// What its path wrote was shown already.
    pub(crate) fn without_output(mut self) -> StoredEvent {
        if let StoredEvent::PathEnded(_, Some(kept)) | StoredEvent::InputRan(_, kept) = &mut self {
            kept.output = None;
        }
        self
    }

    /// The numbers of paths in it.
    pub(crate) fn numbers(&mut self) -> Vec<&mut u64> {
        match self {
            StoredEvent::PathEnded(path, _) => {
                let cover = path.cover.as_mut().map(|cover| &mut cover.path);
                [&mut path.number, &mut path.departure.parent].into_iter().chain(cover).collect()
            }
            StoredEvent::FlipClosed(flip) => vec![&mut flip.departure.parent],
            StoredEvent::InputRan(..) => Vec::new(),
        }
    }

    /// Whether all places in it are in this program.
    fn fits(&self, program: &Program) -> bool {
        let has = |(function, loc): &(FuncId, LocId)| {
            function.index() < program.functions.len() && loc.index() < program.locations.len()
        };
        let has_loc = |loc: LocId| loc.index() < program.locations.len();
        match self {
            StoredEvent::PathEnded(path, _) => {
                let stack = match &path.end {
                    End::Bug(bug) => bug.stack.as_slice(),
                    End::Unsupported(unsupported) => unsupported.stack.as_slice(),
                    _ => &[],
                };
                has_loc(path.departure.loc) && stack.iter().chain(&path.cut_off_at).all(has)
            }
            StoredEvent::InputRan(end, _) => !matches!(end, End::Bug(bug) if !bug.stack.iter().all(has)),
            StoredEvent::FlipClosed(flip) => has_loc(flip.departure.loc) && flip.branch.is_none_or(has_side(program)),
        }
    }

    /// The event as it was.
    pub(crate) fn restored(self) -> Event<Box<KeptPath>> {
        match self {
            StoredEvent::PathEnded(path, kept) => Event::PathEnded(path, kept.map(|kept| Box::new(kept.restored()))),
            StoredEvent::InputRan(end, kept) => Event::InputRan(end, Box::new(kept.restored())),
            StoredEvent::FlipClosed(flip) => Event::FlipClosed(flip),
        }
    }
}

impl StoredPath {
    fn of(kept: &KeptPath) -> StoredPath {
        let KeptPath { test, prediction, wanted, bug, c_test, output } = kept;
        let bug = bug.as_ref().map(|bug| StoredBug {
            kind: bug.kind.clone(),
            message: bug.message.clone(),
            file: bug.file.clone(),
            line: bug.line,
            stack: bug.stack.clone(),
            needs: bug.needs.clone(),
        });
        StoredPath {
            test: test.clone(),
            prediction: prediction.clone(),
            wanted: *wanted,
            bug,
            c_test: c_test.clone(),
            output: output.clone(),
        }
    }

    fn restored(self) -> KeptPath {
        let StoredPath { test, prediction, wanted, bug, c_test, output } = self;
        let bug = bug.map(|StoredBug { kind, message, file, line, stack, needs }| {
            let (test, native) = (String::new(), Native::default());
            BugReport { kind, message, file, line, stack, needs, test, native }
        });
        KeptPath { test, prediction, wanted, bug, c_test, output }
    }
}

impl Step {
    /// Adds an event.
    pub(crate) fn add(&mut self, event: StoredEvent) {
        match event {
            // Sides that no input takes are not listed, and there may be many.
            StoredEvent::FlipClosed(ClosedFlip { branch, end: FlipEnd::Infeasible, .. }) => {
                if let Some(side) = branch {
                    *self.infeasible.entry(side).or_default() += 1;
                }
            }
            event => self.events.push(event),
        }
    }

    /// What is no longer pending.
    pub fn removed(&self) -> &[PendingName] {
        &self.removed
    }

    /// Takes what is pending since then; `None` if it makes no sense.
    pub fn take_added(&mut self) -> Option<Vec<PendingItem>> {
        std::mem::take(&mut self.added).unpack()
    }

    /// Sets what was counted since the last step.
    pub fn set_counters(&mut self, counters: Counters) {
        self.counters = counters;
    }

    /// The number of paths in it.
    pub fn paths(&self) -> usize {
        self.events.iter().filter(|event| event.path().is_some()).count()
    }

    /// Whether all that was found in it is about this program: what comes from elsewhere may be about anything.
    pub fn fits(&self, program: &Program) -> bool {
        let places = self.counters.given_up.keys().all(|(_, loc)| loc.index() < program.locations.len());
        let sides = self.infeasible.keys().copied().all(has_side(program));
        places && sides && self.events.iter().all(|event| event.fits(program))
    }

    /// Whether nothing has happened.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty() && self.infeasible.is_empty() && self.removed.is_empty() && self.added.is_empty()
    }

    /// How often each side was infeasible.
    pub(crate) fn infeasible(&self) -> impl Iterator<Item = (BranchId, u32, u64)> {
        self.infeasible.iter().map(|((branch, outcome), count)| (*branch, *outcome, *count))
    }
}

fn has_side(program: &Program) -> impl Fn((BranchId, u32)) -> bool {
    |(branch, outcome)| program.branches.get(branch.index()).is_some_and(|branch| outcome < branch.outcomes)
}

impl Items {
    /// Packs items.
    pub fn pack(items: impl IntoIterator<Item = PendingItem>) -> Items {
        let mut packed = Items::default();
        let mut inputs: FxHashMap<Arc<[u8]>, u32> = FxHashMap::default();
        let mut stacks: FxHashMap<Vec<Call>, u32> = FxHashMap::default();
        for item in items {
            match item {
                PendingItem::Flip(PortableFlip { input, key, identity, exclusions, info, calls, loan: _ }) => {
                    let input = *inputs.entry(input).or_insert_with_key(|input| {
                        packed.inputs.push(input.to_vec());
                        packed.inputs.len() as u32 - 1
                    });
                    let stack = *stacks.entry(calls).or_insert_with_key(|calls| {
                        packed.stacks.push(calls.clone());
                        packed.stacks.len() as u32 - 1
                    });
                    packed.flips.push(StoredFlip { input, stack, key, identity, exclusions, info });
                }
                PendingItem::Path(path) => packed.paths.push(path),
            }
        }
        packed
    }

    /// The items; `None` if what was read makes no sense.
    pub fn unpack(self) -> Option<Vec<PendingItem>> {
        let inputs: Vec<Arc<[u8]>> = self.inputs.into_iter().map(Arc::from).collect();
        let flip = |flip: StoredFlip| {
            let StoredFlip { input, stack, key, identity, exclusions, info } = flip;
            let input = Arc::clone(inputs.get(input as usize)?);
            let calls = self.stacks.get(stack as usize)?.clone();
            Some(PendingItem::Flip(PortableFlip { input, key, identity, exclusions, info, calls, loan: None }))
        };
        let mut items: Vec<PendingItem> = self.flips.into_iter().map(flip).collect::<Option<_>>()?;
        items.extend(self.paths.into_iter().map(PendingItem::Path));
        Some(items)
    }

    pub(crate) fn len(&self) -> usize {
        self.flips.len() + self.paths.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
