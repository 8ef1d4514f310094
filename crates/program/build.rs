//! Compiles the pieces that need LLVM's C++ interface.

use std::path::PathBuf;

fn main() {
    const SOURCES: [&str; 4] =
        ["src/llvm/constant_intrinsics.cpp", "src/llvm/details.cpp", "src/llvm/linker.cpp", "src/llvm/processor.cpp"];
    println!("cargo:rerun-if-changed=build.rs");
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
    }
    // The same variable that tells the crate `llvm-sys` where LLVM is.
    println!("cargo:rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    let llvm = PathBuf::from(std::env::var_os("LLVM_SYS_191_PREFIX").unwrap_or_else(|| "/usr/lib/llvm-19".into()));
    cc::Build::new()
        .cpp(true)
        .files(SOURCES)
        .std("c++17")
        .flag("-isystem")
        .flag(llvm.join("include"))
        .flag("-fno-exceptions")
        .flag("-fno-rtti")
        .compile("secateur_llvm");
}
