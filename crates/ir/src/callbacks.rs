//! Calls that call back (`qsort`, `bsearch`) as the loops that their models describe: any number of calls of the function that
//! is given, on any elements of the array, and between them any two elements exchange their places. Every order of
//! comparisons and exchanges that a library may choose is among them.
//!
//! Followed where the size of an element is a constant and the array's type has elements of that size; other calls stay as
//! they are, and are gaps. Which element is chosen is any number below how many there are; or, in arrays of a few, a branch for
//! each, for analyses that follow constants only. Edges keep their numbers, and new ones come behind them: [`Expansion::is_new`] tells them apart,
//! as concrete runs know only the others.

use crate::entity::EntityRef;
use crate::{
    Automaton, Body, CallbackArgument, Callee, CompareOperator, Condition, CopySource, EdgeId, Elements, Expression,
    Extent, ExternEffects, ExternResult, Failure, Function, FunctionId, Index, InitialContents, Instruction, IntType,
    LocationId, NullResult, Operand, Path, Place, Program, Register, RegisterId, RegisterOrigin, Span, Step, Storage,
    Type, TypeId, View,
};

/// A program without such calls.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The program that was written out.
    pub program: Program,
}

impl Expansion {
    /// The program with its calls that call back written out; nothing if there are none that can be. In arrays of at most
    /// `few` elements, which one is chosen is a branch.
    pub fn of(program: &Program, few: u64) -> Option<Expansion> {
        let mut calls: Vec<CallBack> = Vec::new();
        for (function, definition) in &program.functions {
            let Some(automaton) = definition.automaton() else { continue };
            calls.extend(automaton.edges.keys().filter_map(|edge| CallBack::of(program, function, edge)));
        }
        if calls.is_empty() {
            return None;
        }
        let mut program = program.clone();
        for call in &calls {
            call.write_out(&mut program, few);
        }
        Some(Expansion { program })
    }

    /// Whether an edge is none of the program that was written out.
    pub fn is_new(original: &Program, function: FunctionId, edge: EdgeId) -> bool {
        let automaton = original.functions[function].automaton();
        automaton.is_none_or(|automaton| edge.index() >= automaton.edges.len())
    }
}

/// An array that is handed over.
#[derive(Clone, Copy)]
struct Array {
    base: Operand,
    element: TypeId,
}

/// What the function that is called back is given.
#[derive(Clone, Copy)]
enum Given {
    Value(Operand),
    Element(Array),
}

/// What the call has as its value.
#[derive(Clone, Copy)]
enum Found {
    /// Nothing.
    Nothing,
    /// The element for which the function gave zero, or null.
    Element(RegisterId),
}

/// A call that can be written out.
struct CallBack {
    function: FunctionId,
    edge: EdgeId,
    callee: Callee,
    count: Operand,
    given: Vec<Given>,
    rearranged: Option<Array>,
    found: Found,
}

impl CallBack {
    fn of(program: &Program, function: FunctionId, edge: EdgeId) -> Option<CallBack> {
        let definition = &program.functions[function];
        let instruction = &definition.automaton()?.edges[edge].instruction;
        let Instruction::Call { target, callee: Callee::Direct(called), arguments } = instruction else { return None };
        let Body::Extern(ExternEffects { callback: Some(callback), result, .. }) = &program.functions[*called].body
        else {
            return None;
        };
        let Elements { count, size } = callback.elements?;
        let argument = |position: u32| arguments.get(position as usize).copied();
        let Operand::Int(size) = argument(size)? else { return None };
        let array = |position: u32| {
            let base = argument(position)?;
            let element = element_of(program, definition, base, u64::try_from(size).ok()?)?;
            Some(Array { base, element })
        };
        let given = callback.arguments.iter().map(|given| match given {
            CallbackArgument::Parameter(position) => argument(*position).map(Given::Value),
            CallbackArgument::Into(position) => array(*position).map(Given::Element),
            CallbackArgument::Other => None,
        });
        let rearranged = match callback.rearranges {
            Some(position) => Some(array(position)?),
            None => None,
        };
        let found = match (target, result) {
            (Some(target), ExternResult::IntoArgument { null: NullResult::Possible, .. }) => Found::Element(*target),
            (None, ExternResult::Any | ExternResult::IntoArgument { .. }) => Found::Nothing,
            (Some(_), _) | (None, ExternResult::Argument(_) | ExternResult::Library { .. }) => return None,
        };
        let given: Vec<Given> = given.collect::<Option<_>>()?;
        let callee = match argument(callback.function)? {
            Operand::Function(callee) => {
                let callee_definition = &program.functions[callee];
                let suits = callee_definition.parameters.len() == given.len() && !callee_definition.variadic;
                let result = callee_definition.result.map(|result| callee_definition.registers[result].ty);
                let is_int = result.is_some_and(|ty| *program.ty(ty) == Type::Int(IntType::Signed(4)));
                (suits && is_int).then_some(Callee::Direct(callee))?
            }
            pointer @ Operand::Register(_) => Callee::Indirect(pointer),
            Operand::Int(_) | Operand::Float(_) | Operand::Global(_) => return None,
        };
        Some(CallBack { function, edge, callee, count: argument(count)?, given, rearranged, found })
    }

