//! A caller of a library: it calls the exported functions in any order, as often as it likes, with any valid arguments.
//!
//! What it got from the library as a pointer to a record it keeps, one collection for each type, and hands in again: an element of
//! a collection, which is null at first. Everything else that it hands in is any value; everything else that it gets it keeps for
//! itself. That a caller uses no object after a function has freed it is for the engine to believe.

use heapwise_ir::entity::PrimaryMap;
use heapwise_ir::{
    Automaton, Body, Callee, Expression, ExternEffects, Function, FunctionId, Global, GlobalId, Index, Initializer,
    Instruction, IntType, LocationId, MemoryEffect, Mutability, Operand, Path, Place, Program, Register, RegisterId,
    RegisterOrigin, Span, Step, Type, TypeId,
};
use std::collections::BTreeMap;

/// No function of C has this name.
const CALLER: &str = "any caller";

/// The function that keeps what a caller was given.
const KEEPS: &str = "any caller keeps";

/// How many elements the type of a collection says that it has; which one is meant is never known.
const ELEMENTS: u64 = 64;

/// Adds the caller of these functions to a program.
pub(crate) fn add(program: &mut Program, exported: &[FunctionId]) -> FunctionId {
    let mut caller = Caller::new(program);
    caller.collect(exported);
    let head = caller.automaton.add_location();
    let start = caller.automaton.entry;
    let go = Instruction::Assume(heapwise_ir::Condition::True);
    caller.automaton.add_edge(start, head, go.clone(), Span::NONE);
    for function in exported {
        caller.call(head, *function);
    }
    let exit = caller.automaton.exit;
    caller.automaton.add_edge(head, exit, go, Span::NONE);
    caller.finish()
}

struct Caller<'p> {
    program: &'p mut Program,
    automaton: Automaton,
    registers: PrimaryMap<RegisterId, Register>,
    /// The collection of each type of pointer.
    collections: BTreeMap<TypeId, GlobalId>,
    /// The function that takes over what it is given.
    keeps: Option<FunctionId>,
    number: TypeId,
}

impl<'p> Caller<'p> {
    fn new(program: &'p mut Program) -> Caller<'p> {
        let number = program.types.intern(Type::Int(IntType::Signed(4)));
        Caller {
            program,
            automaton: Automaton::new(),
            registers: PrimaryMap::new(),
            collections: BTreeMap::new(),
            keeps: None,
            number,
        }
    }

    /// What a type points to, if it is a pointer.
    fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.program.types.get(ty) {
            Type::Pointer(pointee) => Some(*pointee),
            _ => None,
        }
    }

