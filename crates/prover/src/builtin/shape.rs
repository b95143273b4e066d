//! What can be read off formulas: their quantifiers, and which predicates they make partial functions.

use super::closure::Functionality;
use super::compile::{Compiler, Kind, Part};
use crate::{Signature, Theory};
use heapwise_logic::{Arity, Formula, Predicate};

/// The order of the quantifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// No existential quantifier depends on a universal one, and there is no closure: a formula of this shape that has a
    /// model has a finite one.
    ExistsForall,
    Other,
}

impl Shape {
    /// The shape of a closed formula, or why it is none.
    pub fn of(formula: &Formula, signature: &Signature) -> Result<Shape, String> {
        let mut compiler = Compiler::new(signature);
        let compiled = compiler.compile(formula)?;
        let simple = compiler.closures.is_empty() && !depends(&compiled.root);
        Ok(if simple { Shape::ExistsForall } else { Shape::Other })
    }

    /// The shape of a conjunction.
    pub fn and(self, other: Shape) -> Shape {
        match (self, other) {
            (Shape::ExistsForall, Shape::ExistsForall) => Shape::ExistsForall,
            (Shape::Other, _) | (_, Shape::Other) => Shape::Other,
        }
    }
}

/// Whether an existential quantifier stands below a universal one.
fn depends(part: &Part) -> bool {
    match &part.kind {
        Kind::True | Kind::False | Kind::Literal(..) => false,
        Kind::And(parts) | Kind::Or(parts) => parts.iter().any(depends),
        Kind::Forall(_, body) => body.has_exists,
        Kind::Exists(_, body) => depends(body),
    }
}

/// The binary predicates that a theory makes partial functions, and those whose inverses it does.
#[derive(Clone, Default, Debug)]
pub struct Functions {
    pub functions: Vec<Predicate>,
    pub injections: Vec<Predicate>,
}

impl Functions {
    /// What the axioms say in so many words; those that cannot be read say nothing.
    pub fn of(theory: &Theory) -> Functions {
        let mut compiler = Compiler::new(&theory.signature);
        let mut known = Functionality::default();
        for compiled in theory.axioms.iter().filter_map(|axiom| compiler.compile(axiom).ok()) {
            match &compiled.root.kind {
                Kind::And(parts) => parts.iter().for_each(|part| known.learn(part)),
                _ => known.learn(&compiled.root),
            }
        }
        let named = |symbols: &[usize]| {
            let numbers = compiler.symbols.numbers.iter();
            let binary = numbers.filter(|(_, arity, number)| *arity == Arity::Binary && symbols.contains(number));
            binary.map(|(predicate, _, _)| *predicate).collect()
        };
        Functions { functions: named(&known.functions), injections: named(&known.injections) }
    }
}
