//! Compiles the one piece that needs LLVM's C++ interface.

use std::path::PathBuf;

fn main() {
    const SOURCE: &str = "src/llvm/constant_intrinsics.cpp";
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={SOURCE}");
    // The same variable that tells the crate `llvm-sys` where LLVM is.
    println!("cargo:rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    let llvm = PathBuf::from(std::env::var_os("LLVM_SYS_191_PREFIX").unwrap_or_else(|| "/usr/lib/llvm-19".into()));
    cc::Build::new()
        .cpp(true)
        .file(SOURCE)
        .std("c++17")
        .flag("-isystem")
        .flag(llvm.join("include"))
        .flag("-fno-exceptions")
        .compile("secateur_constant_intrinsics");
}
