//! Constant propagation: what registers surely hold, integers, addresses of static and local objects, functions. Decided per call string
//! before the analysis, so that `insert(&head, x)` works on the variable `head` itself.

use super::results::Results;
use crate::place::{AddressOf, Equality};
use heapwise_dataflow::{Analysis, Direction, Flow, JoinSemiLattice, iterate_to_fixpoint};
use heapwise_engine::{BudgetMeter, Exhausted};
use heapwise_ir::entity::{EntityRef, SecondaryMap};
use heapwise_ir::{
    Automaton, CompareOperator, Condition, EdgeId, Expression, Function, FunctionId, GlobalId, Index, Instruction,
    LocationId, Operand, Path, PathUse, Program, RegisterId, ResolvedPath, Storage, Type,
};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// An object whose address is a constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Object {
    /// A global or a string literal.
    Global(GlobalId),
    /// A local that lives in memory: an index into the translator's table.
    Auto(u32),
}

/// What is known of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// This integer (or null).
    Int(i128),
    /// This address.
    Address(Object, i64),
    /// This function.
    Function(FunctionId),
    /// Some value.
    Defined,
    /// No value yet.
    Uninit,
    /// Perhaps no value.
    MaybeUninit,
}

impl Known {
    fn join(self, other: Known) -> Known {
        if self == other {
            return self;
        }
        let vague = |known| matches!(known, Known::Uninit | Known::MaybeUninit);
        if vague(self) || vague(other) { Known::MaybeUninit } else { Known::Defined }
    }

    /// Whether it may hold no value.
    pub fn may_be_uninit(self) -> bool {
        matches!(self, Known::Uninit | Known::MaybeUninit)
    }
}

/// Registers per block of [`Registers`].
const BLOCK: usize = 32;

/// What is known of each register. Locations share the blocks in which nothing changes: a function with thousands of
/// locations has thousands of temporaries too, and a table of their product would not fit into memory.
#[derive(PartialEq, Eq, Debug)]
struct Registers(Vec<Rc<[Known; BLOCK]>>);

impl Clone for Registers {
    fn clone(&self) -> Registers {
        Registers(self.0.clone())
    }

    /// Keeps the memory, and blocks that are shared already.
    fn clone_from(&mut self, other: &Registers) {
        self.0.truncate(other.0.len());
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            if !Rc::ptr_eq(mine, theirs) {
                *mine = Rc::clone(theirs);
            }
        }
        let n_own = self.0.len();
        self.0.extend(other.0[n_own..].iter().cloned());
    }
}

impl Registers {
    fn uninit(n_registers: usize) -> Registers {
        let block = Rc::new([Known::Uninit; BLOCK]);
        Registers((0..n_registers.div_ceil(BLOCK)).map(|_| Rc::clone(&block)).collect())
    }

    fn get(&self, register: RegisterId) -> Known {
        self.0[register.index() / BLOCK][register.index() % BLOCK]
    }

    fn set(&mut self, register: RegisterId, known: Known) {
        if self.get(register) != known {
            Rc::make_mut(&mut self.0[register.index() / BLOCK])[register.index() % BLOCK] = known;
        }
    }

    /// Whether anything changed.
    fn join(&mut self, other: &Registers) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            if Rc::ptr_eq(mine, theirs) {
                continue;
            }
            for (index, known) in theirs.iter().enumerate() {
                let joined = mine[index].join(*known);
                if joined != mine[index] {
                    Rc::make_mut(mine)[index] = joined;
                    changed = true;
                }
            }
        }
        changed
    }
}

/// What is known at a location.
#[derive(PartialEq, Eq, Debug)]
pub struct Environment {
    registers: Registers,
    /// The function's own local objects that may exist, in order. A register that is known to hold an address in one holds
    /// that of an object that exists: what held it when the object ended is some value.
    existing: Vec<u32>,
}

impl Clone for Environment {
    fn clone(&self) -> Environment {
        Environment { registers: self.registers.clone(), existing: self.existing.clone() }
    }

