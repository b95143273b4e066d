//! From the language of `ir` to cell programs: calls are inlined by call string, constant addresses are resolved to
//! variables, integers that are no flags are dropped, and what lies outside the class becomes a gap.

mod addresses;
mod allocated;
mod assign;
mod assignments;
mod call;
mod compare;
mod condition;
mod constants;
mod contract;
mod copied;
mod elements;
mod embedded;
mod escapes;
mod fields;
mod flags;
mod indirect;
mod inside;
mod instance;
mod integers;
mod kinds;
mod lives;
mod memory;
mod objects;
mod places;
mod procedure;
mod ranges;
mod reload;
mod results;
mod scan;
mod shapes;
mod tables;
mod tidy;
mod transfer;
mod unasked;

use crate::atom::{Atom, Var};
use crate::contract::ContractId;
use crate::live::Liveness;
use crate::program::{CellProgram, Command, Ending, Frame, KindId, Origin, Point, Purpose, Source, Step, StepId};
use condition::Divisor;
use constants::{Environment, Known, Object};
pub use contract::Calls;
use embedded::Embedded;
use flags::Flags;
use heapwise_engine::reason::{ArithmeticGap, CallGap, GapReason, LimitGap, MemoryGap, PointerGap};
use heapwise_engine::{AllocationFailure, BudgetMeter, Control, Exhausted, Kind, Options};
use heapwise_ir::callbacks::Expansion;
use heapwise_ir::entity::SecondaryMap;
use heapwise_ir::{
    Body, EdgeId, FunctionId, GlobalId, Instruction, LocationId, Operand, Program, RegisterId, Span, TypeId,
};
use heapwise_pointsto::PointsTo;
use instance::Instance;
use kinds::FunctionPointers;
pub use kinds::Links;
pub(crate) use kinds::type_name;
use lives::{Holders, Leave, Retired};
use rustc_hash::{FxHashMap, FxHashSet};

/// No program grows beyond this by inlining.
const MAX_STEPS: usize = 200_000;

/// A cell program, ready to be analysed.
pub struct Translation {
    /// The program.
    pub program: CellProgram,
    /// The program of `ir` that it says the same as, where calls that call back were written out ([`Translation::source`]).
    pub written_out: Option<Box<Program>>,
    /// Liveness of its variables.
    pub liveness: Liveness,
    /// The point of each call string's locations (after points without a command of their own were merged).
    pub points: FxHashMap<(u32, LocationId), Point>,
    /// What of the whole program cannot be followed.
    pub gaps: Vec<(Span, GapReason)>,
    /// What ran out before the program was translated: there is nothing of it then, and a gap.
    pub exhausted: Option<Exhausted>,
}

impl Translation {
    /// The program whose functions, edges, locations and registers the cell program speaks of: the one that was translated, or
    /// that with its calls that call back written out. They differ only in that this one has more.
    pub fn source<'a>(&'a self, program: &'a Program) -> &'a Program {
        self.written_out.as_deref().unwrap_or(program)
    }

    /// What is left of a translation that did not come to its end.
    fn unfinished(options: &Options, exhausted: Exhausted) -> Translation {
        let mut program = CellProgram::default();
        program.frames.push(Frame { function: options.entry, caller: None, returns: None, procedure: None });
        program.add_point(Origin { frame: 0, location: None });
        let liveness = Liveness::new(&program);
        let gaps = vec![(Span::NONE, LimitGap::Translation { why: exhausted }.into())];
        let points = FxHashMap::default();
        Translation { program, written_out: None, liveness, points, gaps, exhausted: Some(exhausted) }
    }
}

/// Translates a program from its entry point.
pub fn translate(program: &Program, options: &Options, links: Links) -> Translation {
    translate_calls(program, options, links, Calls::Inlined)
}

/// Translates a program from its entry point, following the calls that `calls` says.
pub fn translate_calls(program: &Program, options: &Options, links: Links, calls: Calls) -> Translation {
    translate_within(program, options, links, calls, &Control::unlimited())
}

