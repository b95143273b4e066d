//! One action of the `tvl` core per edge of the program: what an instruction does to a structure, and how it can fail.
//!
//! What is not tracked has the value 1/2 in every formula, so an action is sound for every precision.

mod calls;
mod conditions;
mod instructions;
mod values;

use crate::abstraction::{ShapeAbstraction, UNKNOWN};
use crate::memory::{Memory, ScalarKind, ScalarVariable};
use heapwise_engine::{GapReason, Kind, Options};
use heapwise_ir::{Automaton, CompareOperator, EdgeId, FunctionId, Liveness, LocationId, Program, RegisterId};
use heapwise_logic::{Formula, Kleene, Predicate, Variable};
use heapwise_tvl::action::{ActionSpecification, Creation, Message};
use heapwise_tvl::structure::Structure;
use heapwise_tvl::vocabulary::Definition;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

/// A step, without the calls that led to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StepKey {
    /// An instruction; a call of an extern function.
    Instruction(FunctionId, EdgeId, Option<FunctionId>),
    /// Into the called function.
    Enter(FunctionId, EdgeId, FunctionId),
    /// Back from the called function.
    Leave(FunctionId, EdgeId, FunctionId),
}

/// What is seen on a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// An error.
    Error(Kind),
    /// Something that is not followed.
    Gap(GapReason),
}

/// One thing that a step may do.
#[derive(Clone, Debug)]
pub struct Case {
    /// What is wrong if it does that; nothing if the run goes on.
    pub problem: Option<Problem>,
    /// What it does; in order, each on what the one before left.
    pub actions: Vec<ActionSpecification>,
}

/// Updates of predicates.
type Updates = IndexMap<Predicate, Definition>;

/// Makes actions.
pub struct Transfer<'a> {
    /// The memory of the program.
    pub memory: &'a Memory<'a>,
    /// The predicates.
    pub abstraction: &'a ShapeAbstraction,
    /// The question.
    pub options: &'a Options,
    /// Which registers matter where.
    pub relevance: Relevance<'a>,
    /// Some cell is lost, if that is asked for: nothing leads to it any more.
    pub lost: Option<Formula>,
}

/// Which registers matter where.
#[derive(Clone, Copy)]
pub struct Relevance<'a> {
    /// Live and held registers, per function.
    pub liveness: &'a FxHashMap<FunctionId, Liveness>,
    /// The question.
    pub options: &'a Options,
    /// The program.
    pub program: &'a Program,
}

impl Relevance<'_> {
    /// Whether what a register holds at a location matters: it is read again, or it is a reference in scope and leaks are
    /// asked for. Where the entry function returns, nothing does.
    pub fn matters(&self, function: FunctionId, location: LocationId, register: RegisterId) -> bool {
        let automaton = self.program.functions[function].automaton();
        if function == self.options.entry && automaton.is_some_and(|automaton| automaton.exit == location) {
            return false;
        }
        self.liveness.get(&function).is_none_or(|liveness| {
            if self.options.asks_for(Kind::Leak) {
                liveness.is_held(location, register)
            } else {
                liveness.is_live(location, register)
            }
        })
    }
}

pub(crate) fn v() -> Variable {
    Variable::new("v")
}

pub(crate) fn w() -> Variable {
    Variable::new("w")
}

pub(crate) fn u() -> Variable {
    Variable::new("u")
}

/// What is known of an operand: where it points, whether it was never written, which constants it equals.
#[derive(Clone, Debug)]
struct Scalar {
    kind: ScalarKind,
    /// With the variable `v` for the cell.
    points: Formula,
    bad: Formula,
    number: Number,
}

#[derive(Clone, Debug)]
enum Number {
    /// This one.
    Constant(i128),
    /// Equal to one of these if the predicate holds, to none of them otherwise.
    Tracked(Vec<(i128, Formula)>),
    /// Any.
    Unknown,
}

impl Number {
    /// Whether it equals a constant.
    fn equals(&self, constant: i128) -> Formula {
        self.compare(CompareOperator::Equal, constant)
    }

    /// Whether it compares so with a constant.
    fn compare(&self, operator: CompareOperator, constant: i128) -> Formula {
        let literal = |holds: bool| if holds { Formula::TRUE } else { Formula::FALSE };
        match self {
            Number::Constant(own) => literal(operator.holds(own.cmp(&constant))),
            Number::Unknown => UNKNOWN,
            Number::Tracked(known) => {
                let mut cases: Vec<Formula> = known
                    .iter()
                    .filter(|(own, _)| operator.holds(own.cmp(&constant)))
                    .map(|(_, is)| is.clone())
                    .collect();
                let is_known = known.iter().any(|(own, _)| *own == constant);
                let otherwise = match operator {
                    CompareOperator::Equal if is_known => Formula::FALSE,
                    CompareOperator::NotEqual if is_known => Formula::TRUE,
                    _ => UNKNOWN,
                };
                let mut none: Vec<Formula> = known.iter().map(|(_, is)| !is.clone()).collect();
                none.push(otherwise);
                cases.push(Formula::And(none));
                Formula::Or(cases)
            }
        }
    }
}

