//! Announces to the replay library all fresh memory that the user's code allocates, in the order in which the machine
//! counts it, so that a test can define its content before the program writes to it (`--uninit any`).

use crate::llvm::{CodeBuilder, Module, Value};
use inkwell::llvm_sys::LLVMIntPredicate;

/// Adds a call of `__secateur_fresh(address, size, count)`, or of `__secateur_fresh_stack`, after each instruction that
/// allocates memory.
pub(crate) fn announce<'m>(module: &'m Module<'m>, function: Value<'m>) {
    let build = CodeBuilder::new(module);
    for block in function.blocks() {
        let instructions = block.instructions();
        for (index, inst) in instructions.iter().enumerate() {
            // Stack variables stay together at the start of the function.
            let mut behind = instructions[index + 1..].iter();
            let Some(next) = behind.find(|inst| !inst.is_alloca() && !inst.is_debug_intrinsic()) else {
                continue;
            };
            build.before(*next);
            if let Some(memory) = allocated_by(module, &build, *inst) {
                let on_stack = inst.is_alloca() || inst.is_intrinsic_call();
                add_call(module, &build, if on_stack { "__secateur_fresh_stack" } else { "__secateur_fresh" }, memory);
            }
        }
    }
}

/// The address, the size and the count of what an instruction allocates.
fn allocated_by<'m>(module: &'m Module<'m>, build: &CodeBuilder<'m>, inst: Value<'m>) -> Option<[Value<'m>; 3]> {
    let one = build.int(64, 1);
    if inst.is_alloca() {
        let ty = inst.allocated_type();
        let fixed = ty.is_sized() && !ty.is_scalable();
        return fixed.then(|| [inst, build.int(64, module.layout().size(ty)), build.resize(inst.operand(0), 64)]);
    }
    if !inst.is_call() {
        return None;
    }
    let (callee, args) = (inst.callee(), inst.arguments());
    let name = callee.name();
    if name.starts_with("llvm.lifetime.start") {
        return Some([*args.get(1)?, *args.first()?, one]);
    }
    let usual = |arg: &Value<'m>| arg.ty().is_pointer() || arg.ty().int_width() == Some(64);
    if !callee.is_declaration() || !args.iter().all(usual) {
        return None;
    }
    match (name.as_str(), args.as_slice()) {
        ("malloc" | "valloc", [size]) => Some([inst, *size, one]),
        ("calloc", [count, size]) => Some([inst, *size, *count]),
        ("realloc" | "aligned_alloc" | "memalign", [_, size]) => Some([inst, *size, one]),
        ("reallocarray", [_, count, size]) => Some([inst, *size, *count]),
        ("posix_memalign", [place, _, size]) => {
            let made = build.load(module.pointer_type(), *place);
            let done = build.compare(LLVMIntPredicate::LLVMIntEQ, build.resize(inst, 32), build.int(32, 0));
            Some([build.select(done, made, build.null()), *size, one])
        }
        _ => None,
    }
}

fn add_call<'m>(module: &'m Module<'m>, build: &CodeBuilder<'m>, name: &str, memory: [Value<'m>; 3]) {
    let number = module.int_type(64);
    let ty = module.function_type(module.void_type(), &[module.pointer_type(), number, number]);
    build.call(ty, module.declare(name, ty), &memory);
}

/// Adds calls of `__secateur_forget_local` where `main` returns: memory to which only its variables point is then
/// leaked, so leak detection must not find these variables on the stack.
///
/// A variable-length array is gone by then: its place belongs to whatever is called, so nothing may be written there.
pub(crate) fn forget_locals<'m>(module: &'m Module<'m>, build: &CodeBuilder<'m>, main: Value<'m>) {
    let blocks = main.blocks();
    let Some(entry) = blocks.first() else { return };
    let restores = |inst: &Value<'m>| inst.is_call() && inst.callee().name().starts_with("llvm.stackrestore");
    let may_be_gone = blocks.iter().any(|block| block.instructions().iter().any(restores));
    let allocas = entry.instructions().into_iter().filter(|inst| inst.is_alloca());
    for alloca in allocas.filter(|alloca| !may_be_gone || alloca.operand(0).is_constant()) {
        if let Some(memory) = allocated_by(module, build, alloca) {
            add_call(module, build, "__secateur_forget_local", memory);
        }
    }
}
