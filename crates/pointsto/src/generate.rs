//! From the instructions of a program to what the solver is told: one `match` with eleven arms.

use crate::constants::Constants;
use crate::nodes::{NodeKey, RegionKey};
use crate::object::{Object, Site};
use crate::offsets::{Count, Range};
use crate::solver::{Arithmetic, CopyConstraint, Move, Signature, Solver, Use};
use crate::watch::Watch;
use crate::{Access, AccessKind, GraphId};
use heapwise_ir::entity::SecondaryMap;
use heapwise_ir::{
    BinaryOperator, Body, CopySource, EdgeId, Expression, Extent, FunctionId, GlobalId, Index, InitialContents,
    Initializer, Instruction, IntType, Mutability, Operand, Path, PathUse, Place, Program, RegisterId, Step, Type,
    TypeId,
};
use std::sync::Arc;

/// Constants up to this are flag bits of an address, not part of it.
const MOST_FLAGS: i128 = 4095;

/// A call that is not solved by flows: the graph of the callee is mapped into that of the caller.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub(crate) site: Site,
    /// The callee, or the first of the functions that are called together.
    pub(crate) callee: FunctionId,
    pub(crate) parameters: Vec<NodeKey>,
    pub(crate) result: Option<NodeKey>,
    pub(crate) arguments: Vec<Option<NodeKey>>,
    pub(crate) target: Option<NodeKey>,
}

/// Whom a call through a pointer reaches, if that is known already.
#[derive(Clone, Debug)]
pub(crate) struct KnownCall {
    pub(crate) functions: Arc<[FunctionId]>,
    /// The functions are told apart no further: they are called as one, with one signature.
    pub(crate) together: Option<Group>,
    pub(crate) is_unknown: bool,
}

/// The calls through pointers, in the order in which they are come to.
#[derive(Debug)]
pub(crate) struct KnownCalls(Vec<(Site, KnownCall)>);

impl KnownCalls {
    pub(crate) fn get(&self, site: Site) -> Option<&KnownCall> {
        let index = self.0.binary_search_by_key(&site, |(at, _)| *at).ok()?;
        Some(&self.0[index].1)
    }
}

impl FromIterator<(Site, KnownCall)> for KnownCalls {
    fn from_iter<I: IntoIterator<Item = (Site, KnownCall)>>(calls: I) -> KnownCalls {
        let mut calls: Vec<(Site, KnownCall)> = calls.into_iter().collect();
        calls.sort_by_key(|(site, _)| *site);
        KnownCalls(calls)
    }
}

/// Functions that are called together, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Group(pub(crate) usize);

/// The program as constraints.
pub(crate) struct Generator<'p> {
    pub(crate) program: &'p Program,
    pub(crate) solver: Solver<'p>,
    /// Which graph each function is in.
    pub(crate) graph_of: SecondaryMap<FunctionId, GraphId>,
    /// Where globals are, and what they point to.
    pub(crate) shared: Option<GraphId>,
    pub(crate) registers: SecondaryMap<FunctionId, Vec<Option<NodeKey>>>,
    pub(crate) constants: Constants<(RegionKey, NodeKey)>,
    pub(crate) accesses: Vec<Access<NodeKey>>,
    /// Calls of functions in other graphs.
    pub(crate) bindings: Vec<Binding>,
    /// Whom calls through pointers reach, if that is known already.
    pub(crate) known_targets: Option<KnownCalls>,
    /// First function and signature of those that are called together, by group.
    pub(crate) groups: Vec<(FunctionId, Signature)>,
    /// The first function of each function's group.
    pub(crate) stands_for: SecondaryMap<FunctionId, Option<FunctionId>>,
    /// The functions that a call names.
    pub(crate) is_named: SecondaryMap<FunctionId, bool>,
    /// The calls that name a function with a body.
    pub(crate) direct: Vec<(Site, FunctionId)>,
    /// Calls through pointers.
    pub(crate) indirect: Vec<(Site, Option<NodeKey>, Option<FunctionId>)>,
    pub(crate) site: Site,
    extern_bodies: SecondaryMap<FunctionId, bool>,
}