/// The same within a budget. What a translation has when the budget runs out is thrown away: engines that were given a
/// part of a program would say something about that part.
pub fn translate_within(
    program: &Program,
    options: &Options,
    links: Links,
    calls: Calls,
    control: &Control,
) -> Translation {
    let meter = BudgetMeter::new(control);
    let written_out = Expansion::of(program, elements::MAX_ELEMENTS).map(|expansion| Box::new(expansion.program));
    let source = written_out.as_deref().unwrap_or(program);
    let translation = translate_all(source, options, links, calls, &meter);
    match translation.and_then(|translation| meter.end().map(|()| translation)) {
        Ok(mut translation) => {
            translation.written_out = written_out;
            debug_assert_eq!(problems(program, &translation), Vec::<String>::new(), "the translation is well-formed");
            translation
        }
        Err(exhausted) => Translation::unfinished(options, exhausted),
    }
}

fn translate_all(
    program: &Program,
    options: &Options,
    links: Links,
    calls: Calls,
    meter: &BudgetMeter<'_>,
) -> Result<Translation, Exhausted> {
    let functions = indirect::function_pointers(program, calls);
    let points_to = match functions {
        FunctionPointers::Followed => Some(indirect::points_to(program, options, meter)?),
        FunctionPointers::Data => None,
    };
    let graph = match &points_to {
        Some(known) => heapwise_ir::CallGraph::of(program, known),
        None => heapwise_ir::CallGraph::of(program, &heapwise_ir::AnyAddressTaken),
    };
    let constant = tables::constant_globals(program, points_to.as_ref());
    let mut translator = Translator {
        program,
        options,
        links,
        calls,
        meter,
        contracts: FxHashMap::default(),
        entered: None,
        gaps: Vec::new(),
        flags: Flags::new(program, points_to.as_ref()),
        tables: tables::walked_tables(program, &constant),
        constant,
        walks: FxHashSet::default(),
        results: results::Results::new(program, meter),
        ranges: FxHashMap::default(),
        graph,
        functions,
        points_to,
        procedures: Vec::new(),
        out: CellProgram::default(),
        kinds: FxHashMap::default(),
        autos: Vec::new(),
        slots: FxHashMap::default(),
        places: FxHashMap::default(),
        points: FxHashMap::default(),
        pending: Vec::new(),
        embedded: Embedded::of(program, links),
        shifts: FxHashMap::default(),
        shifted: FxHashMap::default(),
        fields: FxHashMap::default(),
        through: FxHashMap::default(),
        lives: Vec::new(),
        leaves: Vec::new(),
        shapes: Vec::new(),
        types: FxHashMap::default(),
        passed: Vec::new(),
    };
    let holders = translator.run()?;
    let mut gaps: Vec<(Span, GapReason)> =
        program.gaps.iter().map(|(span, reason)| (*span, reason.clone().into())).collect();
    if options.asks_for(Kind::Overflow) {
        gaps.push((Span::NONE, ArithmeticGap::OverflowNotLookedFor.into()));
    }
    gaps.append(&mut translator.gaps);
    // Engines that follow lists only remember nothing of integers.
    let offset_of = translator.fields.iter().map(|(var, field)| (*var, field.offset)).collect();
    let pointers = reload::Pointers { offset_of, through: translator.through };
    let remembered = (links == Links::Every).then_some((program, &pointers));
    tidy::finish(remembered, (options, meter), translator.out, translator.points, translator.pending, &holders, gaps)
}

/// What is wrong with a translation, in words.
fn problems(program: &Program, translation: &Translation) -> Vec<String> {
    let problems = crate::verifier::verify(program, translation);
    problems.iter().map(|problem| problem.describe(translation.source(program), &translation.program)).collect()
}

/// A local object in memory.
struct Auto {
    name: String,
    ty: Option<TypeId>,
    size: Option<u64>,
    frame: u32,
    /// Where it begins; `None` for an object of a procedure's caller.
    edge: Option<EdgeId>,
    slots: Vec<Var>,
}

/// A stretch between two points that is filled in at the end, when it is known which variables there are.
enum Pending {
    /// Globals get their first values.
    Globals { from: Point, to: Point },
    /// The slots of a local object come to life.
    Auto { from: Point, to: Point, span: Span, frame: u32, edge: EdgeId, slots: Vec<Var>, value: Atom },
    /// Locals that may be read before they are written start without a value.
    Entry { from: Point, to: Point, frame: u32, parameters: Vec<Var> },
}

