//! Test suites in the exchange format of Test-Comp: `metadata.xml` and one XML file per test.
//!
//! A test lists its inputs in the order of the calls that ask for them. Values of `__VERIFIER_nondet_T` are written so
//! that the validator's `sscanf` reads them back exactly. The format does not cover other inputs; they are still
//! listed, as numbers whose bytes are the input, lowest first.

use crate::test_case::{Role, Shape, TestCase};
use std::fmt::Write;

/// What `metadata.xml` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Metadata {
    /// What the suite is for, e.g. `COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )`.
    pub specification: String,
    /// The program that is tested.
    pub program_file: String,
    /// SHA-256 of that file, in hexadecimal.
    pub program_hash: String,
    /// Where the program starts.
    pub entry_function: String,
    /// When the suite was written.
    pub creation_time: std::time::SystemTime,
}

impl Default for Metadata {
    fn default() -> Metadata {
        Metadata {
            specification: "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )".into(),
            program_file: String::new(),
            program_hash: String::new(),
            entry_function: "main".into(),
            creation_time: std::time::SystemTime::now(),
        }
    }
}

/// What is wrong with a test in XML.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TestCompError {
    /// It is not XML.
    #[error("not XML ({0})")]
    Xml(String),
    /// It is not a test.
    #[error("the root element is `{0}`, not `testcase`")]
    Root(String),
    /// There are more or fewer inputs than there should be.
    #[error("there are {found} inputs where the prediction has {expected}")]
    Count {
        /// In the file.
        found: usize,
        /// In the prediction.
        expected: usize,
    },
    /// The type of a value is unknown.
    #[error("input {index} has the unknown type `{c_type}`")]
    Type {
        /// Which input, from 1.
        index: usize,
        /// What the file says.
        c_type: String,
    },
    /// A value cannot be read.
    #[error("input {index} is `{text}`, which is no value of {size} bytes")]
    Value {
        /// Which input, from 1.
        index: usize,
        /// What the file says.
        text: String,
        /// How long the value should be.
        size: usize,
    },
}

/// The content of `metadata.xml`.
pub fn write_metadata(metadata: &Metadata) -> String {
    let mut out = String::from(XML);
    out.push_str(
        "<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\" \
         \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n<test-metadata>\n",
    );
    let seconds = metadata.creation_time.duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let fields = [
        ("sourcecodelang", "C"),
        ("producer", concat!("Secateur ", env!("CARGO_PKG_VERSION"))),
        ("specification", &metadata.specification),
        ("programfile", &metadata.program_file),
        ("programhash", &metadata.program_hash),
        ("entryfunction", &metadata.entry_function),
        ("architecture", "64bit"),
        ("creationtime", &iso_time(seconds)),
    ];
    for (name, value) in fields {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  <{name}>{}</{name}>", escape(value));
    }
    out.push_str("</test-metadata>\n");
    out
}

/// The content of the file of a test.
pub fn write(test: &TestCase, covers_error: bool) -> String {
    let mut out = String::from(XML);
    out.push_str(
        "<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \
         \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n",
    );
    out.push_str(if covers_error { "<testcase coversError=\"true\">\n" } else { "<testcase>\n" });
    for (role, bytes) in test.inputs() {
        let (variable, c_type) = match &role {
            Role::Nondet { name, c_type } => (name.clone(), c_type.clone()),
            Role::Make { name } | Role::Unwritten { name, .. } => (name.clone(), format!("char[{}]", bytes.len())),
            Role::Arg => ("argv".into(), format!("char[{}]", bytes.len())),
            Role::Stdin => ("stdin".into(), format!("char[{}]", bytes.len())),
            Role::File { name } | Role::Env { name } => (name.clone(), format!("char[{}]", bytes.len())),
        };
        let value = value_text(&role, bytes);
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "  <input variable=\"{}\" type=\"{}\">{}</input>",
            escape(&variable),
            escape(&c_type),
            escape(&value)
        );
    }
    out.push_str("</testcase>\n");
    out
}

/// Reads a test back from the content of its file, given where its inputs come from.
pub fn read(text: &str, shape: &Shape) -> Result<TestCase, TestCompError> {
    let document = parse(text)?;
    let inputs: Vec<_> = inputs_of(&document).collect();
    if inputs.len() != shape.inputs.len() {
        return Err(TestCompError::Count { found: inputs.len(), expected: shape.inputs.len() });
    }
    let mut test = TestCase::default();
    for (index, (input, expected)) in inputs.iter().zip(&shape.inputs).enumerate() {
        let bytes = value_of(*input, index, &expected.role, expected.size)?;
        test.push(expected.role.clone(), bytes);
    }
    Ok(test)
}

