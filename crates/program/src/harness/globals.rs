//! Which global variables of the user's are part of the input.

use crate::error::LoadError;
use crate::llvm::{DebugFile, Metadata, Module, Value};
use crate::nearest::nearest;
use crate::options::SymbolicGlobals;

/// A global variable that becomes symbolic.
pub(super) struct SymbolicGlobal<'m> {
    pub(super) value: Value<'m>,
    /// Its type, if the debug information says so.
    pub(super) ty: Option<Metadata<'m>>,
    pub(super) file: Option<DebugFile>,
}

/// The chosen ones. `All` means those of the file that defines the function, which its tests can name.
pub(super) fn choose<'m>(
    module: &'m Module<'m>,
    file: Option<&DebugFile>,
    wanted: &SymbolicGlobals,
) -> Result<Vec<SymbolicGlobal<'m>>, LoadError> {
    let all: Vec<SymbolicGlobal<'m>> =
        module.globals().into_iter().filter_map(|value| describe(module, value)).collect();
    match wanted {
        SymbolicGlobals::None => Ok(Vec::new()),
        SymbolicGlobals::All => {
            Ok(all.into_iter().filter(|global| file.is_none() || global.file.as_ref() == file).collect())
        }
        SymbolicGlobals::Named(names) => {
            let mut chosen = Vec::new();
            for name in names {
                let Some(global) = all.iter().find(|global| global.value.name() == *name) else {
                    let nearest = nearest(name, all.iter().map(|global| global.value.name()));
                    return Err(LoadError::NoGlobal { name: name.clone(), nearest });
                };
                chosen.push(SymbolicGlobal { value: global.value, ty: global.ty, file: global.file.clone() });
            }
            Ok(chosen)
        }
    }
}

/// `None` for what cannot be input: constants, declarations, and variables that the compiler or a function defines for
/// itself.
fn describe<'m>(module: &'m Module<'m>, value: Value<'m>) -> Option<SymbolicGlobal<'m>> {
    let name = value.name();
    // The name of a static variable of a function contains the function's and a dot, so no test could refer to it.
    let own = name.is_empty() || name.contains('.') || name.starts_with("__secateur");
    if own || value.is_declaration() || value.is_global_constant() || !value.value_type().is_sized() {
        return None;
    }
    let described = value.attached().into_iter().find_map(|node| node.global_variable(module.context()));
    let (file, ty) = described.unwrap_or((None, None));
    Some(SymbolicGlobal { value, ty, file })
}
