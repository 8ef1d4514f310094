//! The solver's tuned numbers.
//!
//! Most of them bound the effort of a rung. Bounds that only keep memory, stacks or integers from overflowing are
//! constants of the files that need them.

use std::time::Duration;

secateur_tuning::tuning! {
    /// Numbers that decide how much effort each rung makes before it passes a question on.
    pub struct Tuning in "solver" {
        /// How many operations a rung may evaluate for one question. The default takes about a quarter of a second.
        rung_steps: u64 = 1 << 24, in 1..;
        /// How many questions in a row a rung may leave unanswered before it is asked half as often.
        backoff_failures: u32 = 64, in 1..;
        /// How often a rung without answers is asked half as often: at least one question in 2 to this power reaches
        /// it.
        backoff_halvings: u32 = 6, in 0..=16;
        /// How many unsatisfiable cores the cache keeps.
        cache_cores: usize = 1 << 14, in 1..;
        /// The longest core that the cache keeps. Longer ones seldom occur in another question.
        cache_core_length: usize = 24, in 0..;
        /// How many answers the cache keeps; the oldest go first.
        cache_answers: usize = 1 << 16, in 0..;
        /// How many conditions and bytes all of these may have together. The default takes some tens of megabytes,
        /// however long the questions are.
        cache_size: usize = 1 << 22, in 0..;
        /// How many combinations of byte values, times conditions, the rung `domains` evaluates.
        domains_evaluations: u64 = 4096, in 0..;
        /// How many combinations of word values, times conditions, the rung `intervals` evaluates.
        intervals_evaluations: u64 = 4096, in 0..;
        /// The largest core that the rung `intervals` minimises.
        intervals_shrink: usize = 64, in 0..;
        /// The largest core that the rung `order` minimises.
        order_shrink: usize = 32, in 0..;
        /// How many recent models are kept.
        models_kept: usize = 64, in 0..;
        /// How many recent models are tried on a question.
        models_tries: usize = 8, in 0..;
        /// How many conditions the rung `search` repairs one after the other.
        search_repairs: usize = 8, in 0..;
        /// How many ways to repair a condition the rung `search` tries.
        search_ways: u32 = 12, in 1..;
        /// How many conditions the rung `search` evaluates in all.
        search_evaluations: usize = 4096, in 0..;
        /// How deep the rung `search` inverts an expression. It recurses, so the range ends where the stack might.
        search_depth: u32 = 64, in 1..=1024;
        /// From how many places of a value in a table the rung `search` chooses.
        search_places: usize = 16, in 1..=1 << 16;
        /// How many inputs the rung `walk` evaluates.
        walk_evaluations: u64 = 20_000, in 0..;
        /// The rung `layers` passes on questions whose conditions have more subexpressions.
        layers_parts: usize = 4096, in 0..;
        /// The rung `layers` passes on questions in which the bytes up to some byte lead to more states.
        layers_states: usize = 2048, in 1..;
        /// How many subexpressions the rung `layers` computes, each for 32 values at once. The default takes about five
        /// milliseconds.
        layers_work: u64 = 50_000, in 0..;
        /// How many cases the rung `cases` looks at, including those that it splits further.
        cases_limit: usize = 64, in 0..;
        /// The most conditions on one byte by whose outcomes the rung `cases` splits.
        cases_choices: usize = 8, in 0..;
        /// The rung `cases` splits a byte that selects an element into its values if there are at most this many.
        cases_values: usize = 16, in 0..;
        /// The rung `cases` passes on questions whose conditions have more subexpressions.
        cases_parts: usize = 1024, in 0..;
        /// How many subexpressions the rung `cases` bounds while it bisects the values of bytes.
        cases_work: usize = 4_000, in 0..;
        /// The rung `sums` passes on questions whose conditions have more subexpressions.
        sums_parts: usize = 4096, in 0..;
        /// The most operations between a byte and a value that the rung `sums` tabulates for it.
        sums_operations: usize = 64, in 0..;
        /// The longest sum that the rung `sums` reads.
        sums_terms: usize = 128, in 0..;
        /// How many terms the rung `sums` adds up while it eliminates variables from equations.
        sums_elimination_work: usize = 50_000, in 0..;
        /// How many terms and values the search of the rung `sums` visits if every variable has few values. The default
        /// takes about ten milliseconds; SMT solvers take much longer for what is not found by then.
        sums_work: usize = 600_000, in 0..;
        /// The same if some variable has many values: what is not found soon among those is often easy as a circuit.
        sums_work_on_many: usize = 40_000, in 0..;
        /// How many values of a variable are many.
        sums_many: u16 = 64, in 1..=257;
        /// What giving a variable a value adds to the work of that search.
        sums_work_of_choice: usize = 32, in 1..;
        /// Questions of at most this many conditions are given to the SMT library as a whole.
        smt_few: usize = 8, in 0..;
        /// How often the conditions of a path that a model violates are added to those of the SMT library, before all
        /// are.
        smt_rounds: usize = 6, in 0..;
        /// How often the SMT library is given facts that contradict its model, and asked again.
        smt_refinements: usize = 16, in 0..=4096;
        /// A question is given up for want of memory when its translation makes more terms. An SMT library may take a
        /// gigabyte for as many as the default.
        smt_terms: usize = 1 << 20, in 1..;
        /// After how many terms all are dropped, since an SMT library cannot free them one by one.
        smt_kept_terms: usize = 1 << 20, in 0..;
        /// How many operations the rung `walk` evaluates in a unit of effort.
        effort_steps: u64 = 200, in 1..;
        /// How many gates an SMT library builds in a unit of effort.
        effort_gates: u64 = 50, in 1..;
        /// Up to how many gates of a question are counted.
        most_gates: u64 = 1 << 24, in 1..;
        /// Questions of more gates go to a solver process. An SMT library takes some hundredths of a second to build
        /// that many.
        process_gates: u64 = 100_000, in 0..;
        /// How long a solver process has to stop by itself after the time limit. It then keeps what it has learned.
        process_grace: Duration = Duration::from_millis(200), in Duration::ZERO..=Duration::from_secs(60);
        /// The effort that a question to a solver process counts as, at least.
        process_effort: u64 = 100, in 0..;
        /// An idle solver process that uses more bytes of memory is ended: what it has learned does not justify that.
        process_idle_memory: u64 = 512 << 20, in 0..;
        /// The same as one part in this many of the memory limit.
        process_idle_part: u64 = 8, in 1..;
        /// The share of the memory limit that solver processes may use however much this process has in use.
        process_memory_share: f64 = 0.0625, in 0.0..=1.0;
        /// How much longer than for the answer Z3 may take for the conditions that contradict each other, where it must
        /// be asked in another way for them: that may not terminate on the same formula.
        z3_core_time: Duration = Duration::from_millis(100), in Duration::ZERO..=Duration::from_secs(3600);
        /// How long an SMT library may take to check an answer for `--cross-check`, which is enough for almost all.
        cross_check_time: Duration = Duration::from_secs(1), in Duration::ZERO..;
    }
}
