//! The rewrite rules, which simplify expressions as they are built.
//!
//! Each rule has a name, a description, examples on which it must apply and counter-examples on which it must not, so
//! that tests can check both and a solver can prove it. The rules of one operation are tried in order, and the first
//! that applies is used. Results are built with the usual constructors, so they are simplified in turn, down to a
//! bounded depth.

mod add;
pub(crate) mod array;
mod bitwise;
mod compare;
mod concat;
mod extend;
mod extract;
mod float;
mod ite;
mod known;
mod mul;
mod negate;
mod shift;

use std::sync::LazyLock;

use crate::expr::{Array, Expr, Width};
use crate::node::Stored;
use crate::op::{BinaryOp, FloatCmp, UnaryOp};
use crate::pool::Pool;

/// Builds an example of a rule, from operands of a given width.
pub type Build = fn(&mut Pool, Width) -> Expr;

/// A rewrite rule.
#[derive(Debug)]
pub struct Rule {
    /// Its identity.
    pub id: RuleId,
    /// Its name.
    pub name: &'static str,
    /// What it does: `match → result`.
    pub text: &'static str,
    /// Left sides, which the rule must change at every width of [`WIDTHS`].
    pub examples: &'static [Build],
    /// Similar expressions, which it must not change.
    pub counter_examples: &'static [Build],
}

/// The widths at which rules are tested.
pub const WIDTHS: &[Width] = &[8, 16, 32, 64];

/// All rules, in the order of [`RuleId`].
pub static ALL_RULES: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let mut all: Vec<&'static Rule> = GENERAL.iter().collect();
    all.extend(infos(negate::NOT).chain(infos(negate::NEG)).chain(infos(add::ADD)).chain(infos(add::SUB)));
    all.extend(infos(mul::MUL).chain(infos(mul::UDIV)).chain(infos(mul::SDIV)));
    all.extend(infos(mul::UREM).chain(infos(mul::SREM)));
    all.extend(infos(shift::SHL).chain(infos(shift::LSHR)).chain(infos(shift::ASHR)));
    all.extend(infos(bitwise::AND).chain(infos(bitwise::OR)).chain(infos(bitwise::XOR)));
    all.extend(infos(bitwise::ANY).chain(infos(compare::EQ)).chain(infos(compare::ORDER)));
    all.extend(infos(concat::CONCAT).chain(infos(extract::EXTRACT)));
    all.extend(infos(extend::ZEXT).chain(infos(extend::SEXT)));
    all.extend(infos(ite::ITE).chain(infos(float::COMPARE)).chain(infos(array::SELECT)).chain(infos(array::STORE)));
    all.sort_by_key(|rule| rule.id);
    all
});

/// Declares the identities and names of the rules.
macro_rules! rule_ids {
    ($($id:ident $name:literal,)*) => {
        /// The identity of a rule; its text describes it.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[allow(missing_docs)]
        pub enum RuleId { $($id,)* }

        impl RuleId {
            /// How many rules there are.
            pub const COUNT: usize = [$(RuleId::$id,)*].len();

            /// The name of the rule.
            pub const fn name(self) -> &'static str {
                match self { $(RuleId::$id => $name,)* }
            }
        }
    };
}

