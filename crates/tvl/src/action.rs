//! Actions: what one step of a program does to a structure.
//!
//! The order is TVLA's `fcpucb`: focus, coerce, precondition, messages, new individuals, update, retain, coerce, blur.

use crate::blur::Abstraction;
use crate::coerce::{Agenda, Constraints, RuleId};
use crate::compile::{Compiler, Program, Register};
use crate::difference::{Universe, Update, updates_but};
use crate::focus::{Focus, Focused};
use crate::fold::Folder;
use crate::structure::{Bounds, Structure, TooManyIndividuals, members};
use crate::tables::Tables;
use crate::vocabulary::{ACTIVE, Arity, Definition, NEW, PredicateIndex, SUMMARY, Vocabulary};
use heapwise_logic::{Formula, Kleene, Predicate, Variable};
use indexmap::IndexMap;

/// A message: reported for every structure in which the condition is not 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// When.
    pub condition: Formula,
    /// What is said.
    pub text: String,
}

/// Individuals that an action makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Creation {
    /// One new individual.
    One,
    /// One for each individual that satisfies the formula.
    ForEach(Definition),
    /// A copy, with all its values, of each individual that satisfies the formula.
    CopyEach(Definition),
}

/// What an action is, before it is compiled.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ActionSpecification {
    /// The name and arguments, as in the control-flow graph.
    pub name: String,
    /// The title (`%t`), or the name.
    pub title: String,
    /// Formulas to be made definite first.
    pub focus: Vec<Formula>,
    /// When the action happens; its free variables are bound in everything below.
    pub precondition: Option<Formula>,
    /// Messages about the state before.
    pub before: Vec<Message>,
    /// New individuals.
    pub creations: Vec<Creation>,
    /// Instrumentation predicates that it does not change, whatever their definitions say.
    pub unchanged: Vec<Predicate>,
    /// New values. Instrumentation predicates that are not in here get a derived update.
    pub updates: IndexMap<Predicate, Definition>,
    /// Which individuals stay; like an update, it reads the state before the action.
    pub retain: Option<Definition>,
    /// Messages about the state after.
    pub after: Vec<Message>,
}

/// What every action of an analysis needs.
#[derive(Debug)]
pub struct Framework {
    /// The predicates.
    pub vocabulary: Vocabulary,
    /// The rules.
    pub constraints: Constraints,
    /// The abstraction predicates.
    pub abstraction: Abstraction,
    /// Whether updates of instrumentation predicates are derived.
    pub differencing: Differencing,
}

/// Whether updates of instrumentation predicates are derived from their definitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Differencing {
    /// Where an action gives none.
    Derived,
    /// Never: a predicate without update keeps its value.
    GivenOnly,
}

/// An action, compiled.
#[derive(Debug)]
pub struct Action {
    /// Name and arguments.
    pub name: String,
    /// The title.
    pub title: String,
    focus: Vec<Focus>,
    precondition: Option<Condition>,
    /// The precondition, if it is closed.
    closed: Option<Formula>,
    /// Values that the precondition needs.
    required: Vec<Required>,
    parameters: usize,
    before: Vec<(Condition, String)>,
    creations: Vec<(Creation, Option<Condition>)>,
    extension: Option<UpdateProgram>,
    update: Option<UpdateProgram>,
    retain: Option<(Program, Register)>,
    after: Vec<(Condition, String)>,
    instance: Option<usize>,
    derived: Vec<Update>,
    on_conflict: OnConflict,
}

/// What it means that two ways to derive a new value disagree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OnConflict {
    /// The structure represents nothing.
    Drop,
    /// The specification gives updates of instrumentation predicates itself, and they may be at fault: the value
    /// becomes 1/2.
    Weaken,
}

#[derive(Debug)]
struct Condition {
    program: Program,
    value: Register,
}

/// A value of a predicate without arguments.
#[derive(Debug)]
struct Required {
    index: usize,
    value: bool,
}

impl Required {
    /// What a condition needs on its face: a location with many steps asks most structures in vain.
    fn of(vocabulary: &Vocabulary, condition: &Formula) -> Vec<Required> {
        let parts = match condition {
            Formula::And(parts) => parts.as_slice(),
            one => std::slice::from_ref(one),
        };
        let literal = |f: &Formula| match f {
            Formula::Atom(p, args) if args.is_empty() && !p.is_primed() => Some(*p),
            _ => None,
        };
        let required = parts.iter().filter_map(|f| {
            let (p, value) = match f {
                Formula::Not(inner) => (literal(inner)?, false),
                f => (literal(f)?, true),
            };
            Some(Required { index: vocabulary.slot(p).index, value })
        });
        required.collect()
    }

