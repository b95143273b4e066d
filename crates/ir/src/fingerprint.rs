//! A number that changes with a text.

/// FNV-1a with 64 bits. It finds a change, not a forgery: nothing that must hold may depend on it.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
