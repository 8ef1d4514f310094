//! The options of clang that everything here is compiled with.

/// What clang 19 refuses and older compilers warn of: warnings again, so that old programs compile.
pub const OLD_C: [&str; 5] = [
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
];

/// Bitcode to be explored: names are kept for people; lowering splits vectors into scalars again, and vectorised loops
/// have more branches. glibc's headers offer functions such as `putc_unlocked` inline when they are optimised, which
/// look into the buffers of streams; those of the machine and of a native run are not filled alike.
pub const FOR_BITCODE: [&str; 4] =
    ["-fno-discard-value-names", "-fno-vectorize", "-fno-slp-vectorize", "-D__NO_INLINE__"];

/// With `-fsanitize=`: this sanitizer compares bytes in front of each function, which only functions compiled with it
/// have; the machine checks calls itself.
pub const WITH_SANITIZERS: [&str; 1] = ["-fno-sanitize=function"];
