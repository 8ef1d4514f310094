//! The files of a program: source is compiled, and what `secateur cc` has built is taken apart.

use crate::compile;
use crate::embedded;
use crate::error::LoadError;
use crate::options::LoadOptions;
use crate::renames::Renames;
use secateur_embed::FileKind;
use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file of the user's as bitcode.
pub(crate) struct Input {
    /// For messages; a file within another is `other(file)`.
    pub(crate) path: PathBuf,
    pub(crate) bitcode: Vec<u8>,
    /// It did not come from our compiler just now, so it may contain anything.
    pub(crate) foreign: bool,
    pub(crate) role: Role,
    pub(crate) renames: Arc<Renames>,
}

/// How a file takes part in linking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// It is part of the program, and defines nothing that others define.
    Object,
    /// It is part of an executable: where several files define a name, the first counts.
    Linked,
    /// It is part of the program if something in it is needed.
    Member { defines: Arc<HashSet<String>> },
    /// It is part of a shared object, whose files have the same `exports`: the names that others see.
    Shared { exports: Arc<HashSet<String>> },
}

impl Input {
    /// Whether it defines this name for others; unknown, thus `false`, if the compiler alone knows.
    pub(crate) fn defines(&self, name: &str) -> bool {
        match &self.role {
            Role::Member { defines: names } | Role::Shared { exports: names } => names.contains(name),
            Role::Object | Role::Linked => false,
        }
    }
}

/// All files of a program.
#[derive(Default)]
pub(crate) struct Inputs {
    pub(crate) files: Vec<Input>,
    /// What native replay has to link.
    pub(crate) libraries: Vec<String>,
    pub(crate) warnings: Vec<String>,
    /// The shared objects that were looked at.
    pub(crate) shared: HashSet<PathBuf>,
}

impl Inputs {
    pub(crate) fn read(options: &LoadOptions) -> Result<Inputs, LoadError> {
        let mut inputs = Inputs::default();
        let mut warnings = 0;
        for path in &options.inputs {
            warnings += inputs.add(path, options)?;
        }
        if warnings > 0 {
            inputs.warnings.push(match warnings {
                1 => "the compiler gave 1 warning; -v shows it".to_string(),
                _ => format!("the compiler gave {warnings} warnings; -v shows them"),
            });
        }
        Ok(inputs)
    }

    /// Adds a file, and returns how many warnings the compiler had.
    fn add(&mut self, path: &Path, options: &LoadOptions) -> Result<usize, LoadError> {
        let unreadable = |error| LoadError::Read { path: path.to_path_buf(), error };
        let ending = path.extension().and_then(|ending| ending.to_str());
        let file = |bitcode, foreign| Input {
            path: path.to_path_buf(),
            bitcode,
            foreign,
            role: Role::Object,
            renames: Arc::default(),
        };
        match ending {
            Some("c" | "i") => {
                let compiled = compile::compile(path, options)?;
                self.files.push(file(compiled.bitcode, false));
                return Ok(compiled.warnings);
            }
            Some("ll") => self.files.push(file(std::fs::read(path).map_err(unreadable)?, true)),
            _ => match secateur_embed::kind_of(&start_of(path).map_err(unreadable)?) {
                Some(FileKind::Elf) => self.add_image(path)?,
                Some(FileKind::Archive) => self.add_archive(path)?,
                None if ending == Some("bc") => {
                    self.files.push(file(bitcode(path, std::fs::read(path).map_err(unreadable)?)?, true));
                }
                None => return Err(embedded::unknown(path)),
            },
        }
        Ok(0)
    }
}

/// LLVM parses anything that does not look like bitcode as text, and accepts even an empty file.
fn bitcode(path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, LoadError> {
    /// How bitcode begins: plain, and in a wrapper.
    const MAGIC: [[u8; 4]; 2] = [*b"BC\xc0\xde", [0xde, 0xc0, 0x17, 0x0b]];
    match MAGIC.iter().any(|magic| bytes.starts_with(magic)) {
        true => Ok(bytes),
        false => {
            let reason = "it does not begin like bitcode".to_string();
            Err(LoadError::NotBitcode { path: path.to_path_buf(), reason })
        }
    }
}

/// The first bytes of a file, as many as it takes to tell what kind of file it is.
fn start_of(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut start = Vec::new();
    File::open(path)?.take(8).read_to_end(&mut start)?;
    Ok(start)
}