    fn is_possible(&self, structure: &Structure) -> bool {
        let value = structure.nullary(self.index);
        if self.value { value.may() } else { !value.must() }
    }
}

#[derive(Debug)]
struct UpdateProgram {
    program: Program,
    outputs: Vec<(Predicate, PredicateIndex, Register)>,
}

/// Given a closed condition, formulas that focus leaves open on a structure, and the structure: others that represent all of
/// it that satisfies the condition, and nothing else; or nothing.
pub type Refine<'a> = dyn FnMut(&Formula, &[&Formula], &Structure) -> Option<Vec<Structure>> + 'a;

/// What went wrong with a structure on the way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// After the update the structure breaks a rule: either it stood for no concrete structure, or the action leads
    /// out of what the rules allow.
    Contradiction(RuleId),
    /// More individuals than a structure can have.
    TooLarge,
}

/// What an action makes of a structure.
#[derive(Default, Debug)]
pub struct StepResult {
    /// The structures after the action, blurred.
    pub structures: Vec<Structure>,
    /// Messages, each with the structure that it is about.
    pub messages: Vec<(String, Structure)>,
    /// Troubles, each with the structure before the update.
    pub troubles: Vec<(Trouble, Structure)>,
    /// Structures before an update whose derived values disagree.
    pub disagreements: Vec<Structure>,
}

/// A structure after an update.
struct Updated {
    structure: Structure,
    /// The individuals of the precondition, as they are numbered now; nothing if one of them is gone.
    assignment: Option<Vec<usize>>,
}

impl Action {
    /// Compiles an action; updates of instrumentation predicates that it does not give are derived.
    #[must_use]
    pub fn new(framework: &Framework, specification: &ActionSpecification) -> Action {
        Action::with_folder(framework, &Folder::new(&framework.vocabulary), specification)
    }

    /// The same with the definitions of the framework's vocabulary prepared.
    #[must_use]
    pub fn with_folder(framework: &Framework, folder: &Folder<'_>, specification: &ActionSpecification) -> Action {
        let copies = specification.creations.iter().any(|c| matches!(c, Creation::CopyEach(_)));
        let universe = if copies {
            Universe::Copied
        } else if specification.creations.is_empty() && specification.retain.is_none() {
            Universe::Kept
        } else {
            Universe::Changed
        };
        let derived = match framework.differencing {
            Differencing::Derived => {
                let (given, retain) = (&specification.updates, specification.retain.as_ref());
                updates_but(folder, given, retain, universe, &specification.unchanged)
            }
            Differencing::GivenOnly => specification
                .updates
                .iter()
                .map(|(p, d)| Update::given(*p, d.params.clone(), d.formula.clone()))
                .collect(),
        };
        Action::with_updates(framework, specification, derived)
    }

    /// The same with all updates, those that are derived too.
    pub(crate) fn with_updates(
        framework: &Framework,
        specification: &ActionSpecification,
        derived: Vec<Update>,
    ) -> Action {
        let vocabulary = &framework.vocabulary;
        let parameters: Vec<Variable> = specification.precondition.iter().flat_map(|f| f.free_variables()).collect();
        let condition = |formula: &Formula, parameters: &[Variable], arguments: &[Variable]| {
            let others: Vec<Variable> = formula
                .free_variables()
                .into_iter()
                .filter(|v| !parameters.contains(v) && !arguments.contains(v))
                .collect();
            let mut compiler = Compiler::new(vocabulary, parameters);
            let value = compiler.add(&Formula::exists(others, formula.clone()), arguments);
            Condition { program: compiler.finish(), value }
        };
        let messages = |messages: &[Message]| {
            messages.iter().map(|m| (condition(&m.condition, &parameters, &[]), m.text.clone())).collect()
        };
        let creations: Vec<_> = specification
            .creations
            .iter()
            .map(|creation| match creation {
                Creation::One => (creation.clone(), None),
                Creation::ForEach(d) | Creation::CopyEach(d) => {
                    (creation.clone(), Some(condition(&d.formula, &parameters, &d.params)))
                }
            })
            .collect();
        let defined = |p: &Predicate| vocabulary.declaration(*p).definition.is_some();
        let on_conflict = if specification.updates.keys().any(defined) { OnConflict::Weaken } else { OnConflict::Drop };
        let update = (!derived.is_empty()).then(|| compile_updates(vocabulary, &parameters, &derived));
        let extension = (!creations.is_empty() && framework.differencing == Differencing::Derived)
            .then(|| compile_extension(vocabulary, &specification.updates));
        let retain = specification.retain.as_ref().map(|d| {
            let mut compiler = Compiler::new(vocabulary, &parameters);
            let value = compiler.add(&d.formula, &d.params);
            (compiler.finish(), value)
        });
        Action {
            name: specification.name.clone(),
            title: specification.title.clone(),
            focus: specification.focus.iter().map(|f| Focus::new(vocabulary, f)).collect(),
            precondition: specification.precondition.as_ref().map(|f| condition(f, &[], &parameters)),
            closed: specification.precondition.clone().filter(|_| parameters.is_empty()),
            required: specification.precondition.as_ref().map_or_else(Vec::new, |f| Required::of(vocabulary, f)),
            parameters: parameters.len(),
            before: messages(&specification.before),
            creations,
            extension,
            update,
            retain,
            after: messages(&specification.after),
            instance: vocabulary.find("instance").map(|p| vocabulary.slot(p).index),
            derived,
            on_conflict,
        }
    }

