//! Says how the program is linked.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // At a fixed address: the tables of LLVM would need 27,000 relocations at each start, which takes longer than many
    // explorations.
    println!("cargo:rustc-link-arg-bins=-no-pie");
    prefer_archives();
    // Z3 is loaded with its own C++ library, which must not bind to symbols of the one linked here.
    println!("cargo:rustc-link-arg-bins=-Wl,--exclude-libs=ALL");
}

/// Libraries that are linked statically, since loading them takes a millisecond at each start, and their archives.
const LIBRARIES: [(&str, &[&str]); 3] =
    [("stdc++", &["libstdc++.a"]), ("gmp", &["libgmp.a"]), ("gcc_s", &["libgcc_eh.a", "libgcc.a"])];

/// The crates that need these libraries ask the linker for shared ones. This makes it search first in a folder that has
/// only archives of the same names. A library whose archives are not installed stays shared.
fn prefer_archives() {
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo names a folder")).join("archives");
    fs::create_dir_all(&folder).expect("the folder of the build can be written to");
    let compiler = cc::Build::new().cpp(true).get_compiler();
    for (library, archives) in LIBRARIES {
        let file = folder.join(format!("lib{library}.a"));
        match archives.iter().map(|archive| find(&compiler, archive)).collect::<Option<Vec<String>>>() {
            Some(paths) => {
                paths.iter().for_each(|path| println!("cargo:rerun-if-changed={path}"));
                // The linker accepts a script that lists archives in place of an archive.
                fs::write(&file, format!("GROUP ( \"{}\" )\n", paths.join("\" \"")))
                    .expect("the folder of the build can be written to");
            }
            // An earlier build may have found them.
            None => drop(fs::remove_file(&file)),
        }
    }
    println!("cargo:rustc-link-search=native={}", folder.display());
}

/// Where the compiler finds an archive.
fn find(compiler: &cc::Tool, archive: &str) -> Option<String> {
    let output = compiler.to_command().arg(format!("-print-file-name={archive}")).output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    // A compiler that does not find the archive prints its bare name.
    Path::new(&path).is_absolute().then_some(path)
}
