//! Global variables.

use serde::{Deserialize, Serialize};

/// A global variable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Global {
    /// Its linker name.
    pub name: Box<str>,
    /// Its size in bytes; a large one is followed by [fillers](Global::filler) for the other object numbers that it takes.
    pub size: u64,
    /// Its first value, with all addresses filled in. Shorter than `size` if the rest is zero.
    pub init: Vec<u8>,
    /// It must not be written.
    pub constant: bool,
    /// It is only declared: using it is unsupported.
    pub external: bool,
    /// Alignment in bytes.
    pub align: u32,
}

impl Global {
    /// What stands for a further object number of the global before it.
    pub fn filler() -> Global {
        Global { name: Box::default(), size: 0, init: Vec::new(), constant: false, external: true, align: 1 }
    }

    /// It is not a global of its own.
    pub fn is_filler(&self) -> bool {
        self.name.is_empty() && self.external
    }
}
