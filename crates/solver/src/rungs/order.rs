//! Rung `order`: sorting and searching compare input words with each other, so the path becomes a set of `a < b` and
//! `a ≤ b`. Such a set contradicts itself only through a cycle or through a bound, which a graph shows in linear time,
//! while SMT solvers bit-blast the comparisons and search.

use rustc_hash::FxHashMap;
use secateur_expr::{BinaryOp, Expr, Intervals, Node, Pool, UnaryOp, Valuation};

use crate::Tuning;
use crate::core;
use crate::query::Query;
use crate::rungs::Finding;

/// Decides the comparisons of words in the query. A model is only a candidate, since there may be other conditions.
pub(crate) fn decide(pool: &mut Pool, query: &Query, valuation: &mut Valuation, tuning: &Tuning) -> Option<Finding> {
    let graph = Graph::new(pool, &query.conditions)?;
    let (classes, domains) = match graph.possible() {
        Ok(possible) => possible,
        Err(core) if core.len() > tuning.order_shrink => return Some(Finding::Unsat(core)),
        Err(core) => {
            let contradicts = |kept: &[Expr]| Graph::new(pool, kept).is_some_and(|graph| graph.possible().is_err());
            return Some(Finding::Unsat(core::shrink(core, contradicts)));
        }
    };
    let current: Vec<u128> = classes
        .members
        .iter()
        .map(|members| graph.key(valuation.eval_wide(pool, graph.words[members[0]].word)))
        .collect();
    // Values near the current ones make for readable inputs, but may leave no room for others; the least values always
    // leave some.
    let found = graph
        .least(&classes, &domains, &current, true)
        .or_else(|_| graph.least(&classes, &domains, &vec![0; domains.len()], true))
        .ok()?;
    let mut model = Vec::new();
    for (members, key) in classes.members.iter().zip(found) {
        for &word in members {
            model.extend(pool.bytes_of_word(graph.words[word].word, graph.key(key)));
        }
    }
    Some(Finding::Candidate(model))
}

/// Words and their order.
struct Graph {
    words: Vec<Word>,
    edges: Vec<Edge>,
    different: Vec<Edge>,
    width: u8,
    /// Added to a word to get the key by which words are ordered: half the range if they are compared as signed
    /// numbers.
    bias: u128,
}

struct Word {
    word: Expr,
    /// The keys it may have.
    values: Intervals,
    /// The conditions that restrict them.
    conditions: Vec<Expr>,
    /// Edges from smaller words.
    incoming: Vec<usize>,
    /// Edges to greater words.
    outgoing: Vec<usize>,
}

/// `from < to` if strict, else `from ≤ to`.
#[derive(Clone, Copy)]
struct Edge {
    from: usize,
    to: usize,
    strict: bool,
    condition: Expr,
}

/// Equivalence classes of words that must be equal, in topological order: smaller ones first.
struct Classes {
    members: Vec<Vec<usize>>,
    of: Vec<usize>,
}

impl Graph {
    /// Reads the conditions; `None` if they compare no words, words that overlap or have different widths, or words
    /// both as signed and as unsigned.
    fn new(pool: &mut Pool, conditions: &[Expr]) -> Option<Graph> {
        let mut graph = Graph { words: Vec::new(), edges: Vec::new(), different: Vec::new(), width: 0, bias: 0 };
        let mut signed = None;
        let mut index = FxHashMap::default();
        for &condition in conditions {
            let (negated, inner) = match pool.node(condition) {
                Node::Unary(UnaryOp::Not, a) => (true, a),
                _ => (false, condition),
            };
            let Node::Binary(op, a, b) = pool.node(inner) else {
                continue;
            };
            if !op.is_comparison() || !is_word(pool, a) || !is_word(pool, b) {
                continue;
            }
            let is_signed = match op {
                BinaryOp::Slt | BinaryOp::Sle => Some(true),
                BinaryOp::Ult | BinaryOp::Ule => Some(false),
                _ => None,
            };
            if is_signed.is_some() && signed.is_some() && signed != is_signed {
                return None;
            }
            signed = signed.or(is_signed);
            if graph.width != 0 && graph.width != pool.width(a) {
                return None;
            }
            graph.width = pool.width(a);
            let (a, b) = (graph.word(&mut index, a), graph.word(&mut index, b));
            let (from, to) = if negated { (b, a) } else { (a, b) };
            match op {
                BinaryOp::Eq if negated => graph.different.push(Edge { from: a, to: b, strict: true, condition }),
                BinaryOp::Eq => {
                    graph.edges.push(Edge { from: a, to: b, strict: false, condition });
                    graph.edges.push(Edge { from: b, to: a, strict: false, condition });
                }
                _ => {
                    let strict = matches!(op, BinaryOp::Ult | BinaryOp::Slt) != negated;
                    graph.edges.push(Edge { from, to, strict, condition });
                }
            }
        }
        if graph.edges.is_empty() {
            return None;
        }
        let mut bytes: Vec<u32> =
            graph.words.iter().flat_map(|word| pool.support_bytes(pool.support(word.word))).copied().collect();
        bytes.sort_unstable();
        if bytes.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        if signed == Some(true) {
            graph.bias = 1 << (graph.width - 1);
        }
        for (at, edge) in graph.edges.iter().enumerate() {
            graph.words[edge.from].outgoing.push(at);
            graph.words[edge.to].incoming.push(at);
        }
        for &condition in conditions {
            if let Some(restriction) = pool.restriction(condition)
                && let Some(&at) = index.get(&restriction.word)
            {
                let word: &mut Word = &mut graph.words[at];
                word.values = word.values.intersection(&restriction.values.shifted(graph.bias, graph.width));
                word.conditions.push(condition);
            }
        }
        Some(graph)
    }

