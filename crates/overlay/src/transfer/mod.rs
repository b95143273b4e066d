//! What the eleven instructions do to a heap.
//!
//! An instruction runs on one heap and either changes it, or asks for a case distinction ([`Stop::Split`]), or ends. A case
//! distinction is made before anything changes, and the instruction starts again on each case: so every function here may
//! stop at any time.

mod array;
mod bits;
mod compare;
mod evaluate;
mod library;
mod memory;
mod overflow;
mod reallocate;
mod scan;
mod shape;
mod store;
mod strings;
mod text;

pub(crate) use evaluate::global_node;

use crate::heap::{Heap, Life, Lost, Node, NodeId, Object, Pointer, Size, Storage, Value};
use crate::layouts::layouts;
use crate::number::{Range, type_range};
use crate::predicate::{Definitions, Layout};
use crate::thresholds::thresholds;
use crate::unfold::decide_empty;
use crate::unify::entails;
use heapwise_engine::reason::{GapReason, SymbolicGap};
use heapwise_engine::{AllocationFailure, Kind, Options};
use heapwise_ir::{
    Condition, Failure, Function, GlobalId, InitialContents, Instruction, IntType, Operand, Program, RecordId,
    RegisterId, Type, TypeId, View,
};
use std::rc::Rc;

/// Why an instruction did not run to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// It must be looked at in each of these cases.
    Split(Vec<Heap>),
    /// It ran, with several results.
    Done(Vec<Heap>),
    /// It fails.
    Error(Kind, String),
    /// It may fail; where it does not, this is the result.
    Both(Kind, String, Box<Heap>),
    /// What it does is not followed.
    Gap(GapReason),
    /// There is no such run.
    Infeasible,
    /// The program ends in good order.
    Exit,
}

/// The outcome of a part of an instruction.
pub type Step<T> = Result<T, Stop>;

/// What came of an instruction.
#[derive(Clone, Default, Debug)]
pub struct Applied {
    /// The heaps behind it.
    pub heaps: Vec<Heap>,
    /// What fails.
    pub errors: Vec<(Kind, String)>,
    /// What was not followed.
    pub gaps: Vec<GapReason>,
    /// Heaps with which the program ends.
    pub exits: Vec<Heap>,
}

/// Most cases of one instruction.
const MOST_CASES: usize = 256;

/// All that does not change during a run.
pub struct Context<'p> {
    /// The program.
    pub program: &'p Program,
    /// What is asked.
    pub options: &'p Options,
    /// The predicates.
    pub definitions: Definitions,
    /// Where the links of the program's records are.
    pub(crate) layouts: Vec<Rc<Layout>>,
    /// Where ranges that grow stop.
    pub(crate) thresholds: Vec<i128>,
    pub(crate) numbering: Numbering,
    pub(crate) comparisons: Comparisons,
    pub(crate) entries: Entries,
    pub(crate) arrays: Arrays,
    /// Up to so many elements of an array are told apart by constants.
    pub(crate) few_elements: i128,
    /// So many rounds of a loop more than usual are told apart.
    pub(crate) unrolled: usize,
}

/// Whether cells that are indexed by variables are seen as arrays ([`crate::heap::Array`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arrays {
    On,
    Off,
}

/// What becomes of many heaps with which a loop is entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Entries {
    AsTheyCome,
    Folded,
}

/// Which comparisons are remembered where ways meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comparisons {
    All,
    /// Those that may be asked again ([`crate::reread`]).
    AskedAgain,
}

/// Whether it is remembered how numbers are computed. Who switches it on forgets it where ways meet
/// ([`Heap::forget_terms`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Numbering {
    On,
    Off,
}

/// An instruction that runs on a heap.
pub(crate) struct Executor<'c, 'p> {
    pub(crate) context: &'c Context<'p>,
    pub(crate) function: &'p Function,
    pub(crate) heap: Heap,
}