/// Reads a test of another tool, or one whose prediction is not at hand: the types of its inputs determine their sizes.
pub fn read_foreign(text: &str) -> Result<TestCase, TestCompError> {
    let document = parse(text)?;
    let mut test = TestCase::default();
    for (index, input) in inputs_of(&document).enumerate() {
        let attribute = |name| input.attribute(name).unwrap_or_default();
        let (name, c_type) = (attribute("variable").to_string(), attribute("type").to_string());
        let array = c_type.strip_prefix("char[").and_then(|rest| rest.strip_suffix(']')?.parse::<usize>().ok());
        let size = array.or_else(|| size_of_type(&c_type)).filter(|size| *size <= text.len());
        let size = size.ok_or_else(|| TestCompError::Type { index: index + 1, c_type: c_type.clone() })?;
        let role = match (name.as_str(), array) {
            ("argv", Some(_)) => Role::Arg,
            ("stdin", Some(_)) => Role::Stdin,
            (_, Some(_)) => Role::Make { name },
            (_, None) => Role::Nondet { name, c_type },
        };
        let bytes = value_of(input, index, &role, size)?;
        test.push(role, bytes);
    }
    Ok(test)
}

fn parse(text: &str) -> Result<roxmltree::Document<'_>, TestCompError> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(text, options)
        .map_err(|error| TestCompError::Xml(error.to_string()))?;
    match document.root_element().tag_name().name() {
        "testcase" => Ok(document),
        other => Err(TestCompError::Root(other.into())),
    }
}

fn inputs_of<'a>(document: &'a roxmltree::Document<'_>) -> impl Iterator<Item = roxmltree::Node<'a, 'a>> {
    document.root_element().children().filter(|child| child.has_tag_name("input"))
}

fn value_of(input: roxmltree::Node<'_, '_>, index: usize, role: &Role, size: usize) -> Result<Vec<u8>, TestCompError> {
    let text = input.text().unwrap_or_default().trim();
    parse_value(text, role, size).ok_or_else(|| TestCompError::Value { index: index + 1, text: text.into(), size })
}

/// The size of a type, as C or the name of a `__VERIFIER_nondet_` function spells it.
fn size_of_type(c_type: &str) -> Option<usize> {
    let c_type = c_type.trim().trim_start_matches("unsigned ").trim_start_matches("signed ");
    Some(match c_type {
        "char" | "schar" | "uchar" | "unsigned_char" | "bool" | "_Bool" | "s8" | "u8" => 1,
        "short" | "ushort" | "short int" | "s16" | "u16" => 2,
        "int" | "uint" | "unsigned" | "float" | "s32" | "u32" | "U32" => 4,
        "long" | "ulong" | "long int" | "longlong" | "ulonglong" | "long long" | "long long int" | "double" => 8,
        "size_t" | "s64" | "u64" | "pointer" | "pchar" | "loff_t" | "pthread_t" | "sector_t" => 8,
        "int128" | "uint128" | "__int128" => 16,
        _ if c_type.ends_with('*') => 8,
        _ => return None,
    })
}

const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";

/// How values of a type are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Notation {
    Signed,
    Unsigned,
    Float,
    Text,
    Bytes,
}

/// Types are spelled as in C or as in the names of the `__VERIFIER_nondet_` functions.
fn notation(role: &Role, size: usize) -> Notation {
    let Role::Nondet { c_type, .. } = role else { return Notation::Bytes };
    let c_type = c_type.trim();
    match c_type {
        "float" if size == 4 => Notation::Float,
        "double" if size == 8 => Notation::Float,
        "string" => Notation::Text,
        _ if !(1..=16).contains(&size) => Notation::Bytes,
        "size_t" | "bool" | "_Bool" | "pointer" | "pchar" | "U32" | "pthread_t" | "sector_t" => Notation::Unsigned,
        _ if c_type.ends_with('*') || c_type.starts_with("unsigned") => Notation::Unsigned,
        _ if c_type.starts_with('u') => Notation::Unsigned,
        _ => Notation::Signed,
    }
}

fn value_text(role: &Role, bytes: &[u8]) -> String {
    match notation(role, bytes.len()) {
        Notation::Signed => signed(bytes).to_string(),
        Notation::Unsigned => unsigned(bytes).to_string(),
        Notation::Float => match *bytes {
            [a, b, c, d] => float_text(f32::from_le_bytes([a, b, c, d]), f32::is_sign_negative, f32::is_nan),
            [a, b, c, d, e, f, g, h] => {
                float_text(f64::from_le_bytes([a, b, c, d, e, f, g, h]), f64::is_sign_negative, f64::is_nan)
            }
            _ => hex_text(bytes),
        },
        Notation::Text => c_string(bytes).map_or_else(|| hex_text(bytes), |text| format!("\"{text}\"")),
        Notation::Bytes => hex_text(bytes),
    }
}