struct Translator<'p> {
    program: &'p Program,
    options: &'p Options,
    links: Links,
    calls: Calls,
    meter: &'p BudgetMeter<'p>,
    contracts: FxHashMap<FunctionId, Option<ContractId>>,
    /// The contract of the entry point, if the program starts with what it requires.
    entered: Option<ContractId>,
    gaps: Vec<(Span, GapReason)>,
    flags: Flags,
    /// The globals that nobody writes: they hold their initial values.
    constant: SecondaryMap<GlobalId, bool>,
    /// Those of several rows, with their sizes.
    tables: FxHashMap<Object, i64>,
    /// Moves of pointers that may walk along one of them (of these `shifted` says how far).
    walks: FxHashSet<StepId>,
    results: results::Results<'p>,
    /// The values that integers may have, for the functions that were asked for.
    ranges: FxHashMap<FunctionId, Option<ranges::Ranges<'p>>>,
    graph: heapwise_ir::CallGraph,
    /// Whether calls through function pointers are followed.
    functions: FunctionPointers,
    /// What pointers may lead to, if it was asked: for function pointers, or for addresses that cells hold.
    points_to: Option<PointsTo>,
    /// What each procedure stands for.
    procedures: Vec<procedure::Key>,
    out: CellProgram,
    kinds: FxHashMap<(Option<TypeId>, u64), Result<KindId, MemoryGap>>,
    autos: Vec<Auto>,
    slots: FxHashMap<(Object, u64), Var>,
    places: FxHashMap<Address, u32>,
    points: FxHashMap<(u32, LocationId), Point>,
    pending: Vec<PendingStretch>,
    /// Where records lie in cells.
    embedded: Embedded,
    /// How many bytes into a cell each variable points; those that point to its start are left out.
    shifts: FxHashMap<Var, i64>,
    /// Copies between variables that point to different bytes of the same cell, with the bytes between them.
    shifted: FxHashMap<StepId, i64>,
    /// Variables that point to one of several fields.
    fields: FxHashMap<Var, fields::Field>,
    /// Copies that read an object through such a variable.
    through: FxHashMap<StepId, Var>,
    /// Where local objects begin and end, and functions return.
    lives: Vec<(StepId, Retired)>,
    /// Where functions return a pointer.
    leaves: Vec<Leave>,
    /// The types of variables, as far as they are known.
    types: FxHashMap<Var, TypeId>,
    /// The local objects whose addresses are passed to procedures, and those that stand for them there, by the call.
    passed: Vec<(StepId, Vec<u32>)>,
    /// Shapes, and how many bytes into cells the records lie that they speak of.
    shapes: Vec<(StepId, i64)>,
}

/// What a place atom stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Address {
    Object(Object, i64),
    Function(FunctionId),
}

/// A pending stretch; the initial values of global slots are worked out when it is made.
struct PendingStretch {
    pending: Pending,
    globals: Vec<(Var, Atom)>,
}

/// What is known of the arguments of a call.
struct Arguments {
    known: Vec<Known>,
    /// How many bytes into a cell each may point; nothing for constants.
    shifts: Vec<Vec<i64>>,
    result: ResultUse,
}

/// Whether a caller looks at what a call returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ResultUse {
    /// It does, or may.
    Kept,
    /// It does not: whether there is a value does not matter.
    Discarded,
}

/// Where commands are being put: from here on, one after the other.
struct Cursor {
    at: Point,
    to: Point,
    span: Span,
    frame: u32,
    edge: Option<EdgeId>,
}

