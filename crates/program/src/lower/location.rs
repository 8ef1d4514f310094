//! Source locations, interned.

use crate::code::{LocId, Location};
use crate::llvm::{DebugFile, Metadata, Value};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};

/// The files and locations seen so far.
pub(crate) struct Locations<'m> {
    pub(crate) files: Vec<String>,
    pub(crate) locations: Vec<Location>,
    file_ids: FxHashMap<String, u32>,
    scope_files: FxHashMap<Metadata<'m>, u32>,
    location_ids: FxHashMap<Location, LocId>,
    here: Option<PathBuf>,
}

impl<'m> Locations<'m> {
    pub(crate) fn new() -> Locations<'m> {
        Locations {
            files: vec!["?".to_string()],
            locations: vec![Location::default()],
            file_ids: FxHashMap::default(),
            scope_files: FxHashMap::default(),
            location_ids: FxHashMap::default(),
            here: std::env::current_dir().ok(),
        }
    }

    /// Where an instruction is; `None` if nothing says.
    pub(crate) fn instruction(&mut self, instruction: Value<'m>) -> Option<LocId> {
        let at = instruction.debug_location()?;
        let (line, column) = at.line_and_column();
        if line == 0 {
            return None;
        }
        let file = self.file(at.scope()?);
        Some(self.location(Location { file, line, column }))
    }

    /// Where a function is defined.
    pub(crate) fn function(&mut self, function: Value<'m>) -> LocId {
        match function.subprogram() {
            Some(subprogram) if subprogram.subprogram_line() > 0 => {
                let file = self.file(subprogram);
                self.location(Location { file, line: subprogram.subprogram_line(), column: 0 })
            }
            _ => LocId(0),
        }
    }

    fn location(&mut self, location: Location) -> LocId {
        *self.location_ids.entry(location).or_insert_with(|| {
            self.locations.push(location);
            LocId(self.locations.len() as u32 - 1)
        })
    }

    fn file(&mut self, scope: Metadata<'m>) -> u32 {
        if let Some(&file) = self.scope_files.get(&scope) {
            return file;
        }
        let name = scope.file_node().and_then(|node| node.file()).map(|file| display_name(&file, self.here.as_deref()));
        let file = match name {
            None => 0,
            Some(name) => *self.file_ids.entry(name).or_insert_with_key(|name| {
                self.files.push(name.clone());
                self.files.len() as u32 - 1
            }),
        };
        self.scope_files.insert(scope, file);
        file
    }
}

/// The name of a file: relative to the current folder if it is below it.
fn display_name(file: &DebugFile, here: Option<&Path>) -> String {
    let full = Path::new(&file.directory).join(&file.name);
    let name = match here.and_then(|here| full.strip_prefix(here).ok()) {
        Some(relative) => relative,
        None => &full,
    };
    let clean: PathBuf = name.components().filter(|part| *part != std::path::Component::CurDir).collect();
    // `#line` may name anything.
    crate::printable(clean.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_below_the_current_folder_are_relative() {
        let file = |directory: &str, name: &str| DebugFile { directory: directory.into(), name: name.into() };
        let here = Some(Path::new("/home/me"));
        assert_eq!(display_name(&file("/home/me", "a.c"), here), "a.c");
        assert_eq!(display_name(&file("/home/me/sub", "./a.c"), here), "sub/a.c");
        assert_eq!(display_name(&file("/home/me", "/usr/include/x.h"), here), "/usr/include/x.h");
        assert_eq!(display_name(&file("/home/you", "a.c"), here), "/home/you/a.c");
    }
}