    /// Keeps the memory.
    fn clone_from(&mut self, other: &Environment) {
        self.registers.clone_from(&other.registers);
        self.existing.clone_from(&other.existing);
    }
}

impl Environment {
    /// What is known on entry.
    pub fn entry(function: &Function, arguments: &[Known]) -> Environment {
        let mut registers = Registers::uninit(function.registers.len());
        for (parameter, known) in function.parameters.iter().zip(arguments) {
            registers.set(*parameter, *known);
        }
        Environment { registers, existing: Vec::new() }
    }

    /// What is known of a register.
    pub fn register(&self, register: RegisterId) -> Known {
        self.registers.get(register)
    }

    /// What is known of an operand.
    pub fn operand(&self, operand: Operand) -> Known {
        match operand {
            Operand::Register(register) => self.register(register),
            Operand::Int(value) => Known::Int(value),
            Operand::Float(_) => Known::Defined,
            Operand::Global(global) => Known::Address(Object::Global(global), 0),
            Operand::Function(function) => Known::Function(function),
        }
    }

    /// Whether one of the function's own objects may exist.
    pub fn may_exist(&self, auto: u32) -> bool {
        self.existing.binary_search(&auto).is_ok()
    }

    fn begin(&mut self, auto: u32) {
        if let Err(position) = self.existing.binary_search(&auto) {
            self.existing.insert(position, auto);
        }
    }

    /// The object ends: whatever held its address dangles.
    fn end(&mut self, auto: u32) {
        self.existing.retain(|other| *other != auto);
        for index in 0..self.registers.0.len() * BLOCK {
            let register = RegisterId::new(index);
            if matches!(self.registers.get(register), Known::Address(Object::Auto(held), _) if held == auto) {
                self.registers.set(register, Known::Defined);
            }
        }
    }
}

impl JoinSemiLattice for Environment {
    fn join(&mut self, other: &Environment) -> bool {
        let mut changed = self.registers.join(&other.registers);
        for auto in &other.existing {
            changed |= !self.may_exist(*auto);
            self.begin(*auto);
        }
        changed
    }
}

/// Where a path leads if all its indices are known and none leaves its array.
pub fn known_offset(program: &Program, environment: &Environment, path: &Path) -> Option<i64> {
    let resolved = program.resolve(path)?;
    if leaves_an_array(environment, &resolved, PathUse::Address) {
        return None;
    }
    offset_of(environment, &resolved)
}

/// Whether an index that is known lies outside its array.
pub fn leaves_an_array(environment: &Environment, resolved: &ResolvedPath, path_use: PathUse) -> bool {
    resolved.bounds.iter().any(|bound| match bound.index {
        Index::Constant(index) => !bound.admits(index.into(), path_use),
        Index::Operand(operand) => match environment.operand(operand) {
            Known::Int(index) => !bound.admits(index, path_use),
            _ => false,
        },
    })
}

/// Whether an index of an array is not known.
pub fn has_unknown_index(environment: &Environment, resolved: &ResolvedPath) -> bool {
    resolved.bounds.iter().any(|bound| match bound.index {
        Index::Constant(_) => false,
        Index::Operand(operand) => !matches!(environment.operand(operand), Known::Int(_)),
    })
}

/// The bytes that a path adds if all its indices are known.
pub fn offset_of(environment: &Environment, resolved: &ResolvedPath) -> Option<i64> {
    let mut offset = resolved.offset;
    for (operand, stride) in &resolved.indices {
        let Known::Int(index) = environment.operand(*operand) else { return None };
        let bytes = index.checked_mul(i128::from(*stride))?;
        offset = offset.checked_add(i64::try_from(bytes).ok()?)?;
    }
    Some(offset)
}

/// What the address of a byte of an object is the address of.
pub type AddressOfObject<'a> = &'a dyn Fn(Object, i64) -> AddressOf;

/// What is known at each location of an automaton; nothing where none of its runs comes.
pub type Constants = SecondaryMap<LocationId, Option<Environment>>;