    fn is_record(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Record(_))
    }

    /// A collection for each type of pointer to a record that a function returns, or stores where it is told to.
    fn collect(&mut self, exported: &[FunctionId]) {
        for function in exported {
            let declared = &self.program.functions[*function];
            let result = declared.result.map(|result| declared.registers[result].ty);
            let stored =
                declared.parameters.iter().filter_map(|parameter| self.pointee(declared.registers[*parameter].ty));
            let candidates: Vec<TypeId> = result.into_iter().chain(stored).collect();
            for pointer in candidates {
                if self.pointee(pointer).is_some_and(|pointee| self.is_record(pointee)) {
                    self.add_collection(pointer);
                }
            }
        }
    }

    fn add_collection(&mut self, pointer: TypeId) {
        if self.collections.contains_key(&pointer) {
            return;
        }
        let ty = self.program.types.intern(Type::Array(pointer, Some(ELEMENTS)));
        let size = ELEMENTS * u64::from(self.program.target.pointer_bytes);
        let name = format!("what any caller has ({})", self.collections.len() + 1);
        let initializer = Initializer::Items(Vec::new());
        let global =
            Global { name, span: Span::NONE, ty, size, align: None, initializer, mutability: Mutability::Mutable };
        let id = self.program.globals.push(global);
        self.collections.insert(pointer, id);
    }

    fn register(&mut self, ty: TypeId) -> RegisterId {
        let name = format!("${}", self.registers.len());
        self.registers.push(Register { name, ty, origin: RegisterOrigin::Temporary })
    }

    fn edge(&mut self, from: LocationId, instruction: Instruction, span: Span) -> LocationId {
        let to = self.automaton.add_location();
        self.automaton.add_edge(from, to, instruction, span);
        to
    }

    /// An element of a collection, any of them.
    fn element(&mut self, at: LocationId, collection: GlobalId, pointer: TypeId) -> (LocationId, Place) {
        let index = self.register(self.number);
        let value = Expression::Nondet { ty: self.number };
        let at = self.edge(at, Instruction::Assign { target: index, value }, Span::NONE);
        let step = Step::Index(Index::Operand(Operand::Register(index)));
        let view = self.program.globals[collection].ty;
        let path = Path { view, steps: std::iter::once(step).collect() };
        (at, Place { base: Operand::Global(collection), path, ty: pointer, bits: None })
    }

    /// A value for a parameter.
    fn argument(&mut self, at: LocationId, ty: TypeId) -> (LocationId, RegisterId) {
        let register = self.register(ty);
        if let Some(collection) = self.collections.get(&ty).copied() {
            let (at, place) = self.element(at, collection, ty);
            return (self.edge(at, Instruction::Load { target: register, place }, Span::NONE), register);
        }
        let stored = self.pointee(ty).and_then(|pointee| Some((*self.collections.get(&pointee)?, pointee)));
        if let Some((collection, pointer)) = stored {
            let (at, place) = self.element(at, collection, pointer);
            let value = Expression::AddPath { base: place.base, path: place.path };
            return (self.edge(at, Instruction::Assign { target: register, value }, Span::NONE), register);
        }
        let value = Expression::Nondet { ty };
        (self.edge(at, Instruction::Assign { target: register, value }, Span::NONE), register)
    }

    fn call(&mut self, head: LocationId, function: FunctionId) {
        let declared = &self.program.functions[function];
        let span = declared.span;
        let parameters: Vec<TypeId> =
            declared.parameters.iter().map(|parameter| declared.registers[*parameter].ty).collect();
        let result = declared.result.map(|result| declared.registers[result].ty);
        let mut at = head;
        let mut arguments = Vec::new();
        for ty in parameters {
            let (next, register) = self.argument(at, ty);
            at = next;
            arguments.push(Operand::Register(register));
        }
        let target = result.map(|ty| self.register(ty));
        let callee = Callee::Direct(function);
        at = self.edge(at, Instruction::Call { target, callee, arguments }, span);
        if let (Some(target), Some(ty)) = (target, result) {
            at = self.keep(at, target, ty, span);
        }
        self.automaton.add_edge(at, head, Instruction::Assume(heapwise_ir::Condition::True), Span::NONE);
    }

    /// A result is kept.
    fn keep(&mut self, at: LocationId, result: RegisterId, ty: TypeId, span: Span) -> LocationId {
        if let Some(collection) = self.collections.get(&ty).copied() {
            let (at, place) = self.element(at, collection, ty);
            return self.edge(at, Instruction::Store { place, value: Operand::Register(result) }, span);
        }
        if self.pointee(ty).is_none() {
            return at;
        }
        let callee = Callee::Direct(self.keeps());
        let arguments = vec![Operand::Register(result)];
        self.edge(at, Instruction::Call { target: None, callee, arguments }, span)
    }

    fn keeps(&mut self) -> FunctionId {
        if let Some(known) = self.keeps {
            return known;
        }
        let void = self.program.types.intern(Type::Void);
        let pointer = self.program.types.intern(Type::Pointer(void));
        let mut registers = PrimaryMap::new();
        let origin = RegisterOrigin::Temporary;
        let parameter = registers.push(Register { name: "$0".to_owned(), ty: pointer, origin });
        let effects = ExternEffects {
            memory: MemoryEffect::Pure,
            takes_ownership: vec![0],
            modelled: true,
            ..ExternEffects::UNKNOWN
        };
        let made = self.program.functions.push(Function {
            name: KEEPS.to_owned(),
            span: Span::NONE,
            registers,
            parameters: vec![parameter],
            result: None,
            variadic: false,
            address_taken: false,
            body: Body::Extern(effects),
        });
        self.keeps = Some(made);
        made
    }

    fn finish(self) -> FunctionId {
        self.program.functions.push(Function {
            name: CALLER.to_owned(),
            span: Span::NONE,
            registers: self.registers,
            parameters: Vec::new(),
            result: None,
            variadic: false,
            address_taken: false,
            body: Body::Defined(self.automaton),
        })
    }
}