impl<'p> Context<'p> {
    /// For one program and question.
    pub fn new(program: &'p Program, options: &'p Options, definitions: Definitions) -> Context<'p> {
        let layouts = layouts(program, &definitions);
        Context {
            program,
            options,
            definitions,
            layouts,
            thresholds: thresholds(program),
            numbering: Numbering::Off,
            comparisons: Comparisons::All,
            entries: Entries::AsTheyCome,
            arrays: Arrays::Off,
            unrolled: 0,
            few_elements: 4,
        }
    }

    /// Runs a part of an instruction on a heap, in as many cases as it takes.
    pub(crate) fn run(
        &self,
        function: &'p Function,
        heap: &Heap,
        mut part: impl FnMut(&mut Executor<'_, 'p>) -> Step<()>,
    ) -> Applied {
        let mut applied = Applied::default();
        let mut work = vec![heap.clone()];
        let mut n_cases = 0;
        while let Some(heap) = work.pop() {
            n_cases += 1;
            if n_cases > MOST_CASES {
                applied.gaps.push(SymbolicGap::TooManyCases.into());
                break;
            }
            let mut executor = Executor { context: self, function, heap };
            match part(&mut executor) {
                Ok(()) => applied.heaps.push(executor.heap),
                Err(Stop::Split(mut cases)) => {
                    cases.reverse();
                    work.append(&mut cases);
                }
                Err(Stop::Error(kind, message)) => applied.errors.push((kind, message)),
                Err(Stop::Done(mut heaps)) => applied.heaps.append(&mut heaps),
                Err(Stop::Both(kind, message, heap)) => {
                    applied.errors.push((kind, message));
                    applied.heaps.push(*heap);
                }
                Err(Stop::Gap(reason)) => applied.gaps.push(reason),
                Err(Stop::Infeasible) => {}
                Err(Stop::Exit) => applied.exits.push(executor.heap),
            }
        }
        applied
    }

    /// Normal forms of a heap, with what each of them lost.
    pub fn normalised(&self, heap: Heap) -> Vec<(Heap, Lost)> {
        let mut work = vec![heap];
        let mut done = Vec::new();
        while let Some(mut heap) = work.pop() {
            match heap.normalise(&self.definitions) {
                Ok(lost) => done.push((heap, lost)),
                Err(doubtful) => work.extend(decide_empty(&heap, doubtful, &self.definitions)),
            }
        }
        done
    }

    /// Both with the same globals.
    pub(crate) fn aligned(&self, left: &Heap, right: &Heap) -> (Heap, Heap) {
        let (mut left, mut right) = (left.clone(), right.clone());
        if left.globals.iter().map(|(id, _)| id).ne(right.globals.iter().map(|(id, _)| id)) {
            let all: Vec<GlobalId> = left.globals.iter().chain(&right.globals).map(|(id, _)| *id).collect();
            for global in all {
                global_node(&mut left, self.program, global);
                global_node(&mut right, self.program, global);
            }
        }
        (left, right)
    }

    /// Whether every state that `left` describes is described by `right`.
    pub fn entails(&self, left: &Heap, right: &Heap) -> bool {
        let (left, right) = self.aligned(left, right);
        entails(&left, &right, &self.definitions)
    }

    /// The integer type of a scalar type; pointers are unsigned numbers.
    pub(crate) fn integer_type(&self, ty: TypeId) -> Option<IntType> {
        match self.program.ty(ty) {
            Type::Int(int) => Some(*int),
            Type::Pointer(_) => Some(IntType::Unsigned(self.program.target.pointer_bytes as u8)),
            Type::Void | Type::Float(_) | Type::Array(..) | Type::Record(_) | Type::Function(_) => None,
        }
    }

    pub(crate) fn pointer_bytes(&self) -> u64 {
        u64::from(self.program.target.pointer_bytes)
    }

    /// Any value of a type.
    pub(crate) fn any_of(&self, heap: &mut Heap, ty: TypeId) -> Value {
        match self.program.ty(ty) {
            Type::Int(int) => heap.fresh(type_range(*int)),
            Type::Void | Type::Float(_) | Type::Pointer(_) | Type::Array(..) | Type::Record(_) | Type::Function(_) => {
                Value::Any
            }
        }
    }

    /// Runs an instruction that is no call of a defined function.
    pub fn apply(&self, function: &'p Function, instruction: &Instruction, heap: &Heap) -> Applied {
        self.run(function, heap, |executor| executor.instruction(instruction))
    }
}

impl Executor<'_, '_> {
    pub(crate) fn instruction(&mut self, instruction: &Instruction) -> Step<()> {
        match instruction {
            Instruction::Assign { target, value } => self.assign(*target, value),
            Instruction::Load { target, place } => {
                let value = self.load(place)?;
                self.heap.set_register(*target, value);
                Ok(())
            }
            Instruction::Store { place, value } => self.store(place, *value),
            Instruction::Copy { place, source, extent } => self.copy(place, source, *extent),
            Instruction::Alloc { target, bytes, storage, contents, failure, align: _, view } => {
                let record = view.as_ref().and_then(|view| self.viewed_record(view));
                self.allocate(*target, *bytes, *storage, *contents, *failure, record)
            }
            Instruction::Free { pointer } => self.free(*pointer),
            Instruction::End { pointer } => self.end(*pointer),
            Instruction::Assume(condition) => self.assume(condition),
            Instruction::Call { target, callee: _, arguments: _ } => {
                debug_assert!(target.is_none(), "calls are handled by `calls`");
                self.gap(SymbolicGap::CallNotFollowed)
            }
            Instruction::Assert(condition) => self.assert(condition),
            Instruction::Unsupported(reason) => self.gap(GapReason::Text(reason.clone())),
        }
    }

