//! Names the libraries that Bitwuzla's static archives need after them on the linker's command line.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-lib=static:-bundle=cadical");
    println!("cargo:rustc-link-lib=gmp");
    println!("cargo:rustc-link-lib=stdc++");
}