rule_ids! {
    ConstantFold "constant-fold",
    Commute "commute",
    NotNot "not-not",
    NotCompare "not-compare",
    NotFloatCmp "not-float-cmp",
    NegNeg "neg-neg",
    NegSub "neg-sub",
    AddZero "add-zero",
    AddConstants "add-constants",
    AddSubConstant "add-sub-constant",
    AddConstantOut "add-constant-out",
    AddNeg "add-neg",
    AddSub "add-sub",
    SubZero "sub-zero",
    SubSelf "sub-self",
    SubConstant "sub-constant",
    SubFromZero "sub-from-zero",
    SubNeg "sub-neg",
    SubAdd "sub-add",
    SubConstantOut "sub-constant-out",
    MulZero "mul-zero",
    MulOne "mul-one",
    MulMinusOne "mul-minus-one",
    MulPowerOfTwo "mul-power-of-two",
    MulConstants "mul-constants",
    UDivZero "udiv-zero",
    UDivPowerOfTwo "udiv-power-of-two",
    UDivSmall "udiv-small",
    SDivUnit "sdiv-unit",
    SDivNonNegative "sdiv-non-negative",
    URemZero "urem-zero",
    URemPowerOfTwo "urem-power-of-two",
    URemSmall "urem-small",
    SRemUnit "srem-unit",
    SRemNonNegative "srem-non-negative",
    ShlOfZero "shl-of-zero",
    ShlConstant "shl-constant",
    LShrOfZero "lshr-of-zero",
    LShrConstant "lshr-constant",
    AShrOfZero "ashr-of-zero",
    AShrConstant "ashr-constant",
    AShrNonNegative "ashr-non-negative",
    AndZero "and-zero",
    AndOnes "and-ones",
    AndSelf "and-self",
    AndNot "and-not",
    AndConstants "and-constants",
    AndAbsorb "and-absorb",
    AndKnown "and-known",
    AndMask "and-mask",
    OrZero "or-zero",
    OrOnes "or-ones",
    OrSelf "or-self",
    OrNot "or-not",
    OrConstants "or-constants",
    OrAbsorb "or-absorb",
    XorZero "xor-zero",
    XorOnes "xor-ones",
    XorSelf "xor-self",
    XorNot "xor-not",
    XorConstants "xor-constants",
    BitwiseZExt "bitwise-zext",
    BitwiseSplit "bitwise-split",
    EqSelf "eq-self",
    EqCondition "eq-condition",
    EqRange "eq-range",
    EqNot "eq-not",
    EqNeg "eq-neg",
    EqAddConstant "eq-add-constant",
    EqAddCancel "eq-add-cancel",
    EqSubZero "eq-sub-zero",
    EqXor "eq-xor",
    EqZExtConstant "eq-zext-constant",
    EqZExt "eq-zext",
    EqSExtConstant "eq-sext-constant",
    EqSExt "eq-sext",
    EqConcat "eq-concat",
    EqIte "eq-ite",
    CompareSelf "compare-self",
    CompareRange "compare-range",
    CompareIte "compare-ite",
    SignedToUnsigned "signed-to-unsigned",
    CompareStrict "compare-strict",
    CompareSingle "compare-single",
    CompareZExtConstant "compare-zext-constant",
    CompareSExtConstant "compare-sext-constant",
    CompareExtended "compare-extended",
    ConcatZero "concat-zero",
    ConcatNested "concat-nested",
    ConcatConstants "concat-constants",
    ConcatZExt "concat-zext",
    ConcatSExt "concat-sext",
    ConcatSign "concat-sign",
    ConcatInputs "concat-inputs",
    ConcatExtracts "concat-extracts",
    ConcatIte "concat-ite",
    ConcatBitwise "concat-bitwise",
    ExtractExtract "extract-extract",
    ExtractConcat "extract-concat",
    ExtractZExt "extract-zext",
    ExtractSExt "extract-sext",
    ExtractInput "extract-input",
    ExtractBitwise "extract-bitwise",
    ExtractArithmetic "extract-arithmetic",
    ExtractIte "extract-ite",
    ZExtZExt "zext-zext",
    ZExtIte "zext-ite",
    SExtSExt "sext-sext",
    SExtNonNegative "sext-non-negative",
    SExtIte "sext-ite",
    IteConstant "ite-constant",
    IteSame "ite-same",
    IteNot "ite-not",
    IteCondition "ite-condition",
    IteExtend "ite-extend",
    IteNested "ite-nested",
    IteEqual "ite-equal",
    FloatCmpTrivial "float-cmp-trivial",
    FloatCmpSelf "float-cmp-self",
    FloatCmpWidened "float-cmp-widened",
    SelectOutOfRange "select-out-of-range",
    SelectConstant "select-constant",
    SelectUniform "select-uniform",
    SelectStoreSame "select-store-same",
    SelectStoreOther "select-store-other",
    StoreOutOfRange "store-out-of-range",
    StoreStore "store-store",
    StoreSelect "store-select",
    StoreConstant "store-constant",
}

/// A set of rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleSet {
    words: [u64; RuleSet::WORDS],
}

impl RuleSet {
    const WORDS: usize = RuleId::COUNT.div_ceil(64);

    /// Every rule.
    pub fn all() -> RuleSet {
        RuleSet { words: [u64::MAX; RuleSet::WORDS] }
    }

    /// No rule: expressions are built as requested.
    pub fn none() -> RuleSet {
        RuleSet { words: [0; RuleSet::WORDS] }
    }

    /// A single rule.
    pub fn only(rule: RuleId) -> RuleSet {
        RuleSet::none().with(rule)
    }

    /// The set with one more rule.
    pub fn with(mut self, rule: RuleId) -> RuleSet {
        self.words[rule as usize / 64] |= 1 << (rule as usize % 64);
        self
    }

    /// The set without one rule.
    pub fn without(mut self, rule: RuleId) -> RuleSet {
        self.words[rule as usize / 64] &= !(1 << (rule as usize % 64));
        self
    }

