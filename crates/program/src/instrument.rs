//! Prepares the user's program for native replay: it records which branches and blocks run, and stops where the
//! behaviour is undefined.

use crate::error::LoadError;
use crate::fresh;
use crate::guard::{self, Failure, Report};
use crate::interposed::interpose;
use crate::llvm::{CodeBuilder, Context, Module, Value};
use crate::number::{Kinds, is_user};
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode};

/// What to add.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct InstrumentOptions {
    /// Mark the user's functions for AddressSanitizer.
    pub asan: bool,
    /// Mark the user's functions for MemorySanitizer.
    pub msan: bool,
    /// Call `__secateur_branch(number, outcome)` before each branch and `__secateur_block(number)` in each block.
    pub trace: bool,
    /// Prepare a libFuzzer harness to be run many times: it is called directly instead of by `main`, only branches are
    /// recorded, and fresh memory is left as it is.
    pub many_runs: bool,
}

/// Instruments [`crate::Loaded::user_bitcode`] and returns bitcode again. A child process reads the input, since the
/// file may have been damaged.
pub fn instrument(user_bitcode: &[u8], options: &InstrumentOptions) -> Result<Vec<u8>, LoadError> {
    let report = guard::in_child(guard::time_for(user_bitcode.len()), |parent| match add(user_bitcode, options) {
        Ok(bitcode) => {
            parent.send(b"");
            parent.send(&bitcode);
        }
        Err(reason) => parent.send(reason.as_bytes()),
    });
    let Report { messages, failure } = report.map_err(|error| LoadError::NoChild { error })?;
    let mut messages = messages.into_iter();
    let malformed = |reason: String| Err(LoadError::Malformed { reason });
    match (messages.next(), messages.next(), failure) {
        (Some(_), Some(bitcode), None) => Ok(bitcode),
        (Some(reason), None, None) => malformed(String::from_utf8_lossy(&reason).into_owned()),
        (_, _, failure) => malformed(failure.unwrap_or(Failure::Crashed).to_string()),
    }
}

fn add(user_bitcode: &[u8], options: &InstrumentOptions) -> Result<Vec<u8>, String> {
    let context = Context::new();
    let module = context.parse(user_bitcode, "program.bc")?;
    let kinds = Kinds::new(&context);
    // A sanitizer replaces this function by one that calls back into the program more often than the C library does.
    if let Some(sort) = module.function("qsort").filter(|function| function.is_declaration()) {
        sort.set_name("__secateur_qsort");
    }
    if !options.many_runs {
        interpose(&module);
    }
    if let Some(main) = module.function("main").filter(|_| options.many_runs) {
        // Nobody calls it any more, so the compiler drops it.
        main.set_name("__secateur_main");
        main.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    }
    for function in module.functions() {
        if function.is_declaration() || !is_user(function) {
            continue;
        }
        remove_purity_attributes(function);
        if options.many_runs {
            add_branches(&module, function, kinds);
        } else {
            fresh::announce(&module, function);
            add_calls(&module, function, kinds, options.trace);
        }
        if options.asan {
            expect_no_alignment(function);
            function.add_enum_attribute("sanitize_address");
        }
        if options.msan {
            function.add_enum_attribute("sanitize_memory");
        }
    }
    // A sanitizer refuses sizes that are no multiple of the alignment, which the C library accepts. Allocations were
    // announced by this name above.
    let allocate = module.function("aligned_alloc").filter(|function| function.is_declaration());
    if let Some(allocate) = allocate.filter(|_| !options.many_runs) {
        allocate.set_name("__secateur_aligned_alloc");
    }
    if options.many_runs {
        // Nobody looks for a line in it, and it compiles faster.
        module.strip_debug_info();
    }
    module.verify()?;
    Ok(module.to_bitcode())
}

/// AddressSanitizer trusts alignment, and then checks a single byte of an access. But an address computed by a cast or
/// an index can be unaligned, so that the access begins in an object and ends behind it. Without the alignment, both
/// ends are checked.
fn expect_no_alignment(function: Value<'_>) {
    let instructions = function.blocks().into_iter().flat_map(|block| block.instructions());
    for access in
        instructions.filter(|inst| matches!(inst.opcode(), Some(LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMStore)))
    {
        access.allow_any_alignment();
    }
}

/// Attributes that the compiler inferred no longer hold for a function that records its branches: a call must not be
/// dropped because its result is unused.
fn remove_purity_attributes(function: Value<'_>) {
    const PROMISES: [&str; 6] = ["memory", "readnone", "readonly", "willreturn", "nounwind", "speculatable"];
    for promise in PROMISES {
        function.remove_enum_attribute(promise);
        let calls = function.blocks().into_iter().flat_map(|block| block.instructions());
        for call in calls.filter(|inst| inst.is_call() && !inst.is_intrinsic_call()) {
            call.remove_call_attribute(promise);
        }
    }
}

