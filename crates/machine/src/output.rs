//! What the program wrote to its standard output and error.

use secateur_expr::{Expr, Pool, Valuation};
use secateur_path::List;

use crate::text::Piece;

/// A growing list of writes that snapshots share.
#[derive(Clone, Default)]
pub struct Output {
    chunks: List<Chunk>,
}

struct Chunk {
    descriptor: i32,
    content: Content,
}

enum Content {
    /// Bytes, and the positions whose bytes depend on the input.
    Bytes(Vec<u8>, Vec<(u32, Expr)>),
    /// Text whose length may depend on the input, too.
    Text(Vec<Piece>),
}

impl Output {
    /// Adds what one call wrote.
    pub fn write(&mut self, descriptor: i32, bytes: Vec<u8>, symbolic: Vec<(u32, Expr)>) {
        self.chunks.push(Chunk { descriptor, content: Content::Bytes(bytes, symbolic) });
    }

    /// The number of calls that wrote something.
    #[cfg(debug_assertions)]
    pub(crate) fn len(&self) -> usize {
        self.chunks.iter().count()
    }

    /// Adds formatted text.
    pub(crate) fn write_text(&mut self, descriptor: i32, pieces: Vec<Piece>) {
        self.chunks.push(Chunk { descriptor, content: Content::Text(pieces) });
    }

    /// Everything written to a descriptor, under the given input.
    pub fn bytes(&self, descriptor: i32, pool: &Pool, input: &mut Valuation) -> Vec<u8> {
        let chunks: Vec<&Chunk> = self.chunks.iter().filter(|chunk| chunk.descriptor == descriptor).collect();
        let mut all = Vec::new();
        for chunk in chunks.into_iter().rev() {
            let start = all.len();
            match &chunk.content {
                Content::Bytes(bytes, symbolic) => {
                    all.extend_from_slice(bytes);
                    for (position, expr) in symbolic {
                        all[start + *position as usize] = input.eval(pool, *expr) as u8;
                    }
                }
                Content::Text(pieces) => pieces.iter().for_each(|piece| all.extend(piece.render(pool, input))),
            }
        }
        all
    }
}