impl<'p> Generator<'p> {
    pub(crate) fn new(
        program: &'p Program,
        arithmetic: Arithmetic,
        graph_of: SecondaryMap<FunctionId, GraphId>,
        shared: Option<GraphId>,
        watch: &'p Watch<'p>,
    ) -> Generator<'p> {
        Generator {
            program,
            solver: Solver::new(program, arithmetic, watch),
            graph_of,
            shared,
            registers: SecondaryMap::with_capacity(program.functions.len()),
            constants: Constants::new(program, shared),
            accesses: Vec::new(),
            bindings: Vec::new(),
            known_targets: None,
            groups: Vec::new(),
            stands_for: SecondaryMap::new(),
            is_named: SecondaryMap::with_capacity(program.functions.len()),
            direct: Vec::new(),
            indirect: Vec::new(),
            site: Site { function: FunctionId::from_u32(0), edge: EdgeId::from_u32(0) },
            extern_bodies: SecondaryMap::new(),
        }
    }

    /// Globals, then every function.
    pub(crate) fn program(&mut self) {
        for global in self.program.globals.keys() {
            self.global(global);
        }
        for (id, function) in &self.program.functions {
            let Some(automaton) = function.automaton() else { continue };
            for (edge, found) in &automaton.edges {
                self.site = Site { function: id, edge };
                self.instruction(&found.instruction);
            }
            self.solver.end_function();
        }
    }

    fn global(&mut self, id: GlobalId) {
        let global = &self.program.globals[id];
        match &global.initializer {
            Initializer::Bytes(_) => {}
            Initializer::Items(items) => {
                let (region, _) = self.constant(self.shared, Object::Global(id));
                if items.len() > 64 {
                    self.fold_type(region, 0, global.ty);
                }
                for item in items {
                    let object = match item.value {
                        Operand::Global(global) => Object::Global(global),
                        Operand::Function(function) => Object::Function(function),
                        Operand::Register(_) | Operand::Int(_) | Operand::Float(_) => continue,
                    };
                    let (_, value) = self.constant(self.shared, object);
                    let value = self.solver.moved(value, Move::Add(Range::exact(item.addend)));
                    let size = self.program.size_of(item.ty).unwrap_or(1);
                    let offset = i64::try_from(item.offset).unwrap_or(i64::MAX);
                    let cell = self.solver.access(region, Range::exact(offset), size, None);
                    self.solver.flow(value, cell, Move::STILL);
                }
            }
            Initializer::Unknown => {
                let (region, _) = self.constant(self.shared, Object::Global(id));
                self.solver.escape(region);
            }
            Initializer::Library(_) => {
                let (region, _) = self.constant(self.shared, Object::Global(id));
                let library = self.library(self.shared, Object::LibraryVariable(id));
                let cell = self.solver.access(region, Range::exact(0), self.solver.pointer_bytes(), None);
                self.solver.flow(library, cell, Move::STILL);
            }
        }
    }

    /// The arrays of a type become one element each.
    fn fold_type(&mut self, region: RegionKey, offset: i64, ty: TypeId) {
        match self.program.ty(ty) {
            Type::Array(element, Some(count)) => {
                let stride = self.program.stride_of(*element).unwrap_or(0);
                if stride > 0 && *count > 1 {
                    let size = self.program.size_of(*element).unwrap_or(1).min(1);
                    // Looking at an element folds the array.
                    let _ = self.solver.access(region, Range::elements(offset, stride, *count), size.max(1), None);
                }
                self.fold_type(region, offset, *element);
            }
            Type::Record(record) => {
                for field in self.program.records[*record].fields() {
                    self.fold_type(region, offset + i64::try_from(field.offset).unwrap_or(0), field.ty);
                }
            }
            Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Pointer(_)
            | Type::Array(_, None)
            | Type::Function(_) => {}
        }
    }

    /// The region of an object with a name, and a node that holds its address.
    pub(crate) fn constant(&mut self, graph: Option<GraphId>, object: Object) -> (RegionKey, NodeKey) {
        let graph = match object {
            Object::Global(global) => match self.program.globals[global].mutability {
                // A string literal holds no pointer: each graph has its own.
                Mutability::ReadOnly => graph,
                Mutability::Mutable => self.shared,
            },
            Object::Function(_)
            | Object::Library(_)
            | Object::LibraryVariable(_)
            | Object::Heap(_)
            | Object::Local(_) => graph,
        };
        let is_function = matches!(object, Object::Function(_));
        // A function has no bytes that two regions could share: each mention is a region of its own.
        if !is_function && let Some(found) = self.constants.get(graph, object) {
            return found;
        }
        let region = self.solver.new_object(graph, object);
        let node = self.solver.node_to(region);
        self.constants.insert(graph, object, (region, node));
        (region, node)
    }

    /// The address of storage of the library, which points to itself at most.
    fn library(&mut self, graph: Option<GraphId>, object: Object) -> NodeKey {
        let is_new = self.constants.get(graph, object).is_none();
        let (region, node) = self.constant(graph, object);
        if is_new {
            let anywhere = self.solver.moved(node, Move::Scramble);
            let size = small(self.solver.pointer_bytes());
            let site = self.site;
            self.solver.add_use(anywhere, Use::Store { from: Some(anywhere), size, site });
        }
        let _ = region;
        node
    }

    pub(crate) fn graph(&self) -> Option<GraphId> {
        Some(self.graph_of[self.site.function])
    }

    pub(crate) fn register(&mut self, function: FunctionId, register: RegisterId) -> NodeKey {
        let index = register.as_u32() as usize;
        let registers = &mut self.registers[function];
        if registers.len() <= index {
            registers.resize(self.program.functions[function].registers.len().max(index + 1), None);
        }
        if let Some(node) = registers[index] {
            return node;
        }
        let node = self.solver.new_node();
        self.registers[function][index] = Some(node);
        node
    }

    pub(crate) fn operand(&mut self, operand: Operand) -> Option<NodeKey> {
        match operand {
            Operand::Register(register) => Some(self.register(self.site.function, register)),
            Operand::Int(_) | Operand::Float(_) => None,
            Operand::Global(global) => Some(self.constant(self.graph(), Object::Global(global)).1),
            Operand::Function(function) => Some(self.constant(self.graph(), Object::Function(function)).1),
        }
    }

    fn is_wide(&self, ty: TypeId) -> bool {
        let size = self.program.size_of(ty).unwrap_or(0);
        size >= self.solver.pointer_bytes() && !matches!(self.program.ty(ty), Type::Float(_))
    }

    /// The address of a place.
    fn address(&mut self, place: &Place) -> Option<NodeKey> {
        let range = path_range(self.program, &place.path, PathUse::Access, self.solver.arithmetic);
        let base = self.operand(place.base)?;
        Some(self.solver.moved(base, Move::Add(range)))
    }

    fn note(&mut self, kind: AccessKind, address: Option<NodeKey>, size: Option<u64>) {
        self.accesses.push(Access { site: self.site, kind, address, size });
    }

    fn instruction(&mut self, instruction: &Instruction) {
        let site = self.site;
        match instruction {
            Instruction::Assign { target, value } => self.assign(*target, value),
            Instruction::Load { target, place } => {
                let into = self.register(site.function, *target);
                let size = self.program.size_of(place.ty).unwrap_or(1);
                let address = self.address(place);
                self.note(AccessKind::Read, address, Some(size));
                match address {
                    Some(address) => self.solver.add_use(address, Use::Load { into, size: small(size), site }),
                    None => self.solver.mark_unknown(into),
                }
            }
            Instruction::Store { place, value } => {
                let from = self.operand(*value);
                let size = self.program.size_of(place.ty).unwrap_or(1);
                let address = self.address(place);
                self.note(AccessKind::Write, address, Some(size));
                match (address, from) {
                    (Some(address), _) => self.solver.add_use(address, Use::Store { from, size: small(size), site }),
                    (None, Some(from)) => self.solver.hand_out_value(from),
                    (None, None) => {}
                }
            }
            Instruction::Copy { place, source, extent } => self.copy(place, source, *extent),
            Instruction::Alloc { target, storage, contents, .. } => {
                let region = self.solver.new_object(self.graph(), Object::allocated(*storage, site));
                let target = self.register(site.function, *target);
                let node = self.solver.node_to(region);
                self.solver.flow(node, target, Move::STILL);
                match contents {
                    InitialContents::Nondet => self.solver.add_anything(region, None),
                    InitialContents::Uninitialised | InitialContents::Zeroed => {}
                }
            }
            Instruction::Free { pointer } => {
                let pointer = self.operand(*pointer);
                self.note(AccessKind::Free, pointer, None);
            }
            Instruction::Call { target, callee, arguments } => self.call(*target, *callee, arguments),
            // Comparisons move nothing; what cannot be lowered is where every analysis ends.
            Instruction::End { .. } | Instruction::Assume(_) | Instruction::Assert(_) | Instruction::Unsupported(_) => {
            }
        }
    }

    fn copy(&mut self, place: &Place, source: &CopySource, extent: Extent) {
        let bytes = match extent {
            Extent::Type(ty) => self.program.size_of(ty),
            Extent::Bytes(Operand::Int(bytes)) => u64::try_from(bytes).ok(),
            Extent::Bytes(_) | Extent::Common => None,
        };
        let site = self.site;
        let to = self.address(place);
        self.note(AccessKind::Write, to, bytes);
        match source {
            CopySource::Place(source) => {
                let from = self.address(source);
                self.note(AccessKind::Read, from, bytes);
                match (from, to) {
                    (Some(from), Some(to)) => self.solver.copy(CopyConstraint { from, to, bytes, site }),
                    (None, Some(to)) => self.solver.add_use_anything(to, bytes),
                    (Some(from), None) => {
                        let lost = self.solver.new_node();
                        self.solver.mark_unknown(lost);
                        self.solver.copy(CopyConstraint { from, to: lost, bytes, site });
                    }
                    (None, None) => {}
                }
            }
            // The same byte everywhere is no address, and padding is nothing that is read.
            CopySource::Fill(_) | CopySource::Members => {}
            CopySource::Nondet => {
                if let Some(to) = to {
                    self.solver.add_use_anything(to, bytes);
                }
            }
        }
    }

    fn assign(&mut self, target: RegisterId, value: &Expression) {
        let target = self.register(self.site.function, target);
        match value {
            Expression::Operand(operand) => self.value(*operand, target, Move::STILL),
            Expression::AddPath { base, path } => {
                let range = path_range(self.program, path, PathUse::Address, self.solver.arithmetic);
                self.value(*base, target, Move::Add(range));
            }
            Expression::SubtractPath { base, path } => {
                let range = path_range(self.program, path, PathUse::Access, self.solver.arithmetic);
                self.value(*base, target, Move::Add(Range::exact(0).minus(range)));
            }
            Expression::AddBytes { base, bytes } => {
                let by = match bytes {
                    Operand::Int(bytes) => Range::exact(wrap(*bytes)),
                    _ => Range::anywhere(0, 1),
                };
                self.value(*base, target, Move::Add(by));
                self.index(*bytes, *base, target);
            }
            Expression::AddIndex { base, index, element } => {
                let unit = self.program.stride_of(*element).unwrap_or(1);
                let by = match index {
                    Operand::Int(index) => Range::exact(wrap(index.wrapping_mul(i128::from(unit)))),
                    _ if unit == 0 => Range::exact(0),
                    _ => Range::anywhere(0, unit),
                };
                self.value(*base, target, Move::Index { by, unit });
                self.index(*index, *base, target);
            }
            // How far two places are apart is no address.
            Expression::PointerDifference { .. } => {}
            Expression::Unary { value, .. } => self.value(*value, target, Move::Scramble),
            Expression::Binary { operator, ty, left, right } => self.binary(target, *operator, *ty, *left, *right),
            Expression::Convert { from, to, value } => match (self.program.ty(*from), self.program.ty(*to)) {
                (_, Type::Int(IntType::Bool)) => {}
                (Type::Float(_), _) | (_, Type::Float(_)) => self.value(*value, target, Move::Scramble),
                (_, _) if self.is_wide(*to) => self.value(*value, target, Move::STILL),
                // Part of an address stays part of it on its way through narrow registers.
                (_, _) if self.program.size_of(*from) == self.program.size_of(*to) => {
                    self.value(*value, target, Move::STILL);
                }
                (_, _) => self.value(*value, target, Move::Scramble),
            },
            Expression::Nondet { ty } => {
                if self.is_wide(*ty) {
                    self.solver.mark_unknown(target);
                }
            }
            Expression::Uninitialised => {}
        }
    }

    pub(crate) fn value(&mut self, operand: Operand, target: NodeKey, by: Move) {
        if let Some(from) = self.operand(operand) {
            self.solver.flow(from, target, by);
        }
    }

    /// The index of pointer arithmetic points if the base does not.
    fn index(&mut self, index: Operand, base: Operand, sum: NodeKey) {
        if let Some(index) = self.operand(index) {
            let base = self.operand(base);
            self.solver.index_flow(index, base, sum);
        }
    }

    fn binary(&mut self, target: NodeKey, operator: BinaryOperator, ty: TypeId, left: Operand, right: Operand) {
        if !self.is_wide(ty) {
            self.value(left, target, Move::Scramble);
            self.value(right, target, Move::Scramble);
            return;
        }
        let (operand, constant) = match (left, right) {
            (operand, Operand::Int(constant)) => (operand, Some(self.signed(constant, ty))),
            (Operand::Int(constant), operand) => match operator {
                BinaryOperator::Add | BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor => {
                    (operand, Some(self.signed(constant, ty)))
                }
                BinaryOperator::Subtract
                | BinaryOperator::Multiply
                | BinaryOperator::Divide
                | BinaryOperator::Remainder
                | BinaryOperator::ShiftLeft
                | BinaryOperator::ShiftRight => (operand, None),
            },
            (operand, _) => (operand, None),
        };
        let Some(constant) = constant else {
            self.value(left, target, Move::Scramble);
            // An address that is taken away leaves a distance.
            if operator != BinaryOperator::Subtract || self.operand(left).is_none() {
                self.value(right, target, Move::Scramble);
            }
            return;
        };
        let flags = |bits: i128| u16::try_from(bits).ok().filter(|_| (1..=MOST_FLAGS).contains(&bits));
        let by = match operator {
            BinaryOperator::Add => Move::Add(Range::exact(wrap(constant))),
            BinaryOperator::Subtract => Move::Add(Range::exact(wrap(-constant))),
            BinaryOperator::And if (0..=MOST_FLAGS).contains(&constant) => return,
            BinaryOperator::And => match flags(!constant) {
                Some(bits) if (bits + 1).is_power_of_two() => Move::ClearBits(bits),
                Some(_) | None if constant == -1 => Move::STILL,
                Some(_) | None => Move::Scramble,
            },
            BinaryOperator::Or | BinaryOperator::Xor if constant == 0 => Move::STILL,
            BinaryOperator::Or => flags(constant).map_or(Move::Scramble, Move::SetBits),
            BinaryOperator::Remainder if (1..=MOST_FLAGS + 1).contains(&constant) => return,
            BinaryOperator::Xor
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Remainder
            | BinaryOperator::ShiftLeft
            | BinaryOperator::ShiftRight => Move::Scramble,
        };
        self.value(operand, target, by);
    }

    /// A constant as a signed number of its type.
    fn signed(&self, constant: i128, ty: TypeId) -> i128 {
        let bits = 8 * self.program.size_of(ty).unwrap_or(16).clamp(1, 16) as u32;
        if bits == 128 { constant } else { (constant << (128 - bits)) >> (128 - bits) }
    }

    /// Functions that turned out to be called through pointers, or from outside; whether there were any.
    pub(crate) fn tie_called(&mut self) -> bool {
        let mut any = false;
        for (function, region) in std::mem::take(&mut self.solver.newly_called) {
            any = true;
            self.body_without_text(function);
            let signature = self.signature(function);
            self.solver.tie_signature(region, &signature);
        }
        for index in 0.. {
            let Some(function) = self.solver.called_from_outside.get(index).copied() else { break };
            any |= self.call_from_outside(function);
        }
        any
    }

    /// The functions of each group get one signature.
    pub(crate) fn tie_groups(&mut self, groups: &[Vec<FunctionId>]) {
        for functions in groups {
            let Some(first) = functions.first() else { continue };
            let mut all = Signature::default();
            for function in functions {
                self.stands_for[*function] = Some(*first);
                self.body_without_text(*function);
                let signature = self.signature(*function);
                self.solver.merge_signatures(&mut all, &signature);
            }
            self.groups.push((*first, all));
        }
    }

    fn signature(&mut self, function: FunctionId) -> Signature {
        let declared = &self.program.functions[function];
        let parameters = declared.parameters.iter().map(|register| self.register(function, *register)).collect();
        let result = declared.result.map(|result| self.register(function, result));
        Signature { parameters, result, rest_escapes: self.solver.does_anything(function) }
    }

    /// Arguments of any value; whether that is new.
    pub(crate) fn call_from_outside(&mut self, function: FunctionId) -> bool {
        let before = self.solver.changes;
        self.body_without_text(function);
        let declared = &self.program.functions[function];
        for register in declared.parameters.clone() {
            let node = self.register(function, register);
            self.solver.mark_unknown(node);
        }
        if let Some(result) = declared.result {
            let node = self.register(function, result);
            self.solver.hand_out_value(node);
        }
        self.solver.changes != before
    }

    /// What a function without a body does to its own parameters, for calls through pointers.
    fn body_without_text(&mut self, function: FunctionId) {
        let Body::Extern(_) = &self.program.functions[function].body else { return };
        if std::mem::replace(&mut self.extern_bodies[function], true) {
            return;
        }
        let declared = &self.program.functions[function];
        let parameters = declared.parameters.clone();
        let arguments: Vec<Option<NodeKey>> =
            parameters.iter().map(|register| Some(self.register(function, *register))).collect();
        let target = declared.result.map(|result| self.register(function, result));
        // There is no edge: the first of the function, which has none, stands for the body.
        self.site = Site { function, edge: EdgeId::from_u32(0) };
        self.effects(function, &arguments, target);
    }

    pub(crate) fn library_of_call(&mut self) -> NodeKey {
        let (graph, site) = (self.graph(), self.site);
        self.library(graph, Object::Library(site))
    }
}

