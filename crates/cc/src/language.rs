//! The language of a file, by its ending or the option `-x`.

/// What clang does with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    /// It compiles to bitcode, as this language of `-x`.
    Bitcode(&'static str),
    /// It is compiled, but not to bitcode that could be used; this is why.
    Skipped(&'static str),
    /// It goes to the linker.
    Object,
}

const C: Language = Language::Bitcode("c");
const PREPROCESSED: Language = Language::Bitcode("cpp-output");
const IR: Language = Language::Bitcode("ir");
const ASSEMBLY: Language = Language::Skipped("assembly");
const CPP: Language = Language::Skipped("C++ is not supported");
const OTHER: Language = Language::Skipped("only C is supported");
const HEADER: Language = Language::Skipped("a header");

impl Language {
    /// What `-x` names; `None` for `none`, which gives the choice back to the endings.
    pub(crate) fn of_option(name: &str) -> Option<Language> {
        Some(match name {
            "none" => return None,
            "c" => C,
            "cpp-output" | "c-cpp-output" => PREPROCESSED,
            "ir" => IR,
            "assembler" | "assembler-with-cpp" => ASSEMBLY,
            name if name.starts_with("c++") => CPP,
            name if name.ends_with("-header") => HEADER,
            _ => OTHER,
        })
    }

    /// What the ending of a file says.
    pub(crate) fn of_file(name: &str) -> Language {
        let ending = std::path::Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or("");
        match ending {
            "c" => C,
            "i" => PREPROCESSED,
            "bc" | "ll" => IR,
            "s" | "S" | "sx" | "asm" => ASSEMBLY,
            "C" | "cc" | "cp" | "cpp" | "cxx" | "CPP" | "CXX" | "c++" | "ii" => CPP,
            "m" | "mm" | "M" | "mi" | "mii" | "f" | "F" | "f90" | "F90" | "cu" | "cl" | "hip" => OTHER,
            "h" | "hh" | "hpp" | "H" | "hxx" => HEADER,
            _ => Language::Object,
        }
    }
}