fn parse_value(text: &str, role: &Role, size: usize) -> Option<Vec<u8>> {
    let notation = notation(role, size);
    if let Some(quoted) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return padded(quoted.as_bytes(), size);
    }
    if let Some(quoted) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return padded(quoted.as_bytes(), size);
    }
    if notation == Notation::Float {
        // C writes "nan" and "inf" in any case and may sign them; so does Rust.
        return match size {
            4 => text.parse::<f32>().ok().map(|value| value.to_le_bytes().to_vec()),
            _ => text.parse::<f64>().ok().map(|value| value.to_le_bytes().to_vec()),
        };
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return hex_bytes(digits, size);
    }
    let value = match text.strip_prefix('-') {
        Some(digits) => digits.parse::<u128>().ok()?.wrapping_neg(),
        None => text.parse::<u128>().ok()?,
    };
    let bytes = value.to_le_bytes();
    if size > bytes.len() {
        return padded(&bytes, size);
    }
    // The bytes that are dropped must be copies of the sign, if there are any.
    let (kept, cut) = bytes.split_at(size);
    let sign = if text.starts_with('-') { 0xff } else { 0 };
    cut.iter().all(|byte| *byte == sign).then(|| kept.to_vec())
}

fn unsigned(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u128::from(*byte))
}

fn signed(bytes: &[u8]) -> i128 {
    let unused = 128 - 8 * bytes.len() as u32;
    (unsigned(bytes) << unused) as i128 >> unused
}

/// Rust prints the shortest text that reads back as the same number; only the words for "not a number" differ from C's.
fn float_text<F: std::fmt::Debug + Copy>(value: F, negative: fn(F) -> bool, nan: fn(F) -> bool) -> String {
    match (nan(value), negative(value)) {
        (true, true) => "-nan".into(),
        (true, false) => "nan".into(),
        _ => format!("{value:?}"),
    }
}

/// Little-endian bytes as one hexadecimal number. The element must not be empty, so nothing is written as 0.
fn hex_text(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "0x0".into();
    }
    let digits: String = bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect();
    format!("0x{digits}")
}

fn hex_bytes(digits: &str, size: usize) -> Option<Vec<u8>> {
    if digits.is_empty() || !digits.bytes().all(|c| c.is_ascii_hexdigit()) {
        return None;
    }
    let digits = digits.trim_start_matches('0').as_bytes();
    let mut bytes = Vec::with_capacity(size);
    for pair in digits.rchunks(2) {
        let text = std::str::from_utf8(pair).ok()?;
        bytes.push(u8::from_str_radix(text, 16).ok()?);
    }
    padded(&bytes, size)
}

fn padded(bytes: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut bytes = bytes.to_vec();
    (bytes.len() <= size).then(|| {
        bytes.resize(size, 0);
        bytes
    })
}

/// A zero-terminated string of printable characters that needs no escapes, if that is all there is.
fn c_string(bytes: &[u8]) -> Option<&str> {
    let len = bytes.iter().position(|byte| *byte == 0)?;
    let (text, rest) = bytes.split_at(len);
    let plain = |byte: &u8| (b' '..=b'~').contains(byte) && !b"\"'\\".contains(byte);
    // The validator cannot read an empty line.
    if text.is_empty() || !text.iter().all(plain) || rest.iter().any(|byte| *byte != 0) {
        return None;
    }
    std::str::from_utf8(text).ok()
}

