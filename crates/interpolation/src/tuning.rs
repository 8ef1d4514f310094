//! The tuned numbers of interpolation. They change how much is pruned and what that costs, never whether it is right.

secateur_tuning::tuning! {
    /// Numbers that decide how much work interpolation is worth.
    pub struct Tuning in "interpolation" {
        /// How much work may be done before anything is saved, in executed instructions.
        free_work: u64 = 20_000_000, in 0..;
        /// How much work may be done beyond that, in percent of what the exploration itself takes.
        work_share: u64 = 25, in 0..=10_000;
        /// How many interpolants of one point and with the same required values are compared with a state, the newest
        /// first.
        compared: usize = 64, in 1..;
        /// How many nodes that may cover a path are tried, the newest first.
        covering: usize = 8, in 0..;
        /// How many clauses a node may have; one with more has no interpolant.
        clauses: usize = 4_096, in 1..;
        /// How often clauses are added before the interpolants of a loop count as growing for ever.
        rounds: usize = 6, in 1..;
        /// The same with locations fixed to the values that they have: facts travel one node per round.
        fixed_rounds: usize = 64, in 1..;
        /// How often paths come to a point before an invariant is looked for there.
        invariant_visits: u64 = 64, in 1..;
        /// How often an invariant is looked for at one point, each time with more work.
        invariant_attempts: u32 = 6, in 0..;
        /// How much work is done in all before an invariant is looked for, in executed instructions.
        invariant_after: u64 = 1_000_000, in 0..;
        /// How much work a search for an invariant may take, in times of what was done elsewhere before.
        invariant_share: u64 = 10, in 0..;
        /// How many states of a point are kept.
        invariant_samples: usize = 64, in 1..=65_536;
        /// How many rounds of a loop are run with random input.
        invariant_simulated: usize = 4_000, in 0..;
        /// After how many instructions of a path through a loop it is checked whether the work is used up. The range ends
        /// where the expressions that they make might overflow a pool.
        invariant_slice: u64 = 100_000, in 1..=1 << 19;
        /// How often a candidate for an invariant is corrected.
        invariant_rounds: usize = 100, in 1..;
    }
}
