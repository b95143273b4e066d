//! Claims back into formulas.

use super::{BoundVariable, Claim, Quantifier, Term};
use crate::ids::FunctionId;
use crate::instruction::ShapeKind;
use crate::path::{Path, Step};
use crate::program::Program;

impl Claim {
    /// The claim as a formula that reads back as the same claim; cells of quantifiers are called `v0`, `v1`, …
    pub fn to_text(&self, program: &Program, function: FunctionId) -> String {
        let printer = Printer { program, function };
        printer.claim(self)
    }
}

struct Printer<'p> {
    program: &'p Program,
    function: FunctionId,
}

impl Printer<'_> {
    fn claim(&self, claim: &Claim) -> String {
        match claim {
            Claim::Constant(value) => value.to_string(),
            Claim::Equal(left, right) => format!("{} == {}", self.term(left), self.term(right)),
            Claim::Shape { kind, arguments, links, .. } => {
                let parts: Vec<String> = arguments
                    .iter()
                    .map(|term| self.term(term))
                    .chain(links.iter().map(|path| self.field(path)))
                    .collect();
                format!("{}({})", shape_name(*kind), parts.join(", "))
            }
            Claim::Fresh(term) => format!("fresh({})", self.term(term)),
            Claim::Freed(term) => format!("freed({})", self.term(term)),
            Claim::Not(claim) => match &**claim {
                Claim::Equal(left, right) => format!("{} != {}", self.term(left), self.term(right)),
                claim => format!("!({})", self.claim(claim)),
            },
            Claim::Iff(left, right) => format!("({}) <==> ({})", self.claim(left), self.claim(right)),
            Claim::And(claims) => self.joined(claims, " && "),
            Claim::Or(claims) => self.joined(claims, " || "),
            Claim::Quantified { quantifier, variable, record, body } => {
                let word = match quantifier {
                    Quantifier::ForAll => "forall",
                    Quantifier::Exists => "exists",
                };
                let record = &self.program.records[*record].name;
                format!("({word} struct {record} *{}: {})", bound_name(*variable), self.claim(body))
            }
            Claim::Old(claim) => format!("old({})", self.claim(claim)),
        }
    }

    fn joined(&self, claims: &[Claim], operator: &str) -> String {
        let parts: Vec<String> = claims.iter().map(|claim| format!("({})", self.claim(claim))).collect();
        parts.join(operator)
    }

    fn term(&self, term: &Term) -> String {
        match term {
            Term::Null => "NULL".to_owned(),
            Term::Parameter(register) => self.program.functions[self.function].registers[*register].name.clone(),
            Term::Global(global) => self.program.globals[*global].name.clone(),
            Term::Result => "result".to_owned(),
            Term::Bound(variable) => bound_name(*variable),
            Term::Field(base, path) => format!("{}->{}", self.term(base), self.field(path)),
            Term::Old(term) => format!("old({})", self.term(term)),
        }
    }

    fn field(&self, path: &Path) -> String {
        let name = |step: &Step| match step {
            Step::Field(record, index) => {
                let name = self.program.records[*record].fields()[*index as usize].name.clone();
                (!name.starts_with('$')).then_some(name)
            }
            Step::Index(_) => None,
        };
        let names: Vec<String> = path.steps.iter().filter_map(name).collect();
        names.join(".")
    }
}

fn bound_name(variable: BoundVariable) -> String {
    format!("v{}", variable.0)
}

fn shape_name(kind: ShapeKind) -> &'static str {
    match kind {
        ShapeKind::Acyclic => "acyclic",
        ShapeKind::Cyclic => "cyclic",
        ShapeKind::Reach => "reach",
        ShapeKind::Disjoint => "disjoint",
        ShapeKind::DoublyLinked => "dll",
        ShapeKind::Tree => "tree",
        ShapeKind::TreeWithParent => "tree_parent",
    }
}
