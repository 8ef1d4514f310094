//! The tuned numbers of backward execution.

secateur_tuning::tuning! {
    /// Numbers that decide how much effort a search makes before it leaves something open.
    pub struct Tuning in "backward" {
        /// How many steps are taken before the search goes on forwards, unless `--max-steps` says how many.
        steps: u64 = 20_000, in 0..;
        /// How many blocks from the start of the program a call counts as, where states are ordered.
        call_distance: u64 = 16, in 0..=1 << 20;
        /// How much effort a question is worth on the way, where an open answer only means another step. A unit takes
        /// about a hundredth of a millisecond.
        step_effort: u64 = 20_000, in 1..;
        /// How much effort a question is worth at the start of the program.
        start_effort: u64 = 200_000, in 1..;
        /// The most blocks that are merged at once.
        merge_blocks: usize = 64, in 0..=1 << 16;
        /// The most calls that are entered at once; of deeper ones, only the effects are considered.
        call_depth: usize = 64, in 0..=1 << 10;
        /// The size of the largest global whose bytes a symbolic index selects from.
        table_bytes: u64 = 4_096, in 0..=1 << 20;
        /// After how many segments without an answer forward paths are followed, too.
        forward_after: u64 = 32, in 0..;
        /// How many inputs are followed forwards.
        forward_runs: usize = 64, in 0..;
        /// For how many instructions each is followed.
        forward_instructions: u64 = 1 << 17, in 0..;
        /// How many states of such a run are kept at a point: the first ones, since loops are lifted out by then.
        forward_states_per_point: usize = 2, in 1..;
        /// How many states are kept in all.
        forward_states: usize = 1 << 13, in 0..;
        /// How many questions are asked about forward states in all.
        forward_questions: u64 = 2_000, in 0..;
        /// How much effort each of these questions is worth.
        forward_effort: u64 = 2_000, in 1..;
        /// How many forward states at a point are asked for one backward state, the newest first.
        forward_tries: usize = 3, in 0..;
        /// How many refutations are explained; each takes a few questions.
        explained: usize = 8, in 0..;
        /// The most conditions of a refutation that is explained.
        explained_conditions: usize = 12, in 0..;
        /// Each path that comes to the start of the program may use one in so many of the inputs that the concrete
        /// search has left.
        search_part: u64 = 4, in 1..;
        /// With fewer inputs left, the concrete search uses all of them on one path.
        search_least: u64 = 200, in 0..;
        /// A path on which loops are lifted out is tried with this many inputs at first, since a proof may come first.
        first_evaluations: u64 = 512, in 0..;
        /// All such paths are tried with this many at first.
        all_first_evaluations: u64 = 1_024, in 0..;
        /// After so many segments, one of these paths is tried with further inputs.
        postponed_for: u64 = 128, in 1..;
        /// One in so many turns is that of generalised loops.
        turns: u32 = 5, in 1..;
        /// How many times as many instructions as the closest run another run may take: it may have to turn a loop more
        /// often.
        search_growth: u64 = 4, in 1..=1 << 20;
        /// The instructions that every run of the concrete search may take.
        search_least_instructions: u64 = 1 << 15, in 1..=1 << 20;
        /// The most instructions of a run.
        search_most_instructions: u64 = 1 << 20, in 1 << 20..=1 << 40;
        /// How many instructions all runs may take for each run that is allowed.
        search_average_instructions: u64 = 20_000, in 1..;
        /// How many bytes at the start of a block of input the concrete search changes.
        search_block_bytes: u32 = 1_024, in 1..=1 << 20;
    }
}