    fn write_out(&self, program: &mut Program, few: u64) {
        let size = program.types.intern(Type::Int(IntType::Unsigned(program.target.pointer_bytes as u8)));
        let int = program.types.intern(Type::Int(IntType::Signed(4)));
        let function = &mut program.functions[self.function];
        let Body::Defined(automaton) = &mut function.body else { return };
        let head = automaton.add_location();
        let call = &mut automaton.edges[self.edge];
        let (behind, span) = (call.to, call.span);
        call.instruction = Instruction::Assume(Condition::True);
        call.to = head;
        let mut writer = Writer { program, function: self.function, span, at: head, few };
        writer.leave(behind, self.found, Operand::ZERO);
        // Some elements, and what is called with them.
        let mut elements: Vec<Element> = Vec::new();
        let mut arguments: Vec<Operand> = Vec::new();
        for given in &self.given {
            match given {
                Given::Value(value) => arguments.push(*value),
                Given::Element(array) => {
                    let element = writer.any_element(*array, self.count, size);
                    arguments.push(Operand::Register(element.pointer));
                    elements.push(element);
                }
            }
        }
        let chosen = writer.at;
        let result = writer.register(int);
        writer.then(Instruction::Call { target: Some(result), callee: self.callee, arguments });
        let compared = writer.at;
        let is_zero = |operator| {
            let (left, right) = (Operand::Register(result), Operand::ZERO);
            Instruction::Assume(Condition::Compare { operator, ty: int, left, right })
        };
        writer.to(head, is_zero(CompareOperator::NotEqual));
        writer.at = compared;
        match (self.found, elements.as_slice()) {
            (Found::Element(_), [.., last]) => {
                let pointer = Operand::Register(last.pointer);
                writer.then(is_zero(CompareOperator::Equal));
                writer.leave(behind, self.found, pointer);
            }
            (Found::Nothing, _) | (Found::Element(_), []) => writer.to(head, is_zero(CompareOperator::Equal)),
        }
        if let (Some(array), [first, second, ..]) = (self.rearranged, elements.as_slice()) {
            writer.at = chosen;
            writer.exchange(array, first, second);
            writer.to(head, Instruction::Assume(Condition::True));
        }
    }
}

/// As what elements of so many bytes behind a pointer are seen.
fn element_of(program: &Program, function: &Function, base: Operand, size: u64) -> Option<TypeId> {
    let mut ty = match base {
        Operand::Register(register) => program.pointee(function.registers[register].ty)?,
        Operand::Global(global) => program.globals[global].ty,
        Operand::Int(_) | Operand::Float(_) | Operand::Function(_) => return None,
    };
    loop {
        match program.ty(ty) {
            Type::Array(element, _) if program.size_of(ty) != Some(size) => ty = *element,
            Type::Void | Type::Function(_) => return None,
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Array(..) | Type::Record(_) => break,
        }
    }
    (program.size_of(ty) == Some(size)).then_some(ty)
}

fn count_of(count: Operand) -> Option<u64> {
    match count {
        Operand::Int(count) => u64::try_from(count).ok(),
        Operand::Register(_) | Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => None,
    }
}

/// An element that was chosen.
struct Element {
    pointer: RegisterId,
    place: Place,
}

/// Writes edges one behind the other.
struct Writer<'a> {
    program: &'a mut Program,
    function: FunctionId,
    span: Span,
    at: LocationId,
    few: u64,
}

