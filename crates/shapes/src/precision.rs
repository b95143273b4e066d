//! What is told apart: tracking definitions and shape types (Beyer et al., section 2.3).
//!
//! A precision starts empty and only grows. It is the same at every location of the program; what is not live at a location
//! is forgotten there.

use crate::classes::{ClassId, ClassLibrary, FamilySet};
use crate::memory::{FieldId, ScalarVariable};
use heapwise_ir::{IntType, TypeId, integer};
use std::collections::{BTreeMap, BTreeSet};

/// What is asked of a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NumberTest {
    /// Whether it is this one.
    Equals(i128),
    /// Whether it is less than this one.
    Below(i128),
    /// Whether it is the one that a variable holds.
    Same(ScalarVariable),
}

impl NumberTest {
    /// Whether a number of the type can pass the test, and can fail it.
    pub fn is_about(self, int: IntType) -> bool {
        let (least, greatest) = integer::range(int);
        match self {
            NumberTest::Equals(constant) => (least..=greatest).contains(&constant),
            // The order of the widest numbers is not that of how they are kept.
            NumberTest::Below(bound) => least < bound && bound <= greatest && int.bytes() < 16,
            NumberTest::Same(_) => int.bytes() < 16,
        }
    }
}

/// What is tracked, and which classes of shapes describe it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Precision {
    /// Tracked pointers, and numbers of which it is tracked whether they were written and which constants they equal.
    pub variables: BTreeSet<ScalarVariable>,
    /// Fields that are looked at.
    pub fields: BTreeSet<FieldId>,
    /// Nullary predicates: what is asked of numbers in variables.
    pub variable_tests: BTreeSet<(ScalarVariable, NumberTest)>,
    /// Field assertions: what is asked of numbers in cells.
    pub field_tests: BTreeSet<(FieldId, NumberTest)>,
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
    /// What is asked of variables.
    pub variable_tests: BTreeSet<(ScalarVariable, NumberTest)>,
    /// What is asked of fields.
    pub field_tests: BTreeSet<(FieldId, NumberTest)>,
}

impl Facts {
    /// Takes over what another path teaches.
    pub fn extend(&mut self, other: Facts) {
        self.variables.extend(other.variables);
        self.fields.extend(other.fields);
        self.variable_tests.extend(other.variable_tests);
        self.field_tests.extend(other.field_tests);
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
        for test in &facts.variable_tests {
            if self.variable_tests.insert(*test) {
                new.variable_tests.insert(*test);
            }
        }
        for test in &facts.field_tests {
            if self.field_tests.insert(*test) {
                new.field_tests.insert(*test);
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
