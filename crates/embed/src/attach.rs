//! Adds the section to a relocatable object, and makes objects that hold nothing else.
//!
//! Everything that is in an object stays where it is: the section, a longer table of section names and a longer table
//! of sections are appended, and the header points to them. So no tool is needed, and no symbol or relocation changes.

use crate::{EmbedError, SECTION};

/// The layout of ELF files for 64-bit machines: sizes, and where fields are.
const HEADER: usize = 64;
const SECTION_HEADER: usize = 64;
const RELOCATABLE: u64 = 1;
const X86_64: u64 = 62;
const PROGBITS: u64 = 1;
const STRTAB: u64 = 3;
/// In the header.
const TYPE: Field = (16, 2);
const MACHINE: Field = (18, 2);
const SECTION_TABLE: Field = (40, 8);
const SECTION_SIZE: Field = (58, 2);
const SECTIONS: Field = (60, 2);
const NAMES: Field = (62, 2);
/// In a section header.
const NAME: Field = (0, 4);
const KIND: Field = (4, 4);
const FLAGS: Field = (8, 8);
const OFFSET: Field = (24, 8);
const SIZE: Field = (32, 8);
const ALIGN: Field = (48, 8);
/// From this number on, sections are counted elsewhere.
const MANY_SECTIONS: u64 = 0xff00;

/// Where a number is, and how many bytes it has.
type Field = (usize, usize);

/// Appends records to a relocatable object, as a section. An object that has the section already gets another one of
/// the same name, which the linker joins.
pub fn attach(object: &mut Vec<u8>, records: &[u8]) -> Result<(), EmbedError> {
    let malformed = |what: &str| EmbedError::Malformed(what.to_string());
    if !object.starts_with(b"\x7fELF\x02\x01") || object.len() < HEADER {
        return Err(EmbedError::Machine("another kind of machine".to_string()));
    }
    let header = &object[..HEADER];
    let (count, names) = (get(header, SECTIONS), get(header, NAMES));
    if get(header, TYPE) != RELOCATABLE || get(header, SECTION_SIZE) != SECTION_HEADER as u64 {
        return Err(malformed("it is not a relocatable object"));
    }
    if count == 0 || count + 1 >= MANY_SECTIONS || names >= count {
        return Err(malformed("it has too many sections"));
    }
    let table = slice(object, get(header, SECTION_TABLE), count * SECTION_HEADER as u64);
    let mut table = table.ok_or_else(|| malformed("its sections are not in the file"))?.to_vec();
    let of_names = &mut table[names as usize * SECTION_HEADER..][..SECTION_HEADER];
    let strings = slice(object, get(of_names, OFFSET), get(of_names, SIZE));
    let mut strings = strings.ok_or_else(|| malformed("its names are not in the file"))?.to_vec();

    let name = strings.len() as u64;
    strings.extend(SECTION.as_bytes());
    strings.push(0);
    set(of_names, OFFSET, object.len() as u64);
    set(of_names, SIZE, strings.len() as u64);
    object.extend(&strings);
    table.extend(section_header(name, PROGBITS, 0, object.len() as u64, records.len() as u64));
    object.extend(records);
    object.resize(object.len().next_multiple_of(8), 0);
    let at = object.len() as u64;
    object.extend(table);
    set(object, SECTION_TABLE, at);
    set(object, SECTIONS, count + 1);
    Ok(())
}

/// An object that holds nothing but records, to be linked with others.
pub fn carrier(records: &[u8]) -> Result<Vec<u8>, EmbedError> {
    // An empty section of initialisation code: linkers that collect garbage keep it, and with it the whole object. The
    // next says that the stack need not be executable, as in every object.
    let names = b"\0.shstrtab\0.init\0.note.GNU-stack\0";
    const ALLOCATED_CODE: u64 = 2 | 4;
    let mut object = b"\x7fELF\x02\x01\x01".to_vec();
    object.resize(HEADER, 0);
    for (field, value) in [
        (TYPE, RELOCATABLE),
        (MACHINE, X86_64),
        ((20, 4), 1),
        (SECTION_TABLE, (HEADER + names.len().next_multiple_of(8)) as u64),
        ((52, 2), HEADER as u64),
        (SECTION_SIZE, SECTION_HEADER as u64),
        (SECTIONS, 4),
        (NAMES, 1),
    ] {
        set(&mut object, field, value);
    }
    object.extend(names);
    object.resize(object.len().next_multiple_of(8), 0);
    let end = object.len() as u64;
    object.extend([0; SECTION_HEADER]);
    object.extend(section_header(1, STRTAB, 0, HEADER as u64, names.len() as u64));
    object.extend(section_header(11, PROGBITS, ALLOCATED_CODE, end, 0));
    object.extend(section_header(17, PROGBITS, 0, end, 0));
    attach(&mut object, records)?;
    Ok(object)
}

fn section_header(name: u64, kind: u64, flags: u64, offset: u64, size: u64) -> [u8; SECTION_HEADER] {
    let mut header = [0; SECTION_HEADER];
    for (field, value) in [(NAME, name), (KIND, kind), (FLAGS, flags), (OFFSET, offset), (SIZE, size), (ALIGN, 1)] {
        set(&mut header, field, value);
    }
    header
}

fn slice(bytes: &[u8], start: u64, length: u64) -> Option<&[u8]> {
    bytes.get(usize::try_from(start).ok()?..usize::try_from(start.checked_add(length)?).ok()?)
}

fn get(bytes: &[u8], (at, width): Field) -> u64 {
    bytes[at..at + width].iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn set(bytes: &mut [u8], (at, width): Field, value: u64) {
    bytes[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Image, ImageKind, Kind, Record};
    use proptest::prelude::*;

    fn record(content: &[u8]) -> Record {
        Record { kind: Kind::Bitcode, directory: b"/src".to_vec(), name: b"a.c".to_vec(), content: content.to_vec() }
    }

    #[test]
    fn what_is_attached_is_read_back() {
        let mut object = carrier(&record(b"one").encode()).unwrap();
        attach(&mut object, &record(b"two").encode()).unwrap();
        let image = Image::parse(object.as_slice()).unwrap();
        assert_eq!(image.kind, ImageKind::Relocatable);
        assert_eq!(image.records, [record(b"one"), record(b"two")]);
    }

    #[test]
    fn other_files_are_refused() {
        assert!(attach(&mut b"!<arch>\n".to_vec(), b"").is_err());
        assert!(attach(&mut Vec::new(), b"").is_err());
    }

    proptest! {
        #[test]
        fn damaged_objects_do_no_harm(at in any::<prop::sample::Index>(), value in any::<u8>(), cut in any::<bool>()) {
            let mut object = carrier(&record(b"content").encode()).unwrap();
            let at = at.index(object.len());
            match cut {
                true => object.truncate(at),
                false => object[at] = value,
            }
            let _ = Image::parse(object.as_slice());
            let _ = attach(&mut object, b"more");
        }
    }
}
