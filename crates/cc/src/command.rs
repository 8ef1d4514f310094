//! A command line of the compiler, taken apart.

use crate::language::Language;
use crate::options;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// What a command line asks for.
#[derive(Debug)]
pub(crate) struct Invocation {
    pub(crate) mode: Mode,
    pub(crate) arguments: Vec<Argument>,
    /// The value of `-o`.
    pub(crate) output: Option<OsString>,
}

/// How far the compiler goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// To objects: `-c`.
    Compile,
    /// To an executable, a shared object, or one object made of several.
    Link,
    /// It makes no object: `-E`, `-S`, `--version` and the like.
    Other,
}

/// One argument, with its value if that is the next one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Argument {
    Option {
        name: OsString,
        value: Option<OsString>,
    },
    Input(Input),
    /// `--`: only files follow.
    End,
}

/// A file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Input {
    pub(crate) name: OsString,
    pub(crate) language: Language,
}

impl Input {
    /// Whether the source is read from standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        self.name == "-"
    }

    /// The name for another command line, where it must not look like an option.
    pub(crate) fn as_operand(&self) -> PathBuf {
        match !self.is_stdin() && self.name.as_encoded_bytes().starts_with(b"-") {
            true => Path::new(".").join(&self.name),
            false => self.name.clone().into(),
        }
    }
}

impl Invocation {
    /// Takes a command line apart. Response files have been expanded.
    pub(crate) fn parse(words: &[OsString]) -> Invocation {
        let mut arguments = Vec::new();
        let mut forced = None;
        let mut only_files = false;
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let text = word.to_string_lossy();
            if only_files || text == "-" || !text.starts_with('-') {
                let language = forced.unwrap_or_else(|| Language::of_file(&text));
                arguments.push(Argument::Input(Input { name: word.clone(), language }));
            } else if text == "--" {
                only_files = true;
                arguments.push(Argument::End);
            } else {
                let value = if options::takes_next(&text) { words.next().cloned() } else { None };
                let language = match &value {
                    Some(value) if text == "-x" || text == "--language" => Some(value.to_string_lossy()),
                    _ => joined(&text, &["-x", "--language="]).map(Into::into),
                };
                if let Some(language) = language {
                    forced = Language::of_option(&language);
                }
                arguments.push(Argument::Option { name: word.clone(), value });
            }
        }
        let output = output(&arguments);
        Invocation { mode: mode(&arguments), arguments, output }
    }

    /// The files that are compiled.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &Input> {
        self.inputs().filter(|input| input.language != Language::Object)
    }

    fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Input(input) => Some(input),
            _ => None,
        })
    }

    /// Whether the options contain this one.
    pub(crate) fn has(&self, option: &str) -> bool {
        self.options().any(|(name, _)| name == option)
    }

    /// All options, with those of their values that are separate.
    pub(crate) fn options(&self) -> impl Iterator<Item = (&OsStr, Option<&OsStr>)> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Option { name, value } => Some((name.as_os_str(), value.as_deref())),
            _ => None,
        })
    }

    /// Whether it compiles for another kind of machine.
    pub(crate) fn is_for_another_machine(&self) -> bool {
        self.options().any(|(name, value)| {
            let name = name.to_string_lossy();
            let target = match value {
                Some(value) if name == "-target" || name == "--target" => Some(value.to_string_lossy()),
                _ => joined(&name, &["--target="]).map(Into::into),
            };
            ["-m32", "-mx32", "-m16"].contains(&&*name) || target.is_some_and(|target| !target.starts_with("x86_64"))
        })
    }

    /// Whether linking gives an object to be linked again.
    pub(crate) fn is_partial(&self) -> bool {
        self.has("-r") || self.has("-Wl,-r") || self.has("-Wl,--relocatable")
    }
}

/// The value of an option that is joined to it.
fn joined<'t>(text: &'t str, options: &[&str]) -> Option<&'t str> {
    options.iter().find_map(|option| text.strip_prefix(option)).filter(|value| !value.is_empty())
}

