//! Shapes that go through static and local objects: the head of a ring.

use super::Translator;
use super::addresses::Addresses;
use super::constants::Object;
use crate::atom::{Atom, Var};
use crate::program::{Command, ShapeObject, StepId};
use heapwise_dataflow::JoinSemiLattice;
use heapwise_ir::ShapeKind;

impl Translator<'_> {
    /// Which objects a doubly linked list may close through, or two lists may meet in: those that their pointers or links of
    /// cells may hold the address of. (Other shapes do not go through objects.)
    pub(super) fn add_shape_objects(&mut self, id: StepId, shift: i64, addresses: &Addresses) {
        let Command::Shape { kind, arguments, cell, links, .. } = &self.out.steps[id].command else { return };
        if !matches!(kind, ShapeKind::DoublyLinked | ShapeKind::Disjoint) {
            return;
        }
        // Where there are too many, none is named, and a list that goes through one is not followed.
        let mut held = addresses.in_cells.clone();
        for argument in arguments {
            held.join(&addresses.of(*argument));
        }
        let places = held.known().unwrap_or_default().to_vec();
        let kind = &self.out.kinds[*cell];
        let offsets: Vec<u64> = links.iter().map(|link| kind.links[*link].offset).collect();
        let bytes = kind.pointer_bytes;
        let mut found: Vec<ShapeObject> = Vec::new();
        for place in places {
            if found.iter().any(|object| object.place == place) {
                continue;
            }
            let vars = offsets.iter().map(|offset| self.link_of_object(place, *offset as i64 - shift, bytes));
            if let Some(links) = vars.collect() {
                found.push(ShapeObject { place, links });
            }
        }
        if let Command::Shape { objects, .. } = &mut self.out.steps[id].command {
            *objects = found;
        }
    }

    /// The variable of a pointer within an object, some bytes behind an address in it.
    fn link_of_object(&mut self, place: Atom, bytes: i64, size: u64) -> Option<Var> {
        let Atom::Place(place) = place else { return None };
        let (object, offset) = self.object_at(place)?;
        // Locals of functions that call themselves are there many times.
        if matches!(object, Object::Auto(_)) && !self.out.procedures.is_empty() {
            return None;
        }
        self.variable_at(object, offset.checked_add(bytes)?, size)
    }
}
