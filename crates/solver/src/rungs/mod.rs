//! The rungs of the ladder, from the cheapest to the strongest. Each is one file, which opens with the reason for it.

pub(crate) mod backoff;
pub(crate) mod budget;
pub(crate) mod cache;
pub(crate) mod cases;
pub(crate) mod domains;
pub(crate) mod fold;
pub(crate) mod intervals;
pub(crate) mod known;
pub(crate) mod layers;
pub(crate) mod models;
pub(crate) mod order;
pub(crate) mod search;
pub(crate) mod smt;
pub(crate) mod sums;
pub(crate) mod walk;

use secateur_expr::Expr;

/// Defines [`Rung`] from the table below.
macro_rules! ladder {
    ($($rung:ident $name:literal $description:literal)*) => {
        /// A step of the ladder.
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Rung {
            $(#[doc = $description] $rung,)*
        }

        impl Rung {
            /// All rungs, in the order in which they are climbed.
            pub const ALL: [Rung; [$($name),*].len()] = [$(Rung::$rung),*];

            /// The name in reports and on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $(Rung::$rung => $name,)*
                }
            }

            /// What it does, in a few words.
            pub fn description(self) -> &'static str {
                match self {
                    $(Rung::$rung => $description,)*
                }
            }
        }
    };
}

// The ladder, from the cheapest rung to the strongest. Only this table defines which rungs there are, and their order.
ladder! {
    Fold      "fold"      "the goal simplifies to a constant"
    Known     "known"     "the values of bytes and words that the path keeps track of"
    Slice     "slice"     "drops conditions that are independent of the goal; answers nothing itself"
    Cache     "cache"     "a question with the same conditions or the same core was answered before"
    Domains   "domains"   "few input bytes with few values each"
    Intervals "intervals" "comparisons of one word with constants"
    Order     "order"     "comparisons of words with each other"
    Models    "models"    "a recent model satisfies it"
    Search    "search"    "directed changes of the current input"
    Cases     "cases"     "case splits on single bytes"
    Layers    "layers"    "states that bytes lead to one after the other"
    Sums      "sums"      "sums of terms that each depend on a single byte"
    Smt       "smt"       "the SMT solver"
    Walk      "walk"      "a search by evaluation, from the SMT solver's last model"
}

impl Rung {
    /// It only saves other rungs work: without it, the same questions are answered.
    pub(crate) fn is_optional(self) -> bool {
        !matches!(self, Rung::Fold | Rung::Known | Rung::Slice | Rung::Cache | Rung::Smt)
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

/// What a rung finds. Models are evaluated before they become part of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Finding {
    /// All conditions hold if these bytes are set and the others stay as they are.
    Sat(Model),
    /// The same, but the rung did not consider every condition: some may not hold.
    Candidate(Model),
    /// These conditions contradict each other.
    Unsat(Vec<Expr>),
}

/// A finding after its model, if it has one, was evaluated on the whole question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Checked {
    /// All conditions hold if these bytes are set and the others stay as they are.
    Sat(Model),
    /// These conditions contradict each other.
    Unsat(Vec<Expr>),
}