    /// The updates, given and derived, in the order of evaluation.
    #[must_use]
    pub fn updates(&self) -> &[Update] {
        &self.derived
    }

    /// Applies the action to a blurred structure that satisfies the rules.
    pub fn apply(&self, framework: &Framework, structure: &Structure, tables: &mut Tables, out: &mut StepResult) {
        self.apply_refined(framework, structure, tables, &mut |_, _, _| None, out);
    }

    /// The same with a way out where focus would not terminate: `refine` may give structures that represent what satisfies the
    /// precondition, and focus starts again from them.
    pub fn apply_refined(
        &self,
        framework: &Framework,
        structure: &Structure,
        tables: &mut Tables,
        refine: &mut Refine<'_>,
        out: &mut StepResult,
    ) {
        // Focus only sharpens: what does not satisfy the precondition now never will.
        if !self.required.iter().all(|required| required.is_possible(structure)) {
            return;
        }
        let assignments = self.assignments(structure, tables);
        if assignments.is_empty() {
            return;
        }
        if self.focus.iter().all(|focus| focus.is_definite(structure, tables)) {
            for assignment in assignments {
                self.apply_focused(framework, structure, &assignment, tables, out);
            }
            return;
        }
        let (mut focused, open) = self.focused(framework, vec![structure.clone()], tables);
        if !open.is_empty()
            && let Some(refined) = refine(self.closed.as_ref().unwrap_or(&Formula::TRUE), &open, structure)
        {
            focused = self.focused(framework, refined, tables).0;
        }
        for structure in focused {
            if tables.is_over() {
                return;
            }
            for assignment in self.assignments(&structure, tables) {
                self.apply_focused(framework, &structure, &assignment, tables, out);
            }
        }
    }

    /// The structures after all focus formulas, and the formulas that are not definite on all of them.
    fn focused(
        &self,
        framework: &Framework,
        structures: Vec<Structure>,
        tables: &mut Tables,
    ) -> (Vec<Structure>, Vec<&Formula>) {
        let (mut focused, mut open) = (structures, Vec::new());
        for focus in &self.focus {
            let mut results = Vec::with_capacity(focused.len());
            let mut all = Focused::Definite;
            for structure in focused {
                let (split, one) = focus.split(structure, &framework.vocabulary, &framework.constraints, tables);
                results.extend(split);
                if one == Focused::Open {
                    all = Focused::Open;
                }
            }
            if all == Focused::Open {
                open.push(focus.formula());
            }
            focused = results;
        }
        (focused, open)
    }

    fn assignments(&self, structure: &Structure, tables: &mut Tables) -> Vec<Vec<usize>> {
        match &self.precondition {
            None => vec![Vec::new()],
            Some(condition) => {
                tables.run(&condition.program, structure, &[]);
                tables.possible(condition.value, self.parameters)
            }
        }
    }

    fn apply_focused(
        &self,
        framework: &Framework,
        structure: &Structure,
        assignment: &[usize],
        tables: &mut Tables,
        out: &mut StepResult,
    ) {
        for (condition, text) in &self.before {
            tables.run(&condition.program, structure, assignment);
            if tables.row(condition.value, 0).may & 1 == 1 {
                out.messages.push((text.clone(), structure.clone()));
            }
        }
        match self.updated(framework, structure, assignment, tables) {
            Ok(Some(Updated { structure: after, assignment })) => {
                let blurred = if self.after.is_empty() {
                    framework.abstraction.into_blurred(after)
                } else {
                    let blurred = framework.abstraction.blur(&after);
                    self.messages_after(&after, &blurred, assignment.as_deref(), tables, out);
                    blurred
                };
                out.structures.push(blurred);
            }
            Ok(None) => out.disagreements.push(structure.clone()),
            Err(trouble) => out.troubles.push((trouble, structure.clone())),
        }
    }

