//! The tools that are compared, and how each is run.

use std::fmt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::build::Built;
use super::timed;
use crate::runs::secateur;

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

    pub fn compiler(self) -> &'static str {
        if self == Product::Afl { "afl-clang-fast" } else { "clang-19" }
    }

    pub fn flags(self) -> &'static [&'static str] {
        match self {
            Product::Bitcode => &[],
            Product::LibFuzzer | Product::Afl => &["-fsanitize=fuzzer"],
            Product::Coverage => &["-fprofile-instr-generate", "-fcoverage-mapping"],
        }
    }
}

impl Tool {
    /// Those that are installed, ours first.
    pub fn installed() -> Vec<Tool> {
        let mut tools = vec![Tool::Secateur { options: Vec::new() }, Tool::LibFuzzer];
        let has_afl = Command::new("afl-fuzz").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
        tools.extend(has_afl.then_some(Tool::Afl));
        tools
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
        let out = built.empty_folder(&format!("{}-out", self.name()))?;
        let run = built.product(self.product());
        match self {
            Tool::LibFuzzer => {
                let mut command = Command::new(&run);
                command.arg(format!("-seed={seed}")).arg(format!("-artifact_prefix={}/", out.display()));
                command.arg(&out);
                timed::run(&mut command, seconds, &out)?;
                Ok(vec![out])
            }
            Tool::Afl => {
                let first = built.empty_folder("afl-in")?;
                std::fs::write(first.join("seed"), "\n").map_err(|error| format!("cannot write a seed: {error}"))?;
                let mut command = Command::new("afl-fuzz");
                command.args(["-s", &seed.to_string(), "-i"]).arg(&first).arg("-o").arg(&out).arg("--").arg(&run);
                let quiet = ["AFL_NO_UI", "AFL_SKIP_CPUFREQ", "AFL_NO_AFFINITY", "AFL_FAST_CAL"];
                command.envs(quiet.map(|name| (name, "1")));
                command.env("AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1");
                timed::run(&mut command, seconds, &out)?;
                Ok(vec![out.join("default").join("queue"), out.join("default").join("crashes")])
            }
            Tool::Secateur { options } => {
                let folder = out.join("run");
                let mut command = Command::new(secateur()?);
                command.arg("run");
                for number in 0..=built.library.sources.len() {
                    command.arg(run.join(format!("{number}.bc")));
                }
                command.args(["--jobs", "1", "--format", "raw", "--grace", "0s", "--no-confirm"]);
                command.args(["--seed", &seed.to_string(), "--out"]).arg(&folder).args(options);
                timed::run(&mut command, seconds, &out)?;
                Ok(vec![folder.join("tests"), folder.join("bugs")])
            }
        }
    }
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
