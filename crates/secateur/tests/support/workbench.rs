//! A separate folder for each test, in which the program is run.

#![allow(dead_code)] // Each test binary uses a part of it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::secateur;

/// A temporary folder: the working directory of what is run in it.
pub struct Workbench {
    folder: tempfile::TempDir,
}

/// A path for each sequence of sides: more than can ever be explored.
pub const ENDLESS: &str = r#"#include <klee/klee.h>
int main(void) {
  unsigned char bytes[64];
  int large = 0;
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  for (int i = 0; i < 64; i++)
    if (bytes[i] > 100)
      large++;
  return large;
}
"#;

/// What a finished command printed, and how it ended.
pub struct Done {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Workbench {
    pub fn new() -> Workbench {
        Workbench { folder: tempfile::tempdir().expect("a temporary folder can be made") }
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).expect("there is room for a small file");
    }

    /// The content of a file.
    pub fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        let path = self.path(name);
        std::fs::read(&path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
    }

    /// A file as JSON.
    pub fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_slice(&self.read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs Secateur to its end.
    pub fn secateur(&self, args: &[&str]) -> Done {
        self.finish(self.command(args))
    }

    /// Secateur, to be run in the folder.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = secateur();
        command.current_dir(self.folder.path()).args(args);
        command
    }

    /// Runs Secateur from a shell script, which calls it as `"$@"`.
    pub fn script(&self, script: &str, args: &[&str]) -> Done {
        self.finish(self.wrapped(&["sh", "-c", script, "sh"], args))
    }

    /// Secateur, started by another program.
    pub fn wrapped(&self, wrapper: &[&str], args: &[&str]) -> Command {
        let secateur = self.command(args);
        let mut command = Command::new(wrapper[0]);
        command.current_dir(self.folder.path()).args(&wrapper[1..]).arg(secateur.get_program()).args(args);
        command.envs(secateur.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command
    }

    /// Runs a command to its end.
    pub fn finish(&self, mut command: Command) -> Done {
        command.output().map(Done::from).unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"))
    }

    /// How many complete tests a run has written, without those of bugs.
    pub fn tests(&self, out: &str) -> usize {
        let text = std::fs::read_to_string(self.path(out).join("tests/expected.jsonl")).unwrap_or_default();
        text.split_inclusive('\n').filter(|line| line.ends_with('\n')).count()
    }
}

impl From<Output> for Done {
    fn from(output: Output) -> Done {
        Done {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl std::fmt::Display for Done {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "exit code {:?}\n--- stdout\n{}--- stderr\n{}", self.code, self.stdout, self.stderr)
    }
}
