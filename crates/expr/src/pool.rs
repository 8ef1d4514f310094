//! The arena that owns expressions: storage, hash-consing, and facts about each expression.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;

use crate::arith::wide;
use crate::array::Arrays;
use crate::byte_set::ByteSet;
use crate::eval::Valuation;
use crate::expr::{Array, Expr, MAX_EXPRS, MAX_WIDTH, Width};
use crate::node::{Key, Node, Stored};
use crate::range;
use crate::restriction::Restriction;
use crate::rules::{self, RuleId, RuleSet};
use crate::shapes::Shapes;
use crate::support::{Support, Supports};
use crate::truth::Columns;
use crate::tuning::Tuning;

/// The source of pool ids, by which a [`Valuation`](crate::Valuation) detects that it is used with another pool.
static POOLS: AtomicU64 = AtomicU64::new(1);

/// An arena of hash-consed expressions.
///
/// Handles stay valid as long as the pool, which frees nothing before it is dropped. A pool that has become too large
/// is dropped as a whole, after the expressions that are still needed were [imported](Pool::import) into a new one.
///
/// Equal expressions have the same handle, and expressions are simplified:
///
/// ```
/// use secateur_expr::Pool;
///
/// let mut pool = Pool::new();
/// let (word, one) = (pool.input(0, 4), pool.constant(32, 1));
/// let next = pool.add(word, one);
/// assert_eq!(next, pool.add(one, word));
/// assert_eq!(pool.sub(next, one), word);
/// let condition = pool.eq(word, word);
/// assert!(pool.is_true(condition));
/// ```
#[derive(Debug)]
pub struct Pool {
    /// Entry 0 is never used, so that handles are not zero.
    pub(crate) nodes: Vec<Stored>,
    facts: Vec<Facts>,
    shapes: Shapes,
    wide: Vec<u128>,
    wide_ids: FxHashMap<u128, u32>,
    pub(crate) supports: Supports,
    pub(crate) arrays: Arrays,
    /// The truth tables of conditions on a single byte, computed on demand; `None` for those that are too large.
    pub(crate) tables: FxHashMap<Expr, Option<ByteSet>>,
    /// The values of expressions on a single byte, from which tables are composed.
    pub(crate) columns: Columns,
    pub(crate) restrictions: FxHashMap<Expr, Option<Arc<Restriction>>>,
    /// Reused, since it grows with the pool.
    pub(crate) scratch: Valuation,
    rules: RuleSet,
    rule_depth: u32,
    rule_uses: Vec<u64>,
    pub(crate) tuning: Tuning,
    id: u64,
}

/// Facts about an expression, computed when it is built.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// Bounds of its value; unused if it is wider than 64 bits.
    pub(crate) low: u64,
    pub(crate) high: u64,
    pub(crate) support: Support,
    pub(crate) width: Width,
    /// It depends on a native function.
    pub(crate) native: bool,
    /// It depends on a hole.
    pub(crate) hole: bool,
}

impl Default for Pool {
    fn default() -> Self {
        Pool::new()
    }
}

impl Pool {
    /// An empty pool that uses all rules.
    pub fn new() -> Pool {
        Pool::with_rules(RuleSet::all())
    }

    /// An empty pool that uses only some rules.
    pub fn with_rules(rules: RuleSet) -> Pool {
        Pool::with(rules, Tuning::default())
    }

    /// An empty pool that uses all rules, with other numbers than the default.
    pub fn with_tuning(tuning: Tuning) -> Pool {
        Pool::with(RuleSet::all(), tuning)
    }

    fn with(rules: RuleSet, tuning: Tuning) -> Pool {
        let mut pool = Pool {
            nodes: Vec::new(),
            facts: Vec::new(),
            shapes: Shapes::default(),
            wide: Vec::new(),
            wide_ids: FxHashMap::default(),
            supports: Supports::new(),
            arrays: Arrays::default(),
            tables: FxHashMap::default(),
            columns: Columns::default(),
            restrictions: FxHashMap::default(),
            scratch: Valuation::default(),
            rules,
            rule_depth: 0,
            rule_uses: vec![0; RuleId::COUNT],
            tuning,
            id: POOLS.fetch_add(1, Ordering::Relaxed),
        };
        let unused = Stored::Const { width: 1, value: 0 };
        pool.nodes.push(unused);
        pool.facts.push(Facts { low: 0, high: 0, support: Support::EMPTY, width: 1, native: false, hole: false });
        for value in [0, 1] {
            pool.intern(Stored::Const { width: 1, value });
        }
        pool
    }

    /// How many expressions there are.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// There are only the conditions `false` and `true`, which always exist.
    pub fn is_empty(&self) -> bool {
        self.len() <= 2
    }

