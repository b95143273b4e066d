//! Memory: bit-fields, as parts of the storage unit that holds them.

use super::memory::Located;
use super::{Executor, Step};
use crate::heap::{Storage, Value};
use crate::number::Range;
use heapwise_engine::reason::SymbolicGap;
use heapwise_ir::{BitRange, IntType, Type, TypeId};

impl Executor<'_, '_> {
    /// Loads a bit-field from its unit.
    pub(super) fn load_bits(&mut self, located: Located, unit: u64, bits: BitRange, ty: TypeId) -> Step<Value> {
        let value = match located {
            Located::Exact(node, offset) => match self.heap.object(node) {
                Some(object) if !matches!(object.storage, Storage::Literal(_)) => object.load(offset, unit),
                Some(_) | None => Value::Any,
            },
            Located::Somewhere { .. } => Value::Top,
            Located::Library => Value::Any,
        };
        let signed = matches!(self.context.program.ty(ty), Type::Int(IntType::Signed(_)));
        let width = u32::from(bits.width);
        Ok(match value {
            Value::Uninitialised | Value::Top => value,
            Value::Number(number) => {
                let raw = (number >> bits.shift) & ((1i128 << width) - 1);
                Value::Number(if signed && width > 0 { raw << (128 - width) >> (128 - width) } else { raw })
            }
            _ => {
                let range = if signed && width > 0 {
                    Range::new(-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
                } else {
                    Range::new(0, (1i128 << width) - 1)
                };
                match range {
                    Some(range) => self.heap.fresh(range),
                    None => Value::Any,
                }
            }
        })
    }

    /// Stores a bit-field: the other bits of its unit stay.
    pub(super) fn store_bits(&mut self, located: Located, unit: u64, bits: BitRange, value: Value) -> Step<()> {
        let Located::Exact(node, offset) = located else {
            return self.gap(SymbolicGap::BitFieldWrittenAtUnknownIndex);
        };
        let old = self.heap.object(node).map_or(Value::Top, |object| object.load(offset, unit));
        let mask = ((1i128 << bits.width) - 1) << bits.shift;
        let whole = u64::from(bits.width) == 8 * unit;
        let new = match (old, value) {
            (_, Value::Uninitialised | Value::Top) => Value::Top,
            (_, Value::Number(number)) if whole => Value::Number(number & mask),
            (_, _) if whole => Value::Any,
            (Value::Uninitialised | Value::Top, _) => Value::Top,
            (Value::Number(old), Value::Number(number)) => Value::Number(old & !mask | (number << bits.shift) & mask),
            _ => Value::Any,
        };
        self.write(located, unit, new)
    }
}

/// The bytes of a storage unit that hold the bits.
pub(super) fn shrink_unit(size: u64, bits: BitRange) -> (i64, u64, BitRange) {
    let first = u64::from(bits.shift) / 8;
    let last = u64::from(bits.shift + bits.width).div_ceil(8).max(first + 1).min(size.max(1));
    (first as i64, last - first, BitRange { shift: bits.shift - (first * 8) as u8, width: bits.width })
}
