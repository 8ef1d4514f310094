//! What the program wrote to its standard output and error.

use secateur_expr::{Expr, Pool, Valuation};
use secateur_path::List;

/// A shared, growing list of what was written.
#[derive(Clone, Default)]
pub struct Output {
    chunks: List<Chunk>,
}

struct Chunk {
    descriptor: i32,
    bytes: Vec<u8>,
    /// Positions whose byte depends on the input.
    symbolic: Vec<(u32, Expr)>,
}

impl Output {
    /// Adds what one call wrote.
    pub fn write(&mut self, descriptor: i32, bytes: Vec<u8>, symbolic: Vec<(u32, Expr)>) {
        self.chunks.push(Chunk { descriptor, bytes, symbolic });
    }

    /// Everything written to a descriptor, as it is for the given input.
    pub fn bytes(&self, descriptor: i32, pool: &Pool, input: &mut Valuation) -> Vec<u8> {
        let chunks: Vec<&Chunk> = self.chunks.iter().filter(|chunk| chunk.descriptor == descriptor).collect();
        let mut all = Vec::new();
        for chunk in chunks.into_iter().rev() {
            let start = all.len();
            all.extend_from_slice(&chunk.bytes);
            for (position, expr) in &chunk.symbolic {
                all[start + *position as usize] = input.eval(pool, *expr) as u8;
            }
        }
        all
    }
}
