//! Names the library that Bitwuzla's static archives need.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // On the linker's command line this comes before Bitwuzla, which refers to it; linkers that read archives only once would drop it
    // again, so the whole archive is taken. GMP and the C++ library are named by the crate `bitwuzla-sys` itself.
    println!("cargo:rustc-link-lib=static:+whole-archive,-bundle=cadical");
}