impl<'p> Translator<'p> {
    /// Translates everything; says who may hold the addresses of locals.
    fn run(&mut self) -> Result<Holders, Exhausted> {
        let entry = self.options.entry;
        self.out.frames.push(Frame { function: entry, caller: None, returns: None, procedure: None });
        let origin = Origin { frame: 0, location: None };
        let start = self.out.add_point(origin);
        let begun = self.out.add_point(origin);
        let done = self.out.add_point(origin);
        let function = &self.program.functions[entry];
        let arguments = vec![Known::Defined; function.parameters.len()];
        match &function.body {
            Body::Defined(_) => {
                self.entered = self.contract_of(entry);
                let inside = self.out.add_point(origin);
                let shifts = vec![vec![0]; function.parameters.len()];
                let call = Arguments { known: arguments, shifts, result: ResultUse::Kept };
                let instance = self.inline(0, entry, &call, inside, done, vec![entry]);
                let mut cursor = Cursor { at: begun, to: inside, span: function.span, frame: 0, edge: None };
                for parameter in &function.parameters {
                    if let Some(var) = instance.get(parameter) {
                        self.then(&mut cursor, Command::Set { target: *var, value: Atom::Opaque });
                    }
                }
                if let Some(contract) = self.entered {
                    let vars: Vec<Option<Var>> =
                        function.parameters.iter().map(|parameter| instance.get(parameter).copied()).collect();
                    cursor.span = self.out.contracts[contract].span;
                    self.then(&mut cursor, Command::Enter { contract, parameters: vars });
                }
                self.close(&mut cursor, Command::Skip);
            }
            Body::Extern(_) => {
                let reason = CallGap::WithoutBody { function: function.name.clone() }.into();
                let mut cursor = Cursor { at: begun, to: done, span: function.span, frame: 0, edge: None };
                self.close(&mut cursor, Command::Gap { reason });
            }
        }
        let over = self.out.add_point(origin);
        let mut cursor = Cursor { at: done, to: over, span: function.span, frame: 0, edge: None };
        if self.entered.is_none() {
            self.close(&mut cursor, Command::End(Ending::Return));
        }
        self.meter.end()?;
        let addresses = self.addresses()?;
        let wandering = self.wandering(&addresses);
        self.forbid_wandering(&wandering);
        self.forbid_dangling_returns(&addresses);
        self.open_comparisons_at_ends(&addresses);
        self.split_accesses(&addresses, &wandering);
        self.count_instances(&wandering);
        let holders = self.retire_addresses(&addresses);
        self.split_fields();
        let globals = self.global_values();
        self.pending.push(PendingStretch { pending: Pending::Globals { from: start, to: begun }, globals });
        self.meter.end().map(|()| holders)
    }

    /// Translates a function for one call string, from `from` (parameters are set by the caller) to `to` (the result is
    /// still mapped). Returns its tracked registers.
    fn inline(
        &mut self,
        frame: u32,
        function: FunctionId,
        arguments: &Arguments,
        from: Point,
        to: Point,
        active: Vec<FunctionId>,
    ) -> FxHashMap<RegisterId, Var> {
        match self.open(frame, function, arguments, active) {
            Some(instance) => {
                self.fill(&instance, from, to, &[]);
                instance.vars
            }
            None => FxHashMap::default(),
        }
    }

    fn edge(&mut self, instance: &Instance<'p>, id: EdgeId) {
        let edge = &instance.automaton.edges[id];
        let Some(environment) = &instance.known[edge.from] else { return };
        let from = self.points[&(instance.frame, edge.from)];
        let mut to = match self.points.get(&(instance.frame, edge.to)) {
            Some(to) => *to,
            // What is behind it is surely not reached; the command itself may still fail.
            None => self.out.add_point(Origin { frame: instance.frame, location: Some(edge.to) }),
        };
        if edge.to == instance.automaton.exit {
            to = self.leave(instance, id, to);
            to = self.leave_scope(instance, id, to);
        }
        let mut cursor = Cursor { at: from, to, span: edge.span, frame: instance.frame, edge: Some(id) };
        if self.out.steps.len() > MAX_STEPS {
            self.close(&mut cursor, Command::Gap { reason: CallGap::TooLargeInlined.into() });
            return;
        }
        self.by_elements(instance, environment, &mut cursor, id, &edge.instruction);
    }

