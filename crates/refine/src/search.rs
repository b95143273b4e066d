//! The refinement loop (Beyer et al., Algs. 1 and 3): explore, look at a suspicion's path, refine, explore again.
//!
//! Readings of the paper: the precision is the same at every location, so a refinement holds along the whole path and
//! everywhere else, and the tree is built again from its root. A class of shapes is chosen from samples when tracked pointers and
//! fields alone do not exclude a path; families of predicates are added only after that class without families was tried.

use crate::explore::{Explored, Suspicion, Until, admits, explore};
use crate::path::{Feasibility, PathChecker};
use crate::samples::{HeapSamples, Thresholds, in_roles};
use crate::tree::certificate;
use heapwise_engine::reason::{AskedShape, RefineGap};
use heapwise_engine::{
    Certificate, Control, Drawing, Exhausted, Gap, GapReason, Refinement, RefinementResult, RefinementStep, ShapeName,
    Statement,
};
use heapwise_fixpoint::{PointId, StepId, StepOrigin};
use heapwise_ir::{EdgeId, FunctionId, LinkRole, Span, TypeId};
use heapwise_shapes::abstraction::{ShapeAbstraction, tests_of};
use heapwise_shapes::classes::{ClassId, ClassLibrary, FamilySet};
use heapwise_shapes::memory::{FieldId, ScalarVariable};
use heapwise_shapes::precision::{Facts, NumberTest, Precision, ShapeType};
use heapwise_shapes::step::Stepper;
use heapwise_shapes::subject::Subject;
use heapwise_shapes::transfer::{Problem, StepKey};
use heapwise_tvl::drawing::draw;
use heapwise_tvl::join::Join;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Where structures are kept apart, with more of them the abstraction is refined instead.
const KEPT_APART: u64 = 20_000;

/// With more structures in one run it is asked whether concrete runs show an error: then there is nothing to prove.
const DEAR: u64 = 6_000;

/// A run with fewer families ends with so many times the structures of the proof.
const FACTS_OF_COARSER: u64 = 2;

/// The same with more tests of numbers: each structure is dear then.
const MANY_TESTS: usize = 32;

/// How many conditions before the end of a path are looked at, in turn, where its contradiction teaches nothing new.
const CONDITIONS: [usize; 4] = [1, 2, 4, 8];

/// How the abstraction is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// By refinement; classes of shapes from samples.
    Explicit,
    /// By refinement; classes of shapes from the names of fields.
    Annotated,
    /// Everything at once: all pointers and fields, all families of the finest class.
    Maximal,
}

/// Where time went.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Times {
    /// Sampling heaps.
    pub samples: Duration,
    /// Looking for families along paths.
    pub fine_tune: Duration,
    /// The last run of the reachability analysis.
    pub last_run: Duration,
    /// All of it.
    pub whole: Duration,
}

/// How the search ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The tree is complete, and there is no error in it.
    Proved,
    /// Some paths may be taken, as far as it is known: the search ends there.
    Open {
        /// They.
        feasible: Vec<Suspicion>,
        /// Suspicions of which one path is known that cannot be taken. Others were not looked for.
        undecided: Vec<Suspicion>,
        /// A step behind which nothing was looked for.
        unexplored: Option<StepId>,
    },
    /// No refinement excludes this path.
    Failed(Suspicion),
    /// Something is not followed at all.
    Gap(Gap),
    /// A budget ran out.
    Exhausted(Exhausted),
}

/// What a search found.
pub struct Found {
    /// How it ended.
    pub ending: Ending,
    /// The refinements, in order.
    pub log: Vec<RefinementStep>,
    /// The last precision.
    pub precision: Precision,
    /// The last run: facts and points.
    pub facts: usize,
    /// How often structures were kept apart because a joined one admitted a path that no part of it does.
    pub kept_apart: u32,
    /// Classes that did not help for a type of cells: they are not tried again.
    pub abandoned: BTreeSet<(TypeId, ClassId)>,
    /// The points that the last run reached.
    pub points: usize,
    /// Errors of kinds that were not asked for, where ways end in the last run.
    pub unasked: Vec<(StepId, heapwise_engine::Kind)>,
    /// What is kept of the last run.
    pub kept: KeptOf,
    /// Where time went.
    pub times: Times,
}

