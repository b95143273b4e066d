//! What external provers are told: closures as relations with axioms, and universes of bounded size.
//!
//! A prover of first-order logic knows neither transitive closure nor that heaps are finite. *Unsatisfiable* carries over:
//! the axioms of a closure's relation hold of the true closure. *Satisfiable* does so for ∃*∀* formulas without closure,
//! which have finite models when they have any; for all others the universe is bounded by constants, and the closure
//! defined by repeated squaring, as often as the bound needs.

use crate::builtin::{Functions, Shape};
use crate::{Signature, Theory};
use heapwise_logic::{Arity, Formula, Predicate, Steps, Variable};

/// Predicates made here have numbers from here on.
const FIRST_NEW: usize = 1 << 30;

/// The theory and questions so far, with relations in place of closures.
#[derive(Debug)]
pub struct Encoder {
    pub signature: Signature,
    functions: Functions,
    /// The steps, and the predicates for their paths.
    closures: Vec<(Formula, Predicate)>,
    next: usize,
}

/// A formula for the prover.
#[derive(Debug)]
pub struct Encoded {
    /// Without closures.
    pub formula: Formula,
    /// Axioms of relations that it mentions for the first time, and the predicates that are new.
    pub axioms: Vec<Formula>,
    pub new_predicates: Vec<(Predicate, Arity)>,
    pub shape: Shape,
}

impl Encoder {
    pub fn new(theory: &Theory) -> Encoder {
        let functions = Functions::of(theory);
        Encoder { signature: theory.signature.clone(), functions, closures: Vec::new(), next: FIRST_NEW }
    }

    /// The formula without closures, or what is in the way.
    pub fn encode(&mut self, formula: &Formula) -> Result<Encoded, String> {
        if let Some(objection) = self.signature.objection(formula) {
            return Err(objection);
        }
        let shape = Shape::of(formula, &self.signature)?;
        let mut encoded = Encoded { formula: Formula::TRUE, axioms: Vec::new(), new_predicates: Vec::new(), shape };
        encoded.formula = self.without_closures(formula, &mut encoded)?;
        Ok(encoded)
    }

    fn without_closures(&mut self, formula: &Formula, encoded: &mut Encoded) -> Result<Formula, String> {
        let Formula::Closure { steps, from, to, left, right, step } = formula else {
            let mut objection = None;
            let changed = formula.map_parts(&mut |part| {
                self.without_closures(part, encoded).unwrap_or_else(|what| {
                    objection = Some(what);
                    Formula::FALSE
                })
            });
            return objection.map_or(Ok(changed), Err);
        };
        let relation = self.relation(left, right, step, encoded)?;
        let path = Formula::atom(relation, &[from.clone(), to.clone()]);
        Ok(match steps {
            Steps::OneOrMore => path,
            Steps::ZeroOrMore => Formula::or(Formula::equal(from, to), path),
        })
    }

    fn relation(
        &mut self,
        left: &Variable,
        right: &Variable,
        step: &Formula,
        encoded: &mut Encoded,
    ) -> Result<Predicate, String> {
        let [a, b] = ["$l", "$r"].map(Variable::new);
        let step = step.instantiate(&[left.clone(), right.clone()], &[a.clone(), b.clone()]).rename_apart("$b", &mut 0);
        if let Some(v) = step.free_variables().into_iter().find(|v| *v != a && *v != b) {
            return Err(format!("a closure whose step has the parameter `{}`", v.name()));
        }
        let step = self.without_closures(&step, encoded)?;
        if let Some((_, relation)) = self.closures.iter().find(|(known, _)| *known == step) {
            return Ok(*relation);
        }
        let relation = self.new_binary(encoded);
        self.closures.push((step.clone(), relation));
        let (function, injection) = match &step {
            Formula::Atom(p, args) if *args == [a, b] => {
                (self.functions.functions.contains(p), self.functions.injections.contains(p))
            }
            _ => (false, false),
        };
        encoded.axioms.extend(path_axioms(&step, relation, function, injection));
        Ok(relation)
    }

