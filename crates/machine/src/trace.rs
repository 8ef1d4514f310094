//! What native replay compares: the branches taken in the user's code, including concrete ones.

use std::rc::Rc;

/// How many branches are logged one by one; the others are in the hash only.
pub const LOGGED_BRANCHES: u64 = 65_536;

/// The branches taken so far: their number, a hash, and the low bit of each outcome.
///
/// The native replay library (runtime/replay) computes the same.
#[derive(Clone, Default, Debug)]
pub struct Trace {
    count: u64,
    hash: u64,
    word: u64,
    words: Rc<Vec<u64>>,
}

impl Trace {
    /// Adds a branch, by its number in the instrumented program.
    #[inline(always)]
    pub fn record(&mut self, branch: u32, outcome: u32) {
        let item = (u64::from(branch) << 32 | u64::from(outcome)).wrapping_add(1);
        let hash = (self.hash ^ item).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.hash = hash ^ hash >> 32;
        if self.count < LOGGED_BRANCHES {
            self.word |= u64::from(outcome & 1) << (self.count % 64);
            if self.count % 64 == 63 {
                self.next_word();
            }
        }
        self.count += 1;
    }

    #[cold]
    fn next_word(&mut self) {
        Rc::make_mut(&mut self.words).push(self.word);
        self.word = 0;
    }

    /// How many branches were taken.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The hash of all of them.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The low bits of the outcomes of the first [`LOGGED_BRANCHES`], eight to a byte, the first in the lowest bit.
    pub fn log(&self) -> Vec<u8> {
        let bits = self.count.min(LOGGED_BRANCHES) as usize;
        let mut bytes: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.extend(self.word.to_le_bytes());
        bytes.truncate(bits.div_ceil(8));
        bytes
    }
}
