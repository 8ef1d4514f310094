//! Takes apart what `secateur cc` has built: executables, shared objects, relocatable objects and archives.

use crate::error::LoadError;
use crate::input::{Input, Inputs, Role};
use crate::renames::Renames;
use secateur_embed::{Image, ImageKind, Kind, Record, read_archive, read_image};
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Inputs {
    /// Adds the bitcode of an executable or object, and of the shared objects that it is linked with.
    pub(crate) fn add_image(&mut self, path: &Path) -> Result<(), LoadError> {
        let image = read(path)?;
        if !has_bitcode(&image) {
            let what = match image.kind {
                ImageKind::Relocatable => "this object",
                ImageKind::Executable => "this executable",
                ImageKind::Shared => "this shared object",
            };
            return Err(LoadError::NoBitcode { path: path.to_path_buf(), what, stripped: image.stripped });
        }
        let role = match image.kind {
            ImageKind::Relocatable => Role::Object,
            ImageKind::Executable => Role::Linked,
            ImageKind::Shared => Role::Shared { exports: Arc::new(image.exports) },
        };
        let from = self.libraries.len();
        self.add_records(path, image.records, &role);
        let places = places(path, &image.search, &self.libraries[from..]);
        self.add_needed(&image.needed, &places)
    }

    /// Adds the members of an archive. The linker takes those that are needed.
    pub(crate) fn add_archive(&mut self, path: &Path) -> Result<(), LoadError> {
        let unreadable = |error| LoadError::Read { path: path.to_path_buf(), error };
        let damaged = |error| LoadError::Embedded { path: path.to_path_buf(), error };
        let members = read_archive(path).map_err(unreadable)?.map_err(damaged)?;
        if !members.iter().filter_map(|member| member.image.as_ref()).any(has_bitcode) {
            return Err(LoadError::NoBitcode { path: path.to_path_buf(), what: "this archive", stripped: false });
        }
        for member in members {
            if let Some(image) = member.image {
                let role = Role::Member { defines: Arc::new(image.exports) };
                self.add_records(&within(path, &member.name), image.records, &role);
            }
        }
        Ok(())
    }

    /// Adds those of the needed shared objects, and of what they need, that have bitcode. All others are the system's.
    fn add_needed(&mut self, needed: &[String], places: &[PathBuf]) -> Result<(), LoadError> {
        for name in needed {
            let Some(path) = places.iter().map(|place| place.join(name)).find(|path| path.is_file()) else { continue };
            if !self.shared.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
                continue;
            }
            // What cannot be read is a library of the system, too, as far as we know.
            let Ok(Ok(image)) = read_image(&path) else { continue };
            if has_bitcode(&image) {
                self.drop_library(name);
                self.add_image(&path)?;
            }
        }
        Ok(())
    }

    /// Native replay need not link what is part of the bitcode.
    fn drop_library(&mut self, name: &str) {
        let stem = name.split(".so").next().unwrap_or(name);
        let option = stem.strip_prefix("lib").map(|library| format!("-l{library}"));
        self.libraries.retain(|library| {
            let file = Path::new(library).file_name().unwrap_or_default().to_string_lossy();
            Some(library) != option.as_ref() && !file.starts_with(&format!("{stem}.so"))
        });
    }

    fn add_records(&mut self, path: &Path, records: Vec<Record>, role: &Role) {
        let renames = Arc::new(self.add_link_options(path, &records));
        for record in records {
            let text = |bytes: &[u8]| crate::printable(String::from_utf8_lossy(bytes).into_owned());
            let name = text(&record.name);
            match record.kind {
                Kind::Bitcode => self.files.push(Input {
                    path: within(path, &name),
                    bitcode: record.content,
                    foreign: true,
                    role: role.clone(),
                    renames: renames.clone(),
                }),
                Kind::Skipped => {
                    let (path, reason) = (path.display(), text(&record.content));
                    self.warnings.push(format!("{path}: there is no bitcode of {name} ({reason})"));
                }
                Kind::Link => {}
            }
        }
    }

    /// Takes in how a file was linked: its libraries, and the names that mean others in it.
    fn add_link_options(&mut self, path: &Path, records: &[Record]) -> Renames {
        let mut renames = Renames::default();
        let links = records.iter().filter(|record| record.kind == Kind::Link);
        let options = links.flat_map(|link| link.content.split(|byte| *byte == 0)).filter(|option| !option.is_empty());
        for option in options.map(|option| String::from_utf8_lossy(option).into_owned()) {
            if !option.starts_with("--") {
                self.libraries.push(option);
            } else if !renames.add(&option) {
                let (path, option) = (path.display(), crate::printable(option));
                self.warnings.push(format!("{path}: the linker's option {option} is left out"));
            }
        }
        renames
    }
}

fn read(path: &Path) -> Result<Image, LoadError> {
    let unreadable = |error| LoadError::Read { path: path.to_path_buf(), error };
    let damaged = |error| LoadError::Embedded { path: path.to_path_buf(), error };
    read_image(path).map_err(unreadable)?.map_err(damaged)
}

fn has_bitcode(image: &Image) -> bool {
    image.records.iter().any(|record| record.kind == Kind::Bitcode)
}

/// A file within another, for messages.
fn within(path: &Path, name: &str) -> PathBuf {
    format!("{}({name})", path.display()).into()
}

/// Where the dynamic linker looks for shared objects, and where the linker found them.
fn places(path: &Path, search: &[String], libraries: &[String]) -> Vec<PathBuf> {
    const SYSTEM: [&str; 6] =
        ["/usr/local/lib", "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/usr/lib"];
    let origin = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut places: Vec<PathBuf> = Vec::new();
    let variable = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    places.extend(std::env::split_paths(&variable).filter(|place| !place.as_os_str().is_empty()));
    let expand = |place: &String| place.replace("${ORIGIN}", "$ORIGIN").replace("$ORIGIN", &origin.to_string_lossy());
    places.extend(search.iter().map(|place| expand(place).into()));
    places.extend(libraries.iter().filter_map(|library| match library.strip_prefix("-L") {
        Some(folder) => Some(folder.into()),
        None if library.starts_with('-') => None,
        None => Path::new(library).parent().map(Path::to_path_buf),
    }));
    places.extend(SYSTEM.map(PathBuf::from));
    places
}

/// Why a file cannot be loaded that is neither source nor bitcode nor native.
pub(crate) fn unknown(path: &Path) -> LoadError {
    let name = path.file_name().unwrap_or_default();
    let program = path.with_file_name(".libs").join(name);
    match program.is_file() {
        true => LoadError::Libtool { path: path.to_path_buf(), program },
        false => LoadError::UnknownKind { path: path.to_path_buf() },
    }
}
