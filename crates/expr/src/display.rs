//! Expressions as text for logs, in prefix notation, truncated if it is long.

use std::fmt;

use crate::array::ArrayNode;
use crate::expr::{Array, Expr};
use crate::node::Node;
use crate::op::Rounding;
use crate::pool::Pool;

/// After this many operations the text is truncated: shared subexpressions are printed at every use, so it could be
/// huge.
const MAX_PRINTED: usize = 1000;

/// Prints an expression; made by [`Pool::display`].
#[derive(Clone, Copy)]
pub struct Display<'a> {
    pool: &'a Pool,
    root: Expr,
}

impl Pool {
    /// The expression as readable text.
    pub fn display(&self, e: Expr) -> Display<'_> {
        Display { pool: self, root: e }
    }
}

/// Something still to be printed.
enum Piece {
    Expr(Expr),
    Array(Array),
    Text(String),
    Close,
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut work = vec![Piece::Expr(self.root)];
        let mut printed = 0;
        while let Some(piece) = work.pop() {
            let pieces = match piece {
                Piece::Text(text) => {
                    write!(f, " {text}")?;
                    continue;
                }
                Piece::Close => {
                    f.write_str(")")?;
                    continue;
                }
                Piece::Expr(e) => {
                    if printed > 0 {
                        f.write_str(" ")?;
                    }
                    self.open_expr(f, e)?
                }
                Piece::Array(array) => {
                    f.write_str(" ")?;
                    self.open_array(f, array)?
                }
            };
            printed += 1;
            if pieces.is_empty() {
                continue;
            }
            work.push(Piece::Close);
            if printed < MAX_PRINTED {
                work.extend(pieces.into_iter().rev());
            } else {
                work.push(Piece::Text("…".to_string()));
            }
        }
        Ok(())
    }
}

impl Display<'_> {
    /// Prints a parenthesis and the name of the operation and returns the operands, or prints a leaf and returns
    /// nothing.
    fn open_expr(&self, f: &mut fmt::Formatter<'_>, e: Expr) -> Result<Vec<Piece>, fmt::Error> {
        use Piece::{Array, Expr, Text};
        let pool = self.pool;
        let (name, pieces) = match pool.node(e) {
            Node::Const { width: 1, value } => {
                f.write_str(if value == 0 { "false" } else { "true" })?;
                return Ok(Vec::new());
            }
            Node::Const { width, value } => {
                write!(f, "{value:#x}:{width}")?;
                return Ok(Vec::new());
            }
            Node::Input { first, bytes: 1 } => {
                write!(f, "in[{first}]")?;
                return Ok(Vec::new());
            }
            Node::Input { first, bytes } => {
                write!(f, "in[{first}..{}]", first + u32::from(bytes))?;
                return Ok(Vec::new());
            }
            Node::Hole { id, width } => {
                write!(f, "?{id}:{width}")?;
                return Ok(Vec::new());
            }
            Node::Unary(op, a) => (lower(op), vec![Expr(a)]),
            Node::Binary(op, a, b) => (lower(op), vec![Expr(a), Expr(b)]),
            Node::Ite(c, a, b) => ("ite".to_string(), vec![Expr(c), Expr(a), Expr(b)]),
            Node::Concat(hi, lo) => ("concat".to_string(), vec![Expr(hi), Expr(lo)]),
            Node::Extract { e, low, width } => {
                ("extract".to_string(), vec![Expr(e), Text(low.to_string()), Text(width.to_string())])
            }
            Node::ZExt(e, width) => ("zext".to_string(), vec![Expr(e), Text(width.to_string())]),
            Node::SExt(e, width) => ("sext".to_string(), vec![Expr(e), Text(width.to_string())]),
            Node::Float(op, mode, a, b) => (format!("f{}{}", lower(op), suffix(mode)), vec![Expr(a), Expr(b)]),
            Node::FloatUn(op, mode, a) => (format!("f{}{}", lower(op), suffix(mode)), vec![Expr(a)]),
            Node::FloatCmp(cmp, a, b) => {
                let outcomes = [(cmp.less, '<'), (cmp.equal, '='), (cmp.greater, '>'), (cmp.unordered, '?')];
                let outcomes: String = outcomes.iter().filter(|(holds, _)| *holds).map(|(_, sign)| *sign).collect();
                (format!("f{outcomes}"), vec![Expr(a), Expr(b)])
            }
            Node::FloatCast(op, mode, e, width) => {
                (format!("f{}{}", lower(op), suffix(mode)), vec![Expr(e), Text(width.to_string())])
            }
            Node::FusedMulAdd(mode, a, b, c) => (format!("fma{}", suffix(mode)), vec![Expr(a), Expr(b), Expr(c)]),
            Node::Select { array, index } => ("select".to_string(), vec![Array(array), Expr(index)]),
            Node::Native { function, args } => {
                (function.name(pool.width(args[0])).to_string(), args.iter().map(|&arg| Expr(arg)).collect())
            }
        };
        write!(f, "({name}")?;
        Ok(pieces)
    }

    fn open_array(&self, f: &mut fmt::Formatter<'_>, array: Array) -> Result<Vec<Piece>, fmt::Error> {
        match self.pool.array_node(array) {
            ArrayNode::Table(elements) => {
                f.write_str("(table")?;
                Ok(elements.iter().map(|&element| Piece::Expr(element)).collect())
            }
            ArrayNode::Store { array, index, value } => {
                f.write_str("(store")?;
                Ok(vec![Piece::Array(array), Piece::Expr(index), Piece::Expr(value)])
            }
        }
    }
}

fn lower(op: impl fmt::Debug) -> String {
    format!("{op:?}").to_lowercase()
}

/// The suffix of an operation that does not round to nearest.
fn suffix(mode: Rounding) -> String {
    if mode == Rounding::Nearest { String::new() } else { format!(".{}", mode.smtlib_name().to_lowercase()) }
}