    /// The rule is in the set.
    #[inline(always)]
    pub fn has(self, rule: RuleId) -> bool {
        self.words[rule as usize / 64] >> (rule as usize % 64) & 1 != 0
    }

    /// No rule is in the set.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.words == [0; RuleSet::WORDS]
    }
}

/// The simplified shape; `None` if no rule applies.
pub(crate) fn simplify(pool: &mut Pool, shape: Stored) -> Option<Expr> {
    match shape {
        Stored::Const { .. }
        | Stored::WideConst { .. }
        | Stored::Input { .. }
        | Stored::Hole { .. }
        | Stored::Float { .. }
        | Stored::FloatUn { .. }
        | Stored::FloatCast { .. }
        | Stored::FusedMulAdd { .. }
        | Stored::Native { .. } => None,
        Stored::Unary { op, a } => {
            let rules = match op {
                UnaryOp::Not => negate::NOT,
                UnaryOp::Neg => negate::NEG,
            };
            first(pool, rules, |pool, apply| apply(pool, a))
        }
        Stored::Binary { op, a, b } => {
            let rules = match op {
                BinaryOp::Add => add::ADD,
                BinaryOp::Sub => add::SUB,
                BinaryOp::Mul => mul::MUL,
                BinaryOp::UDiv => mul::UDIV,
                BinaryOp::SDiv => mul::SDIV,
                BinaryOp::URem => mul::UREM,
                BinaryOp::SRem => mul::SREM,
                BinaryOp::And => bitwise::AND,
                BinaryOp::Or => bitwise::OR,
                BinaryOp::Xor => bitwise::XOR,
                BinaryOp::Shl => shift::SHL,
                BinaryOp::LShr => shift::LSHR,
                BinaryOp::AShr => shift::ASHR,
                BinaryOp::Eq => compare::EQ,
                BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle => {
                    return first(pool, compare::ORDER, |pool, apply| apply(pool, op, a, b));
                }
            };
            let result = first(pool, rules, |pool, apply| apply(pool, a, b));
            match op {
                BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                    result.or_else(|| first(pool, bitwise::ANY, |pool, apply| apply(pool, op, a, b)))
                }
                _ => result,
            }
        }
        Stored::Ite { c, a, b } => first(pool, ite::ITE, |pool, apply| apply(pool, c, a, b)),
        Stored::Concat { hi, lo } => first(pool, concat::CONCAT, |pool, apply| apply(pool, hi, lo)),
        Stored::Extract { low, width, e } => first(pool, extract::EXTRACT, |pool, apply| apply(pool, e, low, width)),
        Stored::ZExt { width, e } => first(pool, extend::ZEXT, |pool, apply| apply(pool, e, width)),
        Stored::SExt { width, e } => first(pool, extend::SEXT, |pool, apply| apply(pool, e, width)),
        Stored::FloatCmp { cmp, a, b } => first(pool, float::COMPARE, |pool, apply| apply(pool, cmp, a, b)),
        Stored::Select { array, index } => first(pool, array::SELECT, |pool, apply| apply(pool, array, index)),
    }
}

type OfUnary = fn(&mut Pool, Expr) -> Option<Expr>;
type OfBinary = fn(&mut Pool, Expr, Expr) -> Option<Expr>;
type OfAnyBinary = fn(&mut Pool, BinaryOp, Expr, Expr) -> Option<Expr>;
type OfIte = fn(&mut Pool, Expr, Expr, Expr) -> Option<Expr>;
type OfExtract = fn(&mut Pool, Expr, u8, Width) -> Option<Expr>;
type OfExtend = fn(&mut Pool, Expr, Width) -> Option<Expr>;
type OfFloatCmp = fn(&mut Pool, FloatCmp, Expr, Expr) -> Option<Expr>;
type OfSelect = fn(&mut Pool, Array, Expr) -> Option<Expr>;
type OfStore = fn(&mut Pool, Array, Expr, Expr) -> Option<Array>;

/// A rule and the function that applies it to the operands of a shape.
pub(crate) struct Entry<F> {
    rule: Rule,
    apply: F,
}

/// Makes an entry of a table of rules.
const fn rule<F: Copy>(
    id: RuleId,
    text: &'static str,
    apply: F,
    examples: &'static [Build],
    counter_examples: &'static [Build],
) -> Entry<F> {
    Entry { rule: Rule { id, name: id.name(), text, examples, counter_examples }, apply }
}

