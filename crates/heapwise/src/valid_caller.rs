//! A caller of one function that hands in valid arguments: what `--entry f` starts from unless it is told otherwise.
//!
//! Pointers lead to objects of their types, apart from each other, and are null only where the program compares what it finds there
//! with null. Lists that a record begins (one link to its own type) have any length. Numbers are any. What C's types do not say is
//! left open: elements behind a pointer that the program moves along, what lies behind `void *`, and records behind records behind
//! records are any memory, which makes the verdict *unknown* where it matters. The caller keeps all that it handed in, and the result.

use heapwise_engine::HandedIn;
use heapwise_ir::entity::PrimaryMap;
use heapwise_ir::{
    Automaton, Body, Callee, Condition, Construct, Expression, Failure, Function, FunctionId, Global, GlobalId, Index,
    InitialContents, Initializer, Instruction, IntType, LocationId, Mutability, OPEN_EXTENT, Operand, Path, Place,
    Program, RecordId, RecordKind, Register, RegisterId, RegisterOrigin, Span, Step, Storage, Type, TypeId, View,
};

mod uses;

use uses::Uses;

/// How the names of callers begin.
pub(crate) const PREFIX: &str = "a caller of ";

/// Records behind pointers are made as deep as this.
const DEEPEST: u32 = 2;

/// Arrays of pointers within records are filled as far as they have so many elements.
const MOST_ELEMENTS: u64 = 16;

/// Adds a caller that hands valid arguments to a function; `None` where the function takes no pointer, or where it does not say what
/// it takes (variable arguments).
pub(crate) fn add(program: &mut Program, function: FunctionId) -> Option<(FunctionId, HandedIn)> {
    let declared = &program.functions[function];
    let parameters: Vec<(String, TypeId, RegisterId)> = declared
        .parameters
        .iter()
        .map(|register| (declared.registers[*register].name.clone(), declared.registers[*register].ty, *register))
        .collect();
    let takes_pointer = parameters.iter().any(|(_, ty, _)| matches!(program.ty(*ty), Type::Pointer(_)));
    if declared.variadic || !takes_pointer {
        return None;
    }
    let (name, result) = (declared.name.clone(), declared.result.map(|result| declared.registers[result].ty));
    let span = declared.span;
    let uses = Uses::of(program, function);
    let mut caller = Caller::new(program, uses, span);
    let mut at = caller.automaton.entry;
    let mut arguments = Vec::new();
    for (parameter, ty, register) in parameters {
        let may_be_null = caller.uses.tests_parameter(register);
        let (next, value) = caller.value(at, ty, may_be_null, 0, &parameter);
        at = next;
        arguments.push(Operand::Register(value));
    }
    let target = result.map(|ty| caller.register(ty));
    at = caller.edge(at, Instruction::Call { target, callee: Callee::Direct(function), arguments });
    if let (Some(target), Some(ty)) = (target, result)
        && caller.pointee(ty).is_some()
    {
        at = caller.keep(at, target, ty, &format!("what `{name}` returned"));
    }
    let exit = caller.automaton.exit;
    caller.automaton.add_edge(at, exit, Instruction::Assume(Condition::True), Span::NONE);
    let handed_in = caller.handed_in;
    Some((caller.finish(&name), handed_in))
}

struct Caller<'p> {
    program: &'p mut Program,
    uses: Uses,
    /// Where the function is.
    span: Span,
    automaton: Automaton,
    registers: PrimaryMap<RegisterId, Register>,
    handed_in: HandedIn,
}

/// A place within what a pointer leads to.
struct Within {
    base: RegisterId,
    path: Path,
}

impl Within {
    fn and(&self, step: Step) -> Within {
        let steps = self.path.steps.iter().copied().chain([step]).collect();
        Within { base: self.base, path: Path { steps, ..self.path } }
    }
}

