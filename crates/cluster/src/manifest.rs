//! What a worker needs to know of a run: the program, as it was loaded, and the command line.
//!
//! No bitcode is loaded from the server: a program travels in the form that the machine runs, and is verified like what
//! comes from the child that reads foreign bitcode.

use std::sync::Arc;

use secateur_machine::Environment;
use secateur_program::{GivenContent, GivenFile, Loaded, Program, Unit};
use serde::{Deserialize, Serialize};

use crate::wire::{Unreadable, decode, encode};

/// A program and how it is explored.
#[derive(Serialize, Deserialize)]
pub struct Manifest {
    /// The command line, without the name of the program.
    pub arguments: Vec<String>,
    /// The loaded program.
    pub loaded: Loaded,
    /// Inputs that are followed first, by whoever explores the first task.
    pub seeds: Vec<Vec<u8>>,
    given: Vec<StoredFile>,
}

/// A concrete file that the program finds; see [`GivenFile`].
#[derive(Serialize, Deserialize)]
struct StoredFile {
    path: String,
    permissions: u32,
    content: StoredContent,
}

#[derive(Serialize, Deserialize)]
enum StoredContent {
    File(Vec<u8>),
    Folder,
    Link(String),
}

impl Manifest {
    /// That of a program in an environment, with seeds.
    pub fn encode(arguments: &[String], loaded: &Loaded, environment: &Environment, seeds: &[Vec<u8>]) -> Vec<u8> {
        /// As [`Manifest`], without taking the program away.
        #[derive(Serialize)]
        struct Borrowed<'a> {
            arguments: &'a [String],
            loaded: &'a Loaded,
            seeds: &'a [Vec<u8>],
            given: Vec<StoredFile>,
        }
        let given = environment.given.iter().map(|file| StoredFile {
            path: file.path.clone(),
            permissions: file.permissions,
            content: match &file.content {
                GivenContent::File(bytes) => StoredContent::File(bytes.to_vec()),
                GivenContent::Folder => StoredContent::Folder,
                GivenContent::Link(to) => StoredContent::Link(to.clone()),
            },
        });
        encode(&Borrowed { arguments, loaded, seeds, given: given.collect() })
    }

    /// Reads a manifest, whose program is verified.
    pub fn decode(bytes: &[u8]) -> Result<Manifest, Unreadable> {
        let manifest: Manifest = decode(bytes)?;
        secateur_program::verify(&manifest.loaded.program).map_err(|_| Unreadable::Damaged)?;
        Ok(manifest)
    }

    /// The concrete files that the program finds.
    pub fn given(&self) -> Vec<GivenFile> {
        let file = |file: &StoredFile| GivenFile {
            path: file.path.clone(),
            permissions: file.permissions,
            content: match &file.content {
                StoredContent::File(bytes) => GivenContent::File(Arc::from(bytes.as_slice())),
                StoredContent::Folder => GivenContent::Folder,
                StoredContent::Link(to) => GivenContent::Link(to.clone()),
            },
        };
        self.given.iter().map(file).collect()
    }

    /// The program, and the function that is tested by itself, if one is.
    pub fn take(self) -> (Arc<Program>, Option<Unit>) {
        (Arc::new(self.loaded.program), self.loaded.unit)
    }
}
