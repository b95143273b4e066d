//! One bit row per location, all in one block of memory.

use crate::ids::{LocationId, RegisterId};
use cranelift_entity::EntityRef;

/// A set of registers per location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegisterRows {
    words_per_row: usize,
    words: Vec<u64>,
}

impl RegisterRows {
    /// Empty sets.
    pub(crate) fn new(n_locations: usize, n_registers: usize) -> RegisterRows {
        let words_per_row = n_registers.div_ceil(64);
        RegisterRows { words_per_row, words: vec![0; words_per_row * n_locations] }
    }

    /// Whether the set of `location` has `register`.
    pub fn contains(&self, location: LocationId, register: RegisterId) -> bool {
        self.row(location)[register.index() / 64] >> (register.index() % 64) & 1 == 1
    }

    /// The set of `location` as a bit mask, 64 registers a word.
    pub fn row(&self, location: LocationId) -> &[u64] {
        &self.words[location.index() * self.words_per_row..][..self.words_per_row]
    }

    /// The registers in the set of `location`, in ascending order.
    pub fn iter(&self, location: LocationId) -> impl Iterator<Item = RegisterId> {
        self.row(location).iter().enumerate().flat_map(|(index, word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| RegisterId::new(index * 64 + bit))
        })
    }

    /// Adds registers to the set of `location`.
    pub(crate) fn extend(&mut self, location: LocationId, registers: impl Iterator<Item = RegisterId>) {
        let start = location.index() * self.words_per_row;
        for register in registers {
            self.words[start + register.index() / 64] |= 1 << (register.index() % 64);
        }
    }
}
