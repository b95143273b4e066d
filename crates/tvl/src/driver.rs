//! One analysis of a specification, on the house's fixpoint core: a location is a point, an edge is a step.

use crate::action::{Action, ActionSpecification, Framework, StepResult, Trouble};
use crate::blur::Abstraction;
use crate::coerce::Constraints;
use crate::fold::Folder;
use crate::join::{Join, Key};
use crate::rules::rules;
use crate::structure::Structure;
use crate::symbolic::explore::Settings;
use crate::symbolic::refine::refine_by_assume;
use crate::symbolic::step::{BestSteps, Transformer};
use crate::symmetry::Symmetry;
use crate::tables::Tables;
use crate::tvla::{Incomplete, LocationReport, OnContradiction, ReportedMessage, TvlaOptions, TvlaReport};
use crate::tvp::{Specification, tvs};
use heapwise_engine::{Budget, Cancel, Control, Exhausted};
use heapwise_fixpoint::{Analysis, At, ElementId, Flow, FlowBuilder, PointId, ProcedureId, Solver, StepId, Successors};
use heapwise_logic::Formula;
use heapwise_logic::text::TextError;
use heapwise_prover::Limits;
use heapwise_prover::builtin::Builtin;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Runs the analysis and gathers the report.
pub(crate) fn analyse(
    specification: Specification,
    inputs: tvs::StructureFile,
    input_path: &str,
    options: &TvlaOptions,
) -> TvlaReport {
    let start = Instant::now();
    let vocabulary = &specification.vocabulary;
    let framework = Framework {
        vocabulary: vocabulary.clone(),
        constraints: Constraints::new(vocabulary, rules(vocabulary, &specification.rules, options.derivation)),
        abstraction: Abstraction::new(vocabulary),
        differencing: options.differencing,
    };
    let actions = compiled_actions(&framework, &specification);
    let (flow, procedure, points) = flow(&specification);
    let mut driver = Driver {
        framework: &framework,
        specification: &specification,
        actions: &actions,
        options,
        deadline: options.time.map(|limit| start + limit),
        messages: IndexMap::new(),
        incomplete: Vec::new(),
        dropped: 0,
        produced: 0,
        tables: Tables::new(),
        steps: Steps::new(options.transformer),
        ahead: Ahead::new(options.jobs),
    };
    let mut warnings = specification.warnings.clone();
    warnings.extend(inputs.warnings.iter().cloned());
    let accepted = driver.inputs(&inputs, input_path, &mut warnings);
    let mut solver = Solver::new(&flow, driver);
    for structure in accepted {
        solver.start(procedure, structure);
    }
    let budget = Budget { time: options.time, memory: None, elements: Some(options.structures as u64) };
    let run = solver.run(&Control::start(budget, Cancel::default()));
    if let Err(exhausted) = run {
        solver.analysis.exhausted(exhausted);
    }
    let locations = specification
        .locations
        .iter()
        .zip(&points)
        .enumerate()
        .map(|(i, (name, point))| {
            let mut structures: Vec<Structure> = solver.elements_at(*point).cloned().collect();
            structures.sort();
            LocationReport { name: name.clone(), structures, shown: specification.shown.contains(&i) }
        })
        .collect();
    let Driver { messages, mut incomplete, dropped, produced, .. } = solver.analysis;
    if dropped > 0 {
        incomplete.push(Incomplete::Dropped(dropped));
    }
    let mut messages: Vec<((usize, String), (usize, Structure))> = messages.into_iter().collect();
    messages.sort_by(|a, b| a.0.cmp(&b.0));
    let messages = messages
        .into_iter()
        .map(|((edge, text), (structures, example))| ReportedMessage {
            location: specification.locations[specification.edges[edge].from].clone(),
            action: actions[edge].title.clone(),
            text,
            structures,
            example,
        })
        .collect();
    let updates = actions.iter().map(|a| a.updates().to_vec()).collect();
    drop(actions);
    TvlaReport { locations, messages, incomplete, warnings, updates, produced, time: start.elapsed(), specification }
}

