//! The tuned numbers of interpolation. They change how much is pruned and what that costs, never whether it is right.

secateur_tuning::tuning! {
    /// Numbers that decide how much work interpolation is worth.
    pub struct Tuning in "interpolation" {
        /// How much work may be done before anything is saved, in executed instructions.
        free_work: u64 = 1_000_000, in 0..;
        /// The same while no path has ended: most likely none ever will without interpolation.
        endless_work: u64 = 40_000_000, in 0..;
        /// How much work may be done beyond that, in percent of what the exploration itself takes.
        work_share: u64 = 40, in 0..=10_000;
        /// How much work it is to make an expression, in executed instructions, as are all of the following.
        expression_work: u64 = 40, in 0..=1 << 20;
        /// How much work it is to evaluate a subexpression or to look at a term of a sum.
        evaluation_work: u64 = 3, in 0..=1 << 20;
        /// How much work a question is that the cheapest rungs of the solver do not answer.
        hard_question_work: u64 = 80_000, in 0..=1 << 20;
        /// How much work a question is that is about sums.
        sums_work: u64 = 5_000, in 0..=1 << 20;
        /// How much work a unit of effort of the SMT library is.
        effort_work: u64 = 1_000, in 0..=1 << 20;
        /// How much work it is to call the SMT library.
        smt_work: u64 = 20_000, in 0..=1 << 20;
        /// How much work it is to record a node, or to carry its clauses over a segment.
        node_work: u64 = 300, in 0..=1 << 20;
        /// How much work it is to compare a state with an interpolant.
        comparison_work: u64 = 100, in 0..=1 << 20;
        /// How much work a clause is, where clauses are compared or carried.
        clause_work: u64 = 30, in 0..=1 << 20;
        /// How much work a question to the solver is.
        question_work: u64 = 1_000, in 0..=1 << 20;
        /// How much work it is to explore a path, beside what it executes and asks.
        path_work: u64 = 500, in 0..=1 << 20;
        /// How many clauses that are no value sets an interpolant may have before large ones are replaced by values.
        general_clauses: usize = 16, in 0..;
        /// How many subexpressions such a clause may have before it counts as large.
        general_parts: usize = 12, in 0..;
        /// How many clauses are looked at to find those that hold for every state, before any was found.
        vacuous_questions: u64 = 64, in 0..;
        /// How much effort the SMT library makes for such a question.
        vacuous_effort: u64 = 50, in 1..;
        /// How much effort it makes to compare a state with an interpolant.
        comparison_effort: u64 = 1_000, in 1..;
        /// How many more are looked at for each that was found.
        vacuous_share: u64 = 8, in 0..;
        /// Workers other than the first may do one part in this many of the work that the first may do before anything
        /// is saved.
        worker_part: u64 = 4, in 1..;
        /// So few interpolants, effects or nodes are not worth dropping when memory is short.
        few_kept: usize = 64, in 0..;
        /// Which share of the interpolants is dropped when memory is short.
        relief_dropped: f64 = 0.5, in 0.01..=1.0;
        /// Which share of them stays in any case, the newest ones.
        relief_newest: f64 = 0.25, in 0.0..=0.9;
        /// How many inputs that violate an interpolant are tried on the others, before the solver is asked.
        witnesses: usize = 8, in 0..;
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
        /// How much work is done before bugs are looked for out of turn, in executed instructions.
        scout_after: u64 = 20_000_000, in 0..;
        /// How much work that may take, in percent of what was done elsewhere.
        scout_share: u64 = 50, in 0..=10_000;
        /// How much work one round of a loop may take in that search.
        scout_round: u64 = 5_000_000, in 1..;
        /// How many locations it looks at to tell states apart.
        scout_fields: usize = 256, in 1..=4_096;
        /// A location with this many values is not taken for one that says what to try next.
        scout_values: usize = 8, in 1..=4_096;
        /// How often paths come to a point before an invariant is looked for there.
        invariant_visits: u64 = 64, in 1..;
        /// How often an invariant is looked for at one point, each time with more work.
        invariant_attempts: u32 = 6, in 0..;
        /// How much work is done in all before an invariant is looked for, in executed instructions.
        invariant_after: u64 = 1_000_000, in 0..;
        /// How much work a search for an invariant may take, in times of what was done elsewhere before.
        invariant_share: u64 = 10, in 0..;
        /// How much work is done before an invariant is looked for, once a path has ended: most likely the others will,
        /// too.
        invariant_after_end: u64 = 40_000_000, in 0..;
        /// How much work a search for an invariant may then take.
        invariant_share_after_end: u64 = 1, in 0..;
        /// How much work it is to evaluate a condition for a sample.
        invariant_sample_work: u64 = 10, in 0..=1 << 20;
        /// How many times as much work must be done before an invariant is looked for again.
        invariant_pause: u64 = 4, in 1..;
        /// How many states of a point are kept.
        invariant_samples: usize = 64, in 1..=65_536;
        /// How many rounds of a loop are run with random input.
        invariant_simulated: usize = 4_000, in 0..;
        /// How many bytes of random input such a round gets.
        invariant_input: usize = 256, in 0..=1 << 20;
        /// One decision of such a round in this many is taken otherwise than its input says.
        invariant_detour: u64 = 4, in 1..;
        /// How many instructions such a round may take. The range ends where the expressions that they make might
        /// overflow a pool.
        invariant_round_instructions: u64 = 50_000, in 1..=1 << 19;
        /// How many decisions such a round may take.
        invariant_round_decisions: u32 = 2_000, in 0..;
        /// A location with more values than this may have any value.
        invariant_values: usize = 12, in 1..=255;
        /// No invariant is found where a pointer means more objects than this.
        invariant_pointers: usize = 32, in 1..=255;
        /// No invariant is found where more bytes than this change.
        invariant_bytes: usize = 2_048, in 1..=1 << 20;
        /// A path through a loop with more decisions than this is given up: most likely its state has no path.
        invariant_decisions: usize = 512, in 1..;
        /// How many values of a location that are not allowed yet are asked for at once.
        invariant_models: usize = 4, in 1..;
        /// How many counterexamples are looked at before a candidate is corrected, which may exclude the rest.
        invariant_counterexamples: usize = 24, in 1..;
        /// After how many instructions of a path through a loop it is checked whether the work is used up. The range
        /// ends where the expressions that they make might overflow a pool.
        invariant_slice: u64 = 100_000, in 1..=1 << 19;
        /// How often a candidate for an invariant is corrected.
        invariant_rounds: usize = 100, in 1..;
    }
}

impl Tuning {
    /// How much work it is to carry clauses over a segment.
    pub(crate) fn work_of_clauses(&self, clauses: usize) -> u64 {
        self.node_work + clauses as u64 * self.clause_work
    }
}
