//! The parameters and the result of a function: as its source declares them if there is debug information, else as LLVM
//! sees them.

use super::passing::{self, Passing};
use super::types::Types;
use crate::llvm::{Context, Metadata, Module, Value};
use crate::unit::{TypeId, TypeKind};

/// The parameters and the result of a function.
pub(super) struct Signature {
    pub(super) params: Vec<Param>,
    /// `None` for `void`.
    pub(super) result: Option<TypeId>,
    /// It is what the source says.
    pub(super) from_source: bool,
}

/// A parameter.
pub(super) struct Param {
    pub(super) name: String,
    pub(super) ty: TypeId,
    pub(super) passing: Passing,
}

impl Signature {
    pub(super) fn of<'m>(module: &'m Module<'m>, function: Value<'m>, types: &mut Types<'m>) -> Signature {
        Signature::from_source(module, function, types).unwrap_or_else(|| Signature::from_llvm(module, function, types))
    }

    /// `None` without debug information, and where an optimiser has changed what the function takes.
    fn from_source<'m>(module: &'m Module<'m>, function: Value<'m>, types: &mut Types<'m>) -> Option<Signature> {
        let context = module.context();
        let declared = declared_types(function, context)?;
        let (result, declared) = declared.split_first()?;
        let names = names(function, context);
        let mut read = Vec::new();
        for node in declared {
            read.push(types.read((*node)?)?);
        }
        let passings = passing::assign(module, function, &read, types)?;
        let params = read.into_iter().zip(passings).enumerate().map(|(index, (ty, passing))| {
            let name = names.iter().find(|(number, _)| *number == index + 1).map(|(_, name)| name.clone());
            Param { name: name.unwrap_or_else(|| format!("arg{}", index + 1)), ty, passing }
        });
        let params = params.collect();
        let result = match result {
            Some(node) => types.read(*node),
            None => None,
        };
        Some(Signature { params, result, from_source: true })
    }

    /// Each LLVM parameter by itself; nothing is known about what pointers point to.
    fn from_llvm<'m>(module: &'m Module<'m>, function: Value<'m>, types: &mut Types<'m>) -> Signature {
        let mut params = Vec::new();
        for (index, param) in function.params().into_iter().enumerate() {
            let number = index as u32;
            if function.param_struct_return(number).is_some() {
                continue;
            }
            let by_value = function.param_by_value(number);
            let size = module.layout().size(by_value.unwrap_or(param.ty()));
            let kind = match by_value {
                None if param.ty().is_pointer() => TypeKind::Pointer { to: None, constant: false },
                None if param.ty().int_width() == Some(1) => TypeKind::Bool,
                _ => TypeKind::Bytes,
            };
            let name = if param.name().is_empty() { format!("arg{}", index + 1) } else { param.name() };
            params.push(Param { name, ty: types.add(size, kind), passing: passing::single(function, number) });
        }
        Signature { params, result: None, from_source: false }
    }
}

/// The types of the result and the parameters in the source; `None` stands for `void`.
fn declared_types<'m>(function: Value<'m>, context: &'m Context) -> Option<Vec<Option<Metadata<'m>>>> {
    let operand = |node: Metadata<'m>, index: usize| node.operands(context).get(index).copied().flatten();
    let list = operand(operand(function.subprogram()?, 4)?, 3)?;
    let types = list.operands(context);
    // A list of nothing but `void` is told as an empty one.
    Some(if types.is_empty() { vec![None] } else { types })
}

/// The names of the parameters by their numbers, from 1.
fn names<'m>(function: Value<'m>, context: &'m Context) -> Vec<(usize, String)> {
    let instructions = function.blocks().into_iter().flat_map(|block| block.instructions());
    let variables = instructions.filter_map(|call| call.described_variable());
    variables
        .filter_map(|variable| {
            let name = variable.variable_name(context).filter(|name| !name.is_empty())?;
            Some((variable.parameter_number()?, name))
        })
        .collect()
}
