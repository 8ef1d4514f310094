//! The tuned numbers of the tests in C.

secateur_tuning::tuning! {
    /// How much a test compares of what a function created itself. More finds more changes; less is easier to read.
    pub struct Tuning in "c-tests" {
        /// The longest text that is compared, in bytes.
        text: u64 = 4096, in 1..=1_048_576;
        /// How many pointers in a chain are followed, such as the nodes of a list.
        depth: u32 = 16, in 0..=256;
        /// How many objects are compared.
        objects: usize = 64, in 0..=4096;
        /// How many elements of an array are compared.
        elements: u64 = 64, in 1..=65_536;
    }
}
