//! Certificates, and how they are written.
//!
//! The text has a line for each thing that it is about, then the precision (tracked variables and fields, constants that they are
//! compared with, classes of shapes), then the structures in TVLA's form (TVS), a location being a point of the program with its
//! calls inlined, then the edges. `docs/certificates.md` describes it.

use crate::binding::Binding;
use crate::read::Parts;
use crate::verify::Rejected;
use heapwise_engine::AllocationFailure;
use heapwise_fixpoint::{PointId, StepId};
use heapwise_ir::entity::EntityRef;
use heapwise_shapes::abstraction::ShapeAbstraction;
use heapwise_shapes::classes::ClassLibrary;
use heapwise_shapes::memory::{Memory, ScalarVariable};
use heapwise_shapes::precision::{NumberTest, Precision, ShapeType};
use heapwise_shapes::subject::Subject;
use heapwise_tvl::structure::Structure;
use heapwise_tvl::tvp::tvs;
use std::fmt::Write;

/// The first line.
pub(crate) const HEADER: &str = "heapwise certificate 2";
/// The line before the structures.
pub(crate) const STRUCTURES: &str = "structures";
/// The line before the edges.
pub(crate) const EDGES: &str = "edges";

/// A structure of a certificate, by its position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub usize);

/// A structure that holds at a point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Where.
    pub point: PointId,
    /// What.
    pub structure: Structure,
}

/// Something that a step makes of a structure is covered by another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The structure before the step.
    pub from: NodeId,
    /// The step.
    pub step: StepId,
    /// The structure that covers what comes out, or some of it.
    pub to: NodeId,
}

/// A reachability tree whose leaves are covered, with all that it depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// What it is about.
    pub binding: Binding,
    /// The classes of shapes that its precision uses.
    pub classes: ClassLibrary,
    /// What is told apart.
    pub precision: Precision,
    /// The structure that covers the start.
    pub root: NodeId,
    /// The structures.
    pub nodes: Vec<Node>,
    /// Which of them cover what comes out of each step.
    pub edges: Vec<Edge>,
}

impl Certificate {
    /// The text of the certificate. `abstraction` has the predicates of its precision.
    pub fn text(&self, memory: &Memory<'_>, abstraction: &ShapeAbstraction) -> String {
        let mut text = format!("{HEADER}\n");
        // Writing to a string does not fail.
        self.write_binding(&mut text);
        self.write_precision(&mut text, memory);
        let _ = writeln!(text, "root {}\n{STRUCTURES}", self.root.0);
        for node in &self.nodes {
            let structure = tvs::print(&node.structure, &abstraction.framework.vocabulary);
            let _ = writeln!(text, "%location \"{}\" = {{\n{structure}}}", node.point.index());
        }
        let _ = writeln!(text, "{EDGES}");
        for Edge { from, step, to } in &self.edges {
            let _ = writeln!(text, "{} {} {}", from.0, step.index(), to.0);
        }
        text
    }

    /// Reads the text of a certificate about a program, with the predicates of its precision. What it claims is not checked.
    ///
    /// # Errors
    /// It is malformed, or names what the program does not have.
    pub fn read(subject: &Subject<'_>, text: &str) -> Result<(Certificate, ShapeAbstraction), Rejected> {
        Parts::of(text)?.certificate(subject)
    }

    fn write_binding(&self, text: &mut String) {
        let Binding { program, models, entry, properties, allocation_failure } = &self.binding;
        let properties: Vec<&str> = properties.iter().map(|kind| kind.name()).collect();
        let _ = writeln!(text, "program {program:016x}\nmodels {models:016x}\nentry {entry}");
        let _ = writeln!(text, "properties {}", properties.join(" "));
        let _ = writeln!(text, "allocation {}", allocation_name(*allocation_failure));
    }

    fn write_precision(&self, text: &mut String, memory: &Memory<'_>) {
        text.push_str(&self.classes.to_string());
        let Precision { variables, fields, variable_tests, field_tests, shapes } = &self.precision;
        for variable in variables {
            let _ = writeln!(text, "variable {} {}", variable_words(*variable), memory.variable_name(*variable));
        }
        for (variable, test) in variable_tests {
            let _ = writeln!(text, "variable-test {} {}", variable_words(*variable), test_words(*test));
        }
        for field in fields {
            let _ = writeln!(text, "field {} {}", field.index(), memory.fields[*field].name);
        }
        for (field, test) in field_tests {
            let _ = writeln!(text, "field-test {} {}", field.index(), test_words(*test));
        }
        for (view, shape) in shapes {
            let _ = writeln!(text, "shape {} {}", view.index(), self.shape_words(shape));
        }
    }

    fn shape_words(&self, shape: &ShapeType) -> String {
        let class = self.classes.class(shape.class);
        let mut words = vec![class.name.clone()];
        for (role, fields) in class.roles.iter().zip(&shape.roles) {
            let fields: Vec<String> = fields.iter().map(|field| field.index().to_string()).collect();
            words.push(format!("{}={}", role.name, fields.join(",")));
        }
        let families = class.families.iter().enumerate().filter(|(index, _)| shape.families.contains(*index));
        words.extend(families.map(|(_, family)| family.name.clone()));
        words.join(" ")
    }
}

pub(crate) fn allocation_name(failure: AllocationFailure) -> &'static str {
    match failure {
        AllocationFailure::Possible => "may-fail",
        AllocationFailure::Never => "succeeds",
    }
}

/// A variable by numbers: names need not be unique.
fn variable_words(variable: ScalarVariable) -> String {
    match variable {
        ScalarVariable::Register(function, register) => format!("register {} {}", function.index(), register.index()),
        ScalarVariable::Global(global, offset) => format!("global {} {offset}", global.index()),
    }
}

fn test_words(test: NumberTest) -> String {
    match test {
        NumberTest::Equals(constant) => format!("equals {constant}"),
        NumberTest::Below(bound) => format!("below {bound}"),
        NumberTest::Same(variable) => format!("same {}", variable_words(variable)),
    }
}
