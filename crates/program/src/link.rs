//! Links the user's files, and adds what they need of the C library.

use crate::error::LoadError;
use crate::index::Index;
use crate::input::{Input, Role};
use crate::llvm::{Context, Linker, Module, Value};
use crate::options::LoadOptions;
use inkwell::llvm_sys::LLVMLinkage;
use rustc_hash::FxHashSet;
use std::path::Path;

/// All files of the user as one module. A static function named `keep` stays, even if nothing calls it.
pub(crate) fn user<'c>(
    context: &'c Context,
    inputs: &[Input],
    keep: Option<&str>,
    warnings: &mut Vec<String>,
) -> Result<Module<'c>, LoadError> {
    let (own, libraries): (Vec<&Input>, Vec<&Input>) =
        inputs.iter().partition(|input| !matches!(input.role, Role::Shared { .. }));
    let (mut own, mut members): (Vec<&Input>, Vec<&Input>) =
        own.into_iter().partition(|input| !matches!(input.role, Role::Member { .. }));
    let roots: Vec<&str> = keep.into_iter().chain(ENTRIES).collect();
    if own.is_empty() {
        // Of archives alone, what the program starts with decides which members are needed; without that, all are.
        match members.iter().position(|member| roots.iter().any(|root| member.defines(root))) {
            Some(first) => own.push(members.remove(first)),
            None => own.append(&mut members),
        }
    }
    let mut libraries = libraries.chunk_by(|a, b| a.role == b.role);
    let (whole, others) = match own.split_first() {
        Some((first, others)) => (read(context, first, warnings)?, others),
        // Only shared objects: the first is the program.
        None => (shared(context, libraries.next().unwrap_or_default(), keep, warnings)?, &[][..]),
    };
    let mut known = strong_symbols(&whole);
    let linker = Linker::new(&whole);
    for input in others {
        add(&whole, &linker, input, keep, &mut known, warnings)?;
    }
    while !members.is_empty() {
        let missing: FxHashSet<String> = undefined(&whole).into_iter().collect();
        let before = members.len();
        let mut waiting = Vec::new();
        for member in members {
            if missing.iter().any(|name| member.defines(name) && !known.contains(name)) {
                add(&whole, &linker, member, keep, &mut known, warnings)?;
            } else {
                waiting.push(member);
            }
        }
        members = waiting;
        if members.len() == before {
            break;
        }
    }
    for library in libraries {
        let module = shared(context, library, keep, warnings)?;
        weaken(&module, &known);
        known.extend(strong_symbols(&module));
        let path = library[0].path.clone();
        linker.add(module).map_err(|reason| LoadError::Link { path, reason })?;
    }
    drop(linker);
    fold_compiler_queries(&whole);
    whole.answer_for_processor();
    Ok(whole)
}

/// What a program starts with.
const ENTRIES: [&str; 2] = ["main", "LLVMFuzzerTestOneInput"];

fn read<'c>(context: &'c Context, input: &Input, warnings: &mut Vec<String>) -> Result<Module<'c>, LoadError> {
    let module = parse(context, input)?;
    input.renames.apply(&module);
    if !module.inline_asm().trim().is_empty() {
        warnings.push(format!("{}: assembly outside of functions is left out", input.path.display()));
    }
    Ok(module)
}

/// Adds a file to a module.
fn add<'c>(
    whole: &Module<'c>,
    linker: &Linker<'_, 'c>,
    input: &Input,
    keep: Option<&str>,
    known: &mut FxHashSet<String>,
    warnings: &mut Vec<String>,
) -> Result<(), LoadError> {
    let module = read(whole.context(), input, warnings)?;
    if let Some(function) = keep.and_then(|name| module.function(name)).filter(|function| !function.is_declaration())
        && whole.function(&function.name()).is_none()
    {
        // When a file is added to others, the linker drops what only that file can use but does not.
        function.set_linkage(LLVMLinkage::LLVMExternalLinkage);
    }
    if input.role != Role::Object {
        // The native linker has accepted it, and of several definitions it takes the first.
        weaken(&module, known);
    }
    let symbols = strong_symbols(&module);
    let duplicate = symbols.iter().filter(|name| known.contains(*name)).min().cloned();
    linker.add(module).map_err(|reason| LoadError::Link {
        path: input.path.clone(),
        reason: match duplicate {
            Some(name) => format!("`{name}` is defined in more than one file"),
            None => reason,
        },
    })?;
    known.extend(symbols);
    Ok(())
}

/// The files of a shared object as one module. Others see only what it exports.
fn shared<'c>(
    context: &'c Context,
    inputs: &[&Input],
    keep: Option<&str>,
    warnings: &mut Vec<String>,
) -> Result<Module<'c>, LoadError> {
    let (first, others) = inputs.split_first().ok_or(LoadError::NoInput)?;
    let module = read(context, first, warnings)?;
    let mut known = strong_symbols(&module);
    let linker = Linker::new(&module);
    for input in others {
        add(&module, &linker, input, keep, &mut known, warnings)?;
    }
    drop(linker);
    for value in definitions(&module) {
        let name = value.name();
        if !first.defines(&name) && !name.starts_with("llvm.") && Some(name.as_str()) != keep {
            value.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        }
    }
    Ok(module)
}

