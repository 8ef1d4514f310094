//! A `main` that calls one function with symbolic arguments, and records its inputs and results (see `unit`).

use super::objects::{ALIGN, Maker};
use super::signature::{Param, Signature};
use super::types::Types;
use super::{globals, start_main, unused};
use crate::error::LoadError;
use crate::llvm::{DebugFile, Module, Value};
use crate::options::UnitOptions;
use crate::tuning::Tuning;
use crate::unit::{RETURNED, TypeKind, Unit, UnitGlobal, Variable};

/// Generates the `main`; returns a description of the function if its source types are known.
pub(super) fn add(
    module: &Module<'_>,
    function: Value<'_>,
    options: &UnitOptions,
    tuning: &Tuning,
) -> Result<Option<Unit>, LoadError> {
    let name = function.name();
    // Callers may be among what is removed.
    let null_params = null_params(function);
    unused::remove(module, &name);
    let mut types = Types::new(module.context());
    let signature = Signature::of(module, function, &mut types);
    check(module, function, &signature, &types)?;
    let file = function.subprogram().and_then(|node| node.file_node()).and_then(|node| node.file());
    let own_globals = module.globals().into_iter().map(|global| global.name()).collect();
    let globals = globals::choose(module, file.as_ref(), &options.globals)?;

    let mut maker = Maker::new(module, types, options, tuning);
    start_main(module, &maker.build);
    let mut described = signature.from_source;
    let mut unit_globals = Vec::new();
    for global in globals {
        let Some(ty) = global.ty.and_then(|node| maker.types.read(node)) else {
            let size = module.layout().size(global.value.value_type());
            let ty = maker.types.add(size, TypeKind::Bytes);
            maker.fill(global.value, ty, &global.value.name());
            described = false;
            continue;
        };
        let variable =
            Variable { name: global.value.name(), ty, record: format!("__secateur.global.{}", unit_globals.len()) };
        maker.fill(global.value, ty, &variable.name);
        let size = maker.types.get(ty).size;
        let record = module.add_bytes(&variable.record, size, ALIGN);
        maker.build.copy(record, global.value, size);
        unit_globals.push(UnitGlobal { variable, elsewhere: global.file != file });
    }
    let mut args: Vec<Option<Value<'_>>> = vec![None; function.params().len()];
    let mut params = Vec::new();
    let mut null_passed = Vec::new();
    for (index, param) in signature.params.iter().enumerate() {
        let record = format!("__secateur.argument.{index}");
        let never_null =
            options.non_null || param.passing.pieces.iter().any(|piece| function.param_is_nonnull(piece.param));
        let cell = argument(&mut maker, param, &record, never_null);
        for piece in &param.passing.pieces {
            args[piece.param as usize] = Some(load(&maker, function, cell, param, piece.param, piece.offset));
        }
        if param.passing.pieces.iter().any(|piece| null_params.contains(&piece.param)) {
            null_passed.push(param.name.clone());
        }
        params.push(Variable { name: param.name.clone(), ty: param.ty, record });
    }
    let most = tuning.unit_object_size;
    if let Some(large) = maker.objects.iter().find(|object| object.size > most) {
        let reason = format!(
            "what `{}` points to would have {} bytes, and {most} are the most; make --array-len or --str-len smaller",
            large.label, large.size
        );
        return Err(LoadError::Entry { function: name, reason });
    }
    let result = call(&maker, function, &signature, args);
    maker.build.ret(maker.build.int(32, 0));
    Ok(described.then(|| Unit {
        function: name,
        file: file.map(|file| path(&file)).unwrap_or_default(),
        types: maker.types.all,
        params,
        result,
        objects: maker.objects,
        globals: unit_globals,
        null_passed,
        own_globals,
        inputs: maker.inputs.get(),
    }))
}

/// The parameters for which a call in the program passes null as it stands there.
fn null_params(function: Value<'_>) -> Vec<u32> {
    let mut null = Vec::new();
    for call in function.users().into_iter().filter(|user| user.is_call() && user.callee() == function) {
        let arguments = call.arguments().into_iter().zip(0..);
        null.extend(arguments.filter(|(argument, _)| argument.is_const_null()).map(|(_, index)| index));
    }
    null
}

