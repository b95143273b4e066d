//! A look at two heaps that tells most of those apart that cannot be brought together, before anything is paired.

use super::Mode;
use crate::heap::{Heap, Life, Node, NodeId, Object, Size, Value};
use smallvec::SmallVec;

/// Whether two heaps surely cannot be unified: cells that the same values lead to are walked side by side, up to instances.
pub(super) fn surely_differ(left: &Heap, right: &Heap, mode: Mode) -> bool {
    if mode == Mode::Entails && n_cells(left) < n_cells(right) {
        // Each cell of the right side is a cell of the left one.
        return true;
    }
    let mut look = PairWalk { left, right, mode, pairs: SmallVec::new() };
    let registers = left.registers.iter().map(|(register, _)| *register);
    let others = right.registers.iter().map(|(register, _)| *register);
    let differs =
        registers.chain(others).any(|register| look.values(left.register(register), right.register(register)))
            || left.ghosts.iter().zip(&right.ghosts).any(|(x, y)| look.values(*x, *y))
            || left.globals.iter().zip(&right.globals).any(|((_, x), (_, y))| look.nodes(*x, *y));
    differs || look.walk()
}

fn n_cells(heap: &Heap) -> usize {
    heap.nodes().filter(|(_, node)| matches!(node, Node::Object(object) if object.life == Life::Alive)).count()
}

struct PairWalk<'h> {
    left: &'h Heap,
    right: &'h Heap,
    mode: Mode,
    /// Cells that must be paired, in the order in which they were found.
    pairs: SmallVec<[(NodeId, NodeId); 16]>,
}

impl PairWalk<'_> {
    /// Whether the cells that were found, and those that they lead to, differ.
    fn walk(&mut self) -> bool {
        let mut next = 0;
        while let Some((x, y)) = self.pairs.get(next).copied() {
            next += 1;
            let (Some(a), Some(b)) = (self.left.object(x), self.right.object(y)) else { continue };
            if self.cells(a, b) {
                return true;
            }
        }
        false
    }

    fn cells(&mut self, a: &Object, b: &Object) -> bool {
        if a.storage != b.storage || a.life != b.life || a.region != b.region || a.array.is_some() != b.array.is_some()
        {
            return true;
        }
        if let (Size::Constant(x), Size::Constant(y)) = (a.size, b.size)
            && x != y
        {
            return true;
        }
        // Both sorted: fields at the same place are looked at.
        let mut others = b.fields.iter().peekable();
        for field in &a.fields {
            while others.next_if(|other| other.offset < field.offset).is_some() {}
            if let Some(other) = others.peek()
                && (other.offset, other.bytes) == (field.offset, field.bytes)
                && self.values(field.value, other.value)
            {
                return true;
            }
        }
        false
    }

    /// Whether constants that differ may become one number.
    fn joins_numbers(&self) -> bool {
        matches!(self.mode, Mode::Join(policy) if !policy.numbers.keep_constants())
    }

    fn nodes(&mut self, x: NodeId, y: NodeId) -> bool {
        // One cell with two others.
        match self.pairs.iter().find(|(a, b)| *a == x || *b == y) {
            Some(known) => *known != (x, y),
            None => {
                self.pairs.push((x, y));
                false
            }
        }
    }

    fn values(&mut self, x: Value, y: Value) -> bool {
        let cell = |heap: &Heap, value: Value| match value {
            Value::Pointer(pointer) => heap.object(pointer.node).map(|_| (pointer.node, Some(pointer.offset))),
            // At any place of the cell.
            Value::Indexed { pointer, .. } => heap.object(pointer.node).map(|_| (pointer.node, None)),
            _ => None,
        };
        let is_instance = |heap: &Heap, value: Value| value.node().is_some_and(|node| heap.object(node).is_none());
        if is_instance(self.left, x) || is_instance(self.right, y) {
            // A cell is never an instance of the left side.
            return self.mode == Mode::Entails && is_instance(self.left, x) && cell(self.right, y).is_some();
        }
        match (cell(self.left, x), cell(self.right, y)) {
            (Some((x, at_x)), Some((y, at_y))) => {
                let is_apart = match (at_x, at_y) {
                    (Some(at_x), Some(at_y)) => at_x != at_y && !self.joins_numbers(),
                    (None, Some(_)) => self.mode == Mode::Entails,
                    (Some(_) | None, None) => false,
                };
                is_apart || self.nodes(x, y)
            }
            (Some(_), None) | (None, Some(_)) => true,
            (None, None) => match (x, y) {
                (Value::Number(x), Value::Number(y)) => x != y && !self.joins_numbers(),
                _ => false,
            },
        }
    }
}
