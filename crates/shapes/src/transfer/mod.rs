//! One action of the `tvl` core per edge of the program: what an instruction does to a structure, and how it can fail.
//!
//! What is not tracked has the value 1/2 in every formula, so an action is sound for every precision.

mod calls;
mod conditions;
mod instructions;
mod numbers;
mod values;

use crate::abstraction::ShapeAbstraction;
use crate::memory::{FieldId, Memory, ScalarKind, ScalarVariable};
use crate::precision::NumberTest;
use heapwise_engine::{GapReason, Kind, Options};
use heapwise_ir::{Automaton, Edge, EdgeId, FunctionId, IntType, Liveness, LocationId, Program, RegisterId, integer};
use heapwise_logic::{Formula, Kleene, Predicate, Variable};
use heapwise_tvl::action::{ActionSpecification, Creation, Message};
use heapwise_tvl::structure::Structure;
use heapwise_tvl::vocabulary::Definition;
use indexmap::IndexMap;
use numbers::Number;
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
    /// Whether what a register of the caller holds matters during a call: that of the one to which the result is written only if
    /// leaks are asked for, as it is a reference until then.
    pub fn matters_during(&self, caller: FunctionId, call: &Edge, register: RegisterId) -> bool {
        if call.instruction.target() == Some(register) {
            self.options.asks_for(Kind::Leak) && self.matters(caller, call.from, register)
        } else {
            self.matters(caller, call.to, register)
        }
    }

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

/// What is known of an operand: where it points, whether it was never written, which numbers it may be.
#[derive(Clone, Debug)]
struct Scalar {
    kind: ScalarKind,
    /// With the variable `v` for the cell.
    points: Formula,
    bad: Formula,
    /// Its type, if it is an integer.
    int: Option<IntType>,
    number: Number,
    origin: Origin,
}

/// Where a value was read, to know it again.
#[derive(Clone, Debug)]
enum Origin {
    /// In a variable.
    Variable(ScalarVariable),
    /// In a field of the cell at which the formula holds, with the variable `v` for it.
    Field(Formula, FieldId),
    /// Nowhere.
    Computed,
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
                    let value = self.memory.variable_int(*variable).map(|int| integer::wrap(value, int));
                    for (test, predicate) in &predicates.tests {
                        let passes = |is: bool| Kleene::from_bounds(is, is);
                        let is = match (test, value) {
                            (NumberTest::Equals(constant), Some(value)) => passes(value == *constant),
                            (NumberTest::Below(bound), Some(value)) => passes(value < *bound),
                            (NumberTest::Same(_), _) | (_, None) => Kleene::Unknown,
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
                        for (_, predicate) in &predicates.tests {
                            self.abstraction.set(&mut structure, *predicate, Kleene::Unknown);
                        }
                    } else {
                        self.abstraction.set(&mut structure, predicates.bad, Kleene::True);
                    }
                }
                ScalarVariable::Register(..) => {}
            }
        }
        // What is not written yet is the same as nothing.
        let is_written = |variable: &ScalarVariable| match variable {
            ScalarVariable::Global(..) => true,
            ScalarVariable::Register(owner, register) => {
                *owner == self.options.entry && function.parameters.contains(register)
            }
        };
        for (variable, predicates) in &self.abstraction.variables {
            for (test, predicate) in &predicates.tests {
                if let NumberTest::Same(other) = test {
                    let may_be = is_written(variable) && is_written(other);
                    self.abstraction.set(&mut structure, *predicate, Kleene::from_bounds(false, may_be));
                }
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
