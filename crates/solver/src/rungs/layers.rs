//! Rung `layers`: a scanner driven by tables computes its next state from the last one and the next byte. Every
//! condition then depends on all bytes so far, but only through a state that has few values. So this rung reads one
//! byte after the other, and remembers which values the expressions can have that the rest of the question still needs,
//! each with bytes that lead there. Checksums of few bits, counters and positions are such states, too.
//!
//! This is variable elimination (bucket elimination) in the order of the bytes. It is exact: if no state is left, the
//! question has no solution.

use rustc_hash::{FxHashMap, FxHashSet};
use secateur_expr::{ArrayNode, ByteSet, Expr, Node, Pool, Valuation};

use crate::Tuning;
use crate::query::Query;
use crate::rungs::Finding;

/// How many values of a byte are computed with at once. The compiler makes vector instructions of it, so it is a
/// constant rather than a tuned number.
const LANES: usize = 32;

type Lanes = [u64; LANES];

/// Decides the query if few combinations of values are needed at any byte.
///
/// `work` is increased by the subexpressions that were computed.
pub(crate) fn decide(
    pool: &mut Pool,
    query: &Query,
    valuation: &mut Valuation,
    tuning: &Tuning,
    work: &mut u64,
) -> Option<Finding> {
    if query.native || query.bytes.len() < 2 || query.has_hole(pool) {
        return None;
    }
    let question = Layered::new(pool, query, tuning)?;
    question.decide(pool, query, valuation, tuning, work)
}

/// The subexpressions of a question, by the last byte that they depend on.
struct Layered {
    /// Operands before users.
    nodes: Vec<Expr>,
    position: FxHashMap<Expr, usize>,
    layers: Vec<Layer>,
}

/// What is computed once a byte is known.
#[derive(Default)]
struct Layer {
    /// The nodes that depend on this byte alone, and are needed by others or afterwards, each with its values.
    on_byte: Vec<(usize, [u64; 256])>,
    /// The values of the byte that the conditions on it alone allow.
    allowed: Vec<u8>,
    /// The nodes that depend on earlier bytes as well, in order.
    mixed: Vec<usize>,
    /// Those of them that are conditions of the question.
    conditions: Vec<usize>,
    /// The nodes of this layer and of earlier ones that are needed afterwards.
    kept: Vec<usize>,
}

/// Values that the kept nodes of a layer can have together.
struct State {
    values: Vec<u64>,
    /// The state of the layer before, and the value of the byte.
    from: (usize, u8),
}

impl Layered {
    fn new(pool: &mut Pool, query: &Query, tuning: &Tuning) -> Option<Layered> {
        let nodes = pool.operands_first(&query.conditions, tuning.layers_parts)?;
        let position: FxHashMap<Expr, usize> = nodes.iter().enumerate().map(|(at, &e)| (e, at)).collect();
        let mut layer_of: Vec<Option<usize>> = Vec::with_capacity(nodes.len());
        for &e in &nodes {
            let is_known = match pool.node(e) {
                Node::Input { bytes, .. } => bytes == 1,
                Node::Select { array, .. } => match pool.array_node(array) {
                    ArrayNode::Table(_) => pool.support_bytes(pool.array_support(array)).is_empty(),
                    ArrayNode::Store { .. } => false,
                },
                _ => true,
            };
            if !is_known || pool.width(e) > 64 {
                return None;
            }
            layer_of.push(match pool.support_bytes(pool.support(e)).last() {
                Some(byte) => Some(query.bytes.binary_search(byte).ok()?),
                None => None,
            });
        }
        let mut layers: Vec<Layer> = query.bytes.iter().map(|_| Layer::default()).collect();
        let is_condition: FxHashSet<usize> = query.conditions.iter().map(|condition| position[condition]).collect();
        let on_one_byte = |at: usize| pool.support_bytes(pool.support(nodes[at])).len() == 1;
        // The last layer in which each node is used, and whether a node of several bytes uses it.
        let mut last_use: Vec<Option<usize>> = vec![None; nodes.len()];
        let mut is_shared = vec![false; nodes.len()];
        for (at, &e) in nodes.iter().enumerate() {
            if on_one_byte(at) || layer_of[at].is_none() {
                continue;
            }
            let mut uses = |operand: Expr| {
                if let Some(&operand) = position.get(&operand) {
                    last_use[operand] = last_use[operand].max(layer_of[at]);
                    is_shared[operand] = true;
                }
            };
            match pool.node(e) {
                // The elements are constants.
                Node::Select { index, .. } => uses(index),
                _ => pool.for_each_operand(e, &mut uses),
            }
        }
        let mut on_byte = Vec::new();
        for at in 0..nodes.len() {
            let Some(layer) = layer_of[at] else { continue };
            if on_one_byte(at) {
                if is_shared[at] {
                    on_byte.push((layer, at));
                }
            } else {
                layers[layer].mixed.push(at);
                if is_condition.contains(&at) {
                    layers[layer].conditions.push(at);
                }
            }
            if let Some(last) = last_use[at] {
                layers[layer..last].iter_mut().for_each(|layer| layer.kept.push(at));
            }
        }
        for (layer, at) in on_byte {
            let (_, values) = pool.values_on_one_byte(nodes[at], tuning.layers_parts)?;
            layers[layer].on_byte.push((at, values));
        }
        for (layer, &byte) in layers.iter_mut().zip(&query.bytes) {
            let mut allowed = ByteSet::ALL;
            for &condition in &query.conditions {
                if let Some((on, table)) = pool.on_one_byte(condition)
                    && on == byte
                {
                    allowed &= table;
                }
            }
            layer.allowed = allowed.iter().collect();
        }
        Some(Layered { nodes, position, layers })
    }