/// A search for an abstraction.
pub struct Search<'a> {
    /// The program and the question.
    pub subject: &'a Subject<'a>,
    /// The classes of shapes.
    pub library: &'a ClassLibrary,
    /// The budget.
    pub control: &'a Control,
    /// How the abstraction is found.
    pub mode: Mode,
    /// How much is sampled.
    pub thresholds: Thresholds,
    /// What is kept of the last run.
    pub keeps: Keeps,
    /// Whether concrete runs show an error: asked once, when a proof gets dear.
    pub is_shown: &'a dyn Fn() -> bool,
}

/// What is kept of the last run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Keeps {
    /// Nothing.
    #[default]
    Nothing,
    /// What holds at each point, drawn.
    Drawings,
    /// The reachability tree, if it is a proof.
    Certificate,
}

/// What was kept of the last run.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct KeptOf {
    /// What holds at each point.
    pub drawings: Vec<(PointId, Vec<Drawing>)>,
    /// The reachability tree; nothing where there was no time to write it down.
    pub certificate: Option<Certificate>,
}

/// What a round of refinement did.
enum Refined {
    /// These.
    Steps(Vec<Refinement>),
    /// Nothing helps against this path.
    Failed,
}

impl Search<'_> {
    /// Searches.
    pub fn run(&self) -> Found {
        let start = Instant::now();
        let mut found = Found {
            ending: Ending::Proved,
            log: Vec::new(),
            precision: self.first_precision(),
            facts: 0,
            points: 0,
            kept_apart: 0,
            abandoned: BTreeSet::new(),
            unasked: Vec::new(),
            kept: KeptOf::default(),
            times: Times::default(),
        };
        found.ending = self.rounds(&mut found);
        found.times.whole = start.elapsed();
        found
    }

    /// Runs and refines by turns until one of them ends the search. (Long: whatever may end it, and what is tried before, is in
    /// one order.)
    fn rounds(&self, found: &mut Found) -> Ending {
        let mut samples: Option<HeapSamples> = None;
        // The steps of the log that wait for what the next run says, and the suspicions that they are for.
        let mut waiting: Option<(usize, Vec<(StepId, Problem)>)> = None;
        let mut join = Join::Partial;
        let mut may_be_shown = self.mode != Mode::Maximal;
        let mut has_all_families = false;
        loop {
            let begin = Instant::now();
            let n_tests = found.precision.variable_tests.len() + found.precision.field_tests.len();
            if n_tests > MANY_TESTS && std::mem::replace(&mut may_be_shown, false) && (self.is_shown)() {
                return Ending::Exhausted(Exhausted::Elements);
            }
            let limit = match join {
                _ if may_be_shown => DEAR,
                Join::Relational => KEPT_APART,
                Join::Partial | Join::Single => u64::MAX,
            };
            let explored = match self.explored(&found.precision, join, &self.control.with_elements(limit)) {
                Ok((explored, kept)) => {
                    found.kept = kept;
                    explored
                }
                Err(gap) => return Ending::Gap(gap),
            };
            if explored.exhausted == Some(Exhausted::Elements) && std::mem::replace(&mut may_be_shown, false) {
                if (self.is_shown)() {
                    return Ending::Exhausted(Exhausted::Elements);
                }
                continue;
            }
            found.times.last_run = begin.elapsed();
            found.facts = explored.facts;
            found.points = explored.points;
            found.unasked.clone_from(&explored.unasked);
            if let Some((from, old)) = waiting.take() {
                record_results(&mut found.log[from..], &explored, &old);
            }
            if explored.exhausted == Some(Exhausted::Elements) && join == Join::Relational {
                // Too many to be kept apart: more predicates keep apart what matters.
                join = Join::Partial;
                has_all_families = true;
                let steps = match self.all_families(found, &mut samples) {
                    Ok(steps) => steps,
                    Err(why) => return Ending::Exhausted(why),
                };
                if steps.is_empty() {
                    return Ending::Exhausted(Exhausted::Elements);
                }
                let result = RefinementResult::Cut;
                let because = None;
                waiting = Some((found.log.len(), Vec::new()));
                found.log.extend(steps.into_iter().map(|refinement| RefinementStep { because, refinement, result }));
                continue;
            }
            if let Some(why) = explored.exhausted {
                return Ending::Exhausted(why);
            }
            if explored.suspicions.is_empty() {
                if has_all_families {
                    self.coarsen(found, join);
                }
                return Ending::Proved;
            }
            if self.mode == Mode::Maximal {
                return Ending::Open {
                    feasible: explored.suspicions,
                    undecided: Vec::new(),
                    unexplored: explored.unexplored,
                };
            }
            let checker = PathChecker {
                memory: self.subject.memory,
                options: self.subject.options,
                relevance: self.subject.relevance(),
            };
            let (mut open, mut spurious) = (Vec::new(), Vec::new());
            for suspicion in &explored.suspicions {
                let path = self.keys(suspicion);
                match checker.check(&path, &suspicion.problem) {
                    Feasibility::Perhaps => open.push(suspicion.clone()),
                    Feasibility::Infeasible(facts) => spurious.push((suspicion, path, facts)),
                }
            }
            if !open.is_empty() {
                let undecided = spurious.into_iter().map(|(suspicion, _, _)| suspicion.clone()).collect();
                return Ending::Open { feasible: open, undecided, unexplored: explored.unexplored };
            }
            if join == Join::Partial
                && let Some((suspicion, path, _)) = spurious.first()
            {
                // The abstraction excludes the path by itself, and what it was joined with does not: keep structures apart.
                match self.excludes(&found.precision, path, &suspicion.problem) {
                    Ok(None) => {}
                    Ok(Some(_)) => {
                        join = Join::Relational;
                        found.kept_apart += 1;
                        continue;
                    }
                    Err(why) => return Ending::Exhausted(why),
                }
            }
            join = Join::Partial;
            let from = found.log.len();
            let because = spurious.first().and_then(|(suspicion, _, _)| self.statement(suspicion));
            let mut all = Facts::default();
            spurious.iter().for_each(|(_, _, facts)| all.extend(facts.clone()));
            all.variables = self.subject.memory.aliases(&all.variables);
            let mut new = found.precision.track(&all);
            if new == Facts::default()
                && let Some((suspicion, path, _)) = spurious.first()
            {
                new = match self.told_by_text(&checker, &mut found.precision, path, &suspicion.problem) {
                    Ok(new) => new,
                    Err(why) => return Ending::Exhausted(why),
                };
            }
            let steps = if new == Facts::default() {
                let Some((suspicion, path, facts)) = spurious.first() else { return Ending::Proved };
                match self.refine_shapes(found, &mut samples, path, &suspicion.problem, facts) {
                    Ok(Refined::Steps(steps)) => steps,
                    Ok(Refined::Failed) if has_all_families => return Ending::Failed((*suspicion).clone()),
                    Ok(Refined::Failed) => {
                        // No families of one class exclude the path: those of all classes may.
                        has_all_families = true;
                        match self.all_families(found, &mut samples) {
                            Ok(steps) if steps.is_empty() => return Ending::Failed((*suspicion).clone()),
                            Ok(steps) => steps,
                            Err(why) => return Ending::Exhausted(why),
                        }
                    }
                    Err(why) => return Ending::Exhausted(why),
                }
            } else {
                vec![self.tracked(&new)]
            };
            let cut = RefinementResult::Cut;
            found.log.extend(steps.into_iter().map(|refinement| RefinementStep { because, refinement, result: cut }));
            let old = explored.suspicions.iter().map(|suspicion| (last(suspicion), suspicion.problem.clone()));
            waiting = Some((from, old.collect()));
        }
    }

    /// Tracks what the end of a path depends on by its text, if that excludes it; with ever more conditions before it. Says
    /// what is new.
    fn told_by_text(
        &self,
        checker: &PathChecker<'_>,
        precision: &mut Precision,
        path: &[StepKey],
        problem: &Problem,
    ) -> Result<Facts, Exhausted> {
        let mut tried = Facts::default();
        for conditions in CONDITIONS {
            let told = checker.told_by_text(path, conditions);
            let with_sources = checker.with_sources(&told);
            for mut facts in [told, with_sources] {
                facts.variables = self.subject.memory.aliases(&facts.variables);
                let mut finer = precision.clone();
                let new = finer.track(&facts);
                if new == Facts::default() || new == tried {
                    continue;
                }
                if self.excludes(&finer, path, problem)?.is_some() {
                    *precision = finer;
                    return Ok(new);
                }
                tried = new;
            }
        }
        Ok(Facts::default())
    }

    /// All families of all classes.
    fn all_families(&self, found: &mut Found, samples: &mut Option<HeapSamples>) -> Result<Vec<Refinement>, Exhausted> {
        let mut steps = Vec::new();
        for view in self.subject.memory.recursive_views() {
            steps.extend(self.choose_class(found, samples, view, &BTreeSet::new())?);
        }
        for shape in found.precision.shapes.values_mut() {
            let class = self.library.class(shape.class);
            if shape.families == class.all_families() {
                continue;
            }
            shape.families = class.all_families();
            let families = class.families.iter().map(|family| family.name.clone()).collect();
            steps.push(Refinement::Predicates { shape: shape_name(self.library, shape.class), families });
        }
        Ok(steps)
    }

    /// After a proof with all families, which no path asked for one by one: the fewest that prove it, too.
    fn coarsen(&self, found: &mut Found, join: Join) {
        let begin = Instant::now();
        let limit = FACTS_OF_COARSER * found.facts as u64 + DEAR;
        for (view, shape) in found.precision.shapes.clone() {
            let class = self.library.class(shape.class);
            let mut fewer: Vec<FamilySet> = FamilySet::all(class.families.len())
                .filter(|set| class.closed(*set) == *set && set.is_subset(shape.families) && *set != shape.families)
                .collect();
            fewer.sort_by_key(|set| set.len());
            for families in fewer {
                let precision = found.precision.with_shape(view, ShapeType { families, ..shape.clone() });
                let Ok((explored, kept)) = self.explored(&precision, join, &self.control.with_elements(limit)) else {
                    continue;
                };
                if !explored.is_proof() {
                    continue;
                }
                let (elements, suspicions) = (explored.facts as u64, 0);
                let result = RefinementResult::Done { elements, excluded: 0, suspicions };
                let refinement = self.described(shape.class, families);
                found.log.push(RefinementStep { because: None, refinement, result });
                (found.precision, found.kept) = (precision, kept);
                (found.facts, found.points, found.unasked) = (explored.facts, explored.points, explored.unasked);
                break;
            }
        }
        found.times.fine_tune += begin.elapsed();
    }

    /// What the choice of families of a class is called in the log.
    fn described(&self, class: ClassId, families: FamilySet) -> Refinement {
        let own = self.library.class(class).families.iter().enumerate();
        let families = own.filter(|(family, _)| families.contains(*family)).map(|(_, own)| own.name.clone()).collect();
        Refinement::Predicates { shape: shape_name(self.library, class), families }
    }

    /// The class of a type of cells: the coarsest of the data structure that samples show that has roles for these fields. Says
    /// what was found if that is new.
    fn choose_class(
        &self,
        found: &mut Found,
        samples: &mut Option<HeapSamples>,
        view: TypeId,
        fields: &BTreeSet<FieldId>,
    ) -> Result<Option<Refinement>, Exhausted> {
        let begin = Instant::now();
        let links = self.subject.memory.links_of(view);
        let needed: Vec<FieldId> = links.iter().copied().filter(|link| fields.contains(link)).collect();
        let old = found.precision.shapes.get(&view);
        if old.is_some_and(|old| needed.iter().all(|field| old.roles.iter().flatten().any(|own| own == field))) {
            return Ok(None);
        }
        let is_first = old.is_none();
        let chosen = self.class_of(view, samples);
        found.times.samples += begin.elapsed();
        let Some((finest, n_samples)) = chosen? else { return Ok(None) };
        let shape_name = shape_name(self.library, finest.class);
        let coarser = self.library.class(finest.class).refines.iter().copied().find_map(|class| {
            // Only along the first role: the second leads back, and is not the data structure without the first.
            let is_first_role =
                needed.iter().all(|field| finest.roles.first().is_some_and(|role| role.contains(field)));
            let fits = is_first_role && self.library.class(class).n_fields() == needed.len();
            let roles = in_roles(self.library.class(class), &needed);
            fits.then_some(ShapeType { class, roles, families: FamilySet::default() })
        });
        let shape = coarser.filter(|_| is_first).unwrap_or(finest);
        found.precision = found.precision.with_shape(view, shape);
        Ok(Some(Refinement::Sampled { shape: shape_name, samples: n_samples }))
    }

    fn keys(&self, suspicion: &Suspicion) -> Vec<StepKey> {
        suspicion.path.iter().map(|step| self.subject.key(*step)).collect()
    }

    /// Where a suspicion fails.
    pub fn statement(&self, suspicion: &Suspicion) -> Option<Statement> {
        let (function, edge) = self.edge(*suspicion.path.last()?);
        Some(Statement { function, span: self.span(function, edge) })
    }

    /// The edge of a step.
    pub fn edge(&self, step: StepId) -> (FunctionId, EdgeId) {
        match self.subject.flow.steps[step] {
            StepOrigin::Instruction { context, edge, .. }
            | StepOrigin::Enter { caller: context, edge, .. }
            | StepOrigin::Leave { caller: context, edge, .. } => (self.subject.flow.contexts[context].function, edge),
        }
    }

    /// The text of an edge.
    pub fn span(&self, function: FunctionId, edge: EdgeId) -> Span {
        let automaton = self.subject.memory.program.functions[function].automaton();
        automaton.map_or(Span::NONE, |automaton| automaton.edges[edge].span)
    }

    fn abstraction(&self, precision: &Precision) -> Result<ShapeAbstraction, GapReason> {
        ShapeAbstraction::new(self.subject.memory, self.library, precision).map_err(|_| RefineGap::ClassUnusable.into())
    }

    fn explored(&self, precision: &Precision, join: Join, control: &Control) -> Result<(Explored, KeptOf), Gap> {
        let nowhere = |reason| Gap { span: Span::NONE, reason };
        let abstraction = self.abstraction(precision).map_err(nowhere)?;
        let stepper = Stepper::new(self.subject.transfer(&abstraction), self.control);
        let explored = explore(&stepper, self.subject, control, (join, Until::Suspicion), |explored, at| {
            let mut kept = KeptOf::default();
            let points = self.subject.flow.points.keys();
            match self.keeps {
                Keeps::Nothing => {}
                Keeps::Drawings => {
                    let vocabulary = &abstraction.framework.vocabulary;
                    let drawn = points.map(|point| {
                        (point, at(point).iter().map(|structure| draw(structure, vocabulary, "")).collect::<Vec<_>>())
                    });
                    kept.drawings = drawn.filter(|(_, drawings)| !drawings.is_empty()).collect();
                }
                Keeps::Certificate if explored.is_proof() => {
                    let nodes = points.map(|point| (point, at(point)));
                    kept.certificate =
                        certificate(self.subject, self.library, precision, &stepper, nodes, self.control);
                }
                Keeps::Certificate => {}
            }
            kept
        });
        explored.map_err(nowhere)
    }

    /// What refinement of the tracking definition is called in the log.
    fn tracked(&self, new: &Facts) -> Refinement {
        let name = |name: String, tests: Vec<NumberTest>| {
            if tests.is_empty() {
                return name;
            }
            let asked = tests.iter().map(|test| match test {
                NumberTest::Equals(constant) => format!("{name} == {constant}"),
                NumberTest::Below(bound) => format!("{name} < {bound}"),
                NumberTest::Same(variable) => format!("{name} == {}", self.subject.memory.variable_name(*variable)),
            });
            asked.collect::<Vec<String>>().join(", ")
        };
        let variables: BTreeSet<ScalarVariable> =
            new.variables.iter().copied().chain(new.variable_tests.iter().map(|(variable, _)| *variable)).collect();
        let fields: BTreeSet<FieldId> =
            new.fields.iter().copied().chain(new.field_tests.iter().map(|(field, _)| *field)).collect();
        let of_variable = |variable: ScalarVariable| tests_of(&new.variable_tests, variable);
        let of_field = |field: FieldId| tests_of(&new.field_tests, field);
        Refinement::Tracked {
            pointers: variables
                .into_iter()
                .map(|variable| name(self.subject.memory.variable_name(variable), of_variable(variable)))
                .collect(),
            fields: fields
                .into_iter()
                .map(|field| name(self.subject.memory.fields[field].name.clone(), of_field(field)))
                .collect(),
        }
    }

    /// Neither pointers nor fields are missing: a class of shapes, or more of its families.
    fn refine_shapes(
        &self,
        found: &mut Found,
        samples: &mut Option<HeapSamples>,
        path: &[StepKey],
        problem: &Problem,
        facts: &Facts,
    ) -> Result<Refined, Exhausted> {
        let recursive = self.subject.memory.recursive_views();
        let mut views: Vec<TypeId> = facts.fields.iter().map(|field| self.subject.memory.fields[*field].view).collect();
        views.extend(facts.variables.iter().filter_map(|variable| self.subject.memory.pointee(*variable)));
        views.sort_unstable();
        views.dedup();
        views.retain(|view| recursive.contains(view));
        let mut steps = Vec::new();
        for view in &views {
            let fields = found.precision.fields.clone();
            if let Some(step) = self.choose_class(found, samples, *view, &facts.fields)? {
                steps.push(step);
            }
            if found.precision.fields != fields {
                return Ok(Refined::Steps(steps));
            }
        }
        let begin = Instant::now();
        let tuned = self.fine_tuned(found, samples, &views, path, problem);
        found.times.fine_tune += begin.elapsed();
        let Some((view, shape)) = tuned? else {
            return Ok(if steps.is_empty() { Refined::Failed } else { Refined::Steps(steps) });
        };
        if let Some(old) = found.precision.shapes.get(&view)
            && old.class != shape.class
        {
            found.abandoned.insert((view, old.class));
        }
        steps.push(self.described(shape.class, shape.families));
        found.precision = found.precision.with_shape(view, shape);
        Ok(Refined::Steps(steps))
    }

    /// The class for the cells of a type, without families, and how many samples say so.
    fn class_of(
        &self,
        view: TypeId,
        samples: &mut Option<HeapSamples>,
    ) -> Result<Option<(ShapeType, usize)>, Exhausted> {
        let links = self.subject.memory.links_of(view);
        if self.mode == Mode::Annotated {
            return Ok(self.named_class(view).map(|shape| (shape, 0)));
        }
        if samples.is_none() {
            *samples =
                Some(HeapSamples::take(self.subject.memory, self.subject.options, self.thresholds, self.control)?);
        }
        let own = samples.as_ref().map(|samples| samples.of_type(view)).unwrap_or_default();
        let Some(recognised) = own.recognise(self.library) else {
            return Ok(self.named_class(view).map(|shape| (shape, 0)));
        };
        let roles = recognised.roles.iter().map(|role| role.iter().map(|link| links[*link]).collect()).collect();
        let shape = ShapeType { class: recognised.class, roles, families: FamilySet::default() };
        Ok(Some((shape, own.graphs.len())))
    }

    /// The class that the names of fields tell, without families.
    fn named_class(&self, view: TypeId) -> Option<ShapeType> {
        let mut links = self.subject.memory.links_of(view);
        let role = |field: &FieldId| LinkRole::of_name(&self.subject.memory.fields[*field].name);
        let class = match links.len() {
            1 => "sll",
            2 if links.iter().any(|link| role(link) == Some(LinkRole::Backward)) => "dll",
            2 => "tree",
            3 => "tree-parent",
            _ => return None,
        };
        // Forward links and children first, then those that lead back.
        links.sort_by_key(|link| match role(link) {
            Some(LinkRole::Backward | LinkRole::Parent) => 1,
            Some(LinkRole::Forward | LinkRole::End) | None => 0,
        });
        let class = self.library.find(class)?;
        let roles = in_roles(self.library.class(class), &links);
        Some(ShapeType { class, roles, families: FamilySet::default() })
    }

    /// How many predicates exclude a path to a problem; nothing if they do not.
    fn excludes(&self, precision: &Precision, path: &[StepKey], problem: &Problem) -> Result<Option<usize>, Exhausted> {
        // A class that cannot be used excludes nothing; the next run says so.
        let Ok(abstraction) = self.abstraction(precision) else { return Ok(None) };
        let n_predicates = abstraction.framework.vocabulary.predicates().count();
        let stepper = Stepper::new(self.subject.transfer(&abstraction), self.control);
        let is_admitted = admits(&stepper, path, problem, self.control)?;
        Ok((!is_admitted).then_some(n_predicates))
    }

    /// Procedure FineTune: the fewest families that exclude the path; nothing if all of them do not. First those of the
    /// classes that are enabled, then those of all others that fit the fields.
    fn fine_tuned(
        &self,
        found: &Found,
        samples: &mut Option<HeapSamples>,
        views: &[TypeId],
        path: &[StepKey],
        problem: &Problem,
    ) -> Result<Option<(TypeId, ShapeType)>, Exhausted> {
        let precision = &found.precision;
        for view in views {
            let Some(shape) = precision.shapes.get(view) else { continue };
            if let Some(families) = self.fewest_families(precision, *view, shape, path, problem)? {
                return Ok(Some((*view, ShapeType { families, ..shape.clone() })));
            }
        }
        for view in views {
            for shape in self.other_shapes(found, samples, *view)? {
                if let Some(families) = self.fewest_families(precision, *view, &shape, path, problem)? {
                    return Ok(Some((*view, ShapeType { families, ..shape })));
                }
            }
        }
        Ok(None)
    }

    /// The classes that were not tried for a type of cells: first the one that samples show, then all that have few enough
    /// fields.
    fn other_shapes(
        &self,
        found: &Found,
        samples: &mut Option<HeapSamples>,
        view: TypeId,
    ) -> Result<Vec<ShapeType>, Exhausted> {
        let links = self.subject.memory.links_of(view);
        let current = found.precision.shapes.get(&view).map(|shape| shape.class);
        let mut shapes: Vec<ShapeType> = self.class_of(view, samples)?.map(|(shape, _)| shape).into_iter().collect();
        for (index, class) in self.library.classes.iter().enumerate() {
            let is_known = shapes.iter().any(|shape| shape.class == ClassId(index));
            if !is_known && class.n_fields() <= links.len() {
                let by_name = self.named_class(view).filter(|shape| shape.class == ClassId(index));
                let roles = by_name.map_or_else(|| in_roles(class, &links), |shape| shape.roles);
                shapes.push(ShapeType { class: ClassId(index), roles, families: FamilySet::default() });
            }
        }
        let is_tried = |class: ClassId| Some(class) == current || found.abandoned.contains(&(view, class));
        shapes.retain(|shape| !is_tried(shape.class));
        Ok(shapes)
    }

    fn fewest_families(
        &self,
        precision: &Precision,
        view: TypeId,
        shape: &ShapeType,
        path: &[StepKey],
        problem: &Problem,
    ) -> Result<Option<FamilySet>, Exhausted> {
        let class = self.library.class(shape.class);
        let try_it = |families: FamilySet| {
            let shape = ShapeType { families, ..shape.clone() };
            self.excludes(&precision.with_shape(view, shape), path, problem)
        };
        // Transformers need not be monotone in the families: all of them not helping is only most likely the end.
        let all = class.all_families();
        if try_it(all)?.is_none() {
            return Ok(None);
        }
        let mut best = all;
        let mut candidates: Vec<FamilySet> = FamilySet::all(class.families.len())
            .filter(|set| class.closed(*set) == *set && shape.families.is_subset(*set) && *set != all)
            .filter(|set| *set != shape.families || set.is_empty())
            .collect();
        while !candidates.is_empty() {
            let mut sizes: Vec<usize> = candidates.iter().map(|set| set.len()).collect();
            sizes.sort_unstable();
            sizes.dedup();
            let middle = sizes[(sizes.len() - 1) / 2];
            let mut helping: Vec<(usize, FamilySet)> = Vec::new();
            for set in candidates.iter().copied().filter(|set| set.len() == middle) {
                helping.extend(try_it(set)?.map(|predicates| (predicates, set)));
            }
            helping.sort_unstable();
            match helping.first() {
                Some((_, set)) => {
                    best = *set;
                    candidates
                        .retain(|other| other.len() < middle && helping.iter().any(|(_, set)| other.is_subset(*set)));
                }
                None => candidates.retain(|other| other.len() > middle),
            }
        }
        Ok(Some(best))
    }

    /// Nothing, or everything.
    fn first_precision(&self) -> Precision {
        let mut precision = Precision::default();
        if self.mode != Mode::Maximal {
            return precision;
        }
        for function in &self.subject.memory.functions {
            let body = &self.subject.memory.program.functions[*function];
            if body.automaton().is_some() {
                precision
                    .variables
                    .extend(body.registers.keys().map(|register| ScalarVariable::Register(*function, register)));
            }
        }
        precision.fields.extend(self.subject.memory.fields.keys());
        for view in self.subject.memory.recursive_views() {
            if let Some(shape) = self.named_class(view) {
                let families = self.library.class(shape.class).all_families();
                precision = precision.with_shape(view, ShapeType { families, ..shape });
            }
        }
        precision
    }
}

