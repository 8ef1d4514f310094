//! Where our headers, C library and replay library are installed.

use std::path::PathBuf;

use crate::Failure;

/// The folder that SECATEUR_RUNTIME names, or else `../lib/secateur`, relative to the folder of this program.
pub(crate) fn folder() -> Result<PathBuf, Failure> {
    if let Some(folder) = std::env::var_os("SECATEUR_RUNTIME") {
        let folder = PathBuf::from(folder);
        if folder.join("include").is_dir() {
            return Ok(folder);
        }
        return Err(Failure::Input(format!(
            "SECATEUR_RUNTIME names {}, which is not Secateur's runtime folder",
            folder.display()
        )));
    }
    let program = std::env::current_exe().and_then(|path| path.canonicalize()).map_err(|error| {
        Failure::Own(format!("cannot find the path of this program ({error}); set SECATEUR_RUNTIME"))
    })?;
    let beside = program.parent().and_then(|bin| bin.parent()).map(|prefix| prefix.join("lib").join("secateur"));
    beside.filter(|folder| folder.join("include").is_dir()).ok_or_else(|| {
        Failure::Input(format!(
            "the runtime (headers and C library) is not installed beside {}; run `make build`, or set SECATEUR_RUNTIME",
            program.display()
        ))
    })
}
