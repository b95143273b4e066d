//! What is told apart: tracking definitions and shape types (paper 003, section 2.3).
//!
//! A precision starts empty and only grows. It is the same at every location of the program; what is not live at a location
//! is forgotten there.

use crate::classes::{ClassId, ClassLibrary, FamilySet};
use crate::memory::{FieldId, Slot};
use heapwise_ir::TypeId;
use std::collections::{BTreeMap, BTreeSet};

/// What is tracked, and which classes of shapes describe it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Precision {
    /// Tracked pointers, and numbers of which it is tracked whether they were written and which constants they equal.
    pub slots: BTreeSet<Slot>,
    /// Fields that are looked at.
    pub fields: BTreeSet<FieldId>,
    /// Field assertions and nullary predicates: the numbers with which each is compared.
    pub slot_constants: BTreeSet<(Slot, i128)>,
    /// The same for fields.
    pub field_constants: BTreeSet<(FieldId, i128)>,
    /// The shape type of each type of cells that has one.
    pub shapes: BTreeMap<TypeId, ShapeType>,
}

/// A class of shapes for the cells of a type, as far as it is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShapeType {
    /// The class.
    pub class: ClassId,
    /// The fields of each role.
    pub roles: Vec<Vec<FieldId>>,
    /// The families of predicates in use, closed under need.
    pub families: FamilySet,
}

/// What a path teaches: what its contradiction depends on.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Facts {
    /// Slots.
    pub slots: BTreeSet<Slot>,
    /// Fields.
    pub fields: BTreeSet<FieldId>,
    /// Numbers that slots are compared with.
    pub slot_constants: BTreeSet<(Slot, i128)>,
    /// Numbers that fields are compared with.
    pub field_constants: BTreeSet<(FieldId, i128)>,
}

impl Facts {
    /// Takes over what another path teaches.
    pub fn extend(&mut self, other: Facts) {
        self.slots.extend(other.slots);
        self.fields.extend(other.fields);
        self.slot_constants.extend(other.slot_constants);
        self.field_constants.extend(other.field_constants);
    }
}

impl Precision {
    /// Tracks what a path teaches; what was not tracked before comes back.
    pub fn track(&mut self, facts: &Facts) -> Facts {
        let mut new = Facts::default();
        for slot in &facts.slots {
            if self.slots.insert(*slot) {
                new.slots.insert(*slot);
            }
        }
        for field in &facts.fields {
            if self.fields.insert(*field) {
                new.fields.insert(*field);
            }
        }
        for constant in &facts.slot_constants {
            if self.slot_constants.insert(*constant) {
                new.slot_constants.insert(*constant);
            }
        }
        for constant in &facts.field_constants {
            if self.field_constants.insert(*constant) {
                new.field_constants.insert(*constant);
            }
        }
        new
    }

    /// The same with other families for one type of cells.
    #[must_use]
    pub fn with_shape(&self, view: TypeId, shape: ShapeType) -> Precision {
        let mut precision = self.clone();
        precision.fields.extend(shape.roles.iter().flatten());
        precision.shapes.insert(view, shape);
        precision
    }

    /// How many families are in use, and how many the classes have.
    pub fn families(&self, library: &ClassLibrary) -> (usize, usize) {
        let used = self.shapes.values().map(|shape| shape.families.len()).sum();
        let all = self.shapes.values().map(|shape| library.class(shape.class).families.len()).sum();
        (used, all)
    }
}