/// Adds the calls that record branches, and no others.
fn add_branches<'m>(module: &'m Module<'m>, function: Value<'m>, kinds: Kinds) {
    let build = CodeBuilder::new(module);
    for terminator in function.blocks().into_iter().filter_map(|block| block.terminator()) {
        add_branch(module, &build, terminator, kinds);
    }
}

fn add_branch<'m>(module: &'m Module<'m>, build: &CodeBuilder<'m>, terminator: Value<'m>, kinds: Kinds) {
    if let Some(number) = terminator.number(kinds.branch) {
        build.before(terminator);
        let outcome = outcome(build, terminator);
        call(module, build, "__secateur_branch", &[build.int(32, u64::from(number)), outcome]);
    }
}

fn add_calls<'m>(module: &'m Module<'m>, function: Value<'m>, kinds: Kinds, trace: bool) {
    let build = CodeBuilder::new(module);
    let is_main = function.name() == "main";
    if is_main {
        copy_arguments(module, &build, function);
    }
    for block in function.blocks() {
        let Some(terminator) = block.terminator() else { continue };
        let instructions = block.instructions();
        for inst in instructions.iter().filter(|inst| inst.is_call() && inst.callee().name() == "klee_make_symbolic") {
            // Old harnesses pass no name, and the value of a missing argument is undefined.
            if inst.arguments().len() < 3 {
                let ty = module.function_type(module.void_type(), &[module.pointer_type(), module.int_type(64)]);
                inst.set_callee(module.declare("__secateur_make_unnamed", ty));
            }
        }
        if terminator.is_unreachable() {
            let before = instructions.iter().rev().skip(1).find(|inst| !inst.is_debug_intrinsic());
            if !before.is_some_and(|inst| inst.is_call() && inst.call_is_noreturn()) {
                build.before(terminator);
                call(module, &build, "__secateur_unreachable", &[]);
            }
        }
        for inst in instructions.iter().filter(|inst| inst.is_call() && inst.callee().name() == "llvm.assume") {
            build.before(*inst);
            let holds = build.resize(inst.operand(0), 32);
            call(module, &build, "__secateur_assume", &[holds]);
        }
        if terminator.is_return() && is_main {
            build.before(terminator);
            call(module, &build, "__secateur_forget_frames", &[]);
            fresh::forget_locals(module, &build, function);
        }
        if !trace {
            continue;
        }
        add_branch(module, &build, terminator, kinds);
        if let Some(number) = terminator.number(kinds.block) {
            // After the stack variables, so that these stay together at the start of the function.
            let stays = |inst: Value<'_>| {
                inst.is_phi() || inst.is_alloca() || inst.is_debug_intrinsic() || inst.is_landing_pad()
            };
            let first = instructions.iter().find(|inst| !stays(**inst));
            build.before(first.copied().unwrap_or(terminator));
            call(module, &build, "__secateur_block", &[build.int(32, u64::from(number))]);
        }
    }
}

/// Copies the arguments of `main` to separate memory, whose bounds a sanitizer knows.
fn copy_arguments<'m>(module: &'m Module<'m>, build: &CodeBuilder<'m>, main: Value<'m>) {
    let params = main.params();
    let [count, list, ..] = params.as_slice() else { return };
    if count.ty().int_width() != Some(32) || !list.ty().is_pointer() {
        return;
    }
    let Some(entry) = main.blocks().into_iter().next() else { return };
    let first = entry.instructions().into_iter().find(|inst| !inst.is_alloca() && !inst.is_debug_intrinsic());
    let Some(first) = first else { return };
    build.before(first);
    let ty = module.function_type(module.void_type(), &[module.int_type(32), module.pointer_type()]);
    build.call(ty, module.declare("__secateur_arguments", ty), &[*count, *list]);
}

/// The outcome of a terminator, numbered as in the lowered code.
fn outcome<'m>(build: &CodeBuilder<'m>, terminator: Value<'m>) -> Value<'m> {
    if !terminator.is_switch() {
        return build.resize(terminator.operand(0), 32);
    }
    let value = terminator.operand(0);
    let mut outcome = build.int(32, 0);
    let mut blocks: Vec<_> = terminator.successors().into_iter().take(1).collect();
    for (case, block) in terminator.switch_cases() {
        let index = blocks.iter().position(|known| *known == block).unwrap_or_else(|| {
            blocks.push(block);
            blocks.len() - 1
        });
        let taken = build.compare(LLVMIntPredicate::LLVMIntEQ, value, case);
        outcome = build.select(taken, build.int(32, index as u64), outcome);
    }
    outcome
}

fn call<'m>(module: &'m Module<'m>, build: &CodeBuilder<'m>, name: &str, args: &[Value<'m>]) {
    let params = vec![module.int_type(32); args.len()];
    let ty = module.function_type(module.void_type(), &params);
    build.call(ty, module.declare(name, ty), args);
}