    /// The approximate memory use in bytes.
    pub fn memory(&self) -> usize {
        const MAP_SLACK: usize = 1;
        self.nodes.capacity() * size_of::<Stored>()
            + self.facts.capacity() * size_of::<Facts>()
            + self.shapes.memory()
            + self.wide.capacity() * 3 * size_of::<u128>()
            + self.tables.capacity() * (size_of::<(Expr, Option<ByteSet>)>() + MAP_SLACK)
            + self.columns.memory()
            + self.restrictions.capacity() * (size_of::<(Expr, usize)>() + size_of::<Restriction>() + MAP_SLACK)
            + self.supports.memory()
            + self.arrays.memory()
    }

    /// How many bits the value has.
    #[inline(always)]
    pub fn width(&self, e: Expr) -> Width {
        self.facts[e.at()].width
    }

    /// The structure of the expression.
    #[inline]
    pub fn node(&self, e: Expr) -> Node {
        match self.nodes[e.at()] {
            Stored::Const { width, value } => Node::Const { width, value: value.into() },
            Stored::WideConst { width, index } => Node::Const { width, value: self.wide[index as usize] },
            Stored::Input { first, bytes } => Node::Input { first, bytes },
            Stored::Hole { id, width } => Node::Hole { id, width },
            Stored::Unary { op, a } => Node::Unary(op, a),
            Stored::Binary { op, a, b } => Node::Binary(op, a, b),
            Stored::Ite { c, a, b } => Node::Ite(c, a, b),
            Stored::Concat { hi, lo } => Node::Concat(hi, lo),
            Stored::Extract { low, width, e } => Node::Extract { e, low, width },
            Stored::ZExt { width, e } => Node::ZExt(e, width),
            Stored::SExt { width, e } => Node::SExt(e, width),
            Stored::Float { op, mode, a, b } => Node::Float(op, mode, a, b),
            Stored::FloatUn { op, mode, a } => Node::FloatUn(op, mode, a),
            Stored::FloatCmp { cmp, a, b } => Node::FloatCmp(cmp, a, b),
            Stored::FloatCast { op, mode, width, e } => Node::FloatCast(op, mode, e, width),
            Stored::FusedMulAdd { mode, a, b, c } => Node::FusedMulAdd(mode, a, b, c),
            Stored::Select { array, index } => Node::Select { array, index },
            Stored::Native { function, args } => Node::Native { function, args },
        }
    }

    /// The value of a constant.
    #[inline]
    pub fn as_const(&self, e: Expr) -> Option<u128> {
        match self.nodes[e.at()] {
            Stored::Const { value, .. } => Some(value.into()),
            Stored::WideConst { index, .. } => Some(self.wide[index as usize]),
            _ => None,
        }
    }

    /// It is the constant `true`.
    #[inline(always)]
    pub fn is_true(&self, e: Expr) -> bool {
        e.index() == 2
    }

    /// It is the constant `false`.
    #[inline(always)]
    pub fn is_false(&self, e: Expr) -> bool {
        e.index() == 1
    }

    /// The input bytes that the expression depends on.
    #[inline(always)]
    pub fn support(&self, e: Expr) -> Support {
        self.facts[e.at()].support
    }

    /// The members of a set of input bytes, in order.
    pub fn support_bytes(&self, set: Support) -> &[u32] {
        self.supports.members(set)
    }

    /// The union of two sets.
    #[inline]
    pub fn support_union(&mut self, a: Support, b: Support) -> Support {
        self.supports.union(a, b)
    }

    /// The sets share a member.
    #[inline]
    pub fn support_intersects(&self, a: Support, b: Support) -> bool {
        self.supports.intersects(a, b)
    }

    /// It depends on the result of a native function, which is opaque to solvers.
    #[inline(always)]
    pub fn depends_on_native(&self, e: Expr) -> bool {
        self.facts[e.at()].native
    }

    /// It depends on a hole.
    #[inline(always)]
    pub fn has_hole(&self, e: Expr) -> bool {
        self.facts[e.at()].hole
    }

    /// Inclusive bounds of the value: cheap, and correct for every input, but seldom tight.
    #[inline]
    pub fn unsigned_range(&self, e: Expr) -> (u128, u128) {
        self.range(e)
    }

    /// The rules that this pool uses.
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The tuned numbers that it was created with.
    #[inline(always)]
    pub fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    /// How often a rule was applied.
    pub fn rule_uses(&self, rule: RuleId) -> u64 {
        self.rule_uses[rule as usize]
    }

    /// A constant; bits of `value` above `width` are dropped.
    pub fn constant(&mut self, width: Width, value: u128) -> Expr {
        assert!((1..=MAX_WIDTH).contains(&width), "a width of {width} bits");
        let value = value & wide::mask(width);
        if width <= 64 {
            return self.intern(Stored::Const { width, value: value as u64 });
        }
        let index = match self.wide_ids.get(&value) {
            Some(&index) => index,
            None => {
                let index = self.wide.len() as u32;
                self.wide.push(value);
                self.wide_ids.insert(value, index);
                index
            }
        };
        self.intern(Stored::WideConst { width, index })
    }

    /// A constant condition.
    #[inline]
    pub fn bool(&self, value: bool) -> Expr {
        Expr::from_index(1 + u32::from(value)).expect("the constants `false` and `true` are the first two expressions")
    }

