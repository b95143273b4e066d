//! Which concrete heaps the structures of a reachability tree stand for.

use heapwise_engine::Options;
use heapwise_fixpoint::{ContextId, PointId, ProgramFlow};
use heapwise_interp::heap::{Life, Object, ObjectKind};
use heapwise_interp::state::CallOrigin;
use heapwise_interp::value::{SymbolId, Term};
use heapwise_interp::{Loaded, Value};
use heapwise_ir::{FunctionId, IntType, Liveness, LocationId, Program, integer};
use heapwise_logic::Kleene;
use heapwise_logic::evaluate::{Assignment, evaluate};
use heapwise_shapes::abstraction::{ScalarPredicates, ShapeAbstraction};
use heapwise_shapes::memory::{Field, FieldId, ScalarVariable};
use heapwise_shapes::precision::NumberTest;
use heapwise_shapes::transfer::Relevance;
use heapwise_testkit::oracle::ConcreteState;
use heapwise_tvl::embed::embeds;
use heapwise_tvl::structure::{Structure, View};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Larger heaps are not compared.
const MOST_CELLS: usize = 40;

/// A reachability tree, and what is needed to read it.
pub struct Model {
    pub program: Program,
    pub options: Options,
    pub flow: ProgramFlow,
    pub liveness: FxHashMap<FunctionId, Liveness>,
    pub abstraction: ShapeAbstraction,
    pub fields: Vec<(FieldId, Field)>,
    /// The integer types of tracked variables that are integers.
    pub ints: FxHashMap<ScalarVariable, IntType>,
    pub structures: FxHashMap<PointId, Vec<Structure>>,
    pub history: RefCell<History>,
}

/// What a scalar holds.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Held {
    /// Nothing that anybody looks at.
    Forgotten,
    Unwritten,
    /// By its birth.
    Cell(u64),
    Number(i128),
    /// An input that is not fixed yet.
    Open(Term),
}

/// All cells that a run has made, in the order of their birth: those that are lost or freed, and that nothing leads to, are
/// still heap to the engine, while `interp` gives their places to others.
#[derive(Default)]
pub struct History {
    cells: BTreeMap<u64, Remembered>,
}

/// A cell that was seen.
struct Remembered {
    is_heap: bool,
    life: Remains,
    /// What its fields hold; pointers by the birth of the cell they lead to.
    fields: Vec<(FieldId, Held)>,
}

/// What became of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Remains {
    Alive,
    Freed,
    /// Nothing leads to it any more; it holds what it held then.
    Lost,
}

impl History {
    /// Takes over what a state shows, which is the one behind the state before.
    fn see(&mut self, state: &ConcreteState<'_>, fields: &[(FieldId, Field)], program: &Program) {
        let is_start = state.frames().len() == 1 && state.state().top().is_some_and(|frame| frame.last_edge.is_none());
        if is_start {
            self.cells.clear();
        }
        let mut there: BTreeSet<u64> = BTreeSet::new();
        for (_, object) in state.state().heap().objects() {
            if !matches!(object.kind, ObjectKind::Heap | ObjectKind::Auto) {
                continue;
            }
            there.insert(object.birth);
            let is_alive = object.life == Life::Alive;
            let own = fields.iter().filter(|(_, layout)| is_alive && Some(layout.view) == object.view);
            let held = own.map(|(field, layout)| {
                let int = match program.ty(layout.ty) {
                    heapwise_ir::Type::Int(int) => Some(*int),
                    _ => None,
                };
                (*field, in_memory(state, object, (layout.offset, layout.size), int))
            });
            let life = if is_alive { Remains::Alive } else { Remains::Freed };
            let is_heap = object.kind == ObjectKind::Heap;
            let remembered = Remembered { is_heap, life, fields: held.collect() };
            self.cells.insert(object.birth, remembered);
        }
        for (birth, cell) in &mut self.cells {
            if !there.contains(birth) && cell.life == Remains::Alive {
                cell.life = if cell.is_heap { Remains::Lost } else { Remains::Freed };
            }
        }
    }
}

