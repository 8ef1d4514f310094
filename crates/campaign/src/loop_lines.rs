//! Finds the function and the loop that a source location is in.

use std::collections::BTreeMap;

use secateur_graph::{Loop, Loops};
use secateur_program::{BlockId, Body, FuncId, LocId, Program};

/// The functions and loops of the user's code, by location. It takes a walk over the code, so it is made at the end of
/// a campaign, if at all.
pub(crate) struct LoopLines<'a> {
    program: &'a Program,
    /// The blocks that have instructions with each location: the jump into a loop may have the same as the jump back.
    blocks: BTreeMap<LocId, Vec<(FuncId, BlockId)>>,
    loops: BTreeMap<FuncId, Loops>,
}

impl<'a> LoopLines<'a> {
    pub(crate) fn new(program: &'a Program) -> LoopLines<'a> {
        let mut blocks: BTreeMap<LocId, Vec<(FuncId, BlockId)>> = BTreeMap::new();
        for (index, function) in program.functions.iter().enumerate().filter(|(_, function)| function.user) {
            let Some(body) = &function.body else { continue };
            for (number, block) in body.blocks.iter().enumerate() {
                for loc in &body.locs[block.start as usize..block.end as usize] {
                    let (found, block) =
                        (blocks.entry(*loc).or_default(), (FuncId(index as u32), BlockId(number as u32)));
                    if found.last() != Some(&block) {
                        found.push(block);
                    }
                }
            }
        }
        LoopLines { program, blocks, loops: BTreeMap::new() }
    }

    /// The name of the function that has code for a location; empty if there is none.
    pub(crate) fn function(&self, loc: LocId) -> String {
        let name = |(function, _): &(FuncId, BlockId)| self.program.functions[function.index()].name.to_string();
        self.blocks.get(&loc).and_then(|blocks| blocks.first()).map(name).unwrap_or_default()
    }

    /// The line of the innermost loop around a location, if there is one in the same file.
    pub(crate) fn loop_line(&mut self, loc: LocId) -> Option<u32> {
        let file = self.program.locations.get(loc.index())?.file;
        let blocks = self.blocks.get(&loc)?;
        blocks.iter().find_map(|(function, block)| {
            let body = self.program.functions[function.index()].body.as_ref()?;
            let loops = self.loops.entry(*function).or_insert_with(|| Loops::new(body));
            first_line(self.program, body, loops.innermost(*block)?, file)
        })
    }
}

/// The line on which a loop begins. Compilers attribute the jump back to the line of `for` or `while`, and the head to
/// the first thing that is evaluated, which may be below it.
fn first_line(program: &Program, body: &Body, found: &Loop, file: u32) -> Option<u32> {
    let line_of = |pc: u32| {
        let at = program.locations.get(body.locs.get(pc as usize)?.index())?;
        (at.file == file && at.line > 0).then_some(at.line)
    };
    let head = &body.blocks[found.head.index()];
    let jumps = found.latches.iter().map(|latch| body.blocks[latch.index()].end.saturating_sub(1));
    jumps.chain((head.start..head.end).take(1)).filter_map(line_of).min()
}
