//! Global variables.

use serde::{Deserialize, Serialize};

/// A global variable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Global {
    /// Its linker name.
    pub name: Box<str>,
    /// Its size in bytes; a large one is followed by [fillers](Global::filler) for the other object numbers that it
    /// takes.
    pub size: u64,
    /// Its initial value, with all addresses resolved. Shorter than `size` if the rest is zero.
    pub init: Vec<u8>,
    /// It is read-only.
    pub constant: bool,
    /// It is only declared: using it is unsupported.
    pub external: bool,
    /// Alignment in bytes.
    pub align: u32,
}

impl Global {
    /// A placeholder for a further object number of the global before it.
    pub fn filler() -> Global {
        Global { name: Box::default(), size: 0, init: Vec::new(), constant: false, external: true, align: 1 }
    }

    /// Whether this is such a placeholder.
    pub fn is_filler(&self) -> bool {
        self.name.is_empty() && self.external
    }

    /// Every eight bytes of the initial value as a number, from any byte on: structures may be packed, so an address
    /// can begin anywhere, and the zeros that the initial value leaves out may be part of it.
    pub fn words(&self) -> impl Iterator<Item = u64> {
        let byte = |at: usize| self.init.get(at).copied().unwrap_or(0);
        let mut next = (0..7).rev().fold(0, |word, at| word << 8 | u64::from(byte(at))) << 8;
        (0..self.init.len()).map(move |first| {
            next = next >> 8 | u64::from(byte(first + 7)) << 56;
            next
        })
    }
}