/// The way an instruction can fail, and the condition for it.
type Failing = (Problem, Formula);

/// An instruction before it is cut into cases.
#[derive(Default)]
struct Draft {
    focus: Vec<Formula>,
    failing: Vec<Failing>,
    /// What goes on: a condition and what changes.
    going_on: Vec<(Formula, Vec<Change>)>,
}

/// A change of the state.
#[derive(Default)]
struct Change {
    focus: Vec<Formula>,
    creates: bool,
    updates: Updates,
}

impl Draft {
    fn focus(&mut self, formula: Formula) {
        // What is not tracked cannot be made definite.
        if !formula.has_written_unknown() {
            self.focus.push(formula);
        }
    }

    fn cases(self, name: &str, lost: Option<&Formula>) -> Vec<Case> {
        let action = |precondition: Formula, focus: &[Formula], change: Change| ActionSpecification {
            name: name.to_owned(),
            title: name.to_owned(),
            focus: focus.iter().cloned().chain(change.focus).collect(),
            precondition: Some(precondition),
            creations: if change.creates { vec![Creation::One] } else { Vec::new() },
            updates: change.updates,
            ..ActionSpecification::default()
        };
        let mut cases = Vec::new();
        let mut passed = Vec::new();
        for (problem, condition) in self.failing {
            let mut here = passed.clone();
            here.push(condition.clone());
            let precondition = Formula::And(here);
            cases.push(Case {
                problem: Some(problem),
                actions: vec![action(precondition, &self.focus, Change::default())],
            });
            passed.push(!condition);
        }
        for (condition, changes) in self.going_on {
            let mut here = passed.clone();
            here.push(condition);
            let mut precondition = Formula::And(here);
            let mut actions = Vec::new();
            let mut focus = self.focus.as_slice();
            for change in changes {
                actions.push(action(std::mem::replace(&mut precondition, Formula::TRUE), focus, change));
                focus = &[];
            }
            if actions.is_empty() {
                actions.push(action(precondition, focus, Change::default()));
            }
            // On every step: what is not tracked may be forgotten there, too.
            if let (Some(lost), Some(last)) = (lost, actions.last_mut()) {
                last.after.push(Message { condition: lost.clone(), text: Kind::Leak.name().to_owned() });
            }
            cases.push(Case { problem: None, actions });
        }
        cases
    }
}

fn gap(reason: impl Into<GapReason>) -> Vec<Case> {
    let action = ActionSpecification { name: "gap".to_owned(), ..ActionSpecification::default() };
    vec![Case { problem: Some(Problem::Gap(reason.into())), actions: vec![action] }]
}

impl Transfer<'_> {
    fn program(&self) -> &Program {
        self.memory.program
    }

    fn automaton(&self, function: FunctionId) -> Option<&Automaton> {
        self.program().functions[function].automaton()
    }

    fn is_live(&self, function: FunctionId, location: LocationId, register: RegisterId) -> bool {
        self.relevance.matters(function, location, register)
    }

    /// What holds before the first step; a gap if that is not followed.
    pub fn start(&self) -> Result<Structure, GapReason> {
        let mut structure = self.abstraction.empty();
        let function = &self.program().functions[self.options.entry];
        let entry = self.automaton(self.options.entry).map(|automaton| automaton.entry);
        for (variable, predicates) in &self.abstraction.variables {
            match variable {
                ScalarVariable::Global(global, offset) => {
                    let value = self.memory.initial(*global, *offset)?;
                    let is_plain = self.memory.is_plain(value);
                    for (constant, predicate) in &predicates.equals {
                        let is = if is_plain {
                            Kleene::from_bounds(*constant == value, *constant == value)
                        } else {
                            Kleene::Unknown
                        };
                        self.abstraction.set(&mut structure, *predicate, is);
                    }
                }
                ScalarVariable::Register(owner, register) if *owner == self.options.entry => {
                    let is_live = entry.is_some_and(|entry| self.is_live(*owner, entry, *register));
                    if !is_live {
                        continue;
                    }
                    if function.parameters.contains(register) {
                        for (_, predicate) in &predicates.equals {
                            self.abstraction.set(&mut structure, *predicate, Kleene::Unknown);
                        }
                    } else {
                        self.abstraction.set(&mut structure, predicates.bad, Kleene::True);
                    }
                }
                ScalarVariable::Register(..) => {}
            }
        }
        Ok(structure)
    }

    /// The cases of a step.
    pub fn step(&self, key: StepKey) -> Vec<Case> {
        let result = match key {
            StepKey::Instruction(function, edge, callee) => self.instruction(function, edge, callee),
            StepKey::Enter(function, edge, callee) => self.enter(function, edge, callee),
            StepKey::Leave(function, edge, callee) => self.leave(function, edge, callee),
        };
        match result {
            Ok(draft) => draft.cases(&format!("{key:?}"), self.lost.as_ref()),
            Err(reason) => gap(reason),
        }
    }
}