impl<'p> Caller<'p> {
    fn new(program: &'p mut Program, uses: Uses, span: Span) -> Caller<'p> {
        let (automaton, registers) = (Automaton::new(), PrimaryMap::new());
        Caller { program, uses, span, automaton, registers, handed_in: HandedIn::Whole }
    }

    fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        self.program.pointee(ty)
    }

    fn register(&mut self, ty: TypeId) -> RegisterId {
        let name = format!("${}", self.registers.len());
        self.registers.push(Register { name, ty, origin: RegisterOrigin::Temporary })
    }

    fn edge(&mut self, from: LocationId, instruction: Instruction) -> LocationId {
        let to = self.automaton.add_location();
        self.automaton.add_edge(from, to, instruction, Span::NONE);
        to
    }

    fn assign(&mut self, at: LocationId, target: RegisterId, value: Expression) -> LocationId {
        self.edge(at, Instruction::Assign { target, value })
    }

    /// A variable of the caller.
    fn global(&mut self, name: &str, ty: TypeId, size: u64, initializer: Initializer) -> GlobalId {
        let name = format!("{name} ({})", self.program.globals.len());
        let mutability = Mutability::Mutable;
        self.program.globals.push(Global { name, span: Span::NONE, ty, size, align: None, initializer, mutability })
    }

    /// Stores a pointer in a variable of its own, so that what it leads to is not lost.
    fn keep(&mut self, at: LocationId, value: RegisterId, ty: TypeId, name: &str) -> LocationId {
        let size = u64::from(self.program.target.pointer_bytes);
        let global = self.global(name, ty, size, Initializer::Items(Vec::new()));
        let place =
            Place { base: Operand::Global(global), path: Path { view: ty, steps: Vec::new().into() }, ty, bits: None };
        self.edge(at, Instruction::Store { place, value: Operand::Register(value) })
    }

    /// A value of a type.
    fn value(
        &mut self,
        at: LocationId,
        ty: TypeId,
        may_be_null: bool,
        depth: u32,
        name: &str,
    ) -> (LocationId, RegisterId) {
        let target = self.register(ty);
        let Some(pointee) = self.pointee(ty) else {
            return (self.assign(at, target, Expression::Nondet { ty }), target);
        };
        let made = match may_be_null {
            false => at,
            true => {
                let (null, made) = (self.automaton.add_location(), self.automaton.add_location());
                let go = || Instruction::Assume(Condition::True);
                self.automaton.add_edge(at, null, go(), Span::NONE);
                self.automaton.add_edge(at, made, go(), Span::NONE);
                let after = self.pointed(made, target, pointee, depth, name);
                let none = Instruction::Assign { target, value: Expression::Operand(Operand::ZERO) };
                self.automaton.add_edge(null, after, none, Span::NONE);
                return (after, target);
            }
        };
        (self.pointed(made, target, pointee, depth, name), target)
    }