    pub(crate) fn gap<T>(&self, reason: impl Into<GapReason>) -> Step<T> {
        Err(Stop::Gap(reason.into()))
    }

    pub(crate) fn error<T>(&self, kind: Kind, message: impl Into<String>) -> Step<T> {
        Err(Stop::Error(kind, message.into()))
    }

    /// A value is used that may never have been written: an error, or (if nobody asks for those) any value.
    pub(crate) fn used(&mut self, value: Value, ty: Option<TypeId>) -> Step<Value> {
        match value {
            Value::Uninitialised | Value::Top => {
                if self.context.options.asks_for(Kind::Uninitialised) {
                    return self.error(Kind::Uninitialised, "a value is used that was never written");
                }
                Ok(ty.map_or(Value::Any, |ty| self.context.any_of(&mut self.heap, ty)))
            }
            value => Ok(value),
        }
    }

    /// The record that an allocation is for, if it is for one.
    fn viewed_record(&self, view: &View) -> Option<RecordId> {
        match (self.context.program.ty(view.element), view.count) {
            (Type::Record(record), Operand::Int(1)) => Some(*record),
            _ => None,
        }
    }

    fn allocate(
        &mut self,
        target: RegisterId,
        bytes: Operand,
        storage: heapwise_ir::Storage,
        contents: InitialContents,
        failure: Failure,
        view: Option<RecordId>,
    ) -> Step<()> {
        const LARGEST: i128 = 1 << 47;
        let bytes = match bytes {
            // A product may be more than any size (`calloc`): it must not wrap.
            Operand::Int(bytes) => Value::Number(bytes),
            bytes => self.operand(bytes, Some(IntType::Signed(8)))?,
        };
        let bytes = self.used(bytes, None)?;
        let range = self.heap.range(bytes).unwrap_or_else(|| type_range(IntType::Signed(8)));
        let possible = Range { low: 0, high: LARGEST - 1, without_zero: false };
        let is_heap = storage == heapwise_ir::Storage::Heap;
        let may_fail = is_heap
            && failure == Failure::Possible
            && self.context.options.allocation_failure == AllocationFailure::Possible;
        let Some(fitting) = range.meet(possible) else {
            return match (is_heap, failure) {
                (false, _) => self.gap(SymbolicGap::LocalOfUnknownSize),
                (true, Failure::Never) => Err(Stop::Infeasible),
                (true, Failure::Possible) => {
                    self.heap.set_register(target, Value::ZERO);
                    Ok(())
                }
            };
        };
        if !possible.includes(range) && !is_heap {
            return self.gap(SymbolicGap::LocalOfUnknownSize);
        }
        let mut cases = Vec::new();
        if may_fail || is_heap && failure == Failure::Possible && !possible.includes(range) {
            let mut failed = self.heap.clone();
            failed.set_register(target, Value::ZERO);
            cases.push(failed);
        }
        let mut heap = self.heap.clone();
        let size = match bytes {
            Value::Number(number) => Size::Constant(number as u64),
            Value::Symbol(symbol) => {
                heap.narrow(symbol, fitting);
                heap.narrow_relatives(symbol);
                Size::Symbol(symbol)
            }
            _ => match heap.fresh(fitting) {
                Value::Symbol(symbol) => Size::Symbol(symbol),
                _ => Size::Constant(fitting.low as u64),
            },
        };
        let size = match size {
            Size::Symbol(_) if fitting.single().is_some() => Size::Constant(fitting.low as u64),
            size => size,
        };
        let rest = match contents {
            InitialContents::Uninitialised => Value::Uninitialised,
            InitialContents::Zeroed => Value::ZERO,
            InitialContents::Nondet => Value::Any,
        };
        let storage = if is_heap { Storage::Heap } else { Storage::Local };
        let node = heap.add(Node::Object(Object { view, ..Object::new(storage, size, rest) }));
        heap.set_register(target, Value::pointer(node, 0));
        if cases.is_empty() {
            self.heap = heap;
            return Ok(());
        }
        cases.push(heap);
        Err(Stop::Done(cases))
    }

