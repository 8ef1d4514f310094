//! Runs clang as the user asked.

use crate::command::{Argument, Input, Invocation, Mode};
use crate::{options, response};
use secateur_program::compiler;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The compiler and what it is asked to do.
pub(crate) struct Native<'f> {
    clang: PathBuf,
    /// For temporary files.
    pub(crate) folder: &'f Path,
    /// Pass the options that allow what is common in old C. Without a source file, clang would call them unused.
    allow_old_c: bool,
    arguments: Vec<OsString>,
    output: Option<OsString>,
    /// The object is made here and then copied to standard output.
    copied: Option<PathBuf>,
    /// A file with what standard input had, which several processes read.
    stdin: Option<PathBuf>,
}

impl<'f> Native<'f> {
    pub(crate) fn new(
        clang: &Path,
        folder: &'f Path,
        strict: bool,
        arguments: Vec<OsString>,
        invocation: &Invocation,
    ) -> io::Result<Native<'f>> {
        let mut native = Native {
            clang: clang.to_path_buf(),
            folder,
            allow_old_c: !strict && invocation.sources().next().is_some(),
            arguments,
            output: invocation.output.clone(),
            copied: None,
            stdin: None,
        };
        if invocation.mode == Mode::Other {
            return Ok(native);
        }
        let copied = invocation.mode == Mode::Compile && invocation.output.as_deref() == Some("-".as_ref());
        if copied || invocation.options().any(|(name, _)| options::is_lto(&name.to_string_lossy())) {
            native.arguments = changed(invocation, copied);
        }
        if copied {
            let object = folder.join("copied.o");
            native.arguments.splice(0..0, ["-o".into(), object.clone().into_os_string()]);
            native.copied = Some(object);
        }
        if invocation.sources().any(Input::is_stdin) {
            let file = folder.join("stdin");
            io::copy(&mut io::stdin().lock(), &mut File::create(&file)?)?;
            native.stdin = Some(file);
        }
        Ok(native)
    }

    /// The options that allow what is common in old C.
    pub(crate) fn old_c_flags(&self) -> impl Iterator<Item = &'static str> {
        compiler::OLD_C.into_iter().filter(|_| self.allow_old_c)
    }

    /// The standard input of a process, which reads the source from there or nothing.
    pub(crate) fn stdin(&self, needed: bool) -> io::Result<Stdio> {
        match &self.stdin {
            Some(file) if needed => Ok(File::open(file)?.into()),
            _ => Ok(Stdio::null()),
        }
    }

    /// Runs the compiler and returns its exit code.
    pub(crate) fn run(&self) -> io::Result<i32> {
        self.start()?.wait()
    }

    /// Runs the compiler with an additional object.
    pub(crate) fn run_with(&self, object: &[u8]) -> io::Result<i32> {
        let file = self.folder.join("secateur.o");
        fs::write(&file, object)?;
        self.spawn(Some(file))?.wait()
    }

    pub(crate) fn start(&self) -> io::Result<Running> {
        self.spawn(None)
    }

    fn spawn(&self, object: Option<PathBuf>) -> io::Result<Running> {
        // What the user says comes later and so takes precedence. The object is named before any `-x`.
        let flags = self.old_c_flags().map(Into::into);
        let arguments = flags.chain(object.map(Into::into)).chain(self.arguments.iter().cloned()).collect();
        let mut command = Command::new(&self.clang);
        command.args(response::shorten(arguments, self.folder, "native.rsp")?);
        if self.stdin.is_some() {
            command.stdin(self.stdin(true)?);
        }
        Ok(Running(command.spawn()?))
    }

    /// The object that a source file becomes.
    pub(crate) fn object_of(&self, source: &Input) -> PathBuf {
        match (&self.copied, &self.output) {
            (Some(copied), _) => copied.clone(),
            (None, Some(output)) => output.into(),
            (None, None) => {
                let name = Path::new(&source.name).file_stem().unwrap_or_default().to_os_string();
                [name, ".o".into()].into_iter().collect::<OsString>().into()
            }
        }
    }

    /// Writes to standard output what belongs there.
    pub(crate) fn finish(&self) -> io::Result<i32> {
        if let Some(copied) = &self.copied {
            io::copy(&mut File::open(copied)?, &mut io::stdout().lock())?;
            io::stdout().flush()?;
        }
        Ok(0)
    }
}

/// The arguments without optimisation at link time, for which there would be no objects, and without `-o` if the object
/// is made elsewhere.
fn changed(invocation: &Invocation, elsewhere: bool) -> Vec<OsString> {
    let mut arguments = Vec::new();
    for argument in &invocation.arguments {
        match argument {
            Argument::Option { name, value } => {
                let text = name.to_string_lossy();
                if options::is_lto(&text) || elsewhere && (text.starts_with("-o") || text.starts_with("--output")) {
                    continue;
                }
                arguments.push(name.clone());
                arguments.extend(value.clone());
            }
            Argument::Input(input) => arguments.push(input.name.clone()),
            Argument::End => arguments.push("--".into()),
        }
    }
    arguments
}

/// A compiler that was started.
pub(crate) struct Running(Child);

impl Running {
    /// Its exit code; as in shells, 128 more than the number of the signal that ended it.
    pub(crate) fn wait(mut self) -> io::Result<i32> {
        let status = self.0.wait()?;
        Ok(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)))
    }
}

/// Rewrites a file, if `change` wants it: at once, so that a build that is interrupted never has half of it.
pub(crate) fn replace(file: &Path, change: impl FnOnce(&mut Vec<u8>) -> bool) -> io::Result<()> {
    let mut content = fs::read(file)?;
    if !change(&mut content) {
        return Ok(());
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    new.write_all(&content)?;
    fs::set_permissions(new.path(), fs::metadata(file)?.permissions())?;
    new.persist(file)?;
    Ok(())
}