fn last(suspicion: &Suspicion) -> StepId {
    suspicion.path.last().copied().unwrap_or_else(|| StepId::from_u32(0))
}

/// What came of refinements: which suspicions are gone in the next run.
fn record_results(steps: &mut [RefinementStep], explored: &Explored, old: &[(StepId, Problem)]) {
    if explored.exhausted.is_some() {
        return;
    }
    let is_still_there = |(step, problem): &&(StepId, Problem)| {
        explored.suspicions.iter().any(|new| last(new) == *step && new.problem == *problem)
    };
    let left = old.iter().filter(is_still_there).count();
    let done =
        RefinementResult::Done { elements: explored.facts as u64, excluded: old.len() - left, suspicions: old.len() };
    steps.iter_mut().for_each(|step| step.result = done);
}

/// A class by the name that reports have for it.
fn shape_name(library: &ClassLibrary, class: ClassId) -> ShapeName {
    ShapeName::Known(match library.class(class).name.as_str() {
        "sll" => AskedShape::SinglyLinked,
        "cyclic" => AskedShape::Cyclic,
        "dll" => AskedShape::DoublyLinked,
        "tree" => AskedShape::Tree,
        "tree-parent" => AskedShape::TreeWithParent,
        own => return ShapeName::Own(own.to_owned()),
    })
}
