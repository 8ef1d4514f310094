//! Reads the section of an executable, a shared object or a relocatable object.

use crate::{EmbedError, Record, SECTION};
use object::elf;
use object::read::elf::{ElfFile64, ProgramHeader};
use object::{LittleEndian, Object, ObjectKind, ObjectSection, ObjectSymbol, ReadCache, ReadRef};
use std::collections::HashSet;
use std::fs::File;
use std::path::Path;

/// What is known of an ELF file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Image {
    /// What it can be used for.
    pub kind: ImageKind,
    /// The records of the section, in the order of linking; none if there is no such section.
    pub records: Vec<Record>,
    /// The shared objects that it is linked with, such as `libm.so.6`.
    pub needed: Vec<String>,
    /// Where it says that they are; `$ORIGIN` stands for its own folder.
    pub search: Vec<String>,
    /// The names that it defines for others.
    pub exports: HashSet<String>,
    /// It has no table of symbols, so it was stripped.
    pub stripped: bool,
}

/// The kinds of ELF files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImageKind {
    /// A file to be linked: its names must be unique among those that it is linked with.
    Relocatable,
    /// A program.
    Executable,
    /// A library, of which programs see the exported names only.
    Shared,
}

/// Reads a file; only those parts of it that are needed.
pub fn read_image(path: &Path) -> std::io::Result<Result<Image, EmbedError>> {
    let cache = ReadCache::new(File::open(path)?);
    Ok(Image::parse(&cache))
}

impl Image {
    pub(crate) fn parse<'d, R: ReadRef<'d>>(data: R) -> Result<Image, EmbedError> {
        let malformed = |error: object::read::Error| EmbedError::Malformed(error.to_string().to_lowercase());
        check_machine(data)?;
        let file = ElfFile64::<LittleEndian, R>::parse(data).map_err(malformed)?;
        let mut records = Vec::new();
        // An object may have several sections of this name; the linker joins them.
        for section in file.sections().filter(|section| section.name_bytes() == Ok(SECTION.as_bytes())) {
            let content = section.data().map_err(|error| EmbedError::Damaged(error.to_string().to_lowercase()))?;
            records.extend(Record::decode_all(content)?);
        }
        let dynamic = Dynamic::of(&file).unwrap_or_default();
        let kind = match file.kind() {
            ObjectKind::Relocatable => ImageKind::Relocatable,
            // Most executables are shared objects, too; these have a loader, or say what they are.
            ObjectKind::Dynamic if !dynamic.is_executable && !has_loader(&file) => ImageKind::Shared,
            _ => ImageKind::Executable,
        };
        let exports = match kind {
            ImageKind::Relocatable => defined(file.symbols()),
            _ => defined(file.dynamic_symbols()),
        };
        let stripped = file.symbols().next().is_none();
        Ok(Image { kind, records, needed: dynamic.needed, search: dynamic.search, exports, stripped })
    }
}

/// Files for other machines may have another layout, so this must be asked first.
fn check_machine<'d, R: ReadRef<'d>>(data: R) -> Result<(), EmbedError> {
    let start = data.read_bytes_at(0, 20).map_err(|()| EmbedError::Malformed("it is too short".to_string()))?;
    let [class, order] = [start[4], start[5]];
    let bytes = [start[18], start[19]];
    let machine = if order == 2 { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) };
    if (class, order, machine) == (2, 1, elf::EM_X86_64.0) {
        return Ok(());
    }
    let name = match elf::Machine(machine) {
        elf::EM_X86_64 => "32-bit x86-64",
        elf::EM_386 => "32-bit x86",
        elf::EM_ARM => "ARM",
        elf::EM_AARCH64 => "AArch64",
        elf::EM_RISCV => "RISC-V",
        elf::EM_PPC | elf::EM_PPC64 => "PowerPC",
        elf::EM_MIPS => "MIPS",
        elf::EM_S390 => "S/390",
        _ => return Err(EmbedError::Machine(format!("machine number {machine} of ELF"))),
    };
    Err(EmbedError::Machine(name.to_string()))
}

/// What the dynamic linker reads.
#[derive(Default)]
struct Dynamic {
    needed: Vec<String>,
    search: Vec<String>,
    is_executable: bool,
}

impl Dynamic {
    /// `None` if the file has no such table, or a damaged one: it is needed only to find libraries.
    fn of<'d, R: ReadRef<'d>>(file: &ElfFile64<'d, LittleEndian, R>) -> Option<Dynamic> {
        let table = file.elf_dynamic_table().ok()?;
        let mut dynamic = Dynamic::default();
        for entry in table.iter() {
            let text = || table.string(entry).ok().map(|text| String::from_utf8_lossy(text).into_owned());
            match entry.tag {
                elf::DT_NEEDED => dynamic.needed.extend(text()),
                elf::DT_RUNPATH | elf::DT_RPATH => {
                    dynamic.search.extend(text().iter().flat_map(|list| list.split(':').map(ToString::to_string)));
                }
                elf::DT_FLAGS_1 => dynamic.is_executable = entry.val & elf::DF_1_PIE.0 != 0,
                _ => {}
            }
        }
        Some(dynamic)
    }
}

fn has_loader<'d, R: ReadRef<'d>>(file: &ElfFile64<'d, LittleEndian, R>) -> bool {
    file.elf_program_headers().iter().any(|segment| segment.p_type(LittleEndian) == elf::PT_INTERP)
}

fn defined<'d>(symbols: impl Iterator<Item = impl ObjectSymbol<'d>>) -> HashSet<String> {
    let global = symbols.filter(|symbol| symbol.is_global() && !symbol.is_undefined());
    global.filter_map(|symbol| symbol.name().ok().map(ToString::to_string)).filter(|name| !name.is_empty()).collect()
}
