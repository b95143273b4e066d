//! Focus: splitting a structure until a formula has a definite value under every assignment.
//!
//! A value of 1/2 is traced to one predicate value that causes it. The structure is split into those where that value
//! is 0, those where it is 1, and, on a summary individual, those where it differs between the individuals it stands
//! for (which becomes two). The results represent together what the structure represented. Where no such split
//! exists (a relation between two summaries), the structure stays as it is: that is sound, only less precise.

use crate::coerce::Constraints;
use crate::compile::{Compiler, Program, Register};
use crate::structure::{Structure, TooManyIndividuals, View};
use crate::tables::Tables;
use crate::vocabulary::{Arity, Vocabulary};
use heapwise_logic::evaluate::{Assignment, Structure as _, evaluate};
use heapwise_logic::simplify::simplify;
use heapwise_logic::{Formula, Kleene, Predicate, Variable};

/// A formula to be made definite, compiled.
#[derive(Clone, Debug)]
pub struct Focus {
    formula: Formula,
    free: Vec<Variable>,
    program: Program,
    value: Register,
}

/// More structures than this from one formula: the rest stays unfocused.
const LIMIT: usize = 4096;

impl Focus {
    /// Compiles a focus formula.
    #[must_use]
    pub fn new(vocabulary: &Vocabulary, formula: &Formula) -> Focus {
        let formula = simplify(formula);
        let free: Vec<Variable> = formula.free_variables().into_iter().collect();
        let mut compiler = Compiler::new(vocabulary, &[]);
        let value = compiler.add(&formula, &free);
        Focus { formula, free, program: compiler.finish(), value }
    }

    /// Whether there is nothing to split.
    pub fn is_definite(&self, structure: &Structure, tables: &mut Tables) -> bool {
        tables.run(&self.program, structure, &[]);
        tables.is_definite(self.value)
    }

    /// Splits `structure`; the results are coerced. The structure itself must satisfy every rule.
    pub fn apply(
        &self,
        structure: Structure,
        vocabulary: &Vocabulary,
        constraints: &Constraints,
        tables: &mut Tables,
    ) -> Vec<Structure> {
        self.split(structure, vocabulary, constraints, tables).0
    }

    /// The same, and whether the formula is definite on all results. There are none when the budget of `tables` is over.
    pub fn split(
        &self,
        structure: Structure,
        vocabulary: &Vocabulary,
        constraints: &Constraints,
        tables: &mut Tables,
    ) -> (Vec<Structure>, Focused) {
        let mut done = Vec::new();
        let mut open = vec![structure];
        let mut focused = Focused::Definite;
        while let Some(structure) = open.pop() {
            if tables.is_over() {
                return (Vec::new(), Focused::Open);
            }
            let cause = self.cause(&structure, vocabulary, tables);
            let split = match cause {
                Cause::Split(split) if done.len() + open.len() <= LIMIT => split,
                Cause::None => {
                    done.push(structure);
                    continue;
                }
                Cause::Split(_) | Cause::Endless => {
                    focused = Focused::Open;
                    done.push(structure);
                    continue;
                }
            };
            let Ok(cases) = split.cases(&structure, vocabulary) else {
                // There is no room for one individual more: the value stays as it is.
                focused = Focused::Open;
                done.push(structure);
                continue;
            };
            // Last in, first out: the order of the results is that of the cases.
            for (mut case, value) in cases.into_iter().rev() {
                let agenda = match value {
                    Some(value) => constraints.about_definite(split.predicate, value).clone(),
                    None => constraints.about_division(split.predicate),
                };
                if constraints.coerce(&mut case, agenda, tables).is_ok() {
                    open.push(case);
                }
            }
        }
        (done, focused)
    }

    /// The formula.
    #[must_use]
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    fn cause(&self, structure: &Structure, vocabulary: &Vocabulary, tables: &mut Tables) -> Cause {
        tables.run(&self.program, structure, &[]);
        let unknown = tables.unknown(self.value, self.free.len());
        if unknown.is_empty() {
            return Cause::None;
        }
        for tuple in unknown {
            let mut assignment = Assignment::new();
            self.free.iter().zip(&tuple).for_each(|(v, u)| assignment.push(v, *u));
            let view = View { structure, vocabulary };
            if let Some(split) = find(&self.formula, &view, &mut assignment) {
                return Cause::Split(split);
            }
        }
        Cause::Endless
    }
}

