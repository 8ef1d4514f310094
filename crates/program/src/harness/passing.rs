//! How parameters of the source are passed as LLVM parameters, by the calling convention of x86-64.

use super::types::Types;
use crate::llvm::{Module, Value};
use crate::unit::{TypeId, TypeKind};

/// The LLVM parameters that carry one parameter of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Passing {
    pub(super) pieces: Vec<Piece>,
}

/// One LLVM parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// Its index.
    pub(super) param: u32,
    /// The offset of its bytes in the parameter of the source.
    pub(super) offset: u64,
    /// It is the address of the bytes, not the bytes themselves.
    pub(super) by_address: bool,
}

/// The LLVM parameters of each parameter; `None` if the function takes something else than the source says.
pub(super) fn assign<'m>(
    module: &'m Module<'m>,
    function: Value<'m>,
    types: &[TypeId],
    known: &Types<'m>,
) -> Option<Vec<Passing>> {
    let params = function.params();
    let mut next = u32::from(!params.is_empty() && function.param_struct_return(0).is_some());
    let mut passings = Vec::new();
    for id in types {
        let ty = known.get(*id);
        let aggregate = matches!(ty.kind, TypeKind::Struct { .. } | TypeKind::Bytes);
        let mut pieces = Vec::new();
        let mut carried = 0;
        while carried < ty.size {
            let param = *params.get(next as usize)?;
            let by_address = function.param_by_value(next).is_some();
            let size = module.layout().store_size(param.ty());
            let fits = match ty.kind {
                TypeKind::Struct { .. } | TypeKind::Bytes => true,
                TypeKind::Pointer { .. } | TypeKind::FunctionPointer => param.ty().is_pointer(),
                TypeKind::Float => param.ty().int_width().is_none() && size == ty.size,
                // An integer of sixteen bytes may come in two halves.
                _ => param.ty().int_width().is_some() && (size == ty.size || (size == 8 && ty.size == 16)),
            };
            if !fits || size == 0 || (by_address && (!aggregate || carried > 0)) {
                return None;
            }
            pieces.push(Piece { param: next, offset: carried, by_address });
            // A struct is passed in pieces of eight bytes, or in one.
            carried = if by_address { ty.size } else { (carried + size).next_multiple_of(8) };
            next += 1;
        }
        passings.push(Passing { pieces });
    }
    (next as usize == params.len()).then_some(passings)
}

/// A parameter that is one LLVM parameter.
pub(super) fn single(function: Value<'_>, param: u32) -> Passing {
    let by_address = function.param_by_value(param).is_some();
    Passing { pieces: vec![Piece { param, offset: 0, by_address }] }
}