/// The action of each edge. Edges that do the same share one, and what is derived for one that does the same to other predicates is
/// renamed.
fn compiled_actions(framework: &Framework, specification: &Specification) -> Vec<Arc<Action>> {
    let mut known: FxHashMap<&str, Vec<(&ActionSpecification, Arc<Action>)>> = FxHashMap::default();
    let mut derived: Vec<(&ActionSpecification, Arc<Action>)> = Vec::new();
    let folder = Folder::new(&framework.vocabulary);
    let compiled = specification.edges.iter().map(|edge| {
        let same_name = known.entry(&edge.action.name).or_default();
        if let Some((_, action)) = same_name.iter().find(|(action, _)| **action == edge.action) {
            return action.clone();
        }
        let by_symmetry = derived.iter().find_map(|(known, action)| {
            let symmetry = Symmetry::between(&framework.vocabulary, known, &edge.action)?;
            Some(action.updates().iter().map(|update| symmetry.update(update)).collect())
        });
        let action = match by_symmetry {
            Some(updates) => Arc::new(Action::with_updates(framework, &edge.action, updates)),
            None => {
                let action = Arc::new(Action::with_folder(framework, &folder, &edge.action));
                derived.push((&edge.action, action.clone()));
                action
            }
        };
        same_name.push((&edge.action, action.clone()));
        action
    });
    compiled.collect()
}

/// The control-flow graph: the point of each location; step i is edge i.
fn flow(specification: &Specification) -> (Flow, ProcedureId, Vec<PointId>) {
    let mut builder = FlowBuilder::new();
    let procedure = builder.add_procedure();
    let mut points = vec![builder.entry(procedure)];
    points.extend((1..specification.locations.len()).map(|_| builder.add_point(procedure)));
    for edge in &specification.edges {
        builder.add_step(points[edge.from], points[edge.to]);
    }
    (builder.finish(), procedure, points)
}

struct Driver<'a> {
    framework: &'a Framework,
    specification: &'a Specification,
    actions: &'a [Arc<Action>],
    options: &'a TvlaOptions,
    deadline: Option<Instant>,
    messages: IndexMap<(usize, String), (usize, Structure)>,
    incomplete: Vec<Incomplete>,
    dropped: usize,
    produced: usize,
    tables: Tables,
    steps: Steps,
    ahead: Ahead,
}

/// How steps are taken.
enum Steps {
    /// By focus and coerce; where focus would not end, the prover helps.
    Usual(Box<Worker>),
    /// By best transformers.
    Best(BestSteps),
}

impl Steps {
    fn new(transformer: Transformer) -> Steps {
        match transformer {
            Transformer::FocusAndCoerce => Steps::Usual(Box::default()),
            Transformer::Best => Steps::Best(BestSteps::new(Box::new(prover()), Settings::default())),
        }
    }
}

fn prover() -> Builtin {
    Builtin::new(Limits { per_query: TIME_FOR_A_QUESTION, ..Limits::default() })
}

/// What one thread needs to take steps.
#[derive(Default)]
struct Worker {
    tables: Tables,
    /// Made when it is asked for the first time.
    prover: Option<Builtin>,
}

impl Worker {
    fn step(&mut self, framework: &Framework, action: &Action, structure: &Structure) -> StepResult {
        let mut result = StepResult::default();
        let Worker { tables, prover: asked } = self;
        let mut refine = |condition: &Formula, formulas: &[&Formula], s: &Structure| {
            refine_by_assume(framework, condition, formulas, s, asked.get_or_insert_with(prover))
        };
        action.apply_refined(framework, structure, tables, &mut refine, &mut result);
        result
    }
}

/// Steps that are taken before their turn, by several threads. What a step gives depends on the structure alone, and the results are
/// used in the order in which one thread would have made them: so the report is the same.
struct Ahead {
    workers: Vec<Worker>,
    steps: FxHashMap<StepId, StepAhead>,
}