    fn free(&mut self, pointer: Operand) -> Step<()> {
        let value = self.operand(pointer, None)?;
        let value = self.used(value, None)?;
        let pointer = match value {
            Value::Number(0) => return Ok(()),
            Value::Number(_) | Value::Function(_) | Value::Library => {
                return self.error(Kind::InvalidFree, "what is freed is no heap object");
            }
            Value::Pointer(pointer) => pointer,
            Value::Indexed { .. } => return self.split_index(value),
            Value::Symbol(_) | Value::Any | Value::Top | Value::Uninitialised => {
                return self.gap(SymbolicGap::UnknownPointerFreed);
            }
        };
        let Some(object) = self.heap.object(pointer.node) else { return self.expose(pointer) };
        match (object.storage, object.life) {
            (Storage::Heap | Storage::GivenAway, Life::Alive) if pointer.offset == 0 => {
                self.heap.kill(pointer.node, Life::Freed);
                Ok(())
            }
            (Storage::Heap | Storage::GivenAway, Life::Alive) => {
                self.error(Kind::InvalidFree, "a pointer into the middle of a heap object is freed")
            }
            (Storage::Heap | Storage::GivenAway, Life::Freed | Life::Ended) => {
                self.error(Kind::DoubleFree, "a heap object is freed again")
            }
            (Storage::Outside, _) => self.gap(SymbolicGap::CellNotGiven),
            (Storage::Element, Life::Alive) => match self.heap.seen_from_cell(pointer) {
                // The first element lies where the cell begins.
                Some(Value::Pointer(whole)) if whole.offset == 0 => {
                    self.heap.kill(whole.node, Life::Freed);
                    Ok(())
                }
                Some(Value::Pointer(_)) => {
                    self.error(Kind::InvalidFree, "a pointer into the middle of an object is freed")
                }
                Some(_) | None => self.gap(SymbolicGap::UnknownPointerFreed),
            },
            (Storage::Element, Life::Freed | Life::Ended) => self.gap(SymbolicGap::UnknownPointerFreed),
            (
                Storage::Local
                | Storage::CallersLocal
                | Storage::Global(_)
                | Storage::Literal(_)
                | Storage::Environment
                | Storage::Library,
                Life::Alive | Life::Freed | Life::Ended,
            ) => self.error(Kind::InvalidFree, "what is freed is no heap object"),
        }
    }

    /// A jump past the declaration leaves nothing to end.
    fn end(&mut self, pointer: Operand) -> Step<()> {
        if let Value::Pointer(Pointer { node, .. }) = self.operand(pointer, None)?
            && let Some(object) = self.heap.object(node)
            && object.storage == Storage::Local
            && object.life == Life::Alive
        {
            self.heap.kill(node, Life::Ended);
        }
        Ok(())
    }

    fn assert(&mut self, condition: &Condition) -> Step<()> {
        if let Condition::Shape(shape) = condition {
            if !self.context.options.asks_for(Kind::Shape) {
                return Ok(());
            }
            return self.check_shape(shape);
        }
        match self.decide(condition)? {
            Some(true) => Ok(()),
            Some(false) => self.error(Kind::Assertion, "an assertion fails"),
            None => match self.assume_open(condition, true)? {
                Some(heap) => Err(Stop::Both(Kind::Assertion, "an assertion fails".to_owned(), Box::new(heap))),
                None => self.error(Kind::Assertion, "an assertion fails"),
            },
        }
    }

    /// What the pointer leads to becomes a cell, in cases.
    pub(crate) fn expose<T>(&self, pointer: Pointer) -> Step<T> {
        let cases = crate::unfold::expose(&self.heap, pointer, &self.context.definitions);
        if cases.is_empty() {
            let definition = self.heap.instance(pointer.node).map(|instance| instance.layout.definition);
            let definition = definition.map(|id| self.context.definitions.get(id));
            let has_rules = definition.is_some_and(|found| found.rules_at(pointer.port).next().is_some());
            // All rules contradict what is known of measures: there is no such heap.
            return if has_rules { Err(Stop::Infeasible) } else { self.gap(SymbolicGap::NoRuleForThisEnd) };
        }
        Err(Stop::Split(cases))
    }

    /// The node as it is at the start of the next try.
    pub(crate) fn decide_empty<T>(&self, node: NodeId) -> Step<T> {
        Err(Stop::Split(decide_empty(&self.heap, node, &self.context.definitions)))
    }
}
