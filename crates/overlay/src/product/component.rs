//! What one component does with an instruction: it follows its own bytes and those of no group; of others it knows nothing.

use super::reveal::size_of_cells;
use crate::groups::{GroupId, Groups, Owner};
use crate::heap::{Heap, Node, Pointer, Region, Size, Storage, Value, is_owned};
use crate::transfer::{Applied, Context, Executor, Step};
use heapwise_engine::reason::SymbolicGap;
use heapwise_ir::{CopySource, Function, Instruction, Operand, Place};

/// Which bytes an access went to, over all cases of a heap.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Seen {
    /// Bytes of this component alone.
    pub own: bool,
    /// Bytes that all follow.
    pub shared: bool,
    /// Bytes of another component.
    pub hidden: bool,
    /// Through a pointer that this component does not know.
    pub unknown: bool,
}

impl Seen {
    /// Either.
    #[must_use]
    pub fn or(self, other: Seen) -> Seen {
        Seen {
            own: self.own || other.own,
            shared: self.shared || other.shared,
            hidden: self.hidden || other.hidden,
            unknown: self.unknown || other.unknown,
        }
    }
}

/// One component.
#[derive(Clone, Copy)]
pub struct Component<'c, 'p> {
    /// The program and the question.
    pub context: &'c Context<'p>,
    /// All groups.
    pub groups: &'c Groups,
    /// Its own.
    pub group: GroupId,
}

enum Class {
    Own,
    Shared,
    Hidden,
    Unknown,
    Several,
}

