//! The search: all images of canonical abstraction of the concrete structures that a problem describes.
//!
//! The search starts from bounded structures that represent everything asked about, and divides [cells](super::cell)
//! until each is one image. A cell is asked about only if no concrete structure is known in it: every model that a
//! prover shows is kept, and answers all questions about the cells on its way. Where a cell holds a few known images, one
//! question asks for anything else in it ("a model whose image is none of these"); if there is nothing, the cell is
//! finished without dividing it further.
//!
//! *Exactness.* A cell in which every value is definite or 1/2 for sure is an image, and it is a result only if the
//! question about all of it together was satisfiable. *Soundness.* Dividing loses nothing, and a cell goes only when its
//! question is unsatisfiable; one that the prover cannot settle stays, and is called doubtful if it becomes a result.

use super::cell::{Cell, Choice, Phase, Projected};
use super::characteristic::Characteristic;
use super::counting::{self, Sharing, sharings};
use super::problem::Problem;
use crate::structure::{Structure, members};
use crate::tables::Tables;
use crate::vocabulary::Arity;
use heapwise_logic::{Formula, Kleene};
use heapwise_prover::{Answer, Model, Prover, Reason, Session, Signature, Theory};
use indexmap::{IndexMap, IndexSet};

/// How far a search goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Up to so many known images in a cell, the prover is asked for others before the cell is divided.
    pub others: usize,
    /// After so many questions that the prover could not settle, open cells become results as they are.
    pub unsettled: usize,
    /// The same after so many results.
    pub results: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { others: 0, unsettled: 64, results: 20_000 }
    }
}

/// What a search found.
#[derive(Clone, Default, Debug)]
pub struct Outcome {
    /// The results, in the order of their words. Every concrete structure asked about is represented by one.
    pub structures: Vec<Structure>,
    /// Those results that no concrete structure was seen for: the prover could not settle a question.
    pub doubtful: Vec<Structure>,
    /// A concrete structure for each image, as far as the prover showed one.
    pub models: IndexMap<Structure, Model>,
    /// Questions asked.
    pub queries: usize,
    /// Questions that the prover could not settle.
    pub unsettled: usize,
    /// Why the first of them was not settled.
    pub reason: Option<Reason>,
}

impl Outcome {
    /// Whether the results are exactly the images of the concrete structures asked about.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.doubtful.is_empty()
    }

    /// Adds the results of another search.
    pub fn absorb(&mut self, other: Outcome) {
        let mut all: IndexSet<Structure> = self.structures.drain(..).chain(other.structures).collect();
        all.sort();
        self.structures = all.into_iter().collect();
        self.models.extend(other.models);
        let seen = |s: &Structure| self.models.contains_key(s);
        let mut doubtful: IndexSet<Structure> =
            self.doubtful.drain(..).chain(other.doubtful).filter(|s| !seen(s)).collect();
        doubtful.sort();
        self.doubtful = doubtful.into_iter().collect();
        self.queries += other.queries;
        self.unsettled += other.unsettled;
        self.reason = self.reason.take().or(other.reason);
    }
}

/// The images of the concrete structures that the axioms of `problem` allow and that `starts` (bounded) represent.
#[must_use]
pub fn explore(problem: &Problem<'_>, starts: &[Structure], prover: &mut dyn Prover, settings: Settings) -> Outcome {
    let theory = theory(problem);
    let characteristic = Characteristic::new(&problem.framework.vocabulary, problem.alive);
    let mut search = Search {
        problem,
        characteristic,
        settings,
        images: Vec::new(),
        open: Vec::new(),
        results: IndexSet::new(),
        doubtful: IndexSet::new(),
        outcome: Outcome::default(),
        tables: Tables::new(),
        sharings: sharings(&problem.framework.vocabulary),
    };
    let mut session = prover.open(&theory);
    for start in starts {
        search.start(start, &mut *session);
        while let Some(cell) = search.open.pop() {
            search.visit(cell, &mut *session);
        }
    }
    search.finish()
}

/// The predicates and axioms of a problem, as a prover reads them.
#[must_use]
pub fn theory(problem: &Problem<'_>) -> Theory {
    let mut signature = Signature::new();
    for (i, symbol) in problem.symbols.list().iter().enumerate() {
        signature.declare(heapwise_logic::Predicate::new(i), &symbol.name, symbol.arity);
    }
    Theory { signature, axioms: problem.axioms.clone() }
}

