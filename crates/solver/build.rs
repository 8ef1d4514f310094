//! Names the library that Bitwuzla's static archives need.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // On the linker's command line this precedes Bitwuzla, which refers to it. A linker that reads archives only once
    // would drop its members, so the whole archive is linked. The crate `bitwuzla-sys` names GMP and the C++ library
    // itself.
    println!("cargo:rustc-link-lib=static:+whole-archive,-bundle=cadical");
}