    /// Makes what a pointer leads to.
    fn pointed(&mut self, at: LocationId, target: RegisterId, pointee: TypeId, depth: u32, name: &str) -> LocationId {
        let ty = self.registers[target].ty;
        let is_open = self.uses.moves_along(pointee) || self.has_flexible_end(pointee);
        let at = match (self.program.ty(pointee).clone(), self.program.size_of(pointee)) {
            (Type::Record(record), Some(size)) if !is_open && size > 0 => match self.own_link(record) {
                Some(link) if depth == 0 => self.list(at, target, (pointee, size), (record, link), name),
                _ => {
                    let at = self.object(at, target, pointee, size);
                    self.fill(at, target, pointee, record, depth, name)
                }
            },
            (Type::Pointer(_), Some(size)) if !is_open => {
                let at = self.object(at, target, pointee, size);
                if depth >= DEEPEST {
                    self.handed_in = HandedIn::Part;
                    at
                } else {
                    let (at, value) = self.value(at, pointee, self.uses.tests_behind(pointee), depth + 1, name);
                    let path = Path { view: pointee, steps: Vec::new().into() };
                    let place = Place { base: Operand::Register(target), path, ty: pointee, bits: None };
                    self.edge(at, Instruction::Store { place, value: Operand::Register(value) })
                }
            }
            (Type::Int(_) | Type::Float(_), Some(size)) if !is_open => self.object(at, target, pointee, size),
            // A function is any function: calling it is a gap.
            (Type::Function(_), _) => {
                self.handed_in = HandedIn::Part;
                self.assign(at, target, Expression::Nondet { ty })
            }
            (_, _) => {
                // Pointers in any memory are any, too.
                let is_plain = self.program.size_of(pointee).is_some() && !self.holds_pointers(pointee);
                if !is_plain || self.uses.sees_otherwise(pointee) {
                    self.handed_in = HandedIn::Part;
                }
                self.program.gaps.push((self.span, Construct::IncompleteSize.into()));
                let byte = self.program.types.intern(Type::Int(IntType::Unsigned(1)));
                let element = if self.program.size_of(pointee).is_some() { pointee } else { byte };
                match self.uses.steps_back(pointee) {
                    false => self.object(at, target, element, OPEN_EXTENT),
                    true => {
                        let array = self.program.types.intern(Type::Array(element, None));
                        let global = self.global(name, array, OPEN_EXTENT, Initializer::Unknown);
                        // There may be something before it, too.
                        let (base, bytes) = (Operand::Global(global), Operand::Int(i128::from(OPEN_EXTENT / 2)));
                        return self.assign(at, target, Expression::AddBytes { base, bytes });
                    }
                }
            }
        };
        match self.program.ty(pointee) {
            Type::Function(_) => at,
            _ => self.keep(at, target, ty, name),
        }
    }

    /// Objects of a type, so many bytes of them, with any values in it.
    fn object(&mut self, at: LocationId, target: RegisterId, pointee: TypeId, size: u64) -> LocationId {
        self.edge(
            at,
            Instruction::Alloc {
                target,
                bytes: Operand::Int(i128::from(size)),
                storage: Storage::Heap,
                contents: InitialContents::Nondet,
                failure: Failure::Never,
                align: None,
                view: self.program.size_of(pointee).filter(|of_one| *of_one > 0).map(|of_one| View {
                    element: pointee,
                    count: Operand::Int(i128::from(size / of_one)),
                    has_tail: !size.is_multiple_of(of_one),
                }),
            },
        )
    }

    /// Whether a type has pointers in it.
    fn holds_pointers(&self, ty: TypeId) -> bool {
        match self.program.ty(ty) {
            Type::Pointer(_) => true,
            Type::Array(element, _) => self.holds_pointers(*element),
            Type::Record(record) => {
                self.program.records[*record].fields().iter().any(|field| self.holds_pointers(field.ty))
            }
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Function(_) => false,
        }
    }

    /// Whether a record ends with an array of any length.
    fn has_flexible_end(&self, ty: TypeId) -> bool {
        let Type::Record(record) = self.program.ty(ty) else { return false };
        let last = self.program.records[*record].fields().last();
        last.is_some_and(|field| match self.program.ty(field.ty) {
            Type::Array(_, count) => count.is_none_or(|count| count == 0),
            _ => false,
        })
    }

    /// The link of a record to its own type, where there is one and no more.
    fn own_link(&self, record: RecordId) -> Option<u32> {
        let mut links = self.program.records[record].fields().iter().enumerate().filter(|(_, field)| {
            let pointee = self.program.pointee(field.ty).map(|pointee| self.program.ty(pointee));
            pointee == Some(&Type::Record(record))
        });
        let (index, _) = links.next()?;
        links.next().is_none().then_some(index as u32)
    }