/// Whether a formula was made definite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Focused {
    /// Under every assignment, on every result.
    Definite,
    /// Splitting would not have ended.
    Open,
}

/// Why a formula is 1/2.
enum Cause {
    /// It is not.
    None,
    /// This value, which can be made definite.
    Split(Split),
    /// Values that no split makes definite.
    Endless,
}

/// A predicate value to be made definite.
#[derive(Debug)]
struct Split {
    predicate: Predicate,
    tuple: Vec<usize>,
    /// The summary individual among the tuple, if one is to be divided.
    divided: Option<usize>,
}

impl Split {
    /// The cases, each with the value that it gives, or none where an individual is divided.
    fn cases(
        &self,
        structure: &Structure,
        vocabulary: &Vocabulary,
    ) -> Result<Vec<(Structure, Option<Kleene>)>, TooManyIndividuals> {
        let slot = vocabulary.slot(self.predicate);
        let with = |value: Kleene| {
            let mut case = structure.clone();
            case.set(slot, &self.tuple, value);
            (case, Some(value))
        };
        let mut cases = vec![with(Kleene::False), with(Kleene::True)];
        if let Some(u) = self.divided {
            let mut case = structure.extended(&[Some(u)])?;
            let twin = structure.size();
            let other: Vec<usize> = self.tuple.iter().map(|x| if *x == u { twin } else { *x }).collect();
            case.set(slot, &self.tuple, Kleene::False);
            case.set(slot, &other, Kleene::True);
            cases.push((case, None));
        }
        Ok(cases)
    }
}

/// A splittable cause of the value 1/2, if there is one.
fn find(formula: &Formula, view: &View<'_>, assignment: &mut Assignment) -> Option<Split> {
    match formula {
        Formula::Literal(_) | Formula::Equal(..) => None,
        Formula::Atom(p, args) => {
            let tuple: Vec<usize> = args.iter().filter_map(|v| assignment.get(v)).collect();
            if tuple.len() != args.len() || view.value(*p, &tuple).is_definite() {
                return None;
            }
            split(*p, tuple, view)
        }
        Formula::Not(f) => find(f, view, assignment),
        Formula::And(fs) | Formula::Or(fs) => {
            // Unary predicates first: they single out the individuals that relations then speak of.
            let mut order: Vec<&Formula> = fs.iter().collect();
            order.sort_by_key(|f| weight(f, view));
            order.into_iter().find_map(|f| {
                let unknown = evaluate(f, view, assignment) == Kleene::Unknown;
                if unknown { find(f, view, assignment) } else { None }
            })
        }
        Formula::IfThenElse(c, a, b) => [c, a, b].into_iter().find_map(|f| {
            let unknown = evaluate(f, view, assignment) == Kleene::Unknown;
            if unknown { find(f, view, assignment) } else { None }
        }),
        Formula::Exists(vs, f) | Formula::Forall(vs, f) => quantified(vs, f, view, assignment),
        Formula::Closure { left, right, step, .. } => {
            quantified(&[left.clone(), right.clone()], step, view, assignment)
        }
    }
}

fn weight(formula: &Formula, view: &View<'_>) -> usize {
    formula.predicates().iter().map(|p| view.vocabulary.declaration(*p).arity.count()).max().unwrap_or(0)
}

fn quantified(vs: &[Variable], body: &Formula, view: &View<'_>, assignment: &mut Assignment) -> Option<Split> {
    let Some((v, rest)) = vs.split_first() else {
        let unknown = evaluate(body, view, assignment) == Kleene::Unknown;
        return if unknown { find(body, view, assignment) } else { None };
    };
    for individual in 0..view.size() {
        assignment.push(v, individual);
        let found = quantified(rest, body, view, assignment);
        assignment.pop(1);
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The split of one value; `None` when dividing individuals cannot make it definite.
fn split(predicate: Predicate, tuple: Vec<usize>, view: &View<'_>) -> Option<Split> {
    let summary = |u: usize| view.structure.summaries() >> u & 1 == 1;
    let divided = match (view.vocabulary.slot(predicate).arity, tuple.as_slice()) {
        (Arity::Unary, [u]) => summary(*u).then_some(*u),
        (Arity::Binary, [u, v]) => match (summary(*u), summary(*v)) {
            (true, true) => return None,
            (true, false) => Some(*u),
            (false, true) => Some(*v),
            (false, false) => None,
        },
        _ => None,
    };
    Some(Split { predicate, tuple, divided })
}