    fn messages_after(
        &self,
        after: &Structure,
        blurred: &Structure,
        assignment: Option<&[usize]>,
        tables: &mut Tables,
        out: &mut StepResult,
    ) {
        for (condition, text) in &self.after {
            // The individuals of the precondition may have been merged: only closed conditions are left.
            match assignment {
                Some(_) if self.parameters == 0 => tables.run(&condition.program, blurred, &[]),
                Some(assignment) => tables.run(&condition.program, after, assignment),
                None => {}
            }
            // Of an individual that is gone anything may be true.
            if assignment.is_none() || tables.row(condition.value, 0).may & 1 == 1 {
                out.messages.push((text.clone(), blurred.clone()));
            }
        }
    }

    /// Everything from new individuals to the second coerce, for one assignment to the free variables of the
    /// precondition. `None`: the ways to derive one predicate's new value disagree. If the values before fit their
    /// definitions, the structure represents nothing then.
    ///
    /// # Errors
    /// The result breaks a rule, or outgrows its words.
    pub fn update(
        &self,
        framework: &Framework,
        structure: &Structure,
        assignment: &[usize],
        tables: &mut Tables,
    ) -> Result<Option<Structure>, Trouble> {
        let updated = self.updated(framework, structure, assignment, tables)?;
        Ok(updated.map(|updated| updated.structure))
    }

    fn updated(
        &self,
        framework: &Framework,
        structure: &Structure,
        assignment: &[usize],
        tables: &mut Tables,
    ) -> Result<Option<Updated>, Trouble> {
        let mut kept = Some(assignment.to_vec());
        if self.update.is_none() && self.creations.is_empty() && self.retain.is_none() {
            return Ok(Some(Updated { structure: structure.clone(), assignment: kept }));
        }
        let constraints = &framework.constraints;
        let mut agenda = constraints.nothing();
        let mut base = structure.clone();
        for (creation, condition) in &self.creations {
            base = self
                .create(&base, creation, condition.as_ref(), assignment, tables)
                .map_err(|TooManyIndividuals| Trouble::TooLarge)?;
            agenda = constraints.everything();
        }
        if let Some(extension) = &self.extension {
            tables.run(&extension.program, &base, assignment);
            write_back(extension, &mut base, constraints, &mut agenda, tables);
        }
        let stay = self.retain.as_ref().map(|(program, value)| {
            tables.run(program, &base, assignment);
            tables.row(*value, 0)
        });
        let mut after = base;
        if let Some(update) = &self.update {
            tables.run(&update.program, &after, assignment);
            if tables.conflict() && self.on_conflict == OnConflict::Drop {
                return Ok(None);
            }
            write_back(update, &mut after, constraints, &mut agenda, tables);
        }
        if let Some(stay) = stay {
            let active = after.active();
            after.set_unary(ACTIVE, Bounds { may: active.may & stay.may, must: active.must & stay.must });
            let stayed: Vec<usize> = members(after.active().may).collect();
            kept = assignment.iter().map(|u| stayed.iter().position(|other| other == u)).collect();
            let classes: Vec<u64> = stayed.iter().map(|u| 1 << u).collect();
            after = after.quotient(&classes);
            agenda = constraints.everything();
        }
        after.clear_new();
        if let Some(instance) = self.instance {
            (0..after.size()).for_each(|u| after.set_row(instance, u, Bounds { may: 0, must: 0 }));
        }
        match constraints.coerce(&mut after, agenda, tables) {
            Ok(()) => Ok(Some(Updated { structure: after, assignment: kept })),
            Err(rule) => Err(Trouble::Contradiction(rule)),
        }
    }