/// One step, taken before its turn.
#[derive(Default)]
struct StepAhead {
    results: FxHashMap<ElementId, StepResult>,
    /// So many elements pass before anybody looks again for others that wait: there were too few.
    patience: usize,
}

/// More threads than this find nothing to do.
const MOST_THREADS: usize = 256;
/// So many structures of a location go to each thread at once, at most: to begin and to end a batch costs as much as dozens of steps.
const BATCH: usize = 512;
/// Fewer than this for each thread are not worth it.
const FEW: usize = 16;
/// Where there are few, one looks again after so many.
const PATIENCE: usize = 64;

impl Ahead {
    fn new(jobs: NonZeroUsize) -> Ahead {
        let workers = if jobs.get() == 1 { 0 } else { jobs.get().min(MOST_THREADS) };
        Ahead { workers: (0..workers).map(|_| Worker::default()).collect(), steps: FxHashMap::default() }
    }

    /// The result for the element that is pushed, if it was worth while to step along those that wait behind it.
    fn take(&mut self, framework: &Framework, action: &Action, at: &At<'_, Structure>) -> Option<StepResult> {
        let n = self.workers.len();
        if n == 0 {
            return None;
        }
        let ahead = self.steps.entry(at.step()).or_default();
        if let Some(result) = ahead.results.remove(&at.element_id()) {
            return Some(result);
        }
        if ahead.patience > 0 {
            ahead.patience -= 1;
            return None;
        }
        // What is known of elements that wait no more is forgotten: joins replaced them.
        let mut known = std::mem::take(&mut ahead.results);
        let mut batch: Vec<(ElementId, &Structure)> = vec![(at.element_id(), at.element())];
        for (element, structure) in at.waiting() {
            match known.remove(&element) {
                Some(result) => {
                    ahead.results.insert(element, result);
                }
                None if batch.len() < BATCH * n => batch.push((element, structure)),
                None => {}
            }
        }
        if batch.len() < FEW * n {
            ahead.patience = PATIENCE;
            return None;
        }
        let batch = &batch;
        let share = |i: usize, worker: &mut Worker| -> Vec<(ElementId, StepResult)> {
            let own = batch.iter().skip(i).step_by(n);
            own.map(|(id, structure)| (*id, worker.step(framework, action, structure))).collect()
        };
        let (own, others) = self.workers.split_first_mut()?;
        let parts: Vec<Vec<(ElementId, StepResult)>> = std::thread::scope(|scope| {
            let share = &share;
            let threads: Vec<_> =
                others.iter_mut().enumerate().map(|(i, worker)| scope.spawn(move || share(i + 1, worker))).collect();
            let first = share(0, own);
            let rest = threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            std::iter::once(first).chain(rest).collect()
        });
        ahead.results.extend(parts.into_iter().flatten());
        ahead.results.remove(&at.element_id())
    }
}

/// An analysis asks many questions: one that takes longer is left open.
const TIME_FOR_A_QUESTION: Duration = Duration::from_millis(200);

