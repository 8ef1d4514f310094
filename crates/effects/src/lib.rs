//! What a segment of a path does, as a function of the state before it.
//!
//! A segment is what executes from one decision to the next. The machine runs it again on a state of holes: every slot
//! and byte is a name for what the state holds there. The [`Effect`] of the segment says which conditions on the holes
//! make a state run the same way, and what each location holds afterwards. So a condition on the state after the
//! segment can be expressed over the state before it. [`Effects`] keeps the effects that were computed.

mod cache;
mod effect;
mod live;

pub use cache::{EffectId, Effects, Point, Segment};
pub use effect::{Effect, EffectDecision, Failure};
pub use live::LiveSlotCache;