impl Writer<'_> {
    fn automaton(&mut self) -> Option<&mut Automaton> {
        match &mut self.program.functions[self.function].body {
            Body::Defined(automaton) => Some(automaton),
            Body::Extern(_) => None,
        }
    }

    fn register(&mut self, ty: TypeId) -> RegisterId {
        let registers = &mut self.program.functions[self.function].registers;
        let name = format!("$called-back-{}", registers.len());
        registers.push(Register { name, ty, origin: RegisterOrigin::Temporary })
    }

    fn to(&mut self, to: LocationId, instruction: Instruction) {
        let (at, span) = (self.at, self.span);
        if let Some(automaton) = self.automaton() {
            automaton.add_edge(at, to, instruction, span);
        }
        self.at = to;
    }

    fn then(&mut self, instruction: Instruction) {
        if let Some(to) = self.automaton().map(Automaton::add_location) {
            self.to(to, instruction);
        }
    }

    /// The call ends; what was written goes on where it was.
    fn leave(&mut self, behind: LocationId, found: Found, value: Operand) {
        let at = self.at;
        let instruction = match found {
            Found::Nothing => Instruction::Assume(Condition::True),
            Found::Element(target) => Instruction::Assign { target, value: Expression::Operand(value) },
        };
        self.to(behind, instruction);
        self.at = at;
    }

    /// Chooses an element.
    fn any_element(&mut self, array: Array, count: Operand, size: TypeId) -> Element {
        let ty = self.program.types.intern(Type::Pointer(array.element));
        let (index, pointer) = (self.register(size), self.register(ty));
        let few = count_of(count).filter(|few| (1..=self.few).contains(few));
        match few {
            Some(few) => self.any_below(index, few),
            None => {
                self.then(Instruction::Assign { target: index, value: Expression::Nondet { ty: size } });
                let (operator, left) = (CompareOperator::Less, Operand::Register(index));
                self.then(Instruction::Assume(Condition::Compare { operator, ty: size, left, right: count }));
            }
        }
        let view = self.program.types.intern(Type::Array(array.element, few));
        let steps = [Step::Index(Index::Operand(Operand::Register(index)))].into_iter().collect();
        let path = Path { view, steps };
        let value = Expression::AddPath { base: array.base, path: path.clone() };
        self.then(Instruction::Assign { target: pointer, value });
        Element { pointer, place: Place { base: array.base, path, ty: array.element, bits: None } }
    }

    /// Chooses a number, by a branch for each.
    fn any_below(&mut self, target: RegisterId, count: u64) {
        let Some(behind) = self.automaton().map(Automaton::add_location) else { return };
        let from = self.at;
        for number in 0..count {
            self.at = from;
            let value = Expression::Operand(Operand::Int(number.into()));
            self.to(behind, Instruction::Assign { target, value });
        }
    }

    /// Two elements exchange their places.
    fn exchange(&mut self, array: Array, first: &Element, second: &Element) {
        let ty = array.element;
        match self.program.ty(ty) {
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) => {
                let (one, other) = (self.register(ty), self.register(ty));
                self.then(Instruction::Load { target: one, place: first.place.clone() });
                self.then(Instruction::Load { target: other, place: second.place.clone() });
                self.then(Instruction::Store { place: first.place.clone(), value: Operand::Register(other) });
                self.then(Instruction::Store { place: second.place.clone(), value: Operand::Register(one) });
            }
            Type::Array(..) | Type::Record(_) | Type::Void | Type::Function(_) => {
                let pointer = self.program.types.intern(Type::Pointer(ty));
                let kept = self.register(pointer);
                let bytes = Operand::Int(i128::from(self.program.size_of(ty).unwrap_or(0)));
                self.then(Instruction::Alloc {
                    target: kept,
                    bytes,
                    storage: Storage::Auto,
                    contents: InitialContents::Uninitialised,
                    failure: Failure::Never,
                    align: None,
                    view: Some(View { element: ty, count: Operand::Int(1), has_tail: false }),
                });
                let path = Path { view: ty, steps: [].into_iter().collect() };
                let aside = Place { base: Operand::Register(kept), path, ty, bits: None };
                for (place, source) in [(&aside, &first.place), (&first.place, &second.place), (&second.place, &aside)]
                {
                    let (place, source) = (place.clone(), CopySource::Place(source.clone()));
                    self.then(Instruction::Copy { place, source, extent: Extent::Type(ty) });
                }
                self.then(Instruction::End { pointer: Operand::Register(kept) });
            }
        }
    }
}
