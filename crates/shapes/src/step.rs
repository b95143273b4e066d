//! Steps on structures of one precision: actions are compiled once per edge.

use crate::abstraction::ShapeAbstraction;
use crate::grown::{give_updates, has_path};
use crate::transfer::{Case, Problem, StepKey, Transfer};
use heapwise_engine::reason::LimitGap;
use heapwise_engine::{Control, Exhausted, GapReason, Kind};
use heapwise_logic::{Formula, Predicate, Steps, Variable};
use heapwise_tvl::action::{Action, StepResult, Trouble};
use heapwise_tvl::fold::Folder;
use heapwise_tvl::structure::Structure;
use heapwise_tvl::tables::Tables;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// A case with its actions compiled.
struct Compiled {
    problem: Option<Problem>,
    actions: Vec<Action>,
}

/// Takes steps on structures of one precision.
pub struct Stepper<'a> {
    /// What steps do.
    pub transfer: Transfer<'a>,
    folder: Folder<'a>,
    compiled: RefCell<FxHashMap<StepKey, Rc<Vec<Compiled>>>>,
    tables: RefCell<Tables>,
}

/// What becomes of a structure on a step.
#[derive(Default, Debug)]
pub struct Stepped {
    /// The structures behind it.
    pub structures: Vec<Structure>,
    /// What may be wrong on it.
    pub problems: Vec<Problem>,
}

impl<'a> Stepper<'a> {
    /// Takes steps with these actions, as long as the budget lasts.
    pub fn new(mut transfer: Transfer<'a>, control: &Control) -> Stepper<'a> {
        let folder = Folder::new(&transfer.abstraction.framework.vocabulary);
        if transfer.options.asks_for(Kind::Leak) {
            transfer.lost = Some(lost(&transfer, &folder));
        }
        let tables = RefCell::new(Tables::within(control.clone()));
        Stepper { transfer, folder, compiled: RefCell::default(), tables }
    }

    /// The predicates.
    pub fn abstraction(&self) -> &'a ShapeAbstraction {
        self.transfer.abstraction
    }

    fn compiled(&self, key: StepKey) -> Rc<Vec<Compiled>> {
        if let Some(known) = self.compiled.borrow().get(&key) {
            return known.clone();
        }
        let cases = self.transfer.step(key).into_iter().map(|case| self.compile(case)).collect();
        let compiled = Rc::new(cases);
        self.compiled.borrow_mut().insert(key, compiled);
        self.compiled.borrow()[&key].clone()
    }

    fn compile(&self, case: Case) -> Compiled {
        let framework = &self.transfer.abstraction.framework;
        let compile = |mut specification: heapwise_tvl::action::ActionSpecification| {
            // What is stored about paths is more definite than following them again.
            specification.precondition = specification
                .precondition
                .map(|formula| if has_path(&formula) { self.folder.fold(&formula) } else { formula });
            give_updates(&self.folder, &mut specification);
            Action::with_folder(framework, &self.folder, &specification)
        };
        Compiled { problem: case.problem, actions: case.actions.into_iter().map(compile).collect() }
    }

    /// Takes a step.
    ///
    /// # Errors
    /// The budget is over: what lies behind the step is not complete.
    pub fn step(&self, key: StepKey, structure: &Structure) -> Result<Stepped, Exhausted> {
        let framework = &self.transfer.abstraction.framework;
        let mut stepped = Stepped::default();
        let tables = &mut *self.tables.borrow_mut();
        for case in self.compiled(key).iter() {
            let mut here = vec![structure.clone()];
            let mut is_too_large = false;
            for action in &case.actions {
                let mut result = StepResult::default();
                for structure in &here {
                    action.apply(framework, structure, tables, &mut result);
                }
                // Rules hold of every heap, so what breaks one stands for none.
                is_too_large |= result.troubles.iter().any(|(trouble, _)| *trouble == Trouble::TooLarge);
                if !result.messages.is_empty() {
                    stepped.problems.push(Problem::Error(Kind::Leak));
                }
                here = result.structures;
            }
            if is_too_large {
                stepped.problems.push(Problem::Gap(LimitGap::StructureTooLarge.into()));
            }
            match &case.problem {
                None => stepped.structures.extend(here),
                Some(problem) if !here.is_empty() => stepped.problems.push(problem.clone()),
                Some(_) => {}
            }
        }
        tables.end()?;
        Ok(stepped)
    }

    /// What holds at the start.
    pub fn start(&self) -> Result<Structure, GapReason> {
        let structure = self.transfer.start()?;
        Ok(self.transfer.abstraction.framework.abstraction.blur(&structure))
    }
}

/// Some cell that was not freed is not reached from any tracked pointer, along any one field or all of them; nor from a cell
/// that another one keeps, which is asked about itself.
fn lost(transfer: &Transfer<'_>, folder: &Folder<'_>) -> Formula {
    let abstraction = transfer.abstraction;
    let variable = |name: &str| Variable::new(name);
    let (u, v) = (variable("u"), variable("v"));
    let pointers: Vec<Predicate> = abstraction.variables.values().filter_map(|variable| variable.points).collect();
    let fields: Vec<Predicate> = abstraction.fields.values().filter_map(|field| field.points).collect();
    let path = |fields: &[Predicate]| Formula::Closure {
        steps: Steps::ZeroOrMore,
        from: u.clone(),
        to: v.clone(),
        left: variable("a"),
        right: variable("b"),
        step: Box::new(Formula::Or(
            fields.iter().map(|field| Formula::atom(*field, &[variable("a"), variable("b")])).collect(),
        )),
    };
    let reached = |roots: &[Predicate], along: &[Predicate]| {
        let root = Formula::Or(roots.iter().map(|root| Formula::atom(*root, std::slice::from_ref(&u))).collect());
        Formula::exists(vec![u.clone()], Formula::and(root, path(along)))
    };
    let mut held = Vec::new();
    // The links of a structure: one, two of the cells of one type, all.
    let mut ways: Vec<Vec<Predicate>> = fields.iter().map(|field| vec![*field]).collect();
    for (one, predicates) in &abstraction.fields {
        for (other, others) in abstraction.fields.iter().filter(|(other, _)| *other > one) {
            let is_one_type = transfer.memory.fields[*one].view == transfer.memory.fields[*other].view;
            if let (Some(one), Some(other), true) = (predicates.points, others.points, is_one_type) {
                ways.push(vec![one, other]);
            }
        }
    }
    ways.push(fields.clone());
    // What is stored about paths is more definite than following them again.
    for pointer in pointers.iter().chain(&abstraction.kept).chain(abstraction.behind.values()) {
        held.push(Formula::atom(*pointer, std::slice::from_ref(&v)));
        for along in &ways {
            let folded = folder.fold(&reached(std::slice::from_ref(pointer), along));
            if matches!(folded, Formula::Atom(..)) && !held.contains(&folded) {
                held.push(folded);
            }
        }
    }
    if !fields.is_empty() && !pointers.is_empty() {
        held.push(reached(&pointers, &fields));
    }
    let there = match abstraction.is_local(&v) {
        Formula::Literal(_) => !abstraction.is_freed(&v),
        local => Formula::and(!abstraction.is_freed(&v), !local),
    };
    Formula::exists(vec![v], Formula::and(there, !Formula::Or(held)))
}
