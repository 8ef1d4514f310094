//! What the tests of this crate share: loading C, and bodies made by hand.

#![allow(dead_code)] // Each test binary uses a part of it.

use secateur_program::{Block, BlockId, Body, FuncId, LoadOptions, LocId, Program, Runtime, load};

/// Loads files of the user's, by name and text, in a folder of their own. They may declare what they like but use
/// nothing of the C library.
pub fn load_files(files: &[(&str, &str)]) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut inputs = Vec::new();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a file in a folder")).expect("a folder");
        std::fs::write(&path, text).expect("a file");
        inputs.push(path);
    }
    let options = LoadOptions { inputs, runtime: Runtime { include: None, libc: None }, ..LoadOptions::default() };
    load(&options).unwrap_or_else(|error| panic!("{error}")).program
}

/// Loads one file, `test.c`.
pub fn load_text(text: &str) -> Program {
    load_files(&[("test.c", text)])
}

/// The code of a function.
pub fn body<'a>(program: &'a Program, name: &str) -> (FuncId, &'a Body) {
    let id = program.function(name).unwrap_or_else(|| panic!("no function {name}"));
    (id, program.functions[id.index()].body.as_ref().expect("a body"))
}

/// The line of an instruction.
pub fn line(program: &Program, body: &Body, pc: u32) -> u32 {
    let LocId(loc) = body.locs[pc as usize];
    program.locations[loc as usize].line
}

/// The block whose first instruction with a location is at a line.
pub fn block_at_line(program: &Program, body: &Body, wanted: u32) -> BlockId {
    let is_at = |block: &Block| {
        (block.start..block.end).map(|pc| line(program, body, pc)).find(|line| *line > 0) == Some(wanted)
    };
    BlockId(body.blocks.iter().position(is_at).unwrap_or_else(|| panic!("no block begins at line {wanted}")) as u32)
}