/// Lets what is known take precedence over a module's definitions.
fn weaken(module: &Module<'_>, known: &FxHashSet<String>) {
    for value in definitions(module).filter(|value| is_strong(*value) && known.contains(&value.name())) {
        value.set_linkage(LLVMLinkage::LLVMWeakAnyLinkage);
    }
}

/// One file as a module that LLVM's verifier accepts.
pub(crate) fn parse<'c>(context: &'c Context, input: &Input) -> Result<Module<'c>, LoadError> {
    let path = &input.path;
    let module = context
        .parse(&input.bitcode, &path.to_string_lossy())
        .map_err(|reason| LoadError::NotBitcode { path: path.clone(), reason: one_line(&reason) })?;
    let triple = module.target_triple();
    if !triple.is_empty() && !is_supported(&triple) {
        return Err(LoadError::Target { path: path.clone(), target: triple });
    }
    if !module.layout().is_supported() {
        return Err(LoadError::Target { path: path.clone(), target: "a machine with another data layout".to_string() });
    }
    if triple.is_empty() {
        module.set_target_triple("x86_64-pc-linux-gnu");
    }
    module.verify().map_err(|reason| LoadError::Invalid { path: path.clone(), reason: one_line(&reason) })?;
    Ok(module)
}

/// Whether code for this target can be linked with ours: x86-64, and no system with a calling convention of its own.
fn is_supported(triple: &str) -> bool {
    let mut parts = triple.split('-');
    let system = triple.split('-').nth(2).unwrap_or("unknown");
    parts.next() == Some("x86_64") && ["linux", "unknown", "none", "elf"].iter().any(|known| system.starts_with(known))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Replaces queries to the compiler (`__builtin_object_size`, `__builtin_constant_p`) by its answers, so that the
/// program behaves as when it is compiled.
fn fold_compiler_queries(module: &Module<'_>) {
    let asked = module.functions().into_iter().any(|function| {
        let name = function.name();
        name.starts_with("llvm.objectsize.") || name.starts_with("llvm.is.constant.")
    });
    if asked {
        module.lower_constant_intrinsics();
    }
}

/// The external, non-replaceable names that a module defines.
fn strong_symbols(module: &Module<'_>) -> FxHashSet<String> {
    definitions(module).filter(|value| is_strong(*value)).map(|value| value.name()).collect()
}

/// Everything that a module defines.
fn definitions<'m>(module: &'m Module<'_>) -> impl Iterator<Item = Value<'m>> {
    let all = module.functions().into_iter().chain(module.globals()).filter(|value| !value.is_declaration());
    all.chain(module.aliases()).chain(module.ifuncs())
}

fn is_strong(value: Value<'_>) -> bool {
    matches!(value.linkage(), LLVMLinkage::LLVMExternalLinkage)
}

/// Adds the members of the C library that define undefined symbols, then those that these need, and so on.
pub(crate) fn library(module: &Module<'_>, options: &LoadOptions) -> Result<(), LoadError> {
    let Some(folder) = &options.runtime.libc else { return Ok(()) };
    let index = Index::read(folder)?;
    let shims: FxHashSet<&str> = options.shims.iter().map(String::as_str).collect();
    let mut known = strong_symbols(module);
    let linker = Linker::new(module);
    let mut linked = FxHashSet::default();
    loop {
        let mut needed = Vec::new();
        // When `main` returns, `exit` runs without an explicit call: it flushes buffers and runs the destructors.
        for symbol in undefined(module).into_iter().chain(["exit".to_string()]) {
            if shims.contains(symbol.as_str()) {
                continue;
            }
            if let Some(member) = index.member(&symbol)?
                && linked.insert(member)
            {
                needed.push(member);
            }
        }
        if needed.is_empty() {
            return Ok(());
        }
        for member in needed {
            add_member(module, &linker, &folder.join(member), &mut known)?;
        }
    }
}

/// The names that a module uses but does not define.
fn undefined(module: &Module<'_>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for function in module.functions().into_iter().filter(|function| function.is_declaration()) {
        let name = function.name();
        if function.is_intrinsic() {
            names.extend(crate::lower::library_functions(&name));
        } else if function.is_used() {
            names.push(name);
        }
    }
    let globals = module.globals().into_iter().filter(|global| global.is_declaration());
    names.extend(globals.map(|global| global.name()));
    names.retain(|name| module.function(name).is_none_or(|function| function.is_declaration()));
    names.sort();
    names.dedup();
    names
}

/// Links one member of the C library; `known` is what the program already defines.
fn add_member<'c>(
    module: &Module<'c>,
    linker: &Linker<'_, 'c>,
    path: &Path,
    known: &mut FxHashSet<String>,
) -> Result<(), LoadError> {
    let bytes = std::fs::read(path).map_err(|error| LoadError::Read { path: path.to_path_buf(), error })?;
    let damaged = |reason: String| LoadError::Runtime { reason: format!("{}: {}", path.display(), one_line(&reason)) };
    let member = module.context().parse(&bytes, &path.to_string_lossy()).map_err(damaged)?;
    for value in definitions(&member).filter(|value| is_strong(*value)) {
        // A program may define functions of the C library itself; its definitions take precedence.
        if !known.insert(value.name()) {
            value.set_linkage(LLVMLinkage::LLVMWeakAnyLinkage);
        }
    }
    linker.add(member).map_err(damaged)
}
