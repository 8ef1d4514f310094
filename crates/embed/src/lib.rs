//! Bitcode in object files: `secateur cc` stores what it compiles in a section of each object, and `secateur run`
//! reads it back from whatever the objects became: executables, shared objects, other objects, archives.
//!
//! The section holds [`Record`]s one after the other. Linkers and `ar` know nothing of it: they concatenate sections of
//! the same name, so a linked file has the records of all the objects that were linked.

mod archive;
mod attach;
mod image;
mod record;

pub use archive::{Member, read_archive};
pub use attach::{attach, carrier};
pub use image::{Image, ImageKind, read_image};
pub use record::{Kind, Record};

/// The name of the section.
pub const SECTION: &str = ".secateur";

/// How an archive begins, a thin one included.
const ARCHIVES: [&[u8]; 2] = [b"!<arch>\n", b"!<thin>\n"];

/// What kind of file this is, going by how it begins.
pub fn kind_of(start: &[u8]) -> Option<FileKind> {
    if start.starts_with(b"\x7fELF") {
        Some(FileKind::Elf)
    } else if ARCHIVES.iter().any(|magic| start.starts_with(magic)) {
        Some(FileKind::Archive)
    } else {
        None
    }
}

/// The kinds of files that bitcode is read from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// An executable, a shared object or a relocatable one.
    Elf,
    /// A library of relocatable objects.
    Archive,
}

/// Why a file gives no bitcode: the end of a sentence about it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EmbedError {
    /// It is not what it begins like.
    #[error("it is damaged ({0})")]
    Malformed(String),
    /// It is for another kind of machine.
    #[error("it is for {0}, not for x86-64 Linux; build it for this machine")]
    Machine(String),
    /// The section cannot be read.
    #[error("its section {SECTION} is damaged ({0}); build it again with `secateur cc`")]
    Damaged(String),
    /// Another version has written the section.
    #[error("another version of Secateur built it (format {0}); build it again with `secateur cc`")]
    Version(u32),
}
