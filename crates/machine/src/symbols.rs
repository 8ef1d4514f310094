//! The symbolic inputs of a path.

use secateur_path::List;

/// The symbolic inputs that a path has asked for so far. Snapshots share them, so that adding one takes the same time however many there are.
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

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All of them, in the order in which they were asked for.
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
    /// How it was asked for.
    pub source: SymbolSource,
    /// Its first input byte.
    pub first: u32,
    /// How many bytes it has.
    pub len: u32,
}

/// How a symbolic input was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SymbolSource {
    /// `klee_make_symbolic` and the like.
    Object,
    /// What `klee_is_symbolic` answered; it takes no input.
    Answer(bool),
    /// `__VERIFIER_nondet_T` with this C type.
    Nondet(&'static str),
    /// Which number of arguments the program gets.
    ArgumentCount,
    /// A command-line argument.
    Argument(u32),
    /// The standard input.
    Stdin,
    /// A file of this name.
    File,
    /// An environment variable.
    Environment,
    /// Memory that was never written: which of the fresh memory of the user's code it is (0 if it is not theirs), and where in it.
    Unwritten {
        /// Counts from 1.
        fresh: u32,
        /// In bytes.
        offset: u64,
    },
}
