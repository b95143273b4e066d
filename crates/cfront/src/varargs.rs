//! Variable arguments: the caller puts them into an array of slots and passes its address; `va_arg` walks along it.

use crate::adapter::{ExprId, VaList};
use crate::lowering::Lowering;
use crate::places::pointed;
use crate::scopes::Until;
use heapwise_ir::{Construct, Expression, Field, Operand, Place, RecordId, Step, Type, TypeId as IrTypeId};

/// The member of `__va_list_tag` that points to the next argument.
pub(crate) const OVERFLOW_AREA: u32 = 2;

impl Lowering<'_, '_, '_> {
    /// Puts arguments into slots; the address of the first, or null where there are none.
    pub(crate) fn pack_arguments(&mut self, arguments: &[ExprId]) -> Operand {
        if arguments.is_empty() {
            return Operand::ZERO;
        }
        let types: Vec<IrTypeId> = arguments.iter().map(|&argument| self.type_of(argument)).collect();
        let (record, size) = self.slots(&types);
        let ty = self.intern(Type::Record(record));
        let values: Vec<Option<Operand>> = arguments
            .iter()
            .zip(&types)
            .map(|(&argument, &ty)| (!self.is_aggregate(ty)).then(|| self.value(argument)))
            .collect();
        let slots = self.temporary_object(ty, Operand::Int(i128::from(size)), Until::Operand);
        for (index, (value, &argument)) in values.into_iter().zip(arguments).enumerate() {
            let mut place = pointed(Operand::Register(slots), ty);
            place.path.steps.push(Step::Field(record, index as u32));
            place.ty = types[index];
            match value {
                Some(value) => self.store(place, value),
                None => self.aggregate_into(argument, place),
            }
        }
        Operand::Register(slots)
    }

    /// The record of slots for arguments of these types.
    pub(crate) fn slots(&mut self, types: &[IrTypeId]) -> (RecordId, u64) {
        let known = self.link.argument_slots.get(types).copied();
        if let Some(record) = known {
            return (record, self.link.program.records[record].size);
        }
        let mut offset = 0;
        let mut fields = Vec::new();
        for (index, &ty) in types.iter().enumerate() {
            fields.push(Field { name: format!("${index}"), ty, offset, bits: None });
            offset += self.slot_bytes(ty);
        }
        let name = format!("$arguments{}", self.link.argument_slots.len());
        let record = self.link.add_record(&name, crate::adapter::RecordKind::Struct, "");
        let made = &mut self.link.program.records[record];
        made.fields = Some(fields);
        made.size = offset;
        made.align = 8;
        self.link.argument_slots.insert(types.to_vec(), record);
        (record, offset)
    }

    fn slot_bytes(&self, ty: IrTypeId) -> u64 {
        self.size(ty).unwrap_or(8).next_multiple_of(8).max(8)
    }

    /// Where a `va_list` keeps its pointer to the next argument.
    fn cursor(&mut self, list: ExprId) -> Place {
        let pointer = self.value(list);
        let ty = self.type_of(list);
        let list_type = self.pointee(ty).unwrap_or(ty);
        let mut place = pointed(pointer, list_type);
        if self.source.target.va_list == Some(VaList::SysV)
            && let Type::Record(record) = *self.get(list_type)
            && let Some(field) = self.link.program.records[record].fields().get(OVERFLOW_AREA as usize)
        {
            place.ty = field.ty;
            place.path.steps.push(Step::Field(record, OVERFLOW_AREA));
        }
        place
    }

    pub(crate) fn va_start(&mut self, expr: ExprId, list: ExprId) {
        let place = self.cursor(list);
        self.at(expr);
        match self.variable_arguments {
            Some(arguments) => self.store(place, Operand::Register(arguments)),
            None => self.unsupported(Construct::VaStartWithoutEllipsis),
        }
    }

    /// The place of the next argument; the list moves on.
    pub(crate) fn next_argument(&mut self, list: ExprId, ty: IrTypeId) -> Place {
        let cursor = self.cursor(list);
        let current = self.load(cursor.clone(), cursor.ty, None);
        let bytes = Operand::Int(i128::from(self.slot_bytes(ty)));
        let next = self.compute(cursor.ty, None, Expression::AddBytes { base: current, bytes });
        self.store(cursor, next);
        pointed(current, ty)
    }

    pub(crate) fn va_copy(&mut self, expr: ExprId, dst: ExprId, src: ExprId) {
        let to = self.cursor(dst);
        let from = self.cursor(src);
        self.at(expr);
        let value = self.load(from.clone(), from.ty, None);
        self.store(to, value);
    }
}
