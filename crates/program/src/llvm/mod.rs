//! A thin, lifetime-checked layer over LLVM's C interface.
//!
//! The rest of the crate never sees a raw pointer of LLVM, so the soundness of these calls is argued here and nowhere
//! else: a [`Value`], [`Type`] or [`Block`] only comes out of a live [`Module`] or [`Context`] and borrows it, and each
//! method that is meaningful only for some kinds of value checks the kind first, because LLVM built without assertions
//! does not.

mod build;
mod debug;
mod linker;
mod module;
mod types;
mod value;

pub(crate) use build::CodeBuilder;
pub(crate) use debug::{DebugFile, Metadata};
pub(crate) use linker::Linker;
pub(crate) use module::{Context, Module};
pub(crate) use types::{Layout, Type};
pub(crate) use value::{Block, Value};

use inkwell::llvm_sys::core::LLVMDisposeMessage;
use std::ffi::{CStr, c_char};

/// Takes over a message that LLVM allocated.
///
/// # Safety
/// `message` is null or a string that LLVM allocated and nobody else frees.
unsafe fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
    unsafe { LLVMDisposeMessage(message) };
    text
}

/// Copies a string that LLVM owns.
///
/// # Safety
/// `data` is null or points to `len` readable bytes.
unsafe fn copy_text(data: *const c_char, len: usize) -> String {
    if data.is_null() {
        return String::new();
    }
    String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) }).into_owned()
}
