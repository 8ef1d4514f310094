//! The records of the section. All numbers are little-endian:
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `SECATEUR` |
//! | 4 | version of the format, 1 |
//! | 4 | kind of the record |
//! | 8 | length of the body |
//! | 8 | checksum of the kind and the body: FNV-1a of 64 bits |
//! | … | body: directory, name and content, each after its length in 8 bytes |
//!
//! Zero bytes between records are padding, which a linker may insert.

use crate::EmbedError;

const MAGIC: &[u8; 8] = b"SECATEUR";
const VERSION: u32 = 1;
/// The bytes before the body.
const HEADER: usize = 32;

/// One entry of the section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// What it says.
    pub kind: Kind,
    /// The folder in which the compiler ran.
    pub directory: Vec<u8>,
    /// The file that was compiled, as it was named on the command line.
    pub name: Vec<u8>,
    /// What depends on the kind.
    pub content: Vec<u8>,
}

/// The kinds of records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The content is the bitcode of a source file.
    Bitcode,
    /// The file has no bitcode, and the content says why.
    Skipped,
    /// The file was linked, and the content has the libraries: options that each end in a zero byte.
    Link,
}

impl Kind {
    const ALL: [(u32, Kind); 3] = [(1, Kind::Bitcode), (2, Kind::Skipped), (3, Kind::Link)];
}

impl Record {
    /// The record as it is stored.
    pub fn encode(&self) -> Vec<u8> {
        let fields = [&self.directory, &self.name, &self.content];
        let mut body = Vec::with_capacity(fields.iter().map(|field| field.len() + 8).sum());
        for field in fields {
            body.extend((field.len() as u64).to_le_bytes());
            body.extend(field);
        }
        let kind = Kind::ALL.iter().find(|(_, kind)| *kind == self.kind).map_or(0, |(number, _)| *number);
        let mut bytes = Vec::with_capacity(HEADER + body.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(kind.to_le_bytes());
        bytes.extend((body.len() as u64).to_le_bytes());
        bytes.extend(checksum(kind, &body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// All records of a section.
    pub fn decode_all(section: &[u8]) -> Result<Vec<Record>, EmbedError> {
        let mut records = Vec::new();
        let mut rest = section;
        while let Some(start) = rest.iter().position(|byte| *byte != 0) {
            let mut reader = Reader { rest: &rest[start..] };
            let offset = section.len() - reader.rest.len();
            let record = decode(&mut reader, || format!("the record at byte {offset} of {}", section.len()))?;
            records.push(record);
            rest = reader.rest;
        }
        Ok(records)
    }
}

fn decode(reader: &mut Reader<'_>, which: impl Fn() -> String) -> Result<Record, EmbedError> {
    let cut = || EmbedError::Damaged(format!("{} is incomplete", which()));
    if reader.take(MAGIC.len() as u64).ok_or_else(cut)? != MAGIC {
        return Err(EmbedError::Damaged(format!("{} does not begin like one", which())));
    }
    let version = reader.number4().ok_or_else(cut)?;
    if version != VERSION {
        return Err(EmbedError::Version(version));
    }
    let kind = reader.number4().ok_or_else(cut)?;
    let length = reader.number8().ok_or_else(cut)?;
    let expected = reader.number8().ok_or_else(cut)?;
    let body = reader.take(length).ok_or_else(cut)?;
    if checksum(kind, body) != expected {
        return Err(EmbedError::Damaged(format!("{} has a wrong checksum", which())));
    }
    let odd = || EmbedError::Damaged(format!("{} has an unknown content", which()));
    let kind = Kind::ALL.iter().find(|(number, _)| *number == kind).ok_or_else(odd)?.1;
    let mut body = Reader { rest: body };
    let mut field = || {
        let length = body.number8()?;
        body.take(length).map(<[u8]>::to_vec)
    };
    match (field(), field(), field()) {
        (Some(directory), Some(name), Some(content)) if body.rest.is_empty() => {
            Ok(Record { kind, directory, name, content })
        }
        _ => Err(odd()),
    }
}

/// Takes bytes from the front.
struct Reader<'d> {
    rest: &'d [u8],
}

impl<'d> Reader<'d> {
    fn take(&mut self, length: u64) -> Option<&'d [u8]> {
        let (taken, rest) = self.rest.split_at_checked(usize::try_from(length).ok()?)?;
        self.rest = rest;
        Some(taken)
    }

    fn number4(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn number8(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }
}

/// It notices accidents, not attackers: bitcode is never trusted anyway.
fn checksum(kind: u32, body: &[u8]) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325;
    let bytes = kind.to_le_bytes().into_iter().chain(body.iter().copied());
    bytes.fold(start, |sum: u64, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn record() -> impl Strategy<Value = Record> {
        let bytes = || proptest::collection::vec(any::<u8>(), 0..40);
        let kind = prop_oneof![Just(Kind::Bitcode), Just(Kind::Skipped), Just(Kind::Link)];
        (kind, bytes(), bytes(), bytes()).prop_map(|(kind, directory, name, content)| Record {
            kind,
            directory,
            name,
            content,
        })
    }

    proptest! {
        #[test]
        fn concatenated_and_padded_records_are_read_back(
            records in proptest::collection::vec((record(), 0usize..9), 0..5)
        ) {
            let mut section = Vec::new();
            for (record, padding) in &records {
                section.extend(record.encode());
                section.extend(vec![0; *padding]);
            }
            let expected: Vec<Record> = records.into_iter().map(|(record, _)| record).collect();
            prop_assert_eq!(Record::decode_all(&section), Ok(expected));
        }

        #[test]
        fn damage_is_noticed(record in record(), at in any::<prop::sample::Index>(), flip in 1u8..) {
            let mut section = record.encode();
            let at = at.index(section.len());
            section[at] ^= flip;
            prop_assert!(Record::decode_all(&section).is_err());
        }

        #[test]
        fn cuts_are_noticed(record in record(), at in any::<prop::sample::Index>()) {
            let section = record.encode();
            let at = at.index(section.len());
            let cut = Record::decode_all(&section[..at]);
            let noticed = if at == 0 { cut == Ok(Vec::new()) } else { cut.is_err() };
            prop_assert!(noticed);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Record::decode_all(&bytes);
            let _ = Record::decode_all(&[MAGIC.as_slice(), &VERSION.to_le_bytes(), &bytes].concat());
        }
    }
}