/// Propagates what is known at the entry of an automaton. `auto_at` names the local object of an `alloc auto` edge.
pub fn propagate(
    results: &Results<'_>,
    (function, automaton): (FunctionId, &Automaton),
    entry: Environment,
    (auto_at, address_of): (&dyn Fn(EdgeId) -> Option<u32>, AddressOfObject<'_>),
    meter: &BudgetMeter<'_>,
) -> Result<Constants, Exhausted> {
    let copied = results.copied(function);
    let propagation = Propagation { results, copied: &copied, entry, auto_at, address_of };
    let results = iterate_to_fixpoint(automaton, propagation, |_| meter.check())?;
    let mut known = Constants::with_capacity(automaton.n_locations());
    for (location, environment) in automaton.outgoing.keys().zip(results.into_states()) {
        known[location] = environment;
    }
    Ok(known)
}

/// The analysis: forward; edges that are surely not passed are not followed (conditional constant propagation).
struct Propagation<'a> {
    results: &'a Results<'a>,
    copied: &'a FxHashSet<EdgeId>,
    entry: Environment,
    auto_at: &'a dyn Fn(EdgeId) -> Option<u32>,
    address_of: AddressOfObject<'a>,
}

impl Analysis<Automaton> for Propagation<'_> {
    type Domain = Environment;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, automaton: &Automaton, location: LocationId) -> Option<Environment> {
        (location == automaton.entry).then(|| self.entry.clone())
    }

    fn apply(&self, automaton: &Automaton, edge: EdgeId, known: &mut Environment) -> Flow {
        match &automaton.edges[edge].instruction {
            Instruction::Assign { target, value } => {
                let value = evaluate(self.results.program(), known, value);
                known.registers.set(*target, value);
            }
            Instruction::Load { target, .. } => {
                let is_copied = self.copied.contains(&edge);
                known.registers.set(*target, if is_copied { Known::MaybeUninit } else { Known::Defined });
            }
            Instruction::Alloc { target, storage: Storage::Heap, .. } => known.registers.set(*target, Known::Defined),
            Instruction::Call { target: Some(target), callee, arguments } => {
                let result = self.results.of_call(*callee, arguments, known);
                known.registers.set(*target, result);
            }
            Instruction::Alloc { target, storage: Storage::Auto, .. } => {
                let address = match (self.auto_at)(edge) {
                    // Several objects at a time have several addresses.
                    Some(auto) if known.may_exist(auto) => Known::Defined,
                    Some(auto) => {
                        known.begin(auto);
                        Known::Address(Object::Auto(auto), 0)
                    }
                    None => Known::Defined,
                };
                known.registers.set(*target, address);
            }
            Instruction::End { pointer } => {
                if let Known::Address(Object::Auto(auto), _) = known.operand(*pointer) {
                    known.end(auto);
                }
            }
            Instruction::Assume(condition) | Instruction::Assert(condition) => {
                if decide(self.results.program(), known, condition, self.address_of) == Some(false) {
                    return Flow::Ends;
                }
            }
            Instruction::Unsupported(_) => return Flow::Ends,
            Instruction::Store { .. }
            | Instruction::Copy { .. }
            | Instruction::Free { .. }
            | Instruction::Call { target: None, .. } => {}
        }
        Flow::Continues
    }
}

