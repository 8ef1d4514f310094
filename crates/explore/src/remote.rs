//! Other processes that explore the same program.
//!
//! To a process, all others are like a worker that waits now and then: it is given flips when it asks for them, and
//! when nobody here has anything to do, it is asked. How flips travel is up to whoever implements [`Remote`].

use crate::pending::PendingItem;
use crate::portable::PortableFlip;

/// What is on the other side of an exchange.
pub trait Remote: Send + Sync {
    /// Whether another process waits for flips. It is called very often.
    fn wants_flips(&self) -> bool;

    /// Takes flips for other processes. Their worker has delivered them to the subscriber before.
    fn give(&self, flips: Vec<PortableFlip>);

    /// Waits for something to explore, when everything here was explored and delivered. `None` if there is nothing to
    /// wait for any more, or the run stops.
    fn fetch(&self) -> Option<Vec<PendingItem>>;
}