    fn new_binary(&mut self, encoded: &mut Encoded) -> Predicate {
        let predicate = Predicate::new(self.next);
        self.next += 1;
        encoded.new_predicates.push((predicate, Arity::Binary));
        predicate
    }

    /// Definitions that make the relations of all closures exact in universes of up to `2^doublings` elements, and the
    /// predicates that they need.
    pub fn exact_closures(&mut self, doublings: usize) -> (Vec<Formula>, Vec<(Predicate, Arity)>) {
        let mut made = Encoded {
            formula: Formula::TRUE,
            axioms: Vec::new(),
            new_predicates: Vec::new(),
            shape: Shape::ExistsForall,
        };
        let [a, b, c] = variables();
        for (step, relation) in self.closures.clone() {
            let mut shorter = step.instantiate(&["$l", "$r"].map(Variable::new), &[a.clone(), b.clone()]);
            for _ in 0..doublings {
                let longer = self.new_binary(&mut made);
                let [first, second] = [[a.clone(), c.clone()], [c.clone(), b.clone()]]
                    .map(|ends| shorter.instantiate(&[a.clone(), b.clone()], &ends));
                let twice = Formula::exists(vec![c.clone()], Formula::and(first, second));
                let here = Formula::atom(longer, &[a.clone(), b.clone()]);
                let definition = Formula::iff(here.clone(), Formula::or(shorter, twice));
                made.axioms.push(Formula::forall(vec![a.clone(), b.clone()], definition));
                shorter = here;
            }
            let path = Formula::atom(relation, &[a.clone(), b.clone()]);
            made.axioms.push(Formula::forall(vec![a.clone(), b.clone()], Formula::iff(path, shorter)));
        }
        (made.axioms, made.new_predicates)
    }
}

fn variables() -> [Variable; 3] {
    ["$x", "$y", "$z"].map(Variable::new)
}

/// What holds of the paths of a step in every structure: see the built-in prover's page on closures.
fn path_axioms(step: &Formula, relation: Predicate, function: bool, injection: bool) -> Vec<Formula> {
    let [a, b, c] = variables();
    let all = |body: Formula| Formula::forall(vec![a.clone(), b.clone(), c.clone()], body);
    let pairs = |body: Formula| Formula::forall(vec![a.clone(), b.clone()], body);
    let edge = |x: &Variable, y: &Variable| step.instantiate(&["$l", "$r"].map(Variable::new), &[x.clone(), y.clone()]);
    let path = |x: &Variable, y: &Variable| Formula::atom(relation, &[x.clone(), y.clone()]);
    let when = |x: Formula, y: Formula, z: Vec<Formula>| Formula::implies(Formula::and(x, y), Formula::Or(z));
    let same = Formula::equal;
    let mut axioms = vec![
        pairs(Formula::implies(edge(&a, &b), path(&a, &b))),
        all(when(path(&a, &b), path(&b, &c), vec![path(&a, &c)])),
    ];
    if function {
        axioms.push(all(when(edge(&a, &b), path(&a, &c), vec![same(&b, &c), path(&b, &c)])));
        axioms.push(all(when(path(&a, &b), path(&a, &c), vec![same(&b, &c), path(&b, &c), path(&c, &b)])));
    }
    if injection {
        axioms.push(all(when(edge(&a, &b), path(&c, &b), vec![same(&c, &a), path(&c, &a)])));
        axioms.push(all(when(path(&a, &c), path(&b, &c), vec![same(&a, &b), path(&a, &b), path(&b, &a)])));
    }
    let through = |first: Formula, second: Formula| Formula::exists(vec![c.clone()], Formula::and(first, second));
    let first = Formula::or(edge(&a, &b), through(edge(&a, &c), path(&c, &b)));
    let last = Formula::or(edge(&a, &b), through(path(&a, &c), edge(&c, &b)));
    axioms.push(pairs(Formula::implies(path(&a, &b), first)));
    axioms.push(pairs(Formula::implies(path(&a, &b), last)));
    axioms
}