/// Whether a condition surely holds, or surely does not.
pub fn decide(
    program: &Program,
    environment: &Environment,
    condition: &Condition,
    address_of: AddressOfObject<'_>,
) -> Option<bool> {
    match condition {
        Condition::True => Some(true),
        Condition::False => Some(false),
        Condition::Compare { operator, ty, left, right } => {
            match (environment.operand(*left), environment.operand(*right)) {
                (Known::Int(_), Known::Int(_)) if !program.compares_as_kept(*operator, *ty) => None,
                (Known::Int(left), Known::Int(right)) => Some(operator.holds(left.cmp(&right))),
                (Known::Address(left, a), Known::Address(right, b)) => {
                    match (operator, address_of(left, a).equals(&address_of(right, b))) {
                        (CompareOperator::Equal, Equality::Equal)
                        | (CompareOperator::NotEqual, Equality::Different) => Some(true),
                        (CompareOperator::Equal, Equality::Different)
                        | (CompareOperator::NotEqual, Equality::Equal) => Some(false),
                        (_, Equality::Equal | Equality::Different | Equality::Either) => None,
                    }
                }
                (Known::Address(..) | Known::Function(_), Known::Int(0))
                | (Known::Int(0), Known::Address(..) | Known::Function(_)) => match operator {
                    CompareOperator::Equal => Some(false),
                    CompareOperator::NotEqual => Some(true),
                    _ => None,
                },
                _ => None,
            }
        }
        Condition::NotCompare { .. } | Condition::Shape(_) => None,
    }
}

/// What an expression yields.
pub fn evaluate(program: &Program, environment: &Environment, value: &Expression) -> Known {
    let shifted = |base: Operand, bytes: Option<i64>| match (environment.operand(base), bytes) {
        (Known::Address(object, offset), Some(bytes)) => Known::Address(object, offset.wrapping_add(bytes)),
        (known, Some(0)) => known,
        _ => Known::Defined,
    };
    match value {
        Expression::Operand(operand) => environment.operand(*operand),
        Expression::AddPath { base, path } => shifted(*base, known_offset(program, environment, path)),
        Expression::SubtractPath { base, path } => {
            shifted(*base, known_offset(program, environment, path).map(i64::wrapping_neg))
        }
        Expression::AddBytes { base, bytes } => shifted(*base, known_int(environment, *bytes)),
        Expression::AddIndex { base, index, element } => {
            let stride = program.stride_of(*element).and_then(|stride| i64::try_from(stride).ok());
            let bytes =
                known_int(environment, *index).zip(stride).and_then(|(index, stride)| index.checked_mul(stride));
            shifted(*base, bytes)
        }
        Expression::Convert { from, to, value } => match (environment.operand(*value), program.ty(*to)) {
            (Known::Int(value), Type::Pointer(_)) => Known::Int(value),
            (Known::Int(value), Type::Int(int)) if matches!(program.ty(*from), Type::Int(_) | Type::Pointer(_)) => {
                if fits(*int, value) {
                    Known::Int(value)
                } else {
                    Known::Defined
                }
            }
            (known @ (Known::Address(..) | Known::Function(_)), Type::Pointer(_)) => known,
            // No value is none of another type either.
            (known @ (Known::Uninit | Known::MaybeUninit), Type::Int(_) | Type::Float(_))
                if matches!(program.ty(*from), Type::Int(_) | Type::Float(_)) =>
            {
                known
            }
            _ => Known::Defined,
        },
        Expression::PointerDifference { .. }
        | Expression::Unary { .. }
        | Expression::Binary { .. }
        | Expression::Nondet { .. } => Known::Defined,
        Expression::Uninitialised => Known::Uninit,
    }
}

fn known_int(environment: &Environment, operand: Operand) -> Option<i64> {
    match environment.operand(operand) {
        Known::Int(value) => i64::try_from(value).ok(),
        _ => None,
    }
}

/// Whether an integer type represents a value.
pub fn fits(int: heapwise_ir::IntType, value: i128) -> bool {
    match int {
        heapwise_ir::IntType::Bool => (0..=1).contains(&value),
        heapwise_ir::IntType::Signed(bytes) if bytes < 16 => {
            let limit = 1i128 << (u32::from(bytes) * 8 - 1);
            (-limit..limit).contains(&value)
        }
        heapwise_ir::IntType::Unsigned(bytes) if bytes < 16 => (0..1i128 << (u32::from(bytes) * 8)).contains(&value),
        heapwise_ir::IntType::Signed(_) => true,
        heapwise_ir::IntType::Unsigned(_) => value >= 0,
    }
}
