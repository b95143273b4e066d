//! The reachability tree: structures at locations, closed under the actions of the edges.

use crate::abstraction::ShapeAbstraction;
use crate::transfer::{Case, Problem, StepKey, Transfer};
use heapwise_engine::reason::LimitGap;
use heapwise_engine::{Control, Exhausted, GapReason, Kind, Lookout, Options};
use heapwise_fixpoint::{
    Analysis, At, FactId, PointId, ProgramFlow, Solver, StepId, StepOrigin, Successors, TraceKind,
};
use heapwise_logic::{Formula, Predicate, Steps, Variable};
use heapwise_tvl::action::{Action, StepResult, Trouble};
use heapwise_tvl::fold::Folder;
use heapwise_tvl::join::{Join, Key};
use heapwise_tvl::structure::Structure;
use heapwise_tvl::tables::Tables;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// With more facts than these a run ends at its first suspicion: they are dear then.
const FACTS_BEFORE_SUSPICION: usize = 500;

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
    /// Takes steps with these actions.
    pub fn new(mut transfer: Transfer<'a>) -> Stepper<'a> {
        let folder = Folder::new(&transfer.abstraction.framework.vocabulary);
        if transfer.options.asks_for(Kind::Leak) {
            transfer.lost = Some(lost(transfer.abstraction, &folder));
        }
        Stepper { transfer, folder, compiled: RefCell::default(), tables: RefCell::new(Tables::new()) }
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
            Action::with_folder(framework, &self.folder, &specification)
        };
        Compiled { problem: case.problem, actions: case.actions.into_iter().map(compile).collect() }
    }

    /// Takes a step.
    pub fn step(&self, key: StepKey, structure: &Structure) -> Stepped {
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
        stepped
    }

    /// Whether a path (the last step the one that fails) may lead to a problem: the strongest postcondition of the
    /// abstraction along it.
    ///
    /// # Errors
    /// A budget ran out.
    pub fn admits(&self, path: &[StepKey], problem: &Problem, control: &Control) -> Result<bool, Exhausted> {
        // What is not followed at the start is not excluded.
        let Ok(start) = self.start() else { return Ok(true) };
        let mut here = vec![start];
        let Some((last, before)) = path.split_last() else { return Ok(true) };
        let lookout = Lookout::new(control).every(8);
        for key in before {
            let mut next: IndexSet<Structure> = IndexSet::new();
            for structure in &here {
                lookout.look()?;
                next.extend(self.step(*key, structure).structures);
            }
            here = next.into_iter().collect();
        }
        for structure in &here {
            lookout.look()?;
            if self.step(*last, structure).problems.contains(problem) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What holds at the start.
    pub fn start(&self) -> Result<Structure, GapReason> {
        let structure = self.transfer.start()?;
        Ok(self.transfer.abstraction.framework.abstraction.blur(&structure))
    }
}

/// Some cell that was not freed is not reached from any tracked pointer, along any one field or all of them.
fn lost(abstraction: &ShapeAbstraction, folder: &Folder<'_>) -> Formula {
    let variable = |name: &str| Variable::new(name);
    let (u, v) = (variable("u"), variable("v"));
    let pointers: Vec<Predicate> = abstraction.slots.values().filter_map(|slot| slot.points).collect();
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
    // What is stored about paths is more definite than following them again.
    for pointer in &pointers {
        held.push(Formula::atom(*pointer, std::slice::from_ref(&v)));
        let ways = fields.iter().map(std::slice::from_ref);
        for along in ways.chain(std::iter::once(fields.as_slice())) {
            let folded = folder.fold(&reached(std::slice::from_ref(pointer), along));
            if matches!(folded, Formula::Atom(..)) && !held.contains(&folded) {
                held.push(folded);
            }
        }
    }
    if !fields.is_empty() && !pointers.is_empty() {
        held.push(reached(&pointers, &fields));
    }
    let there = !abstraction.is_freed(&v);
    Formula::exists(vec![v], Formula::and(there, !Formula::Or(held)))
}

fn has_path(formula: &Formula) -> bool {
    let mut found = false;
    formula.visit(&mut |part| found |= matches!(part, Formula::Closure { .. }));
    found
}

/// What the abstraction does not exclude, and the way to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suspicion {
    /// What.
    pub problem: Problem,
    /// The steps from the start, the one that fails last.
    pub path: Vec<StepId>,
}

