//! The tools that are compared, and how each is run.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::build::Built;
use super::timed;
use crate::runs::secateur;

/// Stands in the options of Secateur for the corpus of libFuzzer, which must have run before.
const CORPUS: &str = "{corpus}";

/// A tool with its options.
pub enum Tool {
    LibFuzzer,
    Afl,
    Secateur { options: Vec<String> },
}

/// What a parser is compiled to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Product {
    Bitcode,
    LibFuzzer,
    Afl,
    Coverage,
}

impl Product {
    pub fn file_name(self) -> &'static str {
        match self {
            Product::Bitcode => "bitcode",
            Product::LibFuzzer => "libfuzzer",
            Product::Afl => "afl",
            Product::Coverage => "coverage",
        }
    }

    pub fn purpose(self) -> &'static str {
        match self {
            Product::Bitcode => "Secateur",
            Product::LibFuzzer => "libFuzzer",
            Product::Afl => "AFL++",
            Product::Coverage => "llvm-cov",
        }
    }

    pub fn flags(self) -> &'static [&'static str] {
        match self {
            Product::Bitcode => &[],
            Product::LibFuzzer => &["-fsanitize=fuzzer"],
            Product::Afl => &["-fsanitize-coverage=trace-pc-guard"],
            Product::Coverage => &["-fprofile-instr-generate", "-fcoverage-mapping"],
        }
    }
}

impl Product {
    /// What it is linked with. The compiler wrapper of AFL++ supports only the clang that it was built with, so that
    /// its libraries are linked as the wrapper would.
    pub fn libraries(self) -> Result<Vec<PathBuf>, String> {
        if self != Product::Afl {
            return Ok(Vec::new());
        }
        let program = afl().ok_or("afl-fuzz is not installed")?;
        let prefix = program.parent().and_then(Path::parent).ok_or("afl-fuzz is in no folder")?;
        let folder = prefix.join("lib").join("afl");
        let mut libraries = ["libAFLDriver.a", "afl-compiler-rt.o"].map(|name| folder.join(name)).to_vec();
        libraries.extend(["-lstdc++", "-lrt", "-ldl", "-lpthread"].map(PathBuf::from));
        Ok(libraries)
    }
}

/// Where AFL++ is installed.
fn afl() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join("afl-fuzz")).find(|program| program.is_file())
}

impl Tool {
    /// Those that are installed, ours first: alone, and with native help.
    pub fn installed() -> Vec<Tool> {
        let alone = ["--native-share", "0"].map(str::to_string).to_vec();
        let ours = [alone, Vec::new()].map(|options| Tool::Secateur { options });
        ours.into_iter().chain([Tool::LibFuzzer]).chain(afl().map(|_| Tool::Afl)).collect()
    }

    pub fn parse(text: &str) -> Result<Tool, String> {
        let mut words = text.split_whitespace();
        match words.next() {
            Some("libfuzzer") => Ok(Tool::LibFuzzer),
            Some("afl") => Ok(Tool::Afl),
            Some("secateur") => Ok(Tool::Secateur { options: words.map(str::to_string).collect() }),
            _ => Err(format!("there is no tool `{text}`; there are libfuzzer, afl and secateur")),
        }
    }

    pub fn name(&self) -> &'static str {
        match self {
            Tool::LibFuzzer => "libfuzzer",
            Tool::Afl => "afl",
            Tool::Secateur { .. } => "secateur",
        }
    }

    pub fn product(&self) -> Product {
        match self {
            Tool::LibFuzzer => Product::LibFuzzer,
            Tool::Afl => Product::Afl,
            Tool::Secateur { .. } => Product::Bitcode,
        }
    }

    /// Runs it on a parser, and returns the folders that its inputs are in.
    pub fn run(&self, built: &Built, seconds: f64, seed: u64) -> Result<Vec<PathBuf>, String> {
        let run = self.prepare(built, seed)?;
        let mut command = run.command;
        timed::run(&mut command, seconds, &run.out, &|| false)?;
        Ok(run.inputs)
    }

    /// Runs it on a parser until it finds a bug; returns the seconds that it took, or `None` if it finds none.
    pub fn find_bug(&self, built: &Built, seconds: f64, seed: u64) -> Result<Option<f64>, String> {
        let Prepared { mut command, out, bugs, bug, .. } = self.prepare(built, seed)?;
        let has_bug = || {
            let names = std::fs::read_dir(&bugs).into_iter().flatten().flatten().map(|entry| entry.file_name());
            names.into_iter().any(|name| name.to_string_lossy().starts_with(bug))
        };
        let time = timed::run(&mut command, seconds, &out, &has_bug)?;
        Ok(has_bug().then_some(time))
    }

    fn prepare(&self, built: &Built, seed: u64) -> Result<Prepared, String> {
        let out = built.empty_folder(&format!("{}-out", self.name()))?;
        let run = built.product(self.product());
        let (command, inputs, bugs, bug) = match self {
            Tool::LibFuzzer => {
                let mut command = Command::new(&run);
                command.arg(format!("-seed={seed}")).arg(format!("-artifact_prefix={}/", out.display()));
                command.arg(&out);
                (command, vec![out.clone()], out.clone(), "crash-")
            }
            Tool::Afl => {
                let first = built.empty_folder("afl-in")?;
                std::fs::write(first.join("seed"), "\n").map_err(|error| format!("cannot write a seed: {error}"))?;
                let mut command = Command::new("afl-fuzz");
                command.args(["-s", &seed.to_string(), "-i"]).arg(&first).arg("-o").arg(&out).arg("--").arg(&run);
                let quiet = ["AFL_NO_UI", "AFL_SKIP_CPUFREQ", "AFL_NO_AFFINITY", "AFL_FAST_CAL"];
                command.envs(quiet.map(|name| (name, "1")));
                command.env("AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1");
                let crashes = out.join("default").join("crashes");
                (command, vec![out.join("default").join("queue"), crashes.clone()], crashes, "id:")
            }
            Tool::Secateur { options } => {
                let folder = out.join("run");
                let mut command = Command::new(secateur()?);
                command.arg("run");
                for number in 0..=built.library.sources.len() {
                    command.arg(run.join(format!("{number}.bc")));
                }
                // Like a fuzzer, it keeps only its corpus.
                command.args(["--jobs", "1", "--format", "raw", "--grace", "0s", "--no-resume"]);
                command.args(["--seed", &seed.to_string(), "--out"]).arg(&folder);
                let corpus = built.folder(&format!("{}-out", Tool::LibFuzzer.name())).display().to_string();
                command.args(options.iter().map(|option| option.replace(CORPUS, &corpus)));
                (command, vec![folder.join("tests"), folder.join("bugs")], folder.join("bugs"), "0")
            }
        };
        Ok(Prepared { command, out, inputs, bugs, bug })
    }
}

/// A tool that is about to run.
struct Prepared {
    command: Command,
    /// What it writes.
    out: PathBuf,
    /// Where its inputs are.
    inputs: Vec<PathBuf>,
    /// Where those are that crash, and how their names start.
    bugs: PathBuf,
    bug: &'static str,
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name())?;
        match self {
            Tool::Secateur { options } => options.iter().try_for_each(|option| write!(f, " {option}")),
            _ => Ok(()),
        }
    }
}