fn mode(arguments: &[Argument]) -> Mode {
    let mut mode = Mode::Link;
    let mut inputs = 0;
    for argument in arguments {
        match argument {
            Argument::Option { name, .. } => {
                let name = name.to_string_lossy();
                if options::makes_no_object(&name) {
                    return Mode::Other;
                }
                if name == "-c" || name == "--compile" {
                    mode = Mode::Compile;
                }
            }
            // A header is compiled for later use, by itself.
            Argument::Input(input) if input.language == Language::Skipped("a header") => return Mode::Other,
            Argument::Input(_) => inputs += 1,
            Argument::End => {}
        }
    }
    if inputs == 0 { Mode::Other } else { mode }
}

/// The last `-o` counts.
fn output(arguments: &[Argument]) -> Option<OsString> {
    arguments.iter().rev().find_map(|argument| match argument {
        Argument::Option { name, value: Some(value) } if name == "-o" || name == "--output" => Some(value.clone()),
        Argument::Option { name, value: None } => {
            use std::os::unix::ffi::OsStrExt;
            let bytes = name.as_bytes();
            let value = bytes.strip_prefix(b"--output=").or_else(|| bytes.strip_prefix(b"-o"));
            value.filter(|value| !value.is_empty()).map(|value| OsStr::from_bytes(value).to_os_string())
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Invocation {
        Invocation::parse(&line.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    fn sources(line: &str) -> Vec<String> {
        parse(line).sources().map(|source| format!("{} {:?}", source.name.display(), source.language)).collect()
    }

    #[test]
    fn modes() {
        let mode = |line| parse(line).mode;
        assert_eq!(mode("-c a.c"), Mode::Compile);
        assert_eq!(mode("a.c -o a"), Mode::Link);
        assert_eq!(mode("a.o"), Mode::Link);
        for line in [
            "-v",
            "--version",
            "-dumpmachine",
            "-print-prog-name=ld",
            "-E a.c",
            "-M a.c",
            "-S a.c",
            "a.h",
            "-c -### a.c",
        ] {
            assert_eq!(mode(line), Mode::Other, "{line}");
        }
        // These make dependencies beside an object.
        assert_eq!(mode("-MD -c a.c"), Mode::Compile);
    }

    #[test]
    fn values_are_not_inputs() {
        let line = "-o a.c -include b.c -I c.c -Xlinker d.c -MF e.c -c f.c -D g.c";
        assert_eq!(sources(line), ["f.c Bitcode(\"c\")"]);
        assert_eq!(parse(line).output, Some("a.c".into()));
        assert_eq!(parse("-ox.o -c a.c").output, Some("x.o".into()));
        assert_eq!(parse("-c a.c").output, None);
    }

    #[test]
    fn other_machines() {
        let foreign = |line| parse(line).is_for_another_machine();
        assert!(foreign("-m32 a.c") && foreign("--target=aarch64-linux-gnu a.c") && foreign("-target i386-linux a.c"));
        assert!(!foreign("-m64 a.c") && !foreign("--target=x86_64-linux-gnu a.c"));
    }

    #[test]
    fn languages() {
        assert_eq!(
            sources("a.c b.S -x c d - -x none e.o f.i g.cpp -- -h.c"),
            [
                "a.c Bitcode(\"c\")",
                "b.S Skipped(\"assembly\")",
                "d Bitcode(\"c\")",
                "- Bitcode(\"c\")",
                "f.i Bitcode(\"cpp-output\")",
                "g.cpp Skipped(\"C++ is not supported\")",
                "-h.c Bitcode(\"c\")"
            ]
        );
        assert_eq!(sources("-xassembler a.c"), ["a.c Skipped(\"assembly\")"]);
        assert_eq!(parse("-- -h.c").sources().next().map(Input::as_operand), Some("./-h.c".into()));
    }
}