/// What a run of the reachability analysis found.
pub struct Explored {
    /// Suspicions, one per step and problem, in the order in which they were found.
    pub suspicions: Vec<Suspicion>,
    /// Errors of kinds that were not asked for: ways end there.
    pub unasked: Vec<(StepId, Kind)>,
    /// What ran out, if the run did not come to its end.
    pub exhausted: Option<Exhausted>,
    /// Facts found.
    pub facts: usize,
    /// Points that are reached.
    pub points: usize,
}

struct Explorer<'e, 'a> {
    stepper: &'e Stepper<'a>,
    flow: &'e ProgramFlow,
    options: &'e Options,
    found: IndexMap<(StepId, String), (Problem, FactId)>,
    unasked: IndexMap<(StepId, Kind), ()>,
    facts: usize,
    join: Join,
    is_too_large: bool,
}

impl Analysis for Explorer<'_, '_> {
    type Element = Structure;
    type Key = Key;

    fn post(&mut self, at: &At<'_, Structure>, out: &mut Successors<Structure>) {
        if !self.found.is_empty() && self.facts > FACTS_BEFORE_SUSPICION {
            return;
        }
        let step = at.step();
        let stepped = self.stepper.step(key(self.flow, step), at.element());
        for problem in stepped.problems {
            match problem {
                Problem::Error(kind) if !self.options.asks_for(kind) => {
                    self.unasked.insert((step, kind), ());
                }
                problem => {
                    let name = format!("{problem:?}");
                    self.found.entry((step, name)).or_insert((problem, at.fact()));
                }
            }
        }
        self.facts += stepped.structures.len();
        for structure in stepped.structures {
            out.push(structure);
        }
    }

    fn key(&self, _: PointId, element: &Structure) -> Option<Key> {
        match self.join {
            Join::Relational => None,
            join @ (Join::Partial | Join::Single) => {
                Some(join.key(&self.stepper.abstraction().framework.abstraction, element))
            }
        }
    }

    fn join(&mut self, _: PointId, old: &Structure, new: &Structure) -> Option<Structure> {
        match self.join.join(&self.stepper.abstraction().framework.abstraction, old, new) {
            Ok(joined) => (joined != *old).then_some(joined),
            Err(_) => {
                self.is_too_large = true;
                None
            }
        }
    }

    fn bytes(&self, element: &Structure) -> usize {
        8 * element.n_words()
    }
}

/// What a step of the flow does.
pub fn key(flow: &ProgramFlow, step: StepId) -> StepKey {
    let function = |context| flow.contexts[context].function;
    match flow.steps[step] {
        StepOrigin::Instruction { context, edge, callee } => StepKey::Instruction(function(context), edge, callee),
        StepOrigin::Enter { caller, edge, callee } => StepKey::Enter(function(caller), edge, function(callee)),
        StepOrigin::Leave { caller, edge, callee } => StepKey::Leave(function(caller), edge, function(callee)),
    }
}

/// Runs the reachability analysis, and hands the solver to `look` when it has come to its end.
pub fn explore<T>(
    stepper: &Stepper<'_>,
    flow: &ProgramFlow,
    options: &Options,
    control: &Control,
    join: Join,
    look: impl FnOnce(&dyn Fn(PointId) -> Vec<Structure>) -> T,
) -> Result<(Explored, T), GapReason> {
    let start = stepper.start()?;
    let (found, unasked) = (IndexMap::new(), IndexMap::new());
    let explorer = Explorer { stepper, flow, options, found, unasked, facts: 0, join, is_too_large: false };
    let mut solver = Solver::new(&flow.flow, explorer);
    solver.start(flow.start, start);
    let exhausted = solver.run(control).err();
    if solver.analysis.is_too_large {
        return Err(LimitGap::JoinTooLarge.into());
    }
    let suspicions = solver.analysis.found.iter().map(|((step, _), (problem, fact))| {
        let mut path: Vec<StepId> = solver
            .trace(*fact)
            .iter()
            .filter_map(|line| match line.kind {
                TraceKind::Step(step) => Some(step),
                TraceKind::Start | TraceKind::Enter(_) | TraceKind::Leave(_) => None,
            })
            .collect();
        path.push(*step);
        Suspicion { problem: problem.clone(), path }
    });
    let points = flow.points.keys().filter(|point| solver.facts_at(*point).next().is_some()).count();
    let explored = Explored {
        suspicions: suspicions.collect(),
        unasked: solver.analysis.unasked.keys().copied().collect(),
        exhausted,
        facts: solver.n_facts(),
        points,
    };
    let seen = look(&|point| solver.elements_at(point).cloned().collect());
    Ok((explored, seen))
}