    /// The classes and the keys each may have, if that is possible without the disequalities; else conditions that
    /// contradict each other.
    fn possible(&self) -> Result<(Classes, Vec<Intervals>), Vec<Expr>> {
        let classes = self.classes()?;
        let domain = |members: &Vec<usize>| {
            members.iter().fold(Intervals::all(self.width), |left, &word| left.intersection(&self.words[word].values))
        };
        let domains: Vec<Intervals> = classes.members.iter().map(domain).collect();
        self.least(&classes, &domains, &vec![0; domains.len()], false)?;
        Ok((classes, domains))
    }

    fn word(&mut self, index: &mut FxHashMap<Expr, usize>, word: Expr) -> usize {
        *index.entry(word).or_insert_with(|| {
            self.words.push(Word {
                word,
                values: Intervals::all(self.width),
                conditions: Vec::new(),
                incoming: Vec::new(),
                outgoing: Vec::new(),
            });
            self.words.len() - 1
        })
    }

    /// The key of a value; also the value of a key, since the bias is half the range.
    fn key(&self, value: u128) -> u128 {
        value.wrapping_add(self.bias) & (u128::MAX >> (128 - self.width))
    }

    /// Strongly connected components, by Kosaraju's algorithm. The error is the conditions of a contradictory cycle.
    fn classes(&self) -> Result<Classes, Vec<Expr>> {
        let finished = self.finishing_order();
        let mut of = vec![usize::MAX; self.words.len()];
        let mut members: Vec<Vec<usize>> = Vec::new();
        for &root in finished.iter().rev() {
            if of[root] != usize::MAX {
                continue;
            }
            let class = members.len();
            let mut group = vec![root];
            of[root] = class;
            let mut at = 0;
            while at < group.len() {
                for &edge in &self.words[group[at]].incoming {
                    let from = self.edges[edge].from;
                    if of[from] == usize::MAX {
                        of[from] = class;
                        group.push(from);
                    }
                }
                at += 1;
            }
            members.push(group);
        }
        let strict = self.edges.iter().filter(|edge| edge.strict);
        for edge in strict.chain(&self.different) {
            if of[edge.from] == of[edge.to] {
                // The cycle makes them equal, but they must differ.
                let mut core = vec![edge.condition];
                core.extend(self.path(edge.to, edge.from));
                if !self.edges.iter().any(|e| e.condition == edge.condition) {
                    core.extend(self.path(edge.from, edge.to));
                }
                core.sort_unstable();
                core.dedup();
                return Err(core);
            }
        }
        Ok(Classes { members, of })
    }