    /// A list of any length, at least one cell long.
    fn list(
        &mut self,
        at: LocationId,
        target: RegisterId,
        (pointee, size): (TypeId, u64),
        (record, link): (RecordId, u32),
        name: &str,
    ) -> LocationId {
        let ty = self.registers[target].ty;
        let at = self.assign(at, target, Expression::Operand(Operand::ZERO));
        let head = self.edge(at, Instruction::Assume(Condition::True));
        let cell = self.register(ty);
        let at = self.object(head, cell, pointee, size);
        let at = self.fill_but(at, cell, (pointee, record), Some(link), 0, name);
        let link_ty = self.program.records[record].fields()[link as usize].ty;
        let path = Path { view: pointee, steps: std::iter::once(Step::Field(record, link)).collect() };
        let place = Place { base: Operand::Register(cell), path, ty: link_ty, bits: None };
        let at = self.edge(at, Instruction::Store { place, value: Operand::Register(target) });
        let at = self.assign(at, target, Expression::Operand(Operand::Register(cell)));
        self.automaton.add_edge(at, head, Instruction::Assume(Condition::True), Span::NONE);
        self.edge(at, Instruction::Assume(Condition::True))
    }

    fn fill(
        &mut self,
        at: LocationId,
        target: RegisterId,
        view: TypeId,
        record: RecordId,
        depth: u32,
        name: &str,
    ) -> LocationId {
        self.fill_but(at, target, (view, record), None, depth, name)
    }

    /// Stores valid pointers in the pointer fields of a record, but for one.
    fn fill_but(
        &mut self,
        at: LocationId,
        target: RegisterId,
        (view, record): (TypeId, RecordId),
        but: Option<u32>,
        depth: u32,
        name: &str,
    ) -> LocationId {
        let within = Within { base: target, path: Path { view, steps: Vec::new().into() } };
        self.fill_record(at, &within, record, but, depth, name)
    }

    /// The same for a record that lies within what a pointer leads to.
    fn fill_record(
        &mut self,
        mut at: LocationId,
        within: &Within,
        record: RecordId,
        but: Option<u32>,
        depth: u32,
        name: &str,
    ) -> LocationId {
        let fields: Vec<(u32, String, TypeId)> = self.program.records[record]
            .fields()
            .iter()
            .enumerate()
            .filter(|(_, field)| field.bits.is_none())
            .map(|(index, field)| (index as u32, field.name.clone(), field.ty))
            .filter(|(index, _, ty)| but != Some(*index) && self.holds_pointers(*ty))
            .collect();
        // Which member of a union counts, its type does not say.
        if depth >= DEEPEST || self.program.records[record].kind == RecordKind::Union {
            if !fields.is_empty() {
                self.handed_in = HandedIn::Part;
            }
            return at;
        }
        for (index, field, ty) in fields {
            let may_be_null = self.uses.tests_field(record, index);
            let inside = within.and(Step::Field(record, index));
            at = self.fill_place(at, &inside, (ty, may_be_null), depth, &format!("{name}->{field}"));
        }
        at
    }

    /// The same for whatever a type says is there.
    fn fill_place(
        &mut self,
        mut at: LocationId,
        within: &Within,
        (ty, may_be_null): (TypeId, bool),
        depth: u32,
        name: &str,
    ) -> LocationId {
        match self.program.ty(ty).clone() {
            Type::Pointer(_) => {
                let (next, value) = self.value(at, ty, may_be_null, depth + 1, name);
                let place = Place { base: Operand::Register(within.base), path: within.path.clone(), ty, bits: None };
                self.edge(next, Instruction::Store { place, value: Operand::Register(value) })
            }
            Type::Record(inner) => self.fill_record(at, within, inner, None, depth, name),
            Type::Array(element, Some(count)) if count <= MOST_ELEMENTS => {
                let may_be_null = self.uses.tests_behind(element);
                for index in 0..count as i64 {
                    let inside = within.and(Step::Index(Index::Constant(index)));
                    at = self.fill_place(at, &inside, (element, may_be_null), depth, &format!("{name}[{index}]"));
                }
                at
            }
            Type::Array(..) => {
                self.handed_in = HandedIn::Part;
                at
            }
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Function(_) => at,
        }
    }

    fn finish(self, name: &str) -> FunctionId {
        self.program.functions.push(Function {
            name: format!("{PREFIX}{name}"),
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
