//! The tuned numbers of the concrete search.

secateur_tuning::tuning! {
    /// Numbers that decide in which order inputs are tried.
    pub struct Tuning in "concrete-search" {
        /// The part of the budget that the walk may use; the genetic search has the rest.
        walk_part: f64 = 0.625, in 0.0..=1.0;
        /// How many steps of the walk that do not come closer are taken before some numbers become random.
        walk_patience: u32 = 4, in 0..;
        /// The most numbers for which a step of the walk looks at all changes; of more, it looks at some.
        walk_variables: usize = 64, in 1..;
        /// With at most this many numbers, two are changed at once where a change of one is not allowed.
        walk_pairs: usize = 8, in 0..=64;
        /// Of a number that made no difference elsewhere, the walk tries one in so many changes.
        walk_inert: usize = 8, in 1..;
        /// How many inputs live at a time in the genetic search.
        population: usize = 32, in 1..=1 << 16;
    }
}