    /// All words in postorder: each after those that it is below, cycles aside. Words without edges come first, to be
    /// given values last, since they can avoid the values of others that they must differ from.
    fn finishing_order(&self) -> Vec<usize> {
        let mut seen = vec![false; self.words.len()];
        let mut finished = Vec::with_capacity(self.words.len());
        let ordered = |word: &usize| !(self.words[*word].incoming.is_empty() && self.words[*word].outgoing.is_empty());
        let (ordered, free): (Vec<usize>, Vec<usize>) = (0..self.words.len()).partition(ordered);
        for root in free.into_iter().chain(ordered) {
            if seen[root] {
                continue;
            }
            seen[root] = true;
            let mut stack = vec![(root, 0)];
            while let Some((word, next)) = stack.last_mut() {
                match self.words[*word].outgoing.get(*next) {
                    Some(&edge) => {
                        *next += 1;
                        let to = self.edges[edge].to;
                        if !seen[to] {
                            seen[to] = true;
                            stack.push((to, 0));
                        }
                    }
                    None => {
                        finished.push(*word);
                        stack.pop();
                    }
                }
            }
        }
        finished
    }

    /// The conditions along a shortest path from one word up to another.
    fn path(&self, from: usize, to: usize) -> Vec<Expr> {
        let mut reached_by = vec![None; self.words.len()];
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(word) = queue.pop_front() {
            if word == to {
                break;
            }
            for &edge in &self.words[word].outgoing {
                let next = self.edges[edge].to;
                if next != from && reached_by[next].is_none() {
                    reached_by[next] = Some(edge);
                    queue.push_back(next);
                }
            }
        }
        let mut conditions = Vec::new();
        let mut word = to;
        while let Some(edge) = reached_by[word] {
            conditions.push(self.edges[edge].condition);
            word = self.edges[edge].from;
        }
        conditions
    }

    /// The least keys from `floor` on, class by class. The error is the conditions that leave a class no key; they are
    /// a contradiction only if the floor is zero and `distinct` is off.
    fn least(
        &self,
        classes: &Classes,
        domains: &[Intervals],
        floor: &[u128],
        distinct: bool,
    ) -> Result<Vec<u128>, Vec<Expr>> {
        let mut keys: Vec<u128> = Vec::with_capacity(domains.len());
        // The edge that determines the lower bound of each class.
        let mut bounded_by: Vec<Option<usize>> = Vec::with_capacity(domains.len());
        for (class, members) in classes.members.iter().enumerate() {
            let mut bound = Some(floor[class]);
            let mut bounding = None;
            for &edge in members.iter().flat_map(|&word| &self.words[word].incoming) {
                let Edge { from, strict, .. } = self.edges[edge];
                let below = classes.of[from];
                if below == class {
                    continue;
                }
                let needed = if strict { keys[below].checked_add(1) } else { Some(keys[below]) };
                if needed.is_none() || bound.is_some_and(|bound| needed > Some(bound)) {
                    bound = needed;
                    bounding = Some(edge);
                }
            }
            bounded_by.push(bounding);
            let mut key = bound.and_then(|bound| domains[class].at_least(bound));
            if distinct {
                let excluded = self.excluded(classes, class, &keys);
                while let Some(taken) = key
                    && excluded.contains(&taken)
                {
                    key = taken.checked_add(1).and_then(|next| domains[class].at_least(next));
                }
            }
            match key {
                Some(key) => keys.push(key),
                None => return Err(self.explain(classes, class, &bounded_by)),
            }
        }
        Ok(keys)
    }

    /// The keys of earlier classes that this one must differ from.
    fn excluded(&self, classes: &Classes, class: usize, keys: &[u128]) -> Vec<u128> {
        let other = |edge: &Edge| match (classes.of[edge.from], classes.of[edge.to]) {
            (a, b) if a == class && b < class => Some(keys[b]),
            (a, b) if b == class && a < class => Some(keys[a]),
            _ => None,
        };
        self.different.iter().filter_map(other).collect()
    }

    /// All conditions that leave a class no key.
    fn explain(&self, classes: &Classes, class: usize, bounded_by: &[Option<usize>]) -> Vec<Expr> {
        let mut core = Vec::new();
        let mut next = Some(class);
        while let Some(class) = next {
            for &word in &classes.members[class] {
                core.extend(&self.words[word].conditions);
                let inside = self.words[word].outgoing.iter().map(|&edge| self.edges[edge]);
                core.extend(inside.filter(|edge| classes.of[edge.to] == class).map(|edge| edge.condition));
            }
            next = bounded_by[class].map(|edge| {
                core.push(self.edges[edge].condition);
                classes.of[self.edges[edge].from]
            });
        }
        core.sort_unstable();
        core.dedup();
        core
    }
}

fn is_word(pool: &Pool, e: Expr) -> bool {
    matches!(pool.node(e), Node::Input { .. })
}