fn held(state: &ConcreteState<'_>, value: Value) -> Held {
    match value {
        Value::Uninitialised(_) => Held::Unwritten,
        Value::Int(number) => Held::Number(number),
        Value::Pointer(pointer) => {
            assert_eq!(pointer.offset, 0, "random programs have no pointers into cells");
            Held::Cell(state.object(pointer.object).birth)
        }
        Value::Symbol(term) => Held::Open(term),
        Value::Float(_) | Value::Function(_) | Value::Fragment(_) | Value::Opaque => {
            panic!("no such value in random programs: {value:?}")
        }
    }
}

/// Values of the inputs that are not fixed yet.
struct Inputs(Vec<(SymbolId, i128)>);

impl Inputs {
    /// Some that a run may have; nothing if they are not found.
    fn of(state: &ConcreteState<'_>) -> Option<Inputs> {
        state.state().constraints().model(&|| Ok::<(), ()>(())).expect("nobody ends it").map(Inputs)
    }

    /// What is held with these; nothing if a cell that was lost holds one that is not known any more.
    fn fixed(&self, value: Held) -> Option<Held> {
        let Held::Open(term) = value else { return Some(value) };
        let (_, number) = self.0.iter().find(|(symbol, _)| *symbol == term.symbol)?;
        Some(Held::Number(number + i128::from(term.addend)))
    }
}

fn in_memory(state: &ConcreteState<'_>, object: &Object, (offset, size): (u64, u64), int: Option<IntType>) -> Held {
    match object.contents().load(offset, size) {
        Loaded::Bits(bits) => {
            let number = int.map_or(bits as i128, |int| integer::wrap(bits as i128, int));
            held(state, Value::Int(number))
        }
        Loaded::Value(value) => held(state, value),
        Loaded::Uninitialised => Held::Unwritten,
        Loaded::Any(_) | Loaded::Mixed => panic!("random programs have no such bytes"),
    }
}

impl Model {
    /// The contexts of the calls, the outermost first.
    fn contexts(&self, state: &ConcreteState<'_>) -> Vec<ContextId> {
        let mut contexts = Vec::new();
        for frame in state.frames() {
            let caller = match (contexts.last(), frame.origin) {
                (Some(caller), CallOrigin::Edge(edge)) => Some((*caller, edge)),
                (_, _) => None,
            };
            let is_it =
                |context: &heapwise_fixpoint::Context| (context.function, context.caller) == (frame.function, caller);
            let found = self.flow.contexts.iter().find(|(_, context)| is_it(context));
            contexts.push(found.expect("calls are inlined").0);
        }
        contexts
    }