/// The canonical abstraction of a concrete structure. `None` if it has more individuals than a structure can have.
#[must_use]
pub fn image(problem: &Problem<'_>, model: &Model) -> Option<Structure> {
    let vocabulary = &problem.framework.vocabulary;
    let alive: Vec<usize> = (0..model.size()).filter(|u| problem.alive.is_none_or(|p| model.holds(p, &[*u]))).collect();
    if alive.len() > crate::structure::MAX_INDIVIDUALS {
        return None;
    }
    let characteristic = Characteristic::new(vocabulary, None);
    let mut concrete = Structure::new(vocabulary.layout(), alive.len());
    for p in characteristic.names().iter().chain(characteristic.values()) {
        let slot = vocabulary.slot(*p);
        match slot.arity {
            Arity::Nullary => concrete.set_nullary(slot.index, model.holds(*p, &[]).into()),
            Arity::Unary => {
                for (i, u) in alive.iter().enumerate() {
                    concrete.set(slot, &[i], model.holds(*p, &[*u]).into());
                }
            }
            Arity::Binary => {
                for (i, u) in alive.iter().enumerate() {
                    for (j, v) in alive.iter().enumerate() {
                        concrete.set(slot, &[i, j], model.holds(*p, &[*u, *v]).into());
                    }
                }
            }
        }
    }
    Some(problem.framework.abstraction.blur(&concrete))
}

/// What the prover said of a cell.
enum Reply {
    /// There is a concrete structure, with this image.
    Image(usize),
    /// There is one that was not shown.
    Somewhere,
    Nothing,
    Unsettled,
}

struct Search<'a> {
    problem: &'a Problem<'a>,
    characteristic: Characteristic<'a>,
    settings: Settings,
    images: Vec<Structure>,
    open: Vec<Cell>,
    results: IndexSet<Structure>,
    doubtful: IndexSet<Structure>,
    outcome: Outcome,
    tables: Tables,
    sharings: Vec<Sharing>,
}

