//! The concrete files that the program finds, as replay needs them.

use secateur_machine::{Environment, GivenContent as Content};
use secateur_suite::{GivenContent, GivenFile};

/// The given files of an environment.
pub(crate) fn given_files(environment: &Environment) -> Vec<GivenFile> {
    let content = |content: &Content| match content {
        Content::File(bytes) => GivenContent::File(bytes.to_vec()),
        Content::Folder => GivenContent::Folder,
        Content::Link(target) => GivenContent::Link(target.clone()),
    };
    let files = environment.given.iter().map(|file| GivenFile {
        path: file.path.clone(),
        permissions: file.permissions,
        content: content(&file.content),
    });
    files.collect()
}
