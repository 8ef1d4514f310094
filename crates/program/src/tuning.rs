//! The tuned numbers of loading.

secateur_tuning::tuning! {
    /// Numbers that decide what is too large to be loaded or generated.
    pub struct Tuning in "program" {
        /// How many objects are made for the arguments of a single function; further pointers are null. Types that
        /// branch widely would otherwise need more than can be explored. The range starts at the default, since
        /// verdicts do not name this bound.
        unit_objects: usize = 512, in 512..=1 << 16;
        /// The most bytes of such an object. Each is symbolic, and larger objects cannot be explored anyway.
        unit_object_size: u64 = 1 << 24, in 1..=1 << 28;
        /// Values with more scalars are unsupported. They are rare, and would need too much code.
        value_scalars: usize = 4_096, in 64..=1 << 16;
        /// Integers with more bits are unsupported. They are rare, too.
        integer_bits: u32 = 8_192, in 128..=1 << 16;
    }
}
