//! The tuned numbers of expressions. Each pool is created with them.

secateur_tuning::tuning! {
    /// Numbers that decide how much effort is made to simplify and to analyse an expression.
    pub struct Tuning in "expr" {
        /// How deeply the application of rules may nest before expressions are built without rules. The range ends
        /// where the stack might.
        rule_depth: u32 = 48, in 0..=256;
        /// How deep rules analyse which bits of an operand may be set.
        bits_depth: u32 = 6, in 0..=12;
        /// A store at a constant index makes a new table up to this length; copying longer tables would take too much
        /// memory.
        copied_elements: u64 = 64, in 0..=1 << 16;
        /// How deep a condition is analysed to find the word that it is about. The range ends where the stack might.
        restriction_depth: u32 = 32, in 0..=256;
        /// A condition on a word whose values have more intervals is not known as a set of values.
        restriction_intervals: usize = 64, in 1..=1 << 16;
        /// How deep paths split conjunctions and disjunctions into facts about single bytes and words.
        fact_depth: u32 = 8, in 0..=12;
        /// How many columns, the values of an expression for all values of its byte, are computed for one table. Those
        /// that were computed are kept, so that a table of a deeper expression needs only the columns of what was built
        /// since.
        table_columns: usize = 2048, in 0..;
        /// How many columns are kept; then all are dropped. One takes 2 KB.
        columns_kept: usize = 1 << 14, in 0..;
        /// Reads from arrays with more stores on top of each other have no column.
        column_stores: usize = 64, in 0..;
        /// Conditions of more subexpressions that have no column have no table: computing one takes some hundredths of
        /// a second, and a path may have many.
        table_parts: usize = 1 << 13, in 0..;
    }
}