/// How far a path leads.
pub(crate) fn path_range(program: &Program, path: &Path, path_use: PathUse, arithmetic: Arithmetic) -> Range {
    let Some(resolved) = program.resolve(path) else { return Range::anywhere(0, 1) };
    let mut range = Range::exact(resolved.offset);
    let n_indices = resolved.indices.len();
    let is_address = path_use == PathUse::Address;
    for (operand, stride) in resolved.indices {
        let bound = resolved.bounds.iter().find(|bound| bound.index == Index::Operand(operand));
        range = range.plus(match bound {
            Some(bound) => Range::elements(0, stride, bound.count + u64::from(is_address)),
            None if stride == 0 => Range::exact(0),
            None => Range::anywhere(0, stride),
        });
    }
    if let (Arithmetic::WithinArrays, true, Type::Array(_, Some(_))) = (arithmetic, is_address, program.ty(resolved.ty))
    {
        let mut first = path.clone();
        first.steps.push(Step::Index(Index::Constant(0)));
        return path_range(program, &first, path_use, arithmetic);
    }
    // A pointer to an element of an array stays in the array: it may as well point to any of them.
    if let (Arithmetic::WithinArrays, true, 0, Some(Step::Index(Index::Constant(index)))) =
        (arithmetic, is_address, n_indices, path.steps.last())
        && let Some(bound) = resolved.bounds.iter().rev().find(|bound| bound.index == Index::Constant(*index))
        && let Some(stride) = program.stride_of(resolved.ty)
    {
        let start = resolved.offset - index.wrapping_mul(stride as i64);
        let range = Range::elements(start, stride, bound.count + 1);
        return Range { past_end: !range.is_exact(), ..range };
    }
    range.past_end = n_indices == 1 && is_address && matches!(range.count, Count::Exactly(2..));
    range
}

/// The size of what one load or store moves: a scalar.
pub(crate) fn small(size: u64) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}

fn wrap(value: i128) -> i64 {
    value as i64
}
