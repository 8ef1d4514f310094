//! What has to be known of clang's options: which have their value in the next argument, which end before an object is
//! made, and which mean nothing for bitcode.

/// Options whose value is the next argument, unless it is joined to a short one.
#[rustfmt::skip]
const WITH_VALUE: &[&str] = &[
    "--assert", "--config", "--define-macro", "--entry", "--for-linker", "--force-link", "--imacros", "--include",
    "--include-directory", "--include-directory-after", "--include-prefix", "--include-with-prefix",
    "--include-with-prefix-after", "--include-with-prefix-before", "--language", "--library-directory", "--output",
    "--param", "--prefix", "--serialize-diagnostics", "--sysroot", "--undefine-macro", "-A", "-B", "-D", "-F", "-G",
    "-I", "-L", "-MF", "-MJ", "-MQ", "-MT", "-T", "-Tbss", "-Tdata", "-Ttext", "-U", "-V", "-Xanalyzer",
    "-Xassembler", "-Xclang", "-Xlinker", "-Xopenmp-target", "-Xpreprocessor", "-arch", "-aux-info", "-b",
    "-cxx-isystem", "-dumpbase", "-dumpbase-ext", "-dumpdir", "-e", "-framework", "-idirafter", "-iframework",
    "-imacros", "-imultilib", "-include", "-include-pch", "-iprefix", "-iquote", "-isysroot", "-isystem",
    "-ivfsoverlay", "-iwithprefix", "-iwithprefixbefore", "-iwithsysroot", "-l", "-mllvm", "-o", "-rpath",
    "-serialize-diagnostics", "-target", "-u", "-working-directory", "-x", "-z",
];

/// Whether the value of an option is the next argument.
pub(crate) fn takes_next(option: &str) -> bool {
    WITH_VALUE.binary_search(&option).is_ok()
}

/// Whether the compiler stops before it makes an object, or only says something.
pub(crate) fn makes_no_object(option: &str) -> bool {
    #[rustfmt::skip]
    const EXACT: &[&str] = &[
        "-###", "--analyze", "--help", "--precompile", "--preprocess", "--version", "-E", "-M", "-MM", "-S",
        "-emit-ast", "-emit-llvm", "-fsyntax-only", "-help",
    ];
    let says = ["-print-", "--print-", "-dumpmachine", "-dumpversion", "-dumpfullversion", "-dumpspecs", "--help-"];
    EXACT.contains(&option) || says.iter().any(|start| option.starts_with(start))
}

/// Whether an option asks for optimisation at link time. There would be no objects, so these are left out.
pub(crate) fn is_lto(option: &str) -> bool {
    let all = ["-flto", "-ffat-lto-objects", "-fno-fat-lto-objects", "-fuse-linker-plugin", "-fwhole-program"];
    all.iter().any(|start| option.starts_with(start))
}

/// What becomes of an option when a file is compiled to bitcode.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ForBitcode {
    Keep,
    /// It is for the linker, has side effects such as files of its own, or adds code to the native program alone.
    Drop,
    Replace(String),
}

pub(crate) fn for_bitcode(option: &str) -> ForBitcode {
    #[rustfmt::skip]
    const EXACT: &[&str] = &[
        "-c", "-v", "-p", "-pg", "-r", "-s", "-shared", "-static", "-MD", "-MMD", "-MP", "-MG", "-MV", "-coverage",
        "--coverage", "-finstrument-functions", "--output", "--language", "-x", "-z", "-u", "-e", "-rpath",
        "-Xlinker", "--library-directory", "--for-linker", "--force-link", "--entry", "--compile", "--verbose",
    ];
    // `-o`, `-l` and their like may have their value joined to them.
    #[rustfmt::skip]
    const STARTS: &[&str] = &[
        "-o", "-l", "-L", "-x", "-MF", "-MT", "-MQ", "-MJ", "-T", "-Wl,", "-Wp,-M", "-save-temps", "--save-temps",
        "-ftime-", "-gsplit-dwarf", "-fsave-optimization-record", "-foptimization-record", "-fstack-usage",
        "-serialize-diagnostics", "--serialize-diagnostics", "-fprofile-", "-fcs-profile-", "-fcoverage-",
        "-ftest-coverage", "-fsanitize-coverage", "--output=", "--language=", "--write-", "-fuse-ld",
    ];
    if let Some(names) = option.strip_prefix("-fsanitize=") {
        return sanitizers(names);
    }
    if EXACT.contains(&option) || STARTS.iter().any(|start| option.starts_with(start)) || is_lto(option) {
        return ForBitcode::Drop;
    }
    ForBitcode::Keep
}

/// Checks for undefined behaviour are part of the program; what checks memory is not, as the machine does that itself.
fn sanitizers(names: &str) -> ForBitcode {
    #[rustfmt::skip]
    const OF_MEMORY: &[&str] = &[
        "address", "cfi", "dataflow", "fuzzer", "hwaddress", "kcfi", "kernel-address", "kernel-hwaddress",
        "kernel-memory", "leak", "memory", "memtag", "numerical", "realtime", "safe-stack", "scudo",
        "shadow-call-stack", "thread", "type",
    ];
    let of_memory = |name: &str| OF_MEMORY.iter().any(|other| name.starts_with(other));
    let kept: Vec<&str> = names.split(',').filter(|name| !of_memory(name)).collect();
    match kept.is_empty() {
        true => ForBitcode::Drop,
        false => ForBitcode::Replace(format!("-fsanitize={}", kept.join(","))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(WITH_VALUE.is_sorted());
    }

    #[test]
    fn sanitizers_of_memory_are_left_out() {
        assert_eq!(for_bitcode("-fsanitize=address,fuzzer-no-link"), ForBitcode::Drop);
        assert_eq!(for_bitcode("-fsanitize=undefined,address"), ForBitcode::Replace("-fsanitize=undefined".into()));
    }

    #[test]
    fn only_what_compiling_needs_is_kept() {
        for option in ["-O2", "-DX=1", "-I.", "-std=c99", "-include", "-m32", "-fno-builtin", "-Wall", "-pthread"] {
            assert_eq!(for_bitcode(option), ForBitcode::Keep, "{option}");
        }
        for option in ["-c", "-oa.o", "-lm", "-MMD", "-MFa.d", "-Wl,-z,now", "-flto=auto", "--coverage", "-Wp,-MD,a.d"]
        {
            assert_eq!(for_bitcode(option), ForBitcode::Drop, "{option}");
        }
    }
}
