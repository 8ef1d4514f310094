//! Fetches parsers, and compiles them for each tool: as bitcode, for a fuzzer, and to measure coverage.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use super::library::Library;
use super::tool::{Product, Tool};
use crate::bench::root;

/// The folders that everything is in.
pub struct Builds {
    bench: PathBuf,
    sources: PathBuf,
}

/// A parser that is compiled.
pub struct Built {
    pub library: &'static Library,
    folder: PathBuf,
}

impl Built {
    /// The file or folder that a tool runs.
    pub fn product(&self, product: Product) -> PathBuf {
        self.folder.join(product.file_name())
    }

    /// The folder of the results of a tool.
    pub fn folder(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A folder for the results of a tool, which is empty.
    pub fn empty_folder(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.folder(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
        Ok(folder)
    }
}

impl Builds {
    /// Fetches the sources that are missing.
    pub fn fetch(libraries: &[&'static Library]) -> Result<Builds, String> {
        let root = root()?;
        let mut command = Command::new(root.join("scripts").join("parsers.sh"));
        command.args(libraries.iter().filter_map(|library| library.package));
        let printed = output(&mut command)?;
        Ok(Builds { bench: root.join("bench"), sources: PathBuf::from(printed.trim()) })
    }

    /// Compiles what the tools need, unless it is newer than all sources.
    pub fn build(&self, library: &'static Library, tools: &[Tool]) -> Result<Built, String> {
        let folder = self.sources.join("build").join(library.name);
        std::fs::create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
        let built = Built { library, folder };
        let mut products: Vec<Product> = tools.iter().map(Tool::product).chain([Product::Coverage]).collect();
        products.sort_unstable();
        products.dedup();
        for product in products {
            let to = built.product(product);
            let inputs = self.inputs(library);
            if modified(&to).is_none_or(|time| inputs.iter().any(|input| modified(input) > Some(time))) {
                self.compile(library, product, &to)?;
            }
        }
        Ok(built)
    }

    fn compile(&self, library: &Library, product: Product, to: &Path) -> Result<(), String> {
        eprintln!("compiling {} for {}", library.name, product.purpose());
        let mut flags: Vec<String> = vec!["-g".into(), "-O1".into(), "-w".into()];
        flags.push(format!("-I{}", self.bench.join("parsers").join("config").display()));
        let package = self.package(library);
        flags.extend(library.includes.iter().map(|folder| format!("-I{}", package.join(folder).display())));
        flags.extend(library.flags.iter().map(|flag| flag.to_string()));
        let mut files: Vec<PathBuf> = library.sources.iter().map(|source| package.join(source)).collect();
        files.push(self.harness(library));
        if product == Product::Bitcode {
            std::fs::create_dir_all(to).map_err(|error| format!("cannot create {}: {error}", to.display()))?;
            for (number, file) in files.iter().enumerate() {
                let bitcode = to.join(format!("{number}.bc"));
                let mut command = Command::new("clang-19");
                command.args(["-c", "-emit-llvm", "-fno-vectorize", "-fno-slp-vectorize"]).args(&flags);
                output(command.arg(file).arg("-o").arg(bitcode))?;
            }
            return Ok(());
        }
        if product == Product::Coverage {
            files.push(self.driver());
        }
        let mut command = Command::new("clang-19");
        command.args(product.flags()).args(&flags).args(&files).args(product.libraries()?);
        output(command.arg("-lm").arg("-o").arg(to)).map(|_| ())
    }

    /// The folder with the sources of a parser.
    fn package(&self, library: &Library) -> PathBuf {
        library.package.map_or_else(PathBuf::new, |package| self.sources.join(package))
    }

    fn harness(&self, library: &Library) -> PathBuf {
        self.bench.join(library.harness_folder()).join(library.name).with_extension("c")
    }

    fn driver(&self) -> PathBuf {
        self.bench.join("parsers").join("driver.c")
    }

    fn inputs(&self, library: &Library) -> Vec<PathBuf> {
        let mut inputs = vec![self.harness(library), self.driver()];
        inputs.extend(library.sources.iter().map(|source| self.package(library).join(source)));
        inputs.extend(std::env::current_exe());
        inputs
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}

/// Runs a command that must succeed, and returns what it prints.
pub fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr).trim()))
    }
}