impl Driver<'_> {
    /// The input structures that satisfy the rules, sharpened and blurred.
    fn inputs(&mut self, inputs: &tvs::StructureFile, path: &str, warnings: &mut Vec<TextError>) -> Vec<Structure> {
        let constraints = &self.framework.constraints;
        let mut kept = Vec::new();
        for (line, structure) in &inputs.structures {
            let mut structure = structure.clone();
            match constraints.coerce(&mut structure, constraints.everything(), &mut self.tables) {
                Ok(()) => kept.push(self.framework.abstraction.blur(&structure)),
                Err(rule) => {
                    let rule = constraints.rule(rule).describe(&self.framework.vocabulary);
                    let message = format!("this input structure is dropped: it breaks the rule {rule}");
                    warnings.push(TextError { file: path.into(), line: *line, message });
                }
            }
        }
        if kept.is_empty() {
            self.incomplete.push(Incomplete::NoInput);
        }
        kept
    }

    /// Whether the run has ended early: what is still waiting goes nowhere.
    fn has_ended(&self) -> bool {
        self.incomplete.iter().any(|reason| !matches!(reason, Incomplete::NoInput))
    }

    fn exhausted(&mut self, exhausted: Exhausted) {
        if self.has_ended() {
            return;
        }
        self.incomplete.push(match exhausted {
            Exhausted::Elements => Incomplete::TooManyStructures(self.options.structures),
            Exhausted::Time | Exhausted::Memory | Exhausted::Cancelled => Incomplete::OutOfTime,
        });
    }

    /// A structure that the rules, or the ways to derive a value, contradict after an update. It may stand for nothing,
    /// or the action may lead out of what the rules allow: nobody can tell, so it is never dropped without a word.
    fn contradiction(&mut self, reason: Incomplete) {
        match self.options.on_contradiction {
            OnContradiction::Stop => self.incomplete.push(reason),
            OnContradiction::Drop => self.dropped += 1,
        }
    }

    fn trouble(&mut self, edge: usize, trouble: &Trouble, structure: Structure) {
        let (action, place) = self.names(edge);
        match trouble {
            Trouble::TooLarge => self.incomplete.push(Incomplete::TooLarge { action, place }),
            Trouble::Contradiction(rule) => {
                let rule = self.framework.constraints.rule(*rule).describe(&self.framework.vocabulary);
                self.contradiction(Incomplete::Contradiction { action, place, rule, structure });
            }
        }
    }

    fn names(&self, edge: usize) -> (String, String) {
        (self.actions[edge].title.clone(), self.specification.edges[edge].place.clone())
    }
}

impl Analysis for Driver<'_> {
    type Element = Structure;
    type Key = Key;

    fn post(&mut self, at: &At<'_, Structure>, out: &mut Successors<Structure>) {
        if self.has_ended() {
            return;
        }
        if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            self.incomplete.push(Incomplete::OutOfTime);
            return;
        }
        let edge = at.step().as_u32() as usize;
        let (framework, action) = (self.framework, &*self.actions[edge]);
        let result = match &mut self.steps {
            Steps::Usual(worker) => {
                let ahead = self.ahead.take(framework, action, at);
                ahead.unwrap_or_else(|| worker.step(framework, action, at.element()))
            }
            Steps::Best(steps) => {
                let mut result = StepResult::default();
                let both = (action, &self.specification.edges[edge].action);
                steps.apply(framework, both, at.element(), &mut self.tables, &mut result);
                result
            }
        };
        for (text, structure) in result.messages {
            self.messages.entry((edge, text)).or_insert_with(|| (0, structure)).0 += 1;
        }
        self.produced += result.structures.len();
        for structure in result.structures {
            out.push(structure);
        }
        for structure in result.disagreements {
            let (action, place) = self.names(edge);
            self.contradiction(Incomplete::Disagreement { action, place, structure });
        }
        for (trouble, structure) in result.troubles {
            self.trouble(edge, &trouble, structure);
        }
    }

    fn key(&self, _: PointId, element: &Structure) -> Option<Key> {
        match self.options.join {
            Join::Relational => None,
            join @ (Join::Partial | Join::Single) => Some(join.key(&self.framework.abstraction, element)),
        }
    }

    fn join(&mut self, _: PointId, old: &Structure, new: &Structure) -> Option<Structure> {
        match self.options.join.join(&self.framework.abstraction, old, new) {
            Ok(joined) => (joined != *old).then_some(joined),
            // Said once: the other structures of the same step still arrive here.
            Err(_) if self.has_ended() => None,
            Err(_) => {
                let (action, place) = ("join".to_owned(), "where structures meet".to_owned());
                self.incomplete.push(Incomplete::TooLarge { action, place });
                None
            }
        }
    }

    fn bytes(&self, element: &Structure) -> usize {
        std::mem::size_of_val(element.words())
    }
}
