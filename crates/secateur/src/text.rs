//! Numbers as people read them.

use indicatif::HumanCount;

/// A number of bytes. Unlike `indicatif::HumanBytes`, it has no needless decimals.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.0} KiB", bytes as f64 / 1024.0),
        1_048_576..1_073_741_824 => format!("{:.0} MiB", bytes as f64 / 1_048_576.0),
        _ => format!("{:.1} GiB", bytes as f64 / 1_073_741_824.0),
    }
}

/// A count with its unit, in the singular where it is one.
pub(crate) fn count(number: u64, singular: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {singular}{plural}", grouped(number))
}

/// A number with separators between its thousands.
pub(crate) fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(1234567), "1,234,567");
        assert_eq!(count(1, "path"), "1 path");
        assert_eq!(count(2000, "path"), "2,000 paths");
        assert_eq!(size(3 << 20), "3 MiB");
    }
}
