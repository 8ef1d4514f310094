//! Generates the `main` with which a program starts, if it has no suitable one.
//!
//! It is LLVM code in the user's module, so that native replay runs the same code.

mod function;
mod globals;
mod objects;
mod passing;
mod signature;
pub(crate) mod types;
mod unused;

use crate::error::LoadError;
use crate::llvm::{CodeBuilder, Module, Value};
use crate::nearest::nearest;
use crate::options::{Entry, LoadOptions};
use crate::unit::Unit;
use inkwell::llvm_sys::LLVMIntPredicate;

/// The maximum input of a libFuzzer harness, unless the user says otherwise; it is libFuzzer's own default.
pub const DEFAULT_MAX_LEN: u32 = 4096;

/// The new name of the program's own `main` if another one is generated.
pub const ORIGINAL_MAIN: &str = "__secateur_original_main";

const FUZZ_TARGET: &str = "LLVMFuzzerTestOneInput";

/// The most bytes that the program is given as a libFuzzer harness; `None` if it is not run as one.
pub(crate) fn fuzzer_max_len(module: &Module<'_>, entry: &Entry) -> Option<u32> {
    match entry {
        Entry::LibFuzzer { max_len } => Some(*max_len),
        Entry::Auto if defined(module, "main").is_none() => Some(DEFAULT_MAX_LEN),
        Entry::Auto | Entry::Main | Entry::Function(_) => None,
    }
}

/// Ensures that the module has the `main` that the user wants; returns a description of the function if a single one is
/// tested.
pub(crate) fn add(module: &Module<'_>, options: &LoadOptions) -> Result<Option<Unit>, LoadError> {
    let pin_size = options.pin_size;
    match &options.entry {
        Entry::Auto if defined(module, "main").is_some() => Ok(None),
        Entry::Auto if defined(module, FUZZ_TARGET).is_some() => {
            fuzz_target(module, DEFAULT_MAX_LEN, pin_size).map(|()| None)
        }
        Entry::Auto => Err(LoadError::NoEntry),
        Entry::Main => require(module, "main").map(|_| None),
        Entry::LibFuzzer { max_len } => fuzz_target(module, *max_len, pin_size).map(|()| None),
        Entry::Function(unit) => function::add(module, require(module, &unit.function)?, unit, &options.tuning),
    }
}

/// The functions that the user's source files define, in order, without `main` and functions from headers.
pub(crate) fn functions(module: &Module<'_>) -> Vec<String> {
    let defined = module.functions().into_iter().filter(|function| !function.is_declaration());
    let own = defined.filter(|function| {
        let file = function.subprogram().and_then(|node| node.file_node()).and_then(|node| node.file());
        file.is_none_or(|file| !file.name.ends_with(".h"))
    });
    own.map(|function| function.name()).filter(|name| name != "main").collect()
}

fn defined<'m>(module: &'m Module<'_>, name: &str) -> Option<Value<'m>> {
    module.function(name).filter(|function| !function.is_declaration())
}

/// The function of this name, or an error that suggests a similar one.
fn require<'m>(module: &'m Module<'_>, name: &str) -> Result<Value<'m>, LoadError> {
    defined(module, name).ok_or_else(|| {
        let names = module.functions().into_iter().filter(|function| !function.is_declaration());
        LoadError::NoFunction { name: name.to_string(), nearest: nearest(name, names.map(|function| function.name())) }
    })
}

/// Begins a generated `main`; returns it and its parameters. An existing `main` is renamed.
fn start_main<'m>(module: &'m Module<'m>, build: &CodeBuilder<'m>) -> Value<'m> {
    if let Some(main) = module.function("main") {
        main.set_name(ORIGINAL_MAIN);
    }
    let ty = module.function_type(module.int_type(32), &[module.int_type(32), module.pointer_type()]);
    let main = module.declare("main", ty);
    build.start_block(main);
    main
}

/// Declares and calls a function that returns nothing.
fn call_void<'m>(module: &'m Module<'m>, build: &CodeBuilder<'m>, name: &str, args: &[Value<'m>]) {
    let params: Vec<_> = args.iter().map(|arg| arg.ty()).collect();
    let ty = module.function_type(module.void_type(), &params);
    build.call(ty, module.declare(name, ty), args);
}

/// Makes bytes symbolic, under a name.
fn make_symbolic<'m>(module: &'m Module<'m>, build: &CodeBuilder<'m>, address: Value<'m>, size: Value<'m>, name: &str) {
    call_void(module, build, "klee_make_symbolic", &[address, size, build.text(name)]);
}

/// A `main` that calls a libFuzzer target once, with symbolic data of a symbolic size. With `pin_size`, each size is a
/// path of its own; else the size is decided where the program looks at it.
fn fuzz_target(module: &Module<'_>, max_len: u32, pin_size: bool) -> Result<(), LoadError> {
    let target = require(module, FUZZ_TARGET)?;
    let build = CodeBuilder::new(module);
    let main = start_main(module, &build);
    let (word, pointer) = (module.int_type(64), module.pointer_type());
    if let Some(initialize) = defined(module, "LLVMFuzzerInitialize") {
        let args: Vec<Value<'_>> = main
            .params()
            .into_iter()
            .map(|param| {
                let cell = build.alloca(param.ty(), 8);
                build.store(param, cell);
                cell
            })
            .collect();
        build.call(module.function_type(module.int_type(32), &[pointer, pointer]), initialize, &args);
    }
    let cell = build.alloca(word, 8);
    make_symbolic(module, &build, cell, build.int(64, 8), "size");
    // Four bytes are enough, and then every type that a program keeps the size in has the same word of input.
    let size = build.resize(build.load(module.int_type(32), cell), 64);
    let fits = build.compare(LLVMIntPredicate::LLVMIntULE, size, build.int(64, u64::from(max_len)));
    call_void(module, &build, "klee_assume", &[build.resize(fits, 64)]);
    let data = if pin_size {
        let malloc = module.function_type(pointer, &[word]);
        let data = build.call(malloc, module.declare("malloc", malloc), &[size]);
        make_symbolic(module, &build, data, size, "data");
        data
    } else {
        let create = module.function_type(pointer, &[word, word]);
        let most = build.int(64, u64::from(max_len));
        build.call(create, module.declare("__secateur_data", create), &[size, most])
    };
    build.call(module.function_type(module.int_type(32), &[pointer, word]), target, &[data, size]);
    // As libFuzzer does: memory that is still allocated at the end was leaked by the target.
    call_void(module, &build, "free", &[data]);
    build.ret(build.int(32, 0));
    Ok(())
}
