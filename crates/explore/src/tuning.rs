//! The tuned numbers of exploration.
//!
//! No number changes which paths there are. They change the order of paths, so what a limited run explores, and how
//! memory is used when it is short. Intervals of the clock and bounds that only keep memory or integers from
//! overflowing are constants of the files that need them.

secateur_tuning::tuning! {
    /// Numbers that decide in which order and with how much memory a program is explored.
    pub struct Tuning in "explore" {
        /// How many instructions run between two checks of the limits. The range ends where the expressions that they
        /// make might overflow a pool.
        slice: u64 = 1 << 18, in 1..=1 << 19;
        /// How many pending flips still become tests once the path limit is hit. They are counted rather than timed, so
        /// that such a run always writes the same files.
        grace_flips: usize = 100, in 0..;
        /// How many instructions may be executed for these flips.
        grace_instructions: u64 = 10_000_000, in 0..;
        /// Flips that a selection drops may become tests while these take no more than one part in this many of the
        /// work.
        dropped_part: u64 = 8, in 1..;
        /// How many expressions the workers keep together between paths. When there are more, all are dropped, and the
        /// snapshots with them. An expression takes about a hundred bytes.
        expressions: usize = 1 << 26, in 0..;
        /// How many expressions there may be while a path runs; it ends when there are more. The range ends where a
        /// slice might overflow a pool.
        path_expressions: usize = 3 << 26, in 1 << 16..=3 << 26;
        /// Snapshots of functions with more slots keep only those that are live.
        packed_slots: usize = 64, in 0..;
        /// When memory is short, this many expressions are not worth dropping.
        few_expressions: usize = 1 << 16, in 0..;
        /// A question that may take more bytes than this is only asked if they are available.
        large_question: usize = 16 << 20, in 0..;
        /// How many bytes of the solver a question is estimated to take for each expression that there is.
        question_bytes: usize = 32, in 0..=1 << 16;
        /// How often an instruction may run out of memory before its path is given up.
        memory_attempts: u32 = 4, in 1..;
        /// When memory is short, interpolants are dropped again only once it has grown by one part in this many.
        memory_growth: u64 = 64, in 1..;
        /// The most flips that one worker gives another at once. The path to each must be run from the start, but with
        /// few of them a worker soon runs out again.
        exchange_batch: usize = 4, in 1..;
        /// The most flips that a process gives another one at once. They travel in one message.
        exchange_remote_batch: usize = 256, in 1..;
        /// How many pending flips a worker needs before it gives any to another process.
        exchange_remote_least: usize = 8, in 2..;
        /// How many flips are looked at for each one that is given.
        exchange_looked_at: usize = 8, in 1..;
        /// How many flips a worker tries before it looks again for some that it can give, if it found none.
        exchange_pause: u32 = 16, in 0..;
        /// How many pending flips a worker needs before it gives any away, at first and at least. It keeps the last
        /// one: two workers could pass it back and forth for ever.
        exchange_least: usize = 2, in 2..;
        /// The same at most: that number doubles while it takes more work to get to flips than to explore from them.
        exchange_most: usize = 1 << 12, in 2..;
        /// Where paths may be subsumed: how many paths a worker ends before it gives any flip away. By then it is known
        /// whether most of them are subsumed, so that there is nothing to share.
        unshared_paths: u64 = 64, in 0..;
        /// Where paths may be subsumed: how many flips are tried at most between two suspended paths that go on. In
        /// depth-first order, all flips of one come before the next.
        resume_flips: u32 = 64, in 0..;
        /// How many of the subtrees that were left out are explored when cuts are checked, those that were left out
        /// first.
        checked_cuts: usize = 1_000, in 0..;
        /// How many paths of each are explored.
        checked_paths: usize = 32, in 1..;
        /// How many instructions of each of these paths are executed.
        checked_instructions: u64 = 10_000, in 1..;
        /// Distances to uncovered code are outdated when coverage changes. They are recomputed after a number
        /// of questions: the nodes of the graph divided by this, so that each question costs constant time.
        distance_refresh: usize = 256, in 1..;
        /// The distance of a check that has not failed yet. Most checks cannot fail, so they must not come first.
        check_distance: u32 = 100, in 0..;
        /// The largest distance to uncovered code that is distinguished; the weight of a flip is its inverse square.
        far: u64 = 10_000, in 1..=1 << 16;
        /// Weights are outdated when coverage changes. They are recomputed after a number of draws: the
        /// classes of flips divided by this, so that each draw costs constant time.
        weight_refresh: usize = 256, in 1..;
        /// One turn in this many goes to the oldest pending flip, whatever the order prefers.
        fair_turn: u32 = 16, in 1..;
        /// With the order `frontier`, how many vain attempts at a place that leads to an uncovered branch count as much
        /// as one at any other.
        frontier_head_start: u64 = 4, in 0..=1 << 16;
        /// How often a strategy of the default order may choose a flip that was tried or has to wait, before another
        /// one has its turn.
        strategy_attempts: u32 = 64, in 1..;
        /// How much work the strategies of the default order share before the shares are divided anew. Work is about a
        /// microsecond for each unit.
        share_period: u64 = 50_000, in 1..;
        /// The part of the work that is divided equally among these strategies, whatever they find.
        share_equal: f64 = 0.3, in 0.01..=1.0;
        /// How much of what a strategy has found and cost still counts after the next period.
        share_memory: f64 = 0.8, in 0.0..=1.0;
        /// The work from which on a flip is expensive, so that its place waits if it covers nothing new.
        expensive_work: u64 = 5_000, in 1..;
        /// A place whose expensive flips cover nothing new waits for at most two to this power of other flips.
        longest_wait: u32 = 14, in 0..=62;
        /// How many flips at one place are tried one after the other because each leads to the next.
        longest_chain: u32 = 64, in 0..;
        /// The work that such chains may take in any case, since one covered something new.
        chain_work: u64 = 10_000, in 0..;
        /// One part in this many of all work may go to chains besides.
        chain_part: u64 = 5, in 1..;
        /// How many such chains of a place are followed that cover nothing new, since the last one that did.
        chain_attempts: u32 = 2, in 0..;
        /// How many instructions of the program count as a unit of work.
        work_instructions: u64 = 4, in 1..;
        /// How many expressions that are made count as a unit of work.
        work_expressions: u64 = 2, in 1..;
        /// How many subexpressions that the solver computes count as a unit of work.
        work_evaluated: u64 = 10, in 1..;
        /// The work that a unit of effort of the SMT library is estimated to be.
        effort_work: u64 = 10, in 0..;
        /// The work for any flip, however short its path is.
        flip_work: u64 = 30, in 0..;
        /// The work that a call of the SMT library is estimated to be.
        smt_work: u64 = 5_000, in 0..;
        /// How much effort the SMT library first makes for a question. A unit takes about a hundredth of a millisecond.
        first_effort: u64 = 500, in 1..;
        /// How many times as much it makes at each further attempt.
        effort_growth: u64 = 32, in 1..;
        /// How many attempts have a limited effort.
        effort_attempts: u32 = 2, in 0..;
        /// One part in this many of all work may go to questions that took more than the first effort, while others are
        /// pending.
        hard_part: u64 = 10, in 1..;
        /// How many flips the order `cfg` tries for a branch when it is chosen for the first time.
        cfg_share: u32 = 16, in 1..;
        /// How many branches the order `cfg` draws to find one that can be reached.
        cfg_attempts: u32 = 4, in 1..=64;
        /// How many random inputs in a row may cover nothing new before the order `hybrid` turns to flips.
        hybrid_patience: u32 = 16, in 0..=4096;
        /// How many instructions of an input from outside are executed to see what it does. One that takes more is not
        /// followed: its alternatives would take even longer.
        input_instructions: u64 = 20_000_000, in 0..;
        /// How long the data of a libFuzzer harness may become at first.
        first_length: u32 = 32, in 1..;
        /// How many flips in a row may cover nothing new before that length doubles.
        length_patience: u32 = 5_000, in 0..;
        /// How much work may cover nothing new before that length doubles.
        length_work: u64 = 1_000_000, in 0..;
        /// The share of the memory limit above which snapshots are dropped, early enough that rebuilding them still
        /// fits.
        snapshot_share: f64 = 0.75, in 0.0..=1.0;
        /// The share of the memory limit above which paths end. The rest is for what they allocate until they notice.
        memory_share: f64 = 0.9, in 0.5..=1.0;
    }
}
