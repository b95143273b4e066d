//! The reachability tree: structures at locations, closed under the actions of the edges.

use heapwise_engine::reason::LimitGap;
use heapwise_engine::{BudgetMeter, Control, Exhausted, GapReason, Kind};
use heapwise_fixpoint::{Analysis, At, FactId, PointId, Solver, StepId, Successors, TraceKind};
use heapwise_shapes::step::Stepper;
use heapwise_shapes::subject::Subject;
use heapwise_shapes::transfer::{Problem, StepKey};
use heapwise_tvl::join::{Join, Key};
use heapwise_tvl::structure::Structure;
use indexmap::{IndexMap, IndexSet};

/// With more facts than these a run ends at its first suspicion: they are dear then.
const FACTS_BEFORE_SUSPICION: usize = 500;

/// How far a run goes once it suspects an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// As long as facts are cheap: a suspicion is looked at before more of them are found.
    Suspicion,
    /// To its end: what holds everywhere is asked for.
    Closed,
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
    /// A step that was not taken, because an error was suspected and facts were dear.
    pub unexplored: Option<StepId>,
}

impl Explored {
    /// Whether the tree is complete, and there is no error in it.
    pub fn is_proof(&self) -> bool {
        self.suspicions.is_empty() && self.exhausted.is_none()
    }
}

struct Explorer<'e, 'a> {
    stepper: &'e Stepper<'a>,
    subject: &'e Subject<'e>,
    found: IndexMap<(StepId, String), (Problem, FactId)>,
    unasked: IndexMap<(StepId, Kind), ()>,
    facts: usize,
    join: Join,
    until: Until,
    is_too_large: bool,
    /// What ran out within a step.
    exhausted: Option<Exhausted>,
    unexplored: Option<StepId>,
}

impl Analysis for Explorer<'_, '_> {
    type Element = Structure;
    type Key = Key;

    fn post(&mut self, at: &At<'_, Structure>, out: &mut Successors<Structure>) {
        let is_dear = self.until == Until::Suspicion && self.facts > FACTS_BEFORE_SUSPICION;
        let step = at.step();
        if !self.found.is_empty() && is_dear {
            self.unexplored.get_or_insert(step);
            return;
        }
        let stepped = match self.stepper.step(self.subject.key(step), at.element()) {
            Ok(stepped) => stepped,
            Err(exhausted) => {
                self.exhausted = Some(exhausted);
                return;
            }
        };
        for problem in stepped.problems {
            match problem {
                Problem::Error(kind) if !self.subject.options.asks_for(kind) => {
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

/// Runs the reachability analysis, and hands the solver to `look` when it has come to its end.
pub fn explore<T>(
    stepper: &Stepper<'_>,
    subject: &Subject<'_>,
    control: &Control,
    (join, until): (Join, Until),
    look: impl FnOnce(&Explored, &dyn Fn(PointId) -> Vec<Structure>) -> T,
) -> Result<(Explored, T), GapReason> {
    let start = stepper.start()?;
    let (found, unasked) = (IndexMap::new(), IndexMap::new());
    let flow = subject.flow;
    let explorer = Explorer {
        stepper,
        subject,
        found,
        unasked,
        facts: 0,
        join,
        until,
        is_too_large: false,
        exhausted: None,
        unexplored: None,
    };
    let mut solver = Solver::new(&flow.flow, explorer);
    solver.start(flow.start, start);
    let exhausted = solver.run(control).err().or(solver.analysis.exhausted);
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
        unexplored: solver.analysis.unexplored,
    };
    let seen = look(&explored, &|point| solver.elements_at(point).cloned().collect());
    Ok((explored, seen))
}

/// Whether a path (the last step the one that fails) may lead to a problem: the strongest postcondition of the
/// abstraction along it.
///
/// # Errors
/// A budget ran out.
pub fn admits(
    stepper: &Stepper<'_>,
    path: &[StepKey],
    problem: &Problem,
    control: &Control,
) -> Result<bool, Exhausted> {
    // What is not followed at the start is not excluded.
    let Ok(start) = stepper.start() else { return Ok(true) };
    let mut here = vec![start];
    let Some((last, before)) = path.split_last() else { return Ok(true) };
    let meter = BudgetMeter::new(control).every(8);
    for key in before {
        let mut next: IndexSet<Structure> = IndexSet::new();
        for structure in &here {
            meter.check()?;
            next.extend(stepper.step(*key, structure)?.structures);
        }
        here = next.into_iter().collect();
    }
    for structure in &here {
        meter.check()?;
        if stepper.step(*last, structure)?.problems.contains(problem) {
            return Ok(true);
        }
    }
    Ok(false)
}
