//! Flips that are handed over to another worker, which reports back what became of them.
//!
//! Without subsumption, nobody needs to know. With it, nothing above a flip is accounted for unless the flip is. So its
//! side stays open, and its worker is told once everything below is explored: whether completely, and what that
//! requires of a state. Paths stay suspended meanwhile.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use secateur_machine::{Choice, DecisionKind, State};

use crate::event::Subscriber;
use crate::exchange::{Fetched, Fetching, Receiver};
use crate::flip::Flip;
use crate::frontier::Pruned;
use crate::pending::StillRunning;
use crate::portable::PortableFlip;
use crate::running::RunningPath;
use crate::subsumption::{Cover, PathAt};
use crate::tree::{Closed, Incomplete, NodeId, SideId, TreeEvent};
use crate::worker::Worker;

/// A flip of one worker that another one explores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loan {
    /// The worker that found the flip.
    pub worker: usize,
    /// Its number among those that this worker has handed over.
    pub number: u64,
}

/// How everything below a side is accounted for. Only the subsumption that made it can read it.
pub type Account = Box<dyn Any + Send>;

/// What became of a flip that was handed over.
pub struct Returned {
    /// The flip.
    pub loan: Loan,
    /// How its side was closed.
    pub closed: Closed,
    /// What accounts for everything below it, if all is accounted for.
    pub account: Option<Account>,
}

/// A flip that was handed over and need not be explored any more.
#[derive(Clone)]
pub struct CalledBack {
    /// The flip.
    pub loan: Loan,
    /// What covers everything below it.
    pub cover: Cover,
}

/// A flip of another worker of which everything is explored: the root of the tree that it was, and how it was closed.
pub(crate) struct Settled {
    node: NodeId,
    loan: Loan,
    closed: Closed,
}

/// The flips of a worker that others explore, and those of others that it explores.
#[derive(Default)]
pub(crate) struct Loans {
    /// The sides that wait, by the number of the loan.
    lent: BTreeMap<u64, SideId>,
    next: u64,
    /// The roots of the tree that are flips of other workers.
    borrowed: BTreeMap<NodeId, Loan>,
    /// How many of the flips that were called back it has seen.
    called_back: usize,
    /// How many flips to try before looking again for some to hand over.
    pause: u32,
}

impl Loans {
    /// Whether a side waits for what another worker finds.
    pub(crate) fn has_lent(&self) -> bool {
        !self.lent.is_empty()
    }

    /// The flips of other workers of which everything is explored now.
    pub(crate) fn settled(&mut self, events: &[TreeEvent]) -> Vec<Settled> {
        let mut settled = Vec::new();
        if self.borrowed.is_empty() {
            return settled;
        }
        let mut last = None;
        for event in events {
            match event {
                TreeEvent::Closed(side, closed, _) => last = Some((side.node, *closed)),
                TreeEvent::Settled { node, parent: None, complete } => {
                    let Some(loan) = self.borrowed.remove(node) else { continue };
                    let below = if *complete { Closed::Explored } else { Closed::Incomplete(Incomplete::Below) };
                    // The root has a single side; if it was not closed itself, what is below it was.
                    let closed = last.filter(|(closed, _)| closed == node).map_or(below, |(_, closed)| closed);
                    settled.push(Settled { node: *node, loan, closed });
                }
                TreeEvent::Settled { .. } | TreeEvent::Found(_) => {}
            }
        }
        settled
    }
}

impl<S: Subscriber> Worker<'_, '_, S> {
    /// Gives some flips to another worker if one has none left and this one has enough, while a path runs.
    pub(crate) fn share_while_running(
        &mut self,
        state: &State,
        path: &RunningPath,
        input: &Arc<[u8]>,
        decisions: usize,
    ) -> Result<(), S::Error> {
        if !self.team.exchange.wants_flips(self.frontier.len()) {
            return Ok(());
        }
        // Only when the path has ended is it known where it is suspended.
        let is_active = self.subsumption.as_ref().is_some_and(|subsumption| subsumption.is_active());
        if is_active {
            return Ok(());
        }
        self.share(Some(StillRunning { path, input, exclusions: &state.exclusions, decisions }))
    }

    /// Gives some flips to another worker if one has none left and this one has enough.
    pub(crate) fn share(&mut self, running: Option<StillRunning<'_>>) -> Result<(), S::Error> {
        let team = self.team;
        if !team.exchange.wants_flips(self.frontier.len()) {
            return Ok(());
        }
        if self.loans.pause > 0 {
            self.loans.pause -= 1;
            return Ok(());
        }
        if !self.is_worth_sharing() {
            self.loans.pause = self.team.tuning.exchange_pause;
            return Ok(());
        }
        // What comes of a flip must not be delivered before the flip is.
        if self.changes.is_on {
            self.deliver(running)?;
        }
        team.exchange.give(&mut |receiver| self.hand_over(receiver));
        Ok(())
    }

    /// Where most paths are subsumed, most of what is pending will be, too. Another worker would have to explore it,
    /// since it does not have the interpolants, and this one would have to wait for that.
    fn is_worth_sharing(&self) -> bool {
        let (subsumed, others) = (self.counters.subsumed, self.counters.paths());
        let is_active = self.subsumption.as_ref().is_some_and(|subsumption| subsumption.is_active());
        !is_active || (subsumed < others && subsumed + others >= self.team.tuning.unshared_paths)
    }