    fn decide(
        &self,
        pool: &Pool,
        query: &Query,
        valuation: &Valuation,
        tuning: &Tuning,
        work: &mut u64,
    ) -> Option<Finding> {
        let mut values: Vec<Lanes> =
            self.nodes.iter().map(|&e| [pool.as_const(e).unwrap_or(0) as u64; LANES]).collect();
        let mut history: Vec<Vec<State>> = vec![vec![State { values: Vec::new(), from: (0, 0) }]];
        let most = *work + tuning.layers_work;
        for (number, layer) in self.layers.iter().enumerate() {
            let before = history.last()?;
            let kept_before = if number == 0 { &[][..] } else { &self.layers[number - 1].kept };
            let mut after: Vec<State> = Vec::new();
            let mut known: FxHashSet<Vec<u64>> = FxHashSet::default();
            let groups = layer.groups(valuation.byte(query.bytes[number]));
            for chunk in groups.chunks(LANES) {
                for (at, column) in &layer.on_byte {
                    values[*at] = lanes(chunk, |value| column[usize::from(value)]);
                }
                for (index, state) in before.iter().enumerate() {
                    *work += 1 + layer.mixed.len() as u64;
                    if *work > most {
                        return None;
                    }
                    for (at, value) in kept_before.iter().zip(&state.values) {
                        values[*at] = [*value; LANES];
                    }
                    for &at in &layer.mixed {
                        let of = |operand: Expr| Some(&values[*self.position.get(&operand)?]);
                        values[at] = pool.apply(self.nodes[at], of)?;
                    }
                    for (lane, &value) in chunk.iter().enumerate() {
                        if layer.conditions.iter().any(|&condition| values[condition][lane] & 1 == 0) {
                            continue;
                        }
                        let kept: Vec<u64> = layer.kept.iter().map(|&at| values[at][lane]).collect();
                        if known.insert(kept.clone()) {
                            after.push(State { values: kept, from: (index, value) });
                        }
                    }
                }
                if after.len() > tuning.layers_states {
                    return None;
                }
            }
            if after.is_empty() {
                return Some(Finding::Unsat(self.up_to(pool, query, number)));
            }
            history.push(after);
        }
        Some(Finding::Sat(witness(query, &history)))
    }

    /// The conditions on bytes up to this one.
    fn up_to(&self, pool: &Pool, query: &Query, layer: usize) -> Vec<Expr> {
        let last = query.bytes[layer];
        let is_early =
            |condition: &Expr| pool.support_bytes(pool.support(*condition)).last().is_none_or(|byte| *byte <= last);
        query.conditions.iter().copied().filter(is_early).collect()
    }
}

impl Layer {
    /// One value of the byte for each combination of what it determines, those near the current one first.
    fn groups(&self, current: u8) -> Vec<u8> {
        let mut values = self.allowed.clone();
        values.sort_by_key(|value| value.abs_diff(current));
        let mut known: FxHashSet<Vec<u64>> = FxHashSet::default();
        values
            .retain(|value| known.insert(self.on_byte.iter().map(|(_, column)| column[usize::from(*value)]).collect()));
        values
    }
}

/// The values of a function for some bytes; what is beyond them is repeated.
fn lanes(chunk: &[u8], of: impl Fn(u8) -> u64) -> Lanes {
    std::array::from_fn(|lane| of(chunk[lane.min(chunk.len() - 1)]))
}

/// The bytes that lead to the first state of the last layer.
fn witness(query: &Query, history: &[Vec<State>]) -> Vec<(u32, u8)> {
    let mut model = Vec::with_capacity(query.bytes.len());
    let mut at = 0;
    for (states, &byte) in history[1..].iter().zip(&query.bytes).rev() {
        let (from, value) = states[at].from;
        model.push((byte, value));
        at = from;
    }
    model
}
