//! Concrete files that a program finds when it starts.

use std::sync::Arc;

/// A concrete file, folder or symbolic link that the program finds when it starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenFile {
    /// Its path, relative to the working directory unless it starts with a slash.
    pub path: String,
    /// Its permission bits.
    pub permissions: u32,
    /// What it is.
    pub content: GivenContent,
}

/// What a [`GivenFile`] is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GivenContent {
    /// A file with these bytes, which everybody shares.
    File(Arc<[u8]>),
    /// A folder.
    Folder,
    /// A symbolic link to this path.
    Link(String),
}