/// Text for an element or attribute. XML has no way to write most control characters; they become a replacement
/// character.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "&#{};", c as u32);
            }
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// `2024-02-29T12:00:00Z`, from seconds since 1970.
fn iso_time(seconds: u64) -> String {
    let (days, rest) = (seconds / 86400, seconds % 86400);
    // Years are counted from March, so that the leap day is the last day of a year of this count.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_case::tests::any_test_case;
    use crate::{Object, Source};
    use proptest::prelude::*;

    fn nondet(c_type: &str, bytes: &[u8]) -> Object {
        let name = format!("__VERIFIER_nondet_{c_type}");
        Object { name, bytes: bytes.to_vec(), source: Source::Nondet { c_type: c_type.into() } }
    }

    #[test]
    fn test_file() {
        let test = TestCase {
            objects: vec![
                nondet("int", &(-5i32).to_le_bytes()),
                nondet("uint", &u32::MAX.to_le_bytes()),
                nondet("char", b"\xff"),
                nondet("bool", &[1]),
                nondet("double", &0.1f64.to_le_bytes()),
                nondet("float", &f32::NEG_INFINITY.to_le_bytes()),
                nondet("string", b"a<b\0\0"),
                Object { name: "a\"b".into(), bytes: vec![1, 2, 3], source: Source::Make },
            ],
            ..TestCase::default()
        };
        let expected = r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE testcase PUBLIC "+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN" "https://sosy-lab.org/test-format/testcase-1.1.dtd">
<testcase coversError="true">
  <input variable="__VERIFIER_nondet_int" type="int">-5</input>
  <input variable="__VERIFIER_nondet_uint" type="uint">4294967295</input>
  <input variable="__VERIFIER_nondet_char" type="char">-1</input>
  <input variable="__VERIFIER_nondet_bool" type="bool">1</input>
  <input variable="__VERIFIER_nondet_double" type="double">0.1</input>
  <input variable="__VERIFIER_nondet_float" type="float">-inf</input>
  <input variable="__VERIFIER_nondet_string" type="string">&quot;a&lt;b&quot;</input>
  <input variable="a&quot;b" type="char[3]">0x030201</input>
</testcase>
"#;
        let text = write(&test, true);
        assert_eq!(text, expected);
        assert_eq!(read(&text, &test.shape()), Ok(test));
    }

    #[test]
    fn metadata_file() {
        let metadata = Metadata {
            program_file: "a&b.c".into(),
            program_hash: "00ff".into(),
            creation_time: std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_709_208_000),
            ..Metadata::default()
        };
        let text = write_metadata(&metadata);
        assert!(text.contains("\n<!DOCTYPE test-metadata PUBLIC "));
        assert!(text.contains("<programfile>a&amp;b.c</programfile>"));
        assert!(text.contains("<creationtime>2024-02-29T12:00:00Z</creationtime>"));
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        let document = roxmltree::Document::parse_with_options(&text, options).unwrap();
        let fields: Vec<_> = document.root_element().children().filter(|child| child.is_element()).collect();
        assert_eq!(fields.len(), 8);
    }

    #[test]
    fn dates() {
        assert_eq!(iso_time(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso_time(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(iso_time(951_868_799), "2000-02-29T23:59:59Z");
        assert_eq!(iso_time(4_107_542_400), "2100-03-01T00:00:00Z");
    }

    #[test]
    fn foreign_values() {
        let int = Role::Nondet { name: String::new(), c_type: "int".into() };
        assert_eq!(parse_value("0x10", &int, 4), Some(vec![16, 0, 0, 0]));
        assert_eq!(parse_value("'a'", &int, 1), Some(vec![b'a']));
        assert_eq!(parse_value("256", &int, 1), None);
        assert_eq!(parse_value("-1", &int, 2), Some(vec![255, 255]));
        assert_eq!(parse_value("", &int, 4), None);
        assert_eq!(parse_value("0x", &int, 4), None);
        assert_eq!(parse_value("\"", &int, 4), None);
    }

    #[test]
    fn wrong_files_are_named() {
        let shape = TestCase { objects: vec![nondet("int", &[0; 4])], ..TestCase::default() }.shape();
        assert!(matches!(read("<a", &shape), Err(TestCompError::Xml(_))));
        assert!(matches!(read("<a/>", &shape), Err(TestCompError::Root(_))));
        assert!(matches!(read("<testcase/>", &shape), Err(TestCompError::Count { found: 0, expected: 1 })));
        let text = "<testcase><input>x</input></testcase>";
        assert_eq!(read(text, &shape).unwrap_err().to_string(), "input 1 is `x`, which is no value of 4 bytes");
    }

    proptest! {
        #[test]
        fn round_trip(test in any_test_case()) {
            prop_assert_eq!(read(&write(&test, false), &test.shape()), Ok(test));
        }

        #[test]
        fn numbers_round_trip(value in any::<[u8; 16]>(), size in 1usize..=16,
                              c_type in prop::sample::select(vec!["int", "ulong", "unsigned __int128", "bool", "pointer", "string"])) {
            let role = Role::Nondet { name: String::new(), c_type: c_type.into() };
            let bytes = &value[..size];
            prop_assert_eq!(parse_value(&value_text(&role, bytes), &role, size), Some(bytes.to_vec()));
        }

        #[test]
        fn garbage_never_panics(text in ".*", value in ".*", test in any_test_case()) {
            let _ = read(&text, &test.shape());
            let _ = read(&format!("<testcase><input>{value}</input></testcase>"), &test.shape());
            for (role, bytes) in test.inputs() {
                let _ = parse_value(&value, &role, bytes.len());
            }
        }

        #[test]
        fn mutations_never_panic(test in any_test_case(), at in any::<prop::sample::Index>(), piece in ".{0,3}", cut in any::<prop::sample::Index>()) {
            let text: Vec<char> = write(&test, true).chars().collect();
            // Without its last line ending, the file is still complete.
            let (at, cut) = (at.index(text.len()), cut.index(text.len() - 1));
            let mutant: String = text[..at].iter().copied().chain(piece.chars()).chain(text[at + 1..].iter().copied()).collect();
            let _ = read(&mutant, &test.shape());
            prop_assert!(read(&text[..cut].iter().collect::<String>(), &test.shape()).is_err());
        }
    }
}