    fn relevance(&self) -> Relevance<'_> {
        Relevance { liveness: &self.liveness, options: &self.options, program: &self.program }
    }

    fn variable(&self, variable: ScalarVariable, state: &ConcreteState<'_>) -> Held {
        match variable {
            ScalarVariable::Global(global, offset) => {
                let object = state.object(state.global(global).expect("a global has an object"));
                let int = self.ints.get(&variable).copied();
                let size = int.map_or(8, IntType::bytes);
                in_memory(state, object, (offset, size), int)
            }
            ScalarVariable::Register(function, register) => {
                let frames: Vec<_> = state.frames().collect();
                let Some(position) = frames.iter().position(|frame| frame.function == function) else {
                    return Held::Forgotten;
                };
                let frame = frames[position];
                let automaton = self.program.functions[function].automaton().expect("it runs");
                let matters = match frames.get(position + 1).map(|called| called.origin) {
                    None => self.relevance().matters(function, frame.location, register),
                    Some(CallOrigin::Edge(edge)) => {
                        let is_number = self.ints.contains_key(&variable);
                        let edge = &automaton.edges[edge];
                        let is_target = edge.instruction.target() == Some(register);
                        self.relevance().matters_during(function, edge, register) && !(is_target && is_number)
                    }
                    Some(origin) => panic!("no such call in random programs: {origin:?}"),
                };
                if matters { held(state, frame.register(register)) } else { Held::Forgotten }
            }
        }
    }

    /// The tests of a scalar with this value; nothing is the same as what is not there.
    fn tests(
        &self,
        predicates: &ScalarPredicates,
        value: Held,
        variables: &FxHashMap<ScalarVariable, Held>,
    ) -> Vec<bool> {
        let Held::Number(number) = value else { return vec![false; predicates.tests.len()] };
        let passes = |test: &NumberTest| match test {
            NumberTest::Equals(constant) => number == *constant,
            NumberTest::Below(bound) => number < *bound,
            NumberTest::Same(other) => variables[other] == value,
        };
        predicates.tests.iter().map(|(test, _)| passes(test)).collect()
    }

    fn write(
        &self,
        structure: &mut Structure,
        predicates: &ScalarPredicates,
        at: &[usize],
        value: Held,
        (births, variables): (&[u64], &FxHashMap<ScalarVariable, Held>),
    ) {
        let vocabulary = &self.abstraction.framework.vocabulary;
        if let (Some(points), Held::Cell(birth)) = (predicates.points, value) {
            let cell = births.binary_search(&birth).expect("a pointer leads to a cell");
            let arguments: Vec<usize> = at.iter().copied().chain([cell]).collect();
            structure.set(vocabulary.slot(points), &arguments, Kleene::True);
        }
        if value == Held::Unwritten {
            structure.set(vocabulary.slot(predicates.bad), at, Kleene::True);
        }
        for ((_, predicate), passes) in predicates.tests.iter().zip(self.tests(predicates, value, variables)) {
            structure.set(vocabulary.slot(*predicate), at, Kleene::from_bounds(passes, passes));
        }
    }

    /// The state as a structure without 1/2; nothing if it is too large for one, or some input in it is not known.
    fn structure(&self, state: &ConcreteState<'_>) -> Option<Structure> {
        let history = self.history.borrow();
        let births: Vec<u64> = history.cells.keys().copied().collect();
        if births.len() > MOST_CELLS {
            return None;
        }
        let inputs = Inputs::of(state)?;
        let vocabulary = &self.abstraction.framework.vocabulary;
        let mut structure = Structure::new(vocabulary.layout(), births.len());
        let mut variables: FxHashMap<ScalarVariable, Held> = FxHashMap::default();
        for variable in self.abstraction.variables.keys() {
            variables.insert(*variable, inputs.fixed(self.variable(*variable, state))?);
        }
        for (variable, predicates) in &self.abstraction.variables {
            self.write(&mut structure, predicates, &[], variables[variable], (&births, &variables));
        }
        for (position, cell) in history.cells.values().enumerate() {
            if let (Some(freed), Remains::Freed) = (self.abstraction.freed, cell.life) {
                structure.set(vocabulary.slot(freed), &[position], Kleene::True);
            }
            if cell.life == Remains::Freed {
                continue;
            }
            for (field, value) in &cell.fields {
                if let Some(predicates) = self.abstraction.fields.get(field) {
                    self.write(&mut structure, predicates, &[position], inputs.fixed(*value)?, (&births, &variables));
                }
            }
        }
        self.instrument(&mut structure);
        Some(structure)
    }

    /// Instrumentation predicates get the values of their definitions.
    fn instrument(&self, structure: &mut Structure) {
        let vocabulary = &self.abstraction.framework.vocabulary;
        for predicate in vocabulary.predicates() {
            let Some(definition) = &vocabulary.declaration(predicate).definition else { continue };
            let n = structure.size();
            let tuples: Vec<Vec<usize>> = match definition.params.len() {
                0 => vec![Vec::new()],
                1 => (0..n).map(|u| vec![u]).collect(),
                _ => (0..n).flat_map(|u| (0..n).map(move |v| vec![u, v])).collect(),
            };
            for tuple in tuples {
                let mut assignment = Assignment::new();
                definition.params.iter().zip(&tuple).for_each(|(v, u)| assignment.push(v, *u));
                let value = evaluate(&definition.formula, &View { structure, vocabulary }, &mut assignment);
                structure.set(vocabulary.slot(predicate), &tuple, value);
            }
        }
    }

    /// Whether some structure at the point of a state stands for it.
    pub fn stands_for(&self, location: LocationId, state: &ConcreteState<'_>) -> bool {
        let context = *self.contexts(state).last().expect("a frame");
        let is_here =
            |origin: &heapwise_fixpoint::PointOrigin| (origin.context, origin.location) == (context, location);
        let point = self.flow.points.iter().find(|(_, origin)| is_here(origin)).expect("a point").0;
        self.history.borrow_mut().see(state, &self.fields, &self.program);
        let Some(concrete) = self.structure(state) else { return true };
        self.structures.get(&point).is_some_and(|known| known.iter().any(|structure| embeds(&concrete, structure)))
    }
}
