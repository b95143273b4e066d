//! Tables of random numbers that need no storage.

/// A number that depends on all of these and on nothing else.
pub fn roll(seed: u64, what: &[u64]) -> u64 {
    what.iter().fold(mix(seed), |state, value| mix(state ^ value.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

fn mix(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
