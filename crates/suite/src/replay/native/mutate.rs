//! Mutations of inputs, as fuzzers make them: cheap, blind changes of which a few lead to something new.

/// Makes mutants. The same seed makes the same ones.
#[derive(Clone, Debug)]
pub struct Mutator {
    random: u64,
    /// Words that occur in the program, such as keywords.
    words: Vec<Vec<u8>>,
    /// The most bytes that a mutant has.
    max_len: usize,
    /// Fewer changes than two to this power are made to one input at once.
    changes: usize,
}

/// Values at which programs often change what they do. These, and how often each kind of change is made, are constants
/// because only all of them together are a distribution.
const INTERESTING: [u64; 12] = [0, 1, 16, 32, 64, 100, 127, 128, 255, 0x7fff, 0x8000, 0xffff_ffff];

impl Mutator {
    /// Makes mutants of at most `max_len` bytes.
    pub fn new(seed: u64, words: Vec<Vec<u8>>, max_len: usize, changes: usize) -> Mutator {
        Mutator { random: seed ^ 0x9E37_79B9_7F4A_7C15, words, max_len, changes }
    }

    /// A number below `limit`, or 0 if there is none.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        // SplitMix64.
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.random;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^= word >> 31;
        if limit == 0 { 0 } else { (word % limit as u64) as usize }
    }

    /// Changes an input in a few places. `other` is another input, parts of which may be copied.
    pub(crate) fn mutate(&mut self, input: &mut Vec<u8>, other: &[u8]) {
        for _ in 0..1_usize << self.below(self.changes) {
            self.change(input, other);
        }
        input.truncate(self.max_len);
    }

    fn change(&mut self, input: &mut Vec<u8>, other: &[u8]) {
        let at = self.below(input.len());
        match self.below(14) {
            0 | 1 if !input.is_empty() => input[at] ^= 1 << self.below(8),
            2 | 3 if !input.is_empty() => input[at] = self.below(256) as u8,
            4 if !input.is_empty() => {
                let by = self.below(35) as u8;
                input[at] = if self.below(2) == 0 { input[at].wrapping_add(by) } else { input[at].wrapping_sub(by) };
            }
            5 if !input.is_empty() => self.set_interesting(input, at),
            6 if !input.is_empty() => {
                let len = self.length(input.len() - at, 8);
                input.drain(at..at + len);
            }
            7 | 8 => {
                let len = self.length(usize::MAX, 5);
                let byte =
                    if self.below(2) == 0 { self.below(256) as u8 } else { input.get(at).copied().unwrap_or(b'0') };
                self.insert(input, &vec![byte; len]);
            }
            // Part of itself, elsewhere.
            9 if !input.is_empty() => {
                let len = self.length(input.len() - at, 8);
                let part = input[at..at + len].to_vec();
                if self.below(2) == 0 { self.insert(input, &part) } else { self.overwrite(input, &part) }
            }
            10 | 11 if !self.words.is_empty() => {
                let index = self.below(self.words.len());
                let word = self.words[index].clone();
                if self.below(2) == 0 { self.insert(input, &word) } else { self.overwrite(input, &word) }
            }
            12 if !other.is_empty() => {
                let from = self.below(other.len());
                let len = self.length(other.len() - from, 9);
                let part = &other[from..from + len];
                if self.below(2) == 0 { self.insert(input, part) } else { self.overwrite(input, part) }
            }
            // The end of another input after the start of this one.
            13 if !other.is_empty() => {
                input.truncate(at);
                input.extend(&other[self.below(other.len())..]);
            }
            _ => {
                let byte = self.below(256) as u8;
                self.insert(input, &[byte]);
            }
        }
    }

    /// A length of at most `most`, at least 1; short ones are likelier, and 2 to this power is the longest.
    fn length(&mut self, most: usize, power: usize) -> usize {
        let scale = 1 << self.below(power);
        1 + self.below(most.min(scale))
    }

    fn set_interesting(&mut self, input: &mut [u8], at: usize) {
        let width = [1, 2, 4, 8][self.below(4)].min(input.len() - at);
        let value = INTERESTING[self.below(INTERESTING.len())];
        let mut bytes = value.to_le_bytes();
        if self.below(2) == 0 {
            bytes[..width].reverse();
        }
        input[at..at + width].copy_from_slice(&bytes[..width]);
    }

    fn insert(&mut self, input: &mut Vec<u8>, part: &[u8]) {
        if input.len() + part.len() <= self.max_len {
            let at = self.below(input.len() + 1);
            input.splice(at..at, part.iter().copied());
        }
    }

    fn overwrite(&mut self, input: &mut [u8], part: &[u8]) {
        let len = part.len().min(input.len());
        let at = self.below(input.len() - len + 1);
        input[at..at + len].copy_from_slice(&part[..len]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn mutants_stay_short_and_are_repeatable(seed: u64, input: Vec<u8>, other: Vec<u8>) {
            let mut mutants = Vec::new();
            for _ in 0..2 {
                let mut mutator = Mutator::new(seed, vec![b"while".to_vec()], 50, 4);
                let mut mutant = input.clone();
                for _ in 0..20 {
                    mutator.mutate(&mut mutant, &other);
                    prop_assert!(mutant.len() <= 50);
                }
                mutants.push(mutant);
            }
            prop_assert_eq!(&mutants[0], &mutants[1]);
        }
    }

    #[test]
    fn words_and_lengths_of_all_kinds_occur() {
        let mut mutator = Mutator::new(1, vec![b"while".to_vec()], 16, 4);
        let mut lengths = BTreeSet::new();
        let mut words = 0;
        for _ in 0..2000 {
            let mut mutant = b"abc".to_vec();
            mutator.mutate(&mut mutant, b"xyz");
            lengths.insert(mutant.len());
            words += usize::from(mutant.windows(5).any(|part| part == b"while"));
        }
        assert_eq!(lengths.len(), 17);
        assert!(words > 50, "{words}");
    }
}