/// Refuses parameters that cannot be symbolic.
fn check(module: &Module<'_>, function: Value<'_>, signature: &Signature, types: &Types<'_>) -> Result<(), LoadError> {
    let refused = |reason: String| Err(LoadError::Entry { function: function.name(), reason });
    if function.value_type().is_variadic() {
        return refused("it takes variable arguments".to_string());
    }
    for param in &signature.params {
        if types.get(param.ty).kind == TypeKind::FunctionPointer {
            return refused(format!("its parameter `{}` is a pointer to a function", param.name));
        }
        if let Some(pointee) = types.pointee_made_by_libc(param.ty) {
            let (name, pointee) = (&param.name, pointee.name.as_deref().unwrap_or("type"));
            return refused(format!(
                "its parameter `{name}` points to a `{pointee}`, which only the C library can make"
            ));
        }
        if types.get(param.ty).name.as_deref() == Some("long double") {
            return refused(format!("its parameter `{}` is a long double, which cannot be symbolic", param.name));
        }
        for piece in &param.passing.pieces {
            let ty = function.params()[piece.param as usize].ty();
            let ty = function.param_by_value(piece.param).unwrap_or(ty);
            if !ty.is_sized() || ty.is_scalable() || module.layout().size(ty) > u64::from(u32::MAX) {
                return refused(format!("its parameter `{}` has no fixed size", param.name));
            }
        }
    }
    Ok(())
}

/// Creates the value of a parameter in its record.
fn argument<'m>(maker: &mut Maker<'m>, param: &Param, record: &str, never_null: bool) -> Value<'m> {
    let size = maker.types.get(param.ty).size;
    let cell = maker.module.add_bytes(record, size.max(1), ALIGN);
    match maker.types.get(param.ty).kind {
        TypeKind::Pointer { to, constant } if never_null => maker.point(cell, to, constant, &param.name),
        _ => maker.fill(cell, param.ty, &param.name),
    }
    cell
}

/// The part of a parameter that one LLVM parameter carries.
fn load<'m>(
    maker: &Maker<'m>,
    function: Value<'m>,
    cell: Value<'m>,
    param: &Param,
    number: u32,
    offset: u64,
) -> Value<'m> {
    let build = &maker.build;
    if let Some(ty) = function.param_by_value(number) {
        // A copy, so that the record stays as it is even if the function writes to its parameter.
        let copy = build.alloca(ty, ALIGN);
        copy.set_name(&param.name);
        build.copy(copy, cell, maker.types.get(param.ty).size);
        return copy;
    }
    let ty = function.params()[number as usize].ty();
    // An integer that does not fill its bytes (`_Bool`) is truncated to its width.
    match ty.int_width() {
        Some(width) if width % 8 != 0 => {
            let stored = maker.module.int_type(width.next_multiple_of(8));
            build.resize(build.load(stored, build.offset(cell, offset)), width)
        }
        _ => build.load(ty, build.offset(cell, offset)),
    }
}

/// Calls the function and records its result.
fn call<'m>(
    maker: &Maker<'m>,
    function: Value<'m>,
    signature: &Signature,
    args: Vec<Option<Value<'m>>>,
) -> Option<Variable> {
    let build = &maker.build;
    let ty = function.value_type();
    let mut returned_to = None;
    let args: Vec<Value<'m>> = args
        .into_iter()
        .enumerate()
        .map(|(index, arg)| {
            arg.unwrap_or_else(|| {
                // The remaining LLVM parameter is the address of the result.
                let result = function.param_struct_return(index as u32).unwrap_or(maker.bytes(8));
                let cell = build.alloca(result, ALIGN);
                cell.set_name("result");
                returned_to = Some(cell);
                cell
            })
        })
        .collect();
    let value = build.call(ty, function, &args);
    let result =
        signature.result.map(|ty| Variable { name: "result".to_string(), ty, record: "__secateur.result".to_string() });
    if let Some(result) = &result {
        let size = maker.types.get(result.ty).size;
        let stored = if ty.result().is_void() { 0 } else { maker.module.layout().size(ty.result()) };
        let record = maker.module.add_bytes(&result.record, size.max(stored).max(1), ALIGN);
        match returned_to {
            Some(cell) => build.copy(record, cell, size),
            None if stored > 0 => build.store(whole_bytes(maker, value), record),
            None => {}
        }
    }
    build.store(build.int(8, 1), maker.module.add_bytes(RETURNED, 1, 1));
    result
}

/// An integer that does not fill its bytes, widened to do so.
fn whole_bytes<'m>(maker: &Maker<'m>, value: Value<'m>) -> Value<'m> {
    match value.ty().int_width() {
        Some(width) => maker.build.resize(value, width.next_multiple_of(8)),
        None => value,
    }
}

/// The path of a file, relative to the compiler's working directory.
fn path(file: &DebugFile) -> String {
    let name = std::path::Path::new(&file.name);
    if name.is_absolute() {
        file.name.clone()
    } else {
        std::path::Path::new(&file.directory).join(name).display().to_string()
    }
}
