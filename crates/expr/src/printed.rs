//! Numbers as `printf` formats them, computed by the C library.
//!
//! Formatting a `double` is opaque to solvers, like `sin`: its text is a [native function](crate::NativeFn::Printed) of
//! the number.

use std::ffi::{CString, c_char, c_int};

/// A conversion specification of `printf`, without its length modifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NumberFormat {
    /// `-`
    pub minus: bool,
    /// `+`
    pub plus: bool,
    /// A blank.
    pub space: bool,
    /// `#`
    pub alternate: bool,
    /// `0`
    pub zero: bool,
    /// The minimum number of characters.
    pub width: u32,
    /// The minimum number of digits, or the number of decimals.
    pub precision: Option<u32>,
    /// `d`, `x`, `g` …
    pub conversion: u8,
}

/// A number to be formatted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// For `d`, `i`, `o`, `u`, `x` and `X`.
    Integer(i64),
    /// For `a`, `e`, `f`, `g` and their capitals.
    Double(f64),
    /// The two words of a `long double`, for the same.
    LongDouble(u64, u64),
}

/// The conversions of floating-point numbers, in the order of their codes in a [request](NumberFormat::request).
const FLOAT_CONVERSIONS: &[u8; 8] = b"aAeEfFgG";

impl NumberFormat {
    /// The text of a number.
    pub fn print(&self, number: Number) -> Vec<u8> {
        let mut format = String::from("%");
        let flags = [(self.minus, '-'), (self.plus, '+'), (self.space, ' '), (self.alternate, '#'), (self.zero, '0')];
        format.extend(flags.iter().filter(|(on, _)| *on).map(|(_, flag)| *flag));
        // A width of 0 would read as a flag.
        if self.width > 0 {
            format.push_str(&self.width.to_string());
        }
        if let Some(precision) = self.precision {
            format.push_str(&format!(".{precision}"));
        }
        format.push_str(match number {
            Number::Integer(_) => "ll",
            Number::Double(_) => "",
            Number::LongDouble(..) => "L",
        });
        format.push(char::from(self.conversion));
        CString::new(format).map_or(Vec::new(), |format| call(&format, number))
    }

    /// A request for the length of the text of a `double`, or for one of its bytes; `None` if the format cannot be
    /// encoded.
    pub fn request(&self, byte: Option<u32>) -> Option<u64> {
        let conversion = FLOAT_CONVERSIONS.iter().position(|known| *known == self.conversion)? as u64;
        let flags = [self.minus, self.plus, self.space, self.alternate, self.zero];
        let flags = flags.iter().fold(0, |flags, flag| flags << 1 | u64::from(*flag));
        let width = u64::from(self.width);
        let precision = self.precision.map_or(0, |precision| u64::from(precision) + 1);
        let byte = byte.map_or(0, |byte| u64::from(byte) + 1);
        let fits = width < 1 << 13 && precision < 1 << 13 && byte < 1 << 17;
        fits.then_some(byte << 34 | precision << 21 | width << 8 | flags << 3 | conversion)
    }

    fn of_request(request: u64) -> (NumberFormat, Option<u32>) {
        let field = |shift: u32, bits: u32| (request >> shift & ((1 << bits) - 1)) as u32;
        let flag = |bit: u32| field(3 + bit, 1) == 1;
        let format = NumberFormat {
            minus: flag(4),
            plus: flag(3),
            space: flag(2),
            alternate: flag(1),
            zero: flag(0),
            width: field(8, 13),
            precision: field(21, 13).checked_sub(1),
            conversion: FLOAT_CONVERSIONS[field(0, 3) as usize],
        };
        (format, field(34, 17).checked_sub(1))
    }
}

/// The answer to a [request](NumberFormat::request): the length of the text of a `double`, or one of its bytes, which
/// is 0 beyond the end.
pub(crate) fn answer(number: f64, request: u64) -> u64 {
    let (format, byte) = NumberFormat::of_request(request);
    let text = format.print(Number::Double(number));
    match byte {
        None => text.len() as u64,
        Some(byte) => text.get(byte as usize).map_or(0, |byte| u64::from(*byte)),
    }
}

/// A `va_list` of the x86-64 calling convention with no arguments left in registers: all are in memory.
#[repr(C)]
struct NativeVaList {
    gp_offset: u32,
    fp_offset: u32,
    overflow: *const NativeArgument,
    registers: *const u8,
}

#[repr(C, align(16))]
struct NativeArgument([u64; 2]);

// A function of the C library. The list is passed as a pointer because it is an array of one element in C.
unsafe extern "C" {
    fn vsnprintf(text: *mut u8, size: usize, format: *const c_char, list: *mut NativeVaList) -> c_int;
}

/// Formats one number with the C library.
fn call(format: &CString, number: Number) -> Vec<u8> {
    let argument = NativeArgument(match number {
        Number::Integer(number) => [number as u64, 0],
        Number::Double(number) => [number.to_bits(), 0],
        Number::LongDouble(low, high) => [low, high],
    });
    let mut buffer = vec![0u8; 512];
    loop {
        let mut list =
            NativeVaList { gp_offset: 48, fp_offset: 176, overflow: &raw const argument, registers: std::ptr::null() };
        // SAFETY: the buffer has the length that is passed, the format has one conversion, and the list one argument of
        // its type.
        let needed = unsafe { vsnprintf(buffer.as_mut_ptr(), buffer.len(), format.as_ptr(), &raw mut list) };
        let needed = usize::try_from(needed).unwrap_or(0);
        if needed < buffer.len() {
            buffer.truncate(needed);
            return buffer;
        }
        buffer.resize(needed + 1, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_round_trip() {
        let plain = NumberFormat { conversion: b'g', ..NumberFormat::default() };
        let formats = [
            plain,
            NumberFormat { minus: true, width: 8191, ..plain },
            NumberFormat { plus: true, zero: true, precision: Some(0), conversion: b'E', ..plain },
            NumberFormat { space: true, alternate: true, precision: Some(8190), conversion: b'a', ..plain },
        ];
        for format in formats {
            for byte in [None, Some(0), Some(131_070)] {
                let request = format.request(byte);
                assert_eq!(request.map(NumberFormat::of_request), Some((format, byte)));
            }
        }
        assert_eq!(NumberFormat { width: 8192, ..plain }.request(None), None);
        assert_eq!(NumberFormat { conversion: b'd', ..plain }.request(None), None);
    }

    #[test]
    fn answers_are_lengths_and_bytes() {
        let format = NumberFormat { conversion: b'f', precision: Some(2), width: 6, ..NumberFormat::default() };
        let ask = |byte| format.request(byte).map(|request| answer(-1.5, request));
        assert_eq!(format.print(Number::Double(-1.5)), b" -1.50");
        assert_eq!((ask(None), ask(Some(1)), ask(Some(6))), (Some(6), Some(u64::from(b'-')), Some(0)));
    }
}