    fn instruction(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        id: EdgeId,
        instruction: &Instruction,
    ) {
        match instruction {
            Instruction::Assign { target, value } => {
                if self.divide(instance, environment, cursor, value) == Divisor::NotZero {
                    self.assign(instance, environment, cursor, *target, value);
                }
            }
            Instruction::Load { target, place } => self.load(instance, environment, cursor, *target, place),
            Instruction::Store { place, value } => self.store(instance, environment, cursor, place, *value),
            Instruction::Copy { place, source, extent } => {
                self.copy(instance, environment, cursor, place, source, *extent);
            }
            Instruction::Alloc { .. } => self.alloc(instance, environment, cursor, instruction, id),
            Instruction::Free { pointer } => self.free(instance, environment, cursor, *pointer),
            Instruction::End { pointer } => self.end(environment, cursor, *pointer),
            Instruction::Assume(condition) => self.assume(instance, environment, cursor, condition),
            Instruction::Call { target, callee, arguments } => {
                self.call(instance, environment, cursor, id, *target, *callee, arguments);
            }
            Instruction::Assert(condition) => self.assert(instance, environment, cursor, condition),
            Instruction::Unsupported(reason) => self.close(cursor, Command::Gap { reason: reason.clone().into() }),
        }
    }

    /// What an operand is to the analysis: a tracked variable, or a constant; what is not tracked is opaque.
    fn source(&mut self, instance: &Instance<'p>, environment: &Environment, operand: Operand) -> Source {
        match environment.operand(operand) {
            Known::Int(value) => Source::Atom(Atom::int(value)),
            Known::Address(object, offset) => Source::Atom(self.place(Address::Object(object, offset))),
            Known::Function(function) => Source::Atom(self.place(Address::Function(function))),
            Known::Defined | Known::Uninit | Known::MaybeUninit => {
                let var = operand.register().and_then(|register| instance.vars.get(&register));
                var.map_or(Source::Atom(Atom::Opaque), |var| Source::Var(*var))
            }
        }
    }

    /// Puts a command and goes on behind it.
    fn then(&mut self, cursor: &mut Cursor, command: Command) {
        let next = self.out.add_point(Origin { frame: cursor.frame, location: None });
        let _ = self.step(cursor, next, command);
        cursor.at = next;
    }

    /// Puts the last command of an edge.
    fn close(&mut self, cursor: &mut Cursor, command: Command) {
        let _ = self.step(cursor, cursor.to, command);
    }

    fn step(&mut self, cursor: &Cursor, to: Point, command: Command) -> StepId {
        let Cursor { at, span, frame, edge, .. } = *cursor;
        self.out.add_step(Step { from: at, to, command, span, frame, edge })
    }

    /// How many bytes into a cell a variable points.
    fn shift(&self, var: Var) -> i64 {
        self.shifts.get(&var).copied().unwrap_or(0)
    }

    /// Puts a copy as the last command of an edge. Between variables that point to different bytes, cells do not pass.
    fn copy_var(&mut self, cursor: &mut Cursor, target: Var, source: Var) {
        self.check_shift(cursor, target, source);
        self.close(cursor, Command::Copy { target, source });
    }

    /// Whether equal pointers are equal cells.
    fn is_comparable(&self, left: Var, right: Var) -> bool {
        let is_field = |var: Var| self.fields.contains_key(&var);
        !is_field(left) && !is_field(right) && self.shift(left) == self.shift(right)
    }

    /// Before a copy: whether cells may pass. (For pointers to one of several fields, see [`fields`].)
    fn check_shift(&mut self, cursor: &mut Cursor, target: Var, source: Var) {
        let is_field = self.fields.contains_key(&target) || self.fields.contains_key(&source);
        if !is_field && self.shift(target) != self.shift(source) {
            self.escape_var(cursor, source);
        }
    }

    /// The variable's value goes where a pointer to these bytes of a cell is not followed.
    fn escape_var(&mut self, cursor: &mut Cursor, var: Var) {
        let purpose = Purpose::Escape(PointerGap::IntoCell);
        self.then(cursor, Command::Use { var, purpose });
    }
}

/// Whether allocation may fail.
fn may_fail(options: &Options, failure: heapwise_ir::Failure) -> bool {
    failure == heapwise_ir::Failure::Possible && options.allocation_failure == AllocationFailure::Possible
}