impl Search<'_> {
    fn start(&mut self, start: &Structure, session: &mut dyn Session) {
        let cell = Cell {
            structure: start.clone(),
            both: Vec::new(),
            images: Vec::new(),
            doubtful: false,
            phase: Phase::Names,
        };
        let everything = (0..self.images.len()).collect::<Vec<_>>();
        self.enter(cell, &everything, session);
    }

    fn is_exhausted(&self) -> bool {
        self.outcome.unsettled >= self.settings.unsettled || self.results.len() >= self.settings.results
    }

    /// Opens a cell if there may be something in it. `known` are images that may lie in it.
    fn enter(&mut self, mut cell: Cell, known: &[usize], session: &mut dyn Session) {
        if !self.sharpen(&mut cell) {
            return;
        }
        let vocabulary = &self.problem.framework.vocabulary;
        let mut cell = cell.in_phase(&self.characteristic, vocabulary, &self.problem.framework.abstraction);
        cell.images = known
            .iter()
            .copied()
            .filter(|i| cell.project(&self.images[*i], &self.characteristic, vocabulary).is_some())
            .collect();
        if cell.images.is_empty() {
            cell.doubtful = false;
            match self.ask(&cell, &[], session) {
                Reply::Image(image) => cell.images.push(image),
                Reply::Somewhere => {}
                Reply::Nothing => return,
                Reply::Unsettled => cell.doubtful = true,
            }
        }
        self.open.push(cell);
    }

    /// Coerce: whatever the rules say of the cell without a prover. False if nothing is in it.
    fn sharpen(&mut self, cell: &mut Cell) -> bool {
        let Some(constraints) = self.problem.constraints else { return true };
        let agenda = constraints.everything();
        if constraints.coerce(&mut cell.structure, agenda, &mut self.tables).is_err() {
            return false;
        }
        let vocabulary = &self.problem.framework.vocabulary;
        cell.both.iter().all(|fact| self.characteristic.value(&cell.structure, fact) == Kleene::Unknown)
            && !counting::too_many_successors(cell, vocabulary)
            && !self.sharings.iter().any(|sharing| counting::excludes(*sharing, cell, vocabulary))
    }

    fn ask(&mut self, cell: &Cell, others_than: &[usize], session: &mut dyn Session) -> Reply {
        let mut formulas = cell.formulas(&self.characteristic);
        let context = cell.context();
        formulas
            .extend(others_than.iter().map(|i| self.characteristic.differs_from(&self.images[*i], context.as_ref())));
        let extra: Vec<&Formula> = formulas.iter().collect();
        self.outcome.queries += 1;
        match session.check(&extra) {
            Answer::Unsatisfiable => Reply::Nothing,
            Answer::Unknown(reason) => {
                self.outcome.unsettled += 1;
                self.outcome.reason.get_or_insert(reason);
                Reply::Unsettled
            }
            Answer::Satisfiable(None) => Reply::Somewhere,
            Answer::Satisfiable(Some(model)) => self.remember(cell, others_than, model),
        }
    }

    /// Keeps what a model shows, if it is a model of the cell: a prover's word alone is not taken for it.
    fn remember(&mut self, cell: &Cell, others_than: &[usize], model: Model) -> Reply {
        let vocabulary = &self.problem.framework.vocabulary;
        let Some(image) = image(self.problem, &model) else { return Reply::Somewhere };
        let fits = cell.project(&image, &self.characteristic, vocabulary).is_some();
        if !fits || others_than.iter().any(|i| self.images[*i] == image) {
            return Reply::Somewhere;
        }
        let index = self.images.iter().position(|known| *known == image).unwrap_or_else(|| {
            self.images.push(image.clone());
            self.images.len() - 1
        });
        self.outcome.models.entry(image).or_insert(model);
        Reply::Image(index)
    }

    fn visit(&mut self, mut cell: Cell, session: &mut dyn Session) {
        if self.is_exhausted() {
            self.emit_unfinished(&cell);
            return;
        }
        let vocabulary = &self.problem.framework.vocabulary;
        let choices = cell.choices(&self.characteristic, vocabulary);
        if choices.is_empty() {
            // Names are definite, or the cell would have been put into the second phase with choices left.
            self.emit(&cell);
            return;
        }
        while !cell.images.is_empty() && cell.images.len() <= self.settings.others {
            let known = cell.images.clone();
            match self.ask(&cell, &known, session) {
                Reply::Image(image) => cell.images.push(image),
                Reply::Nothing => {
                    self.results.extend(known.iter().map(|i| self.images[*i].clone()));
                    return;
                }
                Reply::Somewhere | Reply::Unsettled => break,
            }
        }
        self.divide(&cell, &choices, session);
    }

    fn divide(&mut self, cell: &Cell, choices: &[Choice], session: &mut dyn Session) {
        let vocabulary = &self.problem.framework.vocabulary;
        let projected: Vec<(usize, Projected)> = cell
            .images
            .iter()
            .filter_map(|i| Some((*i, cell.project(&self.images[*i], &self.characteristic, vocabulary)?)))
            .collect();
        let Some(choice) = self.best_choice(cell, choices, &projected) else { return };
        for side in cell.sides(choice) {
            let mine: Vec<usize> = projected
                .iter()
                .filter(|(_, p)| cell.side(choice, p, &self.characteristic) == side)
                .map(|(i, _)| *i)
                .collect();
            match cell.part(choice, side, vocabulary) {
                Some(part) => self.enter(part, &mine, session),
                None => {
                    // More individuals than a structure can have: the whole cell stays as it is.
                    self.emit_unfinished(cell);
                }
            }
        }
    }

    /// The choice that divides the known images most evenly; the first where they tell nothing.
    fn best_choice<'c>(&self, cell: &Cell, choices: &'c [Choice], images: &[(usize, Projected)]) -> Option<&'c Choice> {
        // An individual that may not exist is decided before anything about it.
        if let Some(first @ Choice::Existence(_)) = choices.first() {
            return Some(first);
        }
        choices.iter().min_by_key(|choice| {
            let sides = cell.sides(choice);
            let count =
                |side| images.iter().filter(|(_, p)| cell.side(choice, p, &self.characteristic) == side).count();
            sides.iter().map(|side| count(*side)).max().unwrap_or(0)
        })
    }

    fn emit(&mut self, cell: &Cell) {
        if cell.doubtful && cell.images.is_empty() {
            self.doubtful.insert(cell.structure.clone());
        }
        self.results.insert(cell.structure.clone());
    }

    fn emit_unfinished(&mut self, cell: &Cell) {
        let structure = self.problem.framework.abstraction.blur(&cell.structure);
        self.doubtful.insert(structure.clone());
        self.results.insert(structure);
    }

    fn finish(self) -> Outcome {
        let Search { results, mut doubtful, mut outcome, .. } = self;
        let models = &outcome.models;
        doubtful.retain(|s| !models.contains_key(s));
        outcome.models.retain(|image, _| results.contains(image));
        let mut structures: Vec<Structure> = results.into_iter().collect();
        structures.sort();
        let mut doubtful: Vec<Structure> = doubtful.into_iter().collect();
        doubtful.sort();
        Outcome { structures, doubtful, ..outcome }
    }
}

/// The structures of which nothing is known: none at all, or one individual that stands for any number.
#[must_use]
pub fn top(problem: &Problem<'_>) -> Structure {
    let vocabulary = &problem.framework.vocabulary;
    let characteristic = Characteristic::new(vocabulary, None);
    let mut top = Structure::new(vocabulary.layout(), 1);
    for p in characteristic.names().iter().chain(characteristic.values()) {
        let slot = vocabulary.slot(*p);
        let tuple = vec![0; slot.arity.count()];
        top.set(slot, &tuple, Kleene::Unknown);
    }
    let one = crate::structure::Bounds { may: 1, must: 0 };
    top.set_unary(crate::vocabulary::SUMMARY, one);
    top.set_unary(crate::vocabulary::ACTIVE, one);
    debug_assert_eq!(members(top.active().may).count(), 1);
    top
}