    /// The id of this pool, unique in this process.
    #[inline(always)]
    pub fn id(&self) -> u64 {
        self.id
    }

    #[inline(always)]
    pub(crate) fn stored(&self, e: Expr) -> &Stored {
        &self.nodes[e.at()]
    }

    /// The bounds of [`Pool::unsigned_range`].
    #[inline]
    pub(crate) fn range(&self, e: Expr) -> (u128, u128) {
        let facts = &self.facts[e.at()];
        if facts.width <= 64 { (facts.low.into(), facts.high.into()) } else { range::of_wide(self, e) }
    }

    #[inline(always)]
    pub(crate) fn facts(&self, e: Expr) -> &Facts {
        &self.facts[e.at()]
    }

    /// This rule is in use.
    #[inline(always)]
    pub(crate) fn uses(&self, rule: RuleId) -> bool {
        self.rules.has(rule)
    }

    /// Counts a use of a rule.
    #[inline(always)]
    pub(crate) fn used(&mut self, rule: RuleId) {
        self.rule_uses[rule as usize] += 1;
    }

    /// The expression of a shape, if it was requested before.
    pub(crate) fn known_shape(&self, shape: Stored) -> Option<Expr> {
        self.shapes.get(&shape.key())
    }

    /// The expression of a shape, after all rules.
    #[inline]
    pub(crate) fn make(&mut self, shape: Stored) -> Expr {
        let key = shape.key();
        match self.shapes.get(&key) {
            Some(known) => known,
            None => self.make_new(shape, key),
        }
    }

    /// The expression of exactly this shape.
    pub(crate) fn intern(&mut self, shape: Stored) -> Expr {
        let key = shape.key();
        match self.shapes.get(&key) {
            Some(known) => known,
            None => self.push(shape, key),
        }
    }

    fn make_new(&mut self, shape: Stored, key: Key) -> Expr {
        if self.rule_depth < self.tuning.rule_depth && !self.rules.is_empty() {
            self.rule_depth += 1;
            let simplified = rules::simplify(self, shape);
            self.rule_depth -= 1;
            if let Some(simplified) = simplified {
                self.shapes.insert(key, simplified);
                return simplified;
            }
            // A rule that did not apply may have built this very shape, at a depth without rules.
            return self.intern(shape);
        }
        self.push(shape, key)
    }

    /// Adds a new expression.
    fn push(&mut self, shape: Stored, key: Key) -> Expr {
        let number = u32::try_from(self.nodes.len()).ok().and_then(Expr::from_index);
        let e = number.unwrap_or_else(|| panic!("a pool holds at most {MAX_EXPRS} expressions; drop it earlier"));
        let facts = self.facts_of(&shape);
        self.nodes.push(shape);
        self.facts.push(facts);
        self.shapes.insert(key, e);
        e
    }

    fn facts_of(&mut self, shape: &Stored) -> Facts {
        let width = self.width_of(shape);
        let mut facts = Facts { low: 0, high: 0, support: Support::EMPTY, width, native: false, hole: false };
        shape.for_each_operand(|e| self.add_operand(&mut facts, e));
        match *shape {
            Stored::Input { first, bytes } => facts.support = self.supports.range(first, first + u32::from(bytes)),
            Stored::Hole { .. } => facts.hole = true,
            Stored::Native { .. } => facts.native = true,
            Stored::Select { array, .. } => self.add_array(&mut facts, array),
            _ => {}
        }
        (facts.low, facts.high) = range::of(self, shape, width);
        facts
    }

    fn add_operand(&mut self, facts: &mut Facts, e: Expr) {
        let Facts { support, native, hole, .. } = self.facts[e.at()];
        facts.support = self.supports.union(facts.support, support);
        facts.native |= native;
        facts.hole |= hole;
    }

    fn add_array(&mut self, facts: &mut Facts, array: Array) {
        let (support, native, hole) = self.arrays.dependencies(array);
        facts.support = self.supports.union(facts.support, support);
        facts.native |= native;
        facts.hole |= hole;
    }

    fn width_of(&self, shape: &Stored) -> Width {
        match *shape {
            Stored::Const { width, .. }
            | Stored::WideConst { width, .. }
            | Stored::Hole { width, .. }
            | Stored::Extract { width, .. }
            | Stored::ZExt { width, .. }
            | Stored::SExt { width, .. }
            | Stored::FloatCast { width, .. } => width,
            Stored::Input { bytes, .. } => 8 * bytes,
            Stored::Binary { op, .. } if op.is_comparison() => 1,
            Stored::FloatCmp { .. } => 1,
            Stored::Unary { a, .. }
            | Stored::Binary { a, .. }
            | Stored::Ite { a, .. }
            | Stored::Float { a, .. }
            | Stored::FloatUn { a, .. }
            | Stored::FusedMulAdd { a, .. } => self.width(a),
            Stored::Concat { hi, lo } => self.width(hi) + self.width(lo),
            Stored::Select { array, .. } => self.arrays.element_width(array),
            Stored::Native { args, .. } => self.width(args[0]),
        }
    }
}
