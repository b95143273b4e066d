//! Records, globals, contracts, and that names are unique.

use super::Verifier;
use crate::ids::TypeId;
use crate::program::{Global, Initializer, InitializerItem};
use crate::span::Span;
use crate::types::{BitRange, Record, Type};
use crate::value::Operand;
use rustc_hash::FxHashSet;

impl Verifier<'_> {
    pub(super) fn tables(&mut self) {
        let program = self.program;
        self.unique("record", program.records.values().map(|record| record.name.as_str()));
        self.unique("global", program.globals.values().map(|global| global.name.as_str()));
        self.unique("function", program.functions.values().map(|function| function.name.as_str()));
        for record in program.records.values() {
            self.record(record);
        }
        for global in program.globals.values() {
            self.global(global);
        }
        for contract in &program.contracts {
            self.span(contract.span, "a contract");
            if !program.functions.is_valid(contract.function) {
                self.problem(format!("a contract speaks of {}, which does not exist", contract.function));
            }
        }
        for (span, _) in &program.gaps {
            self.span(*span, "a gap");
        }
    }

    pub(super) fn unique<'n>(&mut self, what: &str, names: impl Iterator<Item = &'n str>) {
        let mut seen = FxHashSet::default();
        for name in names {
            if !seen.insert(name) {
                self.problem(format!("two {what}s are named `{name}`"));
            }
        }
    }

    pub(super) fn span(&mut self, span: Span, what: &str) {
        if let Some(file) = span.file
            && !self.program.files.is_valid(file)
        {
            self.problem(format!("the span of {what} names {file}, which does not exist"));
        }
    }

    fn record(&mut self, record: &Record) {
        let name = &record.name;
        if !record.align.is_power_of_two() {
            self.problem(format!("the alignment of `{name}` is {}", record.align));
        }
        self.unique(&format!("`{name}` field"), record.fields().iter().map(|field| field.name.as_str()));
        for (index, field) in record.fields().iter().enumerate() {
            let what = format!("`{name}.{}`", field.name);
            if !self.type_exists(field.ty, &what) {
                continue;
            }
            let flexible = matches!(self.ty(field.ty), Some(Type::Array(_, None)));
            let size = match self.program.size_of(field.ty) {
                Some(size) => size,
                None if flexible => 0,
                None => {
                    self.problem(format!("{what} is of type {}, which has no size", self.name(field.ty)));
                    continue;
                }
            };
            let last = index + 1 == record.fields().len();
            if flexible && !last && record.kind == crate::types::RecordKind::Struct {
                self.problem(format!("{what} has no size but is not the last field"));
            }
            // The storage unit of a bit-field may reach past the end of a packed record; its bits may not.
            let fits = match field.bits {
                Some(bits) => {
                    let bit_end = field
                        .offset
                        .checked_mul(8)
                        .and_then(|start| start.checked_add(u64::from(bits.shift) + u64::from(bits.width)));
                    bit_end.is_some_and(|end| end.div_ceil(8) <= record.size)
                }
                None => field.offset.checked_add(size).is_some_and(|end| end <= record.size),
            };
            if !fits {
                self.problem(format!("{what} reaches past the end of its record ({} bytes)", record.size));
            }
            self.bits(field.bits, field.ty, &what);
        }
    }

    fn bits(&mut self, bits: Option<BitRange>, ty: TypeId, what: &str) {
        let Some(bits) = bits else { return };
        let available = match self.ty(ty) {
            Some(Type::Int(int)) => int.bytes() * 8,
            _ => 0,
        };
        if u64::from(bits.shift) + u64::from(bits.width) > available {
            self.problem(format!("{what}: bits {}+{} do not fit {}", bits.shift, bits.width, self.name(ty)));
        }
    }

    /// An alignment that a declaration asks for.
    pub(super) fn alignment(&mut self, align: Option<u64>, what: &str) {
        if let Some(align) = align.filter(|align| !align.is_power_of_two()) {
            self.problem(format!("{what} is aligned to {align}"));
        }
    }

    fn global(&mut self, global: &Global) {
        let what = format!("`{}`", global.name);
        self.span(global.span, &what);
        self.alignment(global.align, &what);
        if !self.type_exists(global.ty, &what) {
            return;
        }
        match &global.initializer {
            Initializer::Items(items) => {
                for item in items {
                    self.initializer_item(global, item);
                }
            }
            Initializer::Bytes(bytes) => {
                if bytes.len() as u64 > global.size {
                    self.problem(format!("{what} has {} bytes, its initializer {}", global.size, bytes.len()));
                }
            }
            Initializer::Library(_) => {
                if !self.is_pointer(global.ty) {
                    self.problem(format!(
                        "{what} is a pointer of the library, but its type is {}",
                        self.name(global.ty)
                    ));
                }
            }
            Initializer::Unknown => {}
        }
    }

    fn initializer_item(&mut self, global: &Global, item: &InitializerItem) {
        let what = format!("`{}` at {}", global.name, item.offset);
        if !self.type_exists(item.ty, &what) {
            return;
        }
        self.bits(item.bits, item.ty, &what);
        let size = match item.bits {
            Some(bits) => (u64::from(bits.shift) + u64::from(bits.width)).div_ceil(8),
            None => self.program.size_of(item.ty).unwrap_or(u64::MAX),
        };
        if item.offset.checked_add(size).is_none_or(|end| end > global.size) {
            self.problem(format!("{what} reaches past the end ({} bytes)", global.size));
        }
        if let Operand::Register(register) = item.value {
            return self.problem(format!("{what} is initialised from {register}"));
        }
        // An address may be kept in an integer as wide as a pointer.
        let address = matches!(item.value, Operand::Global(_) | Operand::Function(_));
        let wide = self.program.size_of(item.ty) == Some(u64::from(self.program.target.pointer_bytes));
        if address && wide && matches!(self.ty(item.ty), Some(Type::Int(_))) {
            self.operand_exists(item.value);
        } else {
            self.operand(item.value, item.ty, &what);
        }
        if item.addend != 0 && !address {
            self.problem(format!("{what} adds {} to what is no address", item.addend));
        }
    }
}
