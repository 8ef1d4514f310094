//! Which source lines the blocks and branches of the user's code belong to.
//!
//! It is written beside the program's bitcode, so that replay can compare a native run and count its coverage without
//! loading the program again.

use crate::branch_sides::{SideMap, sides};
use secateur_program::{BranchId, LocId, Program};
use serde::{Deserialize, Serialize};

/// The user's functions with a body, and all branches in them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CodeMap {
    /// The source files, as the debug information names them.
    pub files: Vec<String>,
    /// The functions, in the order of the program.
    pub functions: Vec<FunctionMap>,
    /// The branches, in the order of the program.
    pub branches: Vec<BranchMap>,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FunctionMap {
    /// Its [`secateur_program::FuncId`].
    pub id: u32,
    /// Its linker name.
    pub name: String,
    /// Where it is defined, if known.
    pub place: Option<SourceLine>,
    /// Its blocks, in the order of their [`secateur_program::BlockId`].
    pub blocks: Vec<BlockMap>,
}

/// A basic block.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BlockMap {
    /// Its number in the natively compiled program.
    pub native: Option<u32>,
    /// The lines that have an instruction in it, without repetition.
    pub places: Vec<SourceLine>,
}

/// A conditional branch or switch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BranchMap {
    /// Its [`secateur_program::BranchId`].
    pub id: u32,
    /// Its number in the natively compiled program.
    pub native: Option<u32>,
    /// Where it is, if known.
    pub place: Option<SourceLine>,
    /// How many outcomes it has.
    pub outcomes: u32,
    /// The branch of which it is a copy, and whether its outcomes are swapped, as [`secateur_program::SourceBranch`]
    /// has it; `None` if it stands for itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy_of: Option<(u32, bool)>,
    /// It compares which of two addresses is higher.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_address: bool,
    /// What the outcomes are called and where they lead; empty if unknown.
    #[serde(default)]
    pub sides: Vec<SideMap>,
}

/// A source line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "(u32, u32)", from = "(u32, u32)")]
pub struct SourceLine {
    /// Index into [`CodeMap::files`].
    pub file: u32,
    /// From 1.
    pub line: u32,
}

impl From<SourceLine> for (u32, u32) {
    fn from(place: SourceLine) -> Self {
        (place.file, place.line)
    }
}

impl From<(u32, u32)> for SourceLine {
    fn from((file, line): (u32, u32)) -> Self {
        SourceLine { file, line }
    }
}

impl BranchMap {
    /// The branch and the outcome of the source that an outcome of this one is.
    pub fn in_source(&self, outcome: u32) -> (BranchId, u32) {
        let (first, inverted) = self.copy_of.unwrap_or((self.id, false));
        (BranchId(first), secateur_program::SourceBranch { first: BranchId(first), inverted }.outcome(outcome))
    }
}

impl CodeMap {
    /// The map of a loaded program.
    pub fn of(program: &Program) -> CodeMap {
        let mut functions = Vec::new();
        for (id, function) in program.functions.iter().enumerate() {
            let Some(body) = function.body.as_ref().filter(|_| function.user) else { continue };
            let blocks = body
                .blocks
                .iter()
                .map(|block| {
                    let locs = body.locs.get(block.start as usize..block.end as usize).unwrap_or_default();
                    let mut places: Vec<SourceLine> = locs.iter().filter_map(|loc| place(program, *loc)).collect();
                    places.sort_unstable();
                    places.dedup();
                    BlockMap { native: block.native, places }
                })
                .collect();
            let name = function.name.to_string();
            functions.push(FunctionMap { id: id as u32, name, place: place(program, function.loc), blocks });
        }
        let branches = program
            .branches
            .iter()
            .enumerate()
            .filter(|(_, branch)| program.functions.get(branch.function.index()).is_some_and(|function| function.user))
            .map(|(id, branch)| BranchMap {
                id: id as u32,
                native: branch.native,
                place: place(program, branch.loc),
                outcomes: branch.outcomes,
                copy_of: copy_of(program, BranchId(id as u32)),
                by_address: branch.by_address,
                sides: sides(program, BranchId(id as u32)),
            })
            .collect();
        CodeMap { files: program.files.clone(), functions, branches }
    }

    /// The branches of the source: without copies.
    pub fn source_branches(&self) -> impl Iterator<Item = &BranchMap> {
        self.branches.iter().filter(|branch| branch.copy_of.is_none())
    }

    /// `file:line`, or "?".
    pub fn describe(&self, place: Option<SourceLine>) -> String {
        match place.and_then(|place| Some((self.files.get(place.file as usize)?, place.line))) {
            Some((file, line)) => format!("{file}:{line}"),
            None => "?".into(),
        }
    }

    /// The branch with this number in the natively compiled program.
    pub fn native_branch(&self, number: u32) -> Option<&BranchMap> {
        self.branches.iter().find(|branch| branch.native == Some(number))
    }

    /// One more than the highest number of a branch in the natively compiled program.
    pub fn native_branches(&self) -> u32 {
        self.branches.iter().filter_map(|branch| branch.native).max().map_or(0, |number| number.saturating_add(1))
    }

    /// One more than the highest number of a block in the natively compiled program.
    pub fn native_blocks(&self) -> u32 {
        let blocks = self.functions.iter().flat_map(|function| &function.blocks);
        blocks.filter_map(|block| block.native).max().map_or(0, |number| number.saturating_add(1))
    }
}

fn copy_of(program: &Program, id: BranchId) -> Option<(u32, bool)> {
    let source = program.source_of(id);
    (source.first != id).then_some((source.first.0, source.inverted))
}

fn place(program: &Program, loc: LocId) -> Option<SourceLine> {
    let at = program.locations.get(loc.index())?;
    (at.line > 0).then_some(SourceLine { file: at.file, line: at.line })
}
