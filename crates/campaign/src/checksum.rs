//! What tells that stored or sent bytes are whole.

/// FNV-1a over words: it finds what was cut off or damaged, and is no protection against anybody.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64 ^ bytes.len() as u64;
    for word in bytes.chunks(8) {
        let mut padded = [0; 8];
        padded[..word.len()].copy_from_slice(word);
        sum = (sum ^ u64::from_le_bytes(padded)).wrapping_mul(0x0000_0100_0000_01b3);
        sum ^= sum >> 32;
    }
    sum
}
