//! Reads the members of an archive.

use crate::{EmbedError, Image};
use object::read::archive::ArchiveFile;
use std::path::Path;

/// A member of an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// What it holds; `None` if it is not an ELF file.
    pub image: Option<Image>,
}

/// Reads all members.
pub fn read_archive(path: &Path) -> std::io::Result<Result<Vec<Member>, EmbedError>> {
    let data = std::fs::read(path)?;
    Ok(members(&data, path.parent().unwrap_or(Path::new(""))))
}

/// The members of an archive in this folder, where those of a thin one are.
fn members(data: &[u8], folder: &Path) -> Result<Vec<Member>, EmbedError> {
    let malformed = |error: object::read::Error| EmbedError::Malformed(error.to_string().to_lowercase());
    let archive = ArchiveFile::parse(data).map_err(malformed)?;
    let mut members = Vec::new();
    for member in archive.members() {
        let member = member.map_err(malformed)?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let of_member = |error: EmbedError| match error {
            EmbedError::Malformed(reason) => EmbedError::Malformed(format!("{name}: {reason}")),
            EmbedError::Damaged(reason) => EmbedError::Damaged(format!("{name}: {reason}")),
            error => error,
        };
        let outside;
        let content = if member.is_thin() {
            let file = folder.join(&name);
            outside = std::fs::read(&file).map_err(|error| {
                EmbedError::Malformed(format!("cannot read its member {}: {error}", file.display()))
            })?;
            outside.as_slice()
        } else {
            member.data(data).map_err(malformed)?
        };
        let image = match content.starts_with(b"\x7fELF") {
            true => Some(Image::parse(content).map_err(of_member)?),
            false => None,
        };
        members.push(Member { name, image });
    }
    Ok(members)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = members(&bytes, Path::new(""));
            let _ = members(&[b"!<arch>\n".as_slice(), &bytes].concat(), Path::new(""));
        }
    }
}
