//! What is told apart: tracking definitions and shape types (Beyer et al., section 2.3).
//!
//! A precision starts empty and only grows. It is the same at every location of the program; what is not live at a location
//! is forgotten there.

use crate::classes::{ClassId, ClassLibrary, FamilySet};
use crate::memory::{FieldId, ScalarVariable};
use heapwise_ir::TypeId;
use std::collections::{BTreeMap, BTreeSet};

/// What is tracked, and which classes of shapes describe it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Precision {
    /// Tracked pointers, and numbers of which it is tracked whether they were written and which constants they equal.
    pub variables: BTreeSet<ScalarVariable>,
    /// Fields that are looked at.
    pub fields: BTreeSet<FieldId>,
    /// Field assertions and nullary predicates: the numbers with which each is compared.
    pub variable_constants: BTreeSet<(ScalarVariable, i128)>,
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
    /// Variables.
    pub variables: BTreeSet<ScalarVariable>,
    /// Fields.
    pub fields: BTreeSet<FieldId>,
    /// Numbers that variables are compared with.
    pub variable_constants: BTreeSet<(ScalarVariable, i128)>,
    /// Numbers that fields are compared with.
    pub field_constants: BTreeSet<(FieldId, i128)>,
}

impl Facts {
    /// Takes over what another path teaches.
    pub fn extend(&mut self, other: Facts) {
        self.variables.extend(other.variables);
        self.fields.extend(other.fields);
        self.variable_constants.extend(other.variable_constants);
        self.field_constants.extend(other.field_constants);
    }
}

impl Precision {
    /// Tracks what a path teaches; what was not tracked before comes back.
    pub fn track(&mut self, facts: &Facts) -> Facts {
        let mut new = Facts::default();
        for variable in &facts.variables {
            if self.variables.insert(*variable) {
                new.variables.insert(*variable);
            }
        }
        for field in &facts.fields {
            if self.fields.insert(*field) {
                new.fields.insert(*field);
            }
        }
        for constant in &facts.variable_constants {
            if self.variable_constants.insert(*constant) {
                new.variable_constants.insert(*constant);
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
