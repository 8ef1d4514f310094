//! The symbolic inputs of a path.

use secateur_path::List;

/// The symbolic inputs that a path has asked for so far. Snapshots share them, so adding one takes constant time.
#[derive(Clone, Default)]
pub struct Symbols {
    /// The newest first.
    list: List<Symbol>,
    len: usize,
}

impl Symbols {
    /// Adds one.
    pub(crate) fn push(&mut self, symbol: Symbol) {
        self.list.push(symbol);
        self.len += 1;
    }

    /// The number of inputs.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All of them, in the order in which they were requested.
    pub fn in_order(&self) -> Vec<&Symbol> {
        let mut symbols = Vec::with_capacity(self.len);
        symbols.extend(self.list.iter());
        symbols.reverse();
        symbols
    }
}

/// One symbolic input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its name in the test case.
    pub name: String,
    /// How it was requested.
    pub source: SymbolSource,
    /// Its first input byte.
    pub first: u32,
    /// How many bytes it has.
    pub len: u32,
}

/// How a symbolic input was requested.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SymbolSource {
    /// `klee_make_symbolic` and the like.
    Object,
    /// The data of a libFuzzer harness: the first bytes, as many as the word says that starts at this input byte.
    Data(u32),
    /// The answer of `klee_is_symbolic`, which takes no input bytes.
    Answer(bool),
    /// `__VERIFIER_nondet_T` with this C type.
    Nondet(&'static str),
    /// The number of optional arguments.
    ArgumentCount,
    /// A command-line argument.
    Argument(u32),
    /// The standard input.
    Stdin,
    /// A file of this name.
    File,
    /// An environment variable.
    Environment,
    /// Memory that was never written.
    Unwritten {
        /// The number of the allocation in the user's code, from 1; 0 if other code allocated it.
        fresh: u32,
        /// The offset in the allocated object, in bytes.
        offset: u64,
    },
}
