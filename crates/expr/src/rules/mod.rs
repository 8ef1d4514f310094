//! The rewrite rules: what a shape that was asked for is simplified to.
//!
//! Each rule has a name, says what it does, and comes with examples on which it must do it and counter-examples on which it must not, so that
//! tests can check both and a solver can prove it.

pub(crate) mod array;

use std::sync::LazyLock;

use crate::expr::{Expr, Width};
use crate::node::Stored;
use crate::pool::Pool;

/// Builds an expression that a rule is to be tried on, from operands of a given width.
pub type Build = fn(&mut Pool, Width) -> Expr;

/// What there is to know of a rule.
#[derive(Debug)]
pub struct Rule {
    /// Its identity.
    pub id: RuleId,
    /// Its name.
    pub name: &'static str,
    /// What it does: `match → result`.
    pub text: &'static str,
    /// Left sides, which the rule must change at every width that [`WIDTHS`] lists.
    pub examples: &'static [Build],
    /// Similar expressions that it must leave alone.
    pub counter_examples: &'static [Build],
}

/// The widths at which rules are tried.
pub const WIDTHS: &[Width] = &[8, 16, 32, 64];

/// All rules.
pub static ALL_RULES: LazyLock<Vec<&'static Rule>> = LazyLock::new(Vec::new);

/// The identity of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum RuleId {
    ConstantFold,
    Commute,
}

impl RuleId {
    /// How many rules there are.
    pub const COUNT: usize = RuleId::Commute as usize + 1;
}

/// A set of rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleSet {
    bits: u128,
}

impl RuleSet {
    /// Every rule.
    pub fn all() -> RuleSet {
        RuleSet { bits: u128::MAX >> (128 - RuleId::COUNT) }
    }

    /// No rule: expressions are built as they are asked for.
    pub fn none() -> RuleSet {
        RuleSet { bits: 0 }
    }

    /// A single rule.
    pub fn only(rule: RuleId) -> RuleSet {
        RuleSet { bits: 1 << rule as usize }
    }

    /// The set without one rule.
    pub fn without(self, rule: RuleId) -> RuleSet {
        RuleSet { bits: self.bits & !(1 << rule as usize) }
    }

    /// The rule is in the set.
    #[inline(always)]
    pub fn has(self, rule: RuleId) -> bool {
        self.bits >> rule as usize & 1 != 0
    }

    /// No rule is in the set.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }
}

pub(crate) fn simplify(_pool: &mut Pool, _shape: Stored) -> Option<Expr> {
    None
}
