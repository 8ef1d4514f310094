//! The rungs of the ladder, from the cheapest to the strongest. Each is one file that opens with why it pays.

pub(crate) mod budget;
pub(crate) mod cache;
pub(crate) mod cases;
pub(crate) mod domains;
pub(crate) mod fold;
pub(crate) mod intervals;
pub(crate) mod known;
pub(crate) mod models;
pub(crate) mod order;
pub(crate) mod search;
pub(crate) mod smt;
pub(crate) mod sums;

use secateur_expr::Expr;

/// A step of the ladder.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Rung {
    /// The goal is a literal.
    Fold,
    /// The path knows it: the goal and all that has to do with it is about one byte or word.
    Known,
    /// Conditions that share no input byte with the goal are left out; it answers nothing itself.
    Slice,
    /// The same or a comparable question was answered before.
    Cache,
    /// A recent model fits.
    Models,
    /// Few input bytes with few values each.
    Domains,
    /// Comparisons of one word with literals.
    Intervals,
    /// Comparisons of words with each other.
    Order,
    /// Directed changes of the current input.
    Search,
    /// One by one, what a byte chooses between.
    Cases,
    /// Sums of what single bytes are worth.
    Sums,
    /// The SMT library.
    Smt,
}

impl Rung {
    /// All rungs, in the order in which they are climbed.
    pub const ALL: [Rung; 12] = [
        Rung::Fold,
        Rung::Known,
        Rung::Slice,
        Rung::Cache,
        Rung::Models,
        Rung::Domains,
        Rung::Intervals,
        Rung::Order,
        Rung::Search,
        Rung::Cases,
        Rung::Sums,
        Rung::Smt,
    ];

    /// The name in reports and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Rung::Fold => "fold",
            Rung::Known => "known",
            Rung::Slice => "slice",
            Rung::Cache => "cache",
            Rung::Models => "models",
            Rung::Domains => "domains",
            Rung::Intervals => "intervals",
            Rung::Order => "order",
            Rung::Search => "search",
            Rung::Cases => "cases",
            Rung::Sums => "sums",
            Rung::Smt => "smt",
        }
    }

    /// The rung of that name.
    pub fn from_name(name: &str) -> Option<Rung> {
        Rung::ALL.into_iter().find(|rung| rung.name() == name)
    }
}

/// A set of rungs.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RungSet(u16);

impl RungSet {
    /// Every rung.
    pub fn all() -> RungSet {
        Rung::ALL.into_iter().fold(RungSet::none(), RungSet::with)
    }

    /// No rung.
    pub fn none() -> RungSet {
        RungSet(0)
    }

    /// The set with one more rung.
    pub fn with(self, rung: Rung) -> RungSet {
        RungSet(self.0 | 1 << rung as u16)
    }

    /// The set without a rung.
    pub fn without(self, rung: Rung) -> RungSet {
        RungSet(self.0 & !(1 << rung as u16))
    }

    /// True if the rung is in the set.
    pub fn has(self, rung: Rung) -> bool {
        self.0 & 1 << rung as u16 != 0
    }
}

/// Values for some input bytes.
pub(crate) type Model = Vec<(u32, u8)>;

/// What a rung finds, when it finds something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Finding {
    /// All conditions hold if these bytes are set and the others stay as they are.
    Sat(Model),
    /// These conditions contradict each other.
    Unsat(Vec<Expr>),
}