    fn hand_over(&mut self, receiver: Receiver) -> Vec<PortableFlip> {
        let tuning = &self.team.tuning;
        let most = match receiver {
            Receiver::Worker => tuning.exchange_batch,
            Receiver::Process => tuning.exchange_remote_batch,
        };
        let subsumption = self.subsumption.as_deref().filter(|subsumption| subsumption.is_active());
        let may = |flip: &Flip| subsumption.is_none_or(|subsumption| subsumption.may_hand_over(flip.side));
        let looked_at = most.saturating_mul(self.team.tuning.exchange_looked_at);
        let flips = self.frontier.hand_over(most, looked_at, may);
        if flips.is_empty() {
            self.loans.pause = self.team.tuning.exchange_pause;
        }
        flips.into_iter().map(|flip| self.lend(flip, receiver)).collect()
    }

    /// Another process does not report back: to this one, the side stays incomplete.
    fn lend(&mut self, flip: Flip, receiver: Receiver) -> PortableFlip {
        if self.subsumption.is_none() || receiver == Receiver::Process {
            self.tree.close(flip.side, Closed::Incomplete(Incomplete::HandedOver), &[]);
            self.update_subsumption();
            return PortableFlip::new(flip, None, &self.program_info);
        }
        let loan = Loan { worker: self.index, number: self.loans.next };
        self.loans.next += 1;
        self.loans.lent.insert(loan.number, flip.side);
        self.tree.set_running(flip.side);
        PortableFlip::new(flip, Some(loan), &self.program_info)
    }

    /// Waits for flips of other workers, or for what became of those that this one gave away.
    pub(crate) fn fetch(&mut self) -> Fetched {
        // A root that is settled is reported before its number is used again.
        self.update_subsumption();
        let fetching = Fetching {
            worker: self.index,
            worthwhile: self.replay_cost.is_worthwhile(self.machine.instructions),
            has_suspended: !self.suspended.is_empty(),
        };
        self.team.exchange.fetch(fetching)
    }

    /// Adds a flip of another worker to the tree and to the pending ones.
    pub(crate) fn borrow(&mut self, flip: PortableFlip) {
        let loan = flip.loan;
        let flip = flip.unpack(&mut self.program_info, &mut self.tree);
        if let Some(loan) = loan {
            self.loans.borrowed.insert(flip.side.node, loan);
        }
        self.frontier.add(Box::new(flip), &mut self.tree);
    }

    /// If a flip is another worker's, notes the state at its decision, which was just rebuilt.
    pub(crate) fn note_borrowed(&mut self, flip: &Flip, state: &State, kind: DecisionKind, choice: &Choice) {
        if !self.loans.borrowed.contains_key(&flip.side.node) {
            return;
        }
        if let Some(subsumption) = &mut self.subsumption {
            let path = PathAt { number: flip.info.path, from: None, state, input: &flip.input };
            subsumption.borrowed(flip.side, &path, kind, choice);
        }
    }

    /// A side is accounted for while another worker explores it: closes it, and tells the other worker. Returns false
    /// if no other worker explores it.
    pub(crate) fn call_back(&mut self, side: SideId, cover: &Cover, pruned: Pruned) -> bool {
        let Some(number) = self.loans.lent.iter().find(|(_, lent)| **lent == side).map(|(number, _)| *number) else {
            return false;
        };
        self.loans.lent.remove(&number);
        let loan = Loan { worker: self.index, number };
        self.team.exchange.call_back(CalledBack { loan, cover: Cover { text: None, ..cover.clone() } });
        self.tree.close(side, pruned.closed(), &[]);
        self.update_subsumption();
        true
    }

    /// Drops the flips of other workers that need not be explored any more.
    pub(crate) fn drop_called_back(&mut self) -> Result<(), S::Error> {
        for CalledBack { loan, cover } in self.team.exchange.called_back(&mut self.loans.called_back) {
            let node = self.loans.borrowed.iter().find(|(_, borrowed)| **borrowed == loan).map(|(node, _)| *node);
            if let Some(node) = node {
                self.close_below(node, &cover)?;
            }
        }
        Ok(())
    }

    /// Reports what became of flips of other workers.
    pub(crate) fn give_back(&mut self, settled: Vec<Settled>) {
        for Settled { node, loan, closed } in settled {
            let account = self.subsumption.as_mut().and_then(|subsumption| subsumption.account(self.machine, node));
            self.team.exchange.give_back(Returned { loan, closed, account });
        }
    }

    /// Notes what became of flips that were handed over, if there is anything new.
    pub(crate) fn receive_returned(&mut self) {
        if self.team.exchange.has_returned(self.index) {
            self.close_returned(self.team.exchange.take_returned(self.index));
        }
    }

    /// Notes what became of flips that were handed over.
    pub(crate) fn close_returned(&mut self, returned: Vec<Returned>) {
        for Returned { loan, closed, account } in returned {
            let Some(side) = self.loans.lent.remove(&loan.number) else { continue };
            let closed = match closed {
                // A pruner dropped it, as it might have here.
                Closed::Pruned(_) if account.is_none() => closed,
                Closed::Incomplete(_) => Closed::Incomplete(Incomplete::HandedOver),
                _ => Closed::Explored,
            };
            if let Some(subsumption) = self.subsumption.as_mut().filter(|_| closed == Closed::Explored) {
                subsumption.returned(self.machine, self.solver, side, account);
            }
            self.tree.close(side, closed, &[]);
            self.update_subsumption();
        }
    }
}