fn infos<F>(entries: &'static [Entry<F>]) -> impl Iterator<Item = &'static Rule> {
    entries.iter().map(|entry| &entry.rule)
}

/// The result of the first rule that applies.
fn first<F: Copy, R>(pool: &mut Pool, entries: &[Entry<F>], run: impl Fn(&mut Pool, F) -> Option<R>) -> Option<R> {
    for entry in entries {
        if pool.uses(entry.rule.id)
            && let Some(result) = run(pool, entry.apply)
        {
            pool.used(entry.rule.id);
            return Some(result);
        }
    }
    None
}

/// An example in prefix notation, as a function of the width `w`. `x`, `y` and `z` are input words of that width, `c`
/// and `d` conditions, `{n}` a constant of that width and `{n: v}` one of width `v`.
macro_rules! ex {
    ($w:ident: $e:tt) => {
        |pool: &mut Pool, $w: crate::expr::Width| {
            let _ = $w;
            crate::rules::ex!(@ pool $w $e)
        }
    };
    (@ $p:ident $w:ident x) => { $p.input(0, $w / 8) };
    (@ $p:ident $w:ident y) => { $p.input(16, $w / 8) };
    (@ $p:ident $w:ident z) => { $p.input(32, $w / 8) };
    (@ $p:ident $w:ident c) => {{ let byte = $p.input(48, 1); $p.extract(byte, 0, 1) }};
    (@ $p:ident $w:ident d) => {{ let byte = $p.input(49, 1); $p.extract(byte, 0, 1) }};
    (@ $p:ident $w:ident {$v:expr}) => { $p.constant($w, ($v) as u128) };
    (@ $p:ident $w:ident {$v:tt : $width:expr}) => { $p.constant($width, $v as u128) };
    (@ $p:ident $w:ident (extract $e:tt $low:tt $width:tt)) => {{
        let e = crate::rules::ex!(@ $p $w $e);
        $p.extract(e, $low, $width)
    }};
    (@ $p:ident $w:ident (zext $e:tt $width:tt)) => {{ let e = crate::rules::ex!(@ $p $w $e); $p.zext(e, $width) }};
    (@ $p:ident $w:ident (sext $e:tt $width:tt)) => {{ let e = crate::rules::ex!(@ $p $w $e); $p.sext(e, $width) }};
    (@ $p:ident $w:ident ($op:ident $a:tt)) => {{ let a = crate::rules::ex!(@ $p $w $a); $p.$op(a) }};
    (@ $p:ident $w:ident ($op:ident $a:tt $b:tt)) => {{
        let (a, b) = (crate::rules::ex!(@ $p $w $a), crate::rules::ex!(@ $p $w $b));
        $p.$op(a, b)
    }};
    (@ $p:ident $w:ident ($op:ident $a:tt $b:tt $c:tt)) => {{
        let (a, b) = (crate::rules::ex!(@ $p $w $a), crate::rules::ex!(@ $p $w $b));
        let c = crate::rules::ex!(@ $p $w $c);
        $p.$op(a, b, c)
    }};
}
use ex;

/// Rules that the constructors themselves apply.
static GENERAL: &[Rule] = &[
    Rule {
        id: RuleId::ConstantFold,
        name: RuleId::ConstantFold.name(),
        text: "an operation on constants → its value",
        examples: &[
            ex!(w: (add {200} {100})),
            ex!(w: (sdiv {-7i128} {2})),
            ex!(w: (srem {-7i128} {2})),
            ex!(w: (udiv {7} {0})),
            ex!(w: (sdiv {-7i128} {0})),
            ex!(w: (ashr {-7i128} {w})),
            ex!(w: (shl {7} {w + 1})),
            ex!(w: (slt {-7i128} {3})),
            ex!(w: (not {5})),
            ex!(w: (neg {5})),
            ex!(w: (sext {-7i128} (2 * w))),
            ex!(w: (concat {1} {2})),
            ex!(w: (extract {0xab} 2 5)),
        ],
        counter_examples: &[ex!(w: (add x {100})), ex!(w: (concat {1} x))],
    },
    Rule {
        id: RuleId::Commute,
        name: RuleId::Commute.name(),
        text: "c ∘ x → x ∘ c, and older operands left, for commutative ∘",
        examples: &[ex!(w: (add {5} x)), ex!(w: (eq {5} x)), ex!(w: (and {5} x))],
        counter_examples: &[ex!(w: (add x {5})), ex!(w: (sub {5} x)), ex!(w: (ult {5} x))],
    },
];

/// Queries of rules about operands.
impl Pool {
    #[inline]
    fn is_zero(&self, e: Expr) -> bool {
        self.as_const(e) == Some(0)
    }

    #[inline]
    fn is_ones(&self, e: Expr) -> bool {
        self.as_const(e) == Some(crate::arith::wide::mask(self.width(e)))
    }

    #[inline]
    fn is_constant(&self, e: Expr) -> bool {
        matches!(self.stored(e), Stored::Const { .. } | Stored::WideConst { .. })
    }

    /// The operands, if it is this operation.
    #[inline]
    fn operands(&self, op: BinaryOp, e: Expr) -> Option<(Expr, Expr)> {
        match *self.stored(e) {
            Stored::Binary { op: found, a, b } if found == op => Some((a, b)),
            _ => None,
        }
    }

    /// The left operand and the constant on the right, if it is this operation.
    #[inline]
    fn with_constant(&self, op: BinaryOp, e: Expr) -> Option<(Expr, u128)> {
        let (a, b) = self.operands(op, e)?;
        Some((a, self.as_const(b)?))
    }

    /// The operand, if it is this operation.
    #[inline]
    fn operand(&self, op: UnaryOp, e: Expr) -> Option<Expr> {
        match *self.stored(e) {
            Stored::Unary { op: found, a } if found == op => Some(a),
            _ => None,
        }
    }

    /// The operand of a zero-extension.
    #[inline]
    fn zero_extended(&self, e: Expr) -> Option<Expr> {
        match *self.stored(e) {
            Stored::ZExt { e, .. } => Some(e),
            _ => None,
        }
    }

    /// The operand of a sign-extension.
    #[inline]
    fn sign_extended(&self, e: Expr) -> Option<Expr> {
        match *self.stored(e) {
            Stored::SExt { e, .. } => Some(e),
            _ => None,
        }
    }

    /// It is not negative for any input.
    #[inline]
    fn is_non_negative(&self, e: Expr) -> bool {
        self.range(e).1 <= crate::arith::wide::mask(self.width(e)) >> 1
    }

    fn zero(&mut self, width: Width) -> Expr {
        self.constant(width, 0)
    }

    fn ones(&mut self, width: Width) -> Expr {
        self.constant(width, u128::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Valuation;

    #[test]
    fn each_rule_is_listed_once_and_has_examples() {
        assert_eq!(ALL_RULES.len(), RuleId::COUNT);
        for (position, rule) in ALL_RULES.iter().enumerate() {
            assert_eq!(rule.id as usize, position, "{}", rule.name);
            assert!(!rule.examples.is_empty(), "{} has no example", rule.name);
            assert!(!rule.counter_examples.is_empty(), "{} has no counter-example", rule.name);
        }
    }

    #[test]
    fn rules_fire_on_their_examples_and_keep_the_value() {
        for rule in ALL_RULES.iter() {
            for (i, example) in rule.examples.iter().enumerate() {
                for &width in WIDTHS {
                    let mut alone = Pool::with_rules(RuleSet::only(rule.id));
                    let simplified = example(&mut alone, width);
                    assert!(
                        alone.rule_uses(rule.id) > 0,
                        "{} does not fire on example {i} at width {width}: {}",
                        rule.name,
                        alone.display(simplified)
                    );
                    let mut plain = Pool::with_rules(RuleSet::none());
                    let original = example(&mut plain, width);
                    let mut all = Pool::new();
                    let best = example(&mut all, width);
                    for seed in 0..200u64 {
                        let mut valuation = Valuation::new(pseudo_random_input(seed));
                        let expected = valuation.eval_wide(&plain, original);
                        let got = valuation.eval_wide(&alone, simplified);
                        assert_eq!(got, expected, "{}, example {i} at width {width}", rule.name);
                        assert_eq!(
                            valuation.eval_wide(&all, best),
                            expected,
                            "all rules on an example of {}",
                            rule.name
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn rules_leave_their_counter_examples_alone() {
        for rule in ALL_RULES.iter() {
            for (i, example) in rule.counter_examples.iter().enumerate() {
                for &width in WIDTHS {
                    let mut alone = Pool::with_rules(RuleSet::only(rule.id));
                    let built = example(&mut alone, width);
                    let shown = alone.display(built);
                    assert_eq!(alone.rule_uses(rule.id), 0, "{} on counter-example {i}: {shown}", rule.name);
                }
            }
        }
    }

    /// 64 bytes, many of them small, zero or all ones, since rules tend to fail at the boundaries.
    fn pseudo_random_input(seed: u64) -> Vec<u8> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        (0..64)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                match state >> 56 & 3 {
                    0 => 0,
                    1 => 0xff,
                    2 => (state >> 40) as u8 & 7,
                    _ => (state >> 32) as u8,
                }
            })
            .collect()
    }
}
