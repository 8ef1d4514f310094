//! Writes values as C.

use secateur_program::unit::{CType, TypeKind};

/// The number in some bytes, lowest first.
pub(crate) fn number(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u128::from(*byte))
}

/// A number of a scalar type that has `bits` bits.
pub(crate) fn scalar(ty: &CType, value: u128, bits: u32) -> String {
    match ty.kind {
        TypeKind::Float if ty.size == 4 => float(value as u32),
        TypeKind::Float => double(value as u64),
        TypeKind::Char { .. } if (0x20..0x7f).contains(&value) => format!("'{}'", escape(value as u8, None)),
        TypeKind::Char { signed } | TypeKind::Integer { signed } => integer(value, bits, signed),
        _ => value.to_string(),
    }
}

fn integer(value: u128, bits: u32, signed: bool) -> String {
    if value == 0 {
        return "0".to_string();
    }
    if bits > 64 {
        let (high, low) = ((value >> 64) as u64, value as u64);
        let ty = if signed { "__int128" } else { "unsigned __int128" };
        return format!("(({ty})((unsigned __int128)0x{high:x}ull << 64 | 0x{low:x}ull))");
    }
    if !signed {
        return format!("{value}{}", if bits > 32 { "ull" } else { "u" });
    }
    let value = ((value << (128 - bits)) as i128) >> (128 - bits);
    let suffix = if bits > 32 { "ll" } else { "" };
    if value == -(1 << (bits - 1)) && bits >= 32 {
        // C has no negative literals, so the lowest number cannot be written as a negation.
        return format!("(-{}{suffix} - 1)", -(value + 1));
    }
    format!("{value}{suffix}")
}

/// Decimal where this is short and exact, else by its bits.
fn float(bits: u32) -> String {
    let value = f32::from_bits(bits);
    if is_plain(f64::from(value)) {
        format!("{value:?}f")
    } else {
        format!("unit_float(0x{bits:08x}u /* {value:?} */)")
    }
}

fn double(bits: u64) -> String {
    let value = f64::from_bits(bits);
    if is_plain(value) { format!("{value:?}") } else { format!("unit_double(0x{bits:016x}ull /* {value:?} */)") }
}

fn is_plain(value: f64) -> bool {
    value == 0.0 || (1e-4..1e15).contains(&value.abs())
}

/// A string literal of all bytes.
pub(crate) fn text(bytes: &[u8]) -> String {
    let mut literal = String::from("\"");
    for (index, byte) in bytes.iter().enumerate() {
        literal.push_str(&escape(*byte, bytes.get(index + 1).copied()));
    }
    literal.push('"');
    literal
}

/// A byte in a literal. Octal escapes end after three digits, so that following characters cannot change them; `??`
/// could begin a trigraph.
fn escape(byte: u8, next: Option<u8>) -> String {
    match byte {
        b'\n' => "\\n".to_string(),
        b'\t' => "\\t".to_string(),
        b'\r' => "\\r".to_string(),
        b'"' | b'\\' | b'\'' => format!("\\{}", byte as char),
        b'?' if next == Some(b'?') => "\\?".to_string(),
        0x20..0x7f => (byte as char).to_string(),
        0 if !next.is_some_and(|next| next.is_ascii_digit()) => "\\0".to_string(),
        _ => format!("\\{byte:03o}"),
    }
}

/// The bytes before the first 0, if there is one and all after it are 0, too.
pub(crate) fn zero_terminated(bytes: &[u8]) -> Option<&[u8]> {
    let end = bytes.iter().position(|byte| *byte == 0)?;
    bytes[end..].iter().all(|byte| *byte == 0).then_some(&bytes[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ty(kind: TypeKind, size: u64) -> CType {
        CType { name: None, size, kind }
    }

    #[test]
    fn integers_have_the_type_that_they_need() {
        let signed = TypeKind::Integer { signed: true };
        let unsigned = TypeKind::Integer { signed: false };
        assert_eq!(scalar(&ty(signed.clone(), 4), 0xffff_ffff, 32), "-1");
        assert_eq!(scalar(&ty(signed.clone(), 4), 0x8000_0000, 32), "(-2147483647 - 1)");
        assert_eq!(scalar(&ty(signed.clone(), 8), u128::from(u64::MAX), 64), "-1ll");
        assert_eq!(scalar(&ty(signed.clone(), 8), 1 << 63, 64), "(-9223372036854775807ll - 1)");
        assert_eq!(scalar(&ty(signed, 4), 5, 3), "-3", "a bit-field of three bits");
        assert_eq!(scalar(&ty(unsigned.clone(), 4), 7, 32), "7u");
        assert_eq!(scalar(&ty(unsigned, 8), 7, 64), "7ull");
    }

    #[test]
    fn characters_are_readable() {
        let char = ty(TypeKind::Char { signed: true }, 1);
        assert_eq!(scalar(&char, u128::from(b'a'), 8), "'a'");
        assert_eq!(scalar(&char, u128::from(b'\''), 8), "'\\''");
        assert_eq!(scalar(&char, 0xff, 8), "-1");
        assert_eq!(text(b"a\"b\\\n\x007\0x\xff??"), r#""a\"b\\\n\0007\0x\377\??""#);
    }

    #[test]
    fn floats_are_exact() {
        let (float, double) = (ty(TypeKind::Float, 4), ty(TypeKind::Float, 8));
        assert_eq!(scalar(&float, u128::from(1.5f32.to_bits()), 32), "1.5f");
        assert_eq!(scalar(&double, u128::from((-0.0f64).to_bits()), 64), "-0.0");
        assert_eq!(scalar(&double, u128::from(0.1f64.to_bits()), 64), "0.1");
        assert_eq!(scalar(&double, u128::from(f64::NAN.to_bits()), 64), "unit_double(0x7ff8000000000000ull /* NaN */)");
        assert_eq!(scalar(&float, 1, 32), "unit_float(0x00000001u /* 1e-45 */)");
    }

    #[test]
    fn text_ends_at_the_first_zero_if_nothing_follows() {
        assert_eq!(zero_terminated(b"ab\0\0"), Some(&b"ab"[..]));
        assert_eq!(zero_terminated(b"ab\0c\0"), None);
        assert_eq!(zero_terminated(b"ab"), None);
    }
}