    fn create(
        &self,
        base: &Structure,
        creation: &Creation,
        condition: Option<&Condition>,
        assignment: &[usize],
        tables: &mut Tables,
    ) -> Result<Structure, TooManyIndividuals> {
        let matched = match condition {
            None => Bounds { may: 0, must: 0 },
            Some(condition) => {
                tables.run(&condition.program, base, assignment);
                tables.row(condition.value, 0)
            }
        };
        let originals: Vec<usize> = members(matched.may).collect();
        let sources: Vec<Option<usize>> = match creation {
            Creation::One => vec![None],
            Creation::ForEach(_) => vec![None; originals.len()],
            Creation::CopyEach(_) => originals.iter().map(|u| Some(*u)).collect(),
        };
        let first = base.size();
        let mut new = base.extended(&sources)?;
        let fresh = new.universe() & !base.universe();
        let is_new = new.unary(NEW);
        new.set_unary(NEW, Bounds { may: is_new.may | fresh, must: is_new.must | fresh });
        for (i, u) in originals.iter().enumerate() {
            let bit = 1u64 << (first + i);
            // It is there if the individual it was made for is there and matches.
            if matched.must & base.active().must & 1 << u == 0 {
                let active = new.active();
                new.set_unary(ACTIVE, Bounds { may: active.may, must: active.must & !bit });
            }
            if base.summaries() >> u & 1 == 1 {
                let summary = new.unary(SUMMARY);
                new.set_unary(SUMMARY, Bounds { may: summary.may | bit, must: 0 });
            }
            if let Some(instance) = self.instance {
                // `instance(new, old)`. A new individual for each of those that a summary stands for: each is the instance of
                // one of them only.
                let row = new.row(instance, first + i);
                let old = 1u64 << u;
                let must = if base.summaries() & old == 0 { old } else { 0 };
                new.set_row(instance, first + i, Bounds { may: row.may | old, must: row.must | must });
            }
        }
        Ok(new)
    }
}

fn write_back(
    update: &UpdateProgram,
    structure: &mut Structure,
    constraints: &Constraints,
    agenda: &mut Agenda,
    tables: &Tables,
) {
    for (predicate, slot, register) in &update.outputs {
        let mut note = |old, new| {
            if old != new {
                constraints.note_change(*predicate, old, new, agenda);
            }
        };
        match slot.arity {
            Arity::Nullary => {
                let new = tables.row(*register, 0);
                let old = structure.nullary(slot.index);
                note(Bounds { may: u64::from(old.may()), must: u64::from(old.must()) }, new);
                structure.set_nullary(slot.index, Kleene::from_bounds(new.may & 1 == 1, new.must & 1 == 1));
            }
            Arity::Unary => {
                let new = tables.row(*register, 0);
                note(structure.unary(slot.index), new);
                structure.set_unary(slot.index, new);
            }
            Arity::Binary => {
                for row in 0..structure.size() {
                    let new = tables.row(*register, row);
                    note(structure.row(slot.index, row), new);
                    structure.set_row(slot.index, row, new);
                }
            }
        }
    }
}

fn compile_updates(vocabulary: &Vocabulary, parameters: &[Variable], updates: &[Update]) -> UpdateProgram {
    let mut compiler = Compiler::new(vocabulary, parameters);
    let mut outputs = Vec::with_capacity(updates.len());
    for update in updates {
        let mut value: Option<Register> = None;
        for formula in &update.alternatives {
            let next = compiler.register(formula, &update.params);
            value = Some(value.map_or(next, |known| compiler.meet(known, next)));
        }
        if let Some(mut value) = value {
            let slot = vocabulary.slot(update.predicate);
            if let Some(touched) = &update.touched {
                value = compiler.unless_untouched(touched, slot, value);
            }
            compiler.ask_for(value);
            compiler.define_primed(update.predicate, value);
            outputs.push((update.predicate, slot, value));
        }
    }
    UpdateProgram { program: compiler.finish(), outputs }
}

/// The values of instrumentation predicates on tuples with a new individual, by definition.
fn compile_extension(vocabulary: &Vocabulary, given: &IndexMap<Predicate, Definition>) -> UpdateProgram {
    let mut compiler = Compiler::new(vocabulary, &[]);
    let mut outputs = Vec::new();
    let is_new = Predicate::new(NEW);
    for p in vocabulary.predicates() {
        let Some(definition) = &vocabulary.declaration(p).definition else { continue };
        if given.contains_key(&p) || definition.params.is_empty() {
            continue;
        }
        let by_definition = definition.formula.prime(&|q| outputs.iter().any(|(o, _, _)| *o == q));
        let new = definition.params.iter().map(|v| Formula::atom(is_new, std::slice::from_ref(v))).collect();
        let own = Formula::Atom(p, definition.params.clone());
        let value = compiler.add(&Formula::if_then_else(Formula::Or(new), by_definition, own), &definition.params);
        compiler.define_primed(p, value);
        outputs.push((p, vocabulary.slot(p), value));
    }
    UpdateProgram { program: compiler.finish(), outputs }
}