impl<'p> Component<'_, 'p> {
    /// Runs an instruction that is no call.
    pub fn apply(&self, function: &'p Function, instruction: &Instruction, heap: &Heap) -> (Applied, Seen) {
        let mut seen = Seen::default();
        let mut applied = self.context.run(function, heap, |executor| match instruction {
            Instruction::Load { target, place } => match self.class_of(executor, place, &mut seen)? {
                Class::Own | Class::Shared => executor.instruction(instruction),
                Class::Hidden | Class::Unknown => {
                    let value = self.context.any_of(&mut executor.heap, function.registers[*target].ty);
                    executor.heap.set_register(*target, value);
                    Ok(())
                }
                Class::Several => executor.gap(SymbolicGap::SeveralGroupsAccessed),
            },
            Instruction::Store { place, .. } => match self.class_of(executor, place, &mut seen)? {
                Class::Own | Class::Shared => executor.instruction(instruction),
                Class::Hidden | Class::Unknown => Ok(()),
                Class::Several => executor.gap(SymbolicGap::SeveralGroupsAccessed),
            },
            Instruction::Copy { place, source, .. } => self.copy(executor, instruction, place, source, &mut seen),
            Instruction::Free { pointer } => match executor.operand(*pointer, None)? {
                Value::Any => {
                    seen.unknown = true;
                    Ok(())
                }
                _ => executor.instruction(instruction),
            },
            Instruction::Assign { .. }
            | Instruction::Alloc { .. }
            | Instruction::End { .. }
            | Instruction::Assume(_)
            | Instruction::Call { .. }
            | Instruction::Assert(_)
            | Instruction::Unsupported(_) => executor.instruction(instruction),
        });
        if matches!(instruction, Instruction::Alloc { .. } | Instruction::Copy { .. }) {
            applied.heaps.iter_mut().for_each(|heap| self.hide(heap));
        }
        (applied, seen)
    }

    fn copy(
        &self,
        executor: &mut Executor<'_, 'p>,
        instruction: &Instruction,
        place: &Place,
        source: &CopySource,
        seen: &mut Seen,
    ) -> Step<()> {
        let target = self.class_of(executor, place, seen)?;
        let from = match source {
            CopySource::Place(from) => Some(self.class_of(executor, from, seen)?),
            CopySource::Fill(_) | CopySource::Members | CopySource::Nondet => None,
        };
        match (target, from) {
            (Class::Unknown, _) | (_, Some(Class::Unknown)) => Ok(()),
            (Class::Shared, Some(Class::Shared)) | (_, None) => executor.instruction(instruction),
            // What one component does not see it cannot copy.
            (Class::Own | Class::Hidden | Class::Several | Class::Shared, Some(_)) => {
                executor.gap(SymbolicGap::SeveralGroupsAccessed)
            }
        }
    }

    fn class_of(&self, executor: &mut Executor<'_, 'p>, place: &Place, seen: &mut Seen) -> Step<Class> {
        let (address, _) = executor.place_address(place)?;
        // Behind a structure that is empty, the bytes may be anybody's: it is decided first whether it is.
        if let Value::Pointer(pointer) | Value::Indexed { pointer, .. } = address
            && let Node::Instance(instance) = executor.heap.node(pointer.node)
            && (instance.least == 0 || size_of_cells(instance) != Some(instance.layout.size))
        {
            executor.cell(pointer)?;
        }
        let bytes = self.context.program.size_of(place.ty).unwrap_or(1);
        let class = self.class(&executor.heap, address, bytes);
        match class {
            Class::Own => seen.own = true,
            Class::Shared => seen.shared = true,
            Class::Hidden => seen.hidden = true,
            Class::Unknown => seen.unknown = true,
            Class::Several => {}
        }
        Ok(class)
    }

    fn class(&self, heap: &Heap, address: Value, bytes: u64) -> Class {
        let (pointer, is_exact) = match address {
            Value::Any => return Class::Unknown,
            Value::Pointer(pointer) => (pointer, true),
            Value::Indexed { pointer, .. } => (pointer, false),
            // An error, or no object of the program: all components see the same.
            Value::Uninitialised
            | Value::Top
            | Value::Number(_)
            | Value::Symbol(_)
            | Value::Function(_)
            | Value::Library => return Class::Shared,
        };
        match self.owner(heap, pointer, is_exact, bytes) {
            Owner::Shared => Class::Shared,
            Owner::Group(group) if group == self.group => Class::Own,
            Owner::Group(_) => Class::Hidden,
            Owner::Several => Class::Several,
        }
    }

    fn owner(&self, heap: &Heap, pointer: Pointer, is_exact: bool, bytes: u64) -> Owner {
        // At an index that is not known, any byte may be meant.
        let (offset, bytes) = match (is_exact, u64::try_from(pointer.offset)) {
            (true, Ok(offset)) => (offset, bytes),
            _ => (0, u64::MAX),
        };
        match heap.node(pointer.node) {
            Node::Object(object) => self.groups.owner(object, offset, bytes),
            Node::Instance(instance) => self.groups.owner_of_size(instance.layout.size, offset, bytes),
        }
    }

    /// Bytes of other components hold any value.
    fn hide(&self, heap: &mut Heap) {
        let hidden: Vec<_> = heap
            .nodes()
            .filter_map(|(id, node)| match node {
                Node::Object(object) if object.life == crate::heap::Life::Alive => {
                    let spans = self.groups.hidden_spans(object, self.group);
                    let is_open = |(from, to): &(u64, u64)| {
                        object.pieces(*from, to - from).iter().any(|piece| piece.value != Value::Any)
                    };
                    let open: Vec<_> = spans.into_iter().filter(is_open).collect();
                    (!open.is_empty()).then_some((id, open))
                }
                Node::Object(_) | Node::Instance(_) => None,
            })
            .collect();
        for (id, spans) in hidden {
            if let Some(object) = heap.object_mut(id) {
                for (from, to) in spans {
                    object.store(from, to - from, Value::Any);
                }
            }
        }
    }

    /// The cell that a register points to becomes one of a region.
    pub fn set_region(&self, heap: &mut Heap, value: Value, region: Region) {
        if let Value::Pointer(pointer) = value
            && let Some(object) = heap.object_mut(pointer.node)
            && object.storage == Storage::Heap
        {
            object.region = region;
        }
    }

    /// A cell that left its structures forgets where in them it was (c ↦ {} of the paper's assertions (4) and (5)).
    pub fn forget_links(&self, heap: &mut Heap, value: Value) {
        let Value::Pointer(pointer) = value else { return };
        let Some(object) = heap.object(pointer.node) else { return };
        let mut is_linked = false;
        for (_, node) in heap.nodes().filter(|(id, _)| *id != pointer.node) {
            node.for_each_value(&mut |value| is_linked |= value.node() == Some(pointer.node));
        }
        if is_linked {
            return;
        }
        let links: Vec<(u64, u64)> = object
            .fields
            .iter()
            .filter(|field| field.value.node().is_some_and(|node| is_owned(heap.node(node))))
            .map(|field| (field.offset, field.bytes))
            .collect();
        if let Some(object) = heap.object_mut(pointer.node) {
            links.into_iter().for_each(|(offset, bytes)| object.store(offset, bytes, Value::Any));
        }
    }

    /// Cases in which the register is null, no cell of the heap, or exactly a cell. `None` if that cannot be had.
    pub fn exposed(&self, function: &'p Function, heap: &Heap, operand: Operand) -> Option<Vec<Heap>> {
        let mut is_known = true;
        let applied = self.context.run(function, heap, |executor| {
            match executor.operand(operand, None)? {
                Value::Pointer(pointer) => {
                    executor.cell(pointer)?;
                    let object = executor.heap.object(pointer.node);
                    is_known &= object.is_some_and(|object| {
                        object.storage == Storage::Heap
                            && object.life == crate::heap::Life::Alive
                            && matches!(object.size, Size::Constant(_))
                    });
                }
                Value::Number(0) => {}
                _ => is_known = false,
            }
            Ok(())
        });
        (is_known && applied.gaps.is_empty() && applied.errors.is_empty()).then_some(applied.heaps)
    }
}
