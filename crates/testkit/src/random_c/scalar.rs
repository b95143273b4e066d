//! The integer types of the generated programs, and C's rules for them.

use super::random::Random;

/// An integer type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scalar {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
}

const ALL: [Scalar; 9] = [
    Scalar::I32,
    Scalar::U32,
    Scalar::I64,
    Scalar::U64,
    Scalar::I8,
    Scalar::U8,
    Scalar::I16,
    Scalar::U16,
    Scalar::Bool,
];

impl Scalar {
    pub(super) fn any(random: &mut Random) -> Scalar {
        *random.pick(&ALL)
    }

    pub(super) fn not_bool(random: &mut Random) -> Scalar {
        *random.pick(&ALL[..8])
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "_Bool",
            Scalar::I8 => "signed char",
            Scalar::U8 => "unsigned char",
            Scalar::I16 => "short",
            Scalar::U16 => "unsigned short",
            Scalar::I32 => "int",
            Scalar::U32 => "unsigned",
            Scalar::I64 => "long",
            Scalar::U64 => "unsigned long",
        }
    }

    pub(super) fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::I8 | Scalar::U8 => 8,
            Scalar::I16 | Scalar::U16 => 16,
            Scalar::I32 | Scalar::U32 => 32,
            Scalar::I64 | Scalar::U64 => 64,
        }
    }

    pub(super) fn is_signed(self) -> bool {
        matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64)
    }

    /// The integer promotions.
    pub(super) fn promoted(self) -> Scalar {
        if self.bits() < 32 { Scalar::I32 } else { self }
    }

    /// The usual arithmetic conversions.
    pub(super) fn common(self, other: Scalar) -> Scalar {
        let (left, right) = (self.promoted(), other.promoted());
        let bits = left.bits().max(right.bits());
        let unsigned = [left, right].into_iter().any(|side| side.bits() == bits && !side.is_signed());
        match (bits, unsigned) {
            (64, true) => Scalar::U64,
            (64, false) => Scalar::I64,
            (_, true) => Scalar::U32,
            (_, false) => Scalar::I32,
        }
    }

    /// The unsigned type of the same width.
    pub(super) fn unsigned(self) -> Scalar {
        match self {
            Scalar::I64 | Scalar::U64 => Scalar::U64,
            _ => Scalar::U32,
        }
    }

    /// A constant of about this size, as an expression of whatever type the literal has.
    pub(super) fn constant(self, random: &mut Random) -> String {
        let value = match random.below(4) {
            0 => random.below(4) as u64,
            1 => random.below(300) as u64,
            2 => 1u64 << random.below(self.bits() as usize),
            _ => random.next() & (u64::MAX >> (64 - self.bits())),
        };
        match self {
            Scalar::Bool => (value & 1).to_string(),
            Scalar::I64 => format!("{}l", (value as i64).clamp(-i64::MAX, i64::MAX)),
            Scalar::U64 => format!("{value}ul"),
            Scalar::U32 => format!("{}u", value as u32),
            Scalar::I32 => ((value as i32).clamp(-i32::MAX, i32::MAX)).to_string(),
            Scalar::I16 => (value as i16).to_string(),
            Scalar::I8 => (value as i8).to_string(),
            Scalar::U8 | Scalar::U16 => value.to_string(),
        }
    }
}
