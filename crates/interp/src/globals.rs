//! The heap before a run: the objects of globals with what their initialisers say, and the streams of the library.

use crate::contents::{CellValue, Fill};
use crate::heap::{Heap, Holder, ObjectKind};
use crate::inputs::{InputId, LIBRARY_SIZE};
use crate::machine::{Machine, low_bits};
use crate::value::{ObjectId, Pointer, Scalar, Value};
use heapwise_ir::{Initializer, InitializerItem, Mutability, Operand};

impl Machine<'_> {
    pub(crate) fn initial_globals(&self) -> Heap {
        let mut heap = Heap::default();
        for (id, global) in &self.program.globals {
            let kind = match global.mutability {
                Mutability::Mutable => ObjectKind::Global(id),
                Mutability::ReadOnly => ObjectKind::Literal(id),
            };
            let fill = match global.initializer {
                Initializer::Items(_) | Initializer::Bytes(_) => Fill::Zero,
                Initializer::Unknown | Initializer::Library(_) => Fill::Any(InputId::ELSEWHERE),
            };
            let object = heap.add(kind, global.size, fill, None);
            let made = heap.object_mut(object);
            (made.view, made.align) = (Some(global.ty), global.align);
        }
        for (id, global) in &self.program.globals {
            let object = Self::global_object(id);
            match &global.initializer {
                Initializer::Items(items) => {
                    items.iter().for_each(|item| self.initialize(&mut heap, object, item));
                }
                Initializer::Bytes(bytes) => {
                    let fits = bytes.len().min(global.size as usize);
                    heap.write(object, |contents, changes| {
                        for (index, byte) in bytes[..fits].iter().enumerate() {
                            contents.store_bits(index as u64, 1, u128::from(*byte), changes);
                        }
                    });
                }
                // Filled in when it is read: every time anew.
                Initializer::Unknown | Initializer::Library(_) => {}
            }
        }
        heap.dropped.clear();
        heap
    }

    /// The library's streams are objects of their own, and the variables that name them are never null.
    pub(crate) fn open_streams(&mut self) {
        let width = u64::from(self.program.target.pointer_bytes);
        for name in ["stdin", "stdout", "stderr"] {
            let any = Fill::Any(InputId::ELSEWHERE);
            let object = self.globals.add(ObjectKind::Library, LIBRARY_SIZE, any, None);
            let value = Value::Pointer(Pointer { object, offset: 0 });
            self.globals.retain(value, Holder::Root);
            self.streams.push((name, object));
            let variable = self.program.globals.iter().find(|(_, global)| global.name == name && global.size == width);
            if let Some((id, _)) = variable {
                self.globals.write(Self::global_object(id), |contents, changes| {
                    contents.store_cell(0, width, CellValue::Value(value), changes);
                });
            }
        }
        self.globals.dropped.clear();
    }

    fn initialize(&self, heap: &mut Heap, object: ObjectId, item: &InitializerItem) {
        let scalar = self.code.scalar(item.ty);
        let size = scalar.bytes();
        if item.offset + size > heap.object(object).size {
            return;
        }
        let value = match item.value {
            Operand::Global(global) => {
                Value::Pointer(Pointer { object: Self::global_object(global), offset: item.addend })
            }
            Operand::Function(function) => Value::Function(function),
            Operand::Int(value) => match scalar {
                Scalar::Float(_) => Value::Float(value as f64),
                _ => Value::Int(value + i128::from(item.addend)),
            },
            Operand::Float(value) => Value::Float(value),
            Operand::Register(_) => return,
        };
        heap.write(object, |contents, changes| match (value, item.bits) {
            (Value::Int(value), Some(bits)) => {
                let mask = low_bits(u32::from(bits.width)) << bits.shift;
                contents.store_masked(item.offset, size, (value as u128) << bits.shift, mask);
            }
            (Value::Int(value), None) => contents.store_bits(item.offset, size, value as u128, changes),
            (Value::Float(value), _) => {
                if let Scalar::Float(float) = scalar {
                    contents.store_bits(item.offset, size, crate::float::to_bits(value, float), changes);
                }
            }
            (value, _) => contents.store_cell(item.offset, size, CellValue::Value(value), changes),
        });
    }
}
