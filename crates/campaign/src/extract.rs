//! The input of a path as a test case.

use secateur_machine::{Machine, State, SymbolSource};
use secateur_suite::{Object, Source, TestCase, Unwritten};

/// The test case that makes a program take the path of `state`, whose input the machine still follows.
pub(crate) fn test_case(machine: &Machine, state: &State) -> TestCase {
    let environment = &machine.options().environment;
    let bytes_of =
        |first: u32, len: u32| (first..first + len).map(|index| machine.guide.values.byte(index)).collect::<Vec<u8>>();
    let mut test = TestCase::default();
    test.args.extend(environment.fixed_arguments.iter().map(|argument| argument.clone().into_bytes()));
    for symbol in state.symbols.in_order() {
        let bytes = bytes_of(symbol.first, symbol.len);
        match &symbol.source {
            SymbolSource::Data(size) => {
                let size = bytes_of(*size, 4).iter().rev().fold(0, |value, byte| value << 8 | usize::from(*byte));
                let bytes = bytes[..size.min(bytes.len())].to_vec();
                test.objects.push(Object { name: symbol.name.clone(), bytes, source: Source::Make });
            }
            SymbolSource::Object => {
                test.objects.push(Object { name: symbol.name.clone(), bytes, source: Source::Make });
            }
            SymbolSource::Answer(answer) => {
                let bytes = vec![u8::from(*answer)];
                test.objects.push(Object { name: symbol.name.clone(), bytes, source: Source::Make });
            }
            SymbolSource::Nondet(c_type) => {
                let source = Source::Nondet { c_type: c_type.to_string() };
                test.objects.push(Object { name: symbol.name.clone(), bytes, source });
            }
            SymbolSource::ArgumentCount => {}
            SymbolSource::Argument(_) => test.args.push(c_string(bytes)),
            SymbolSource::Stdin => test.stdin = Some(bytes),
            SymbolSource::File => test.files.push((symbol.name.clone(), bytes)),
            SymbolSource::Environment => test.env.push((symbol.name.clone(), c_string(bytes))),
            SymbolSource::Unwritten { fresh, offset } => {
                test.unwritten.push(Unwritten { name: symbol.name.clone(), fresh: *fresh, offset: *offset, bytes });
            }
        }
    }
    test
}

/// The bytes before the first 0.
fn c_string(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some(end) = bytes.iter().position(|byte| *byte == 0) {
        bytes.truncate(end);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_end_at_the_first_zero() {
        assert_eq!(c_string(b"ab\0c\0".to_vec()), b"ab");
        assert_eq!(c_string(b"abc".to_vec()), b"abc");
        assert_eq!(c_string(Vec::new()), b"");
    }
}
