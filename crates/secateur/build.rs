//! Says how the program is linked.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // At a fixed address: the tables of LLVM would need 27,000 relocations at each start, longer than many runs take to explore.
    println!("cargo:rustc-link-arg-bins=-no-pie");
}
