//! What a program does with pointers, as far as it says what their arguments may be: which it compares with null, along which it moves.

use heapwise_ir::{
    Automaton, Body, Callee, Condition, CopySource, Expression, Extent, Function, FunctionId, Index, Instruction,
    Operand, Path, Place, Program, RecordId, RegisterId, Step, Type, TypeId,
};
use std::collections::BTreeSet;

/// What a program does with pointers.
pub(super) struct Uses {
    /// Registers of the function that are compared with null.
    parameters: BTreeSet<RegisterId>,
    /// Fields whose value is compared with null.
    fields: BTreeSet<(RecordId, u32)>,
    /// Types of pointers that are compared with null after they were read through a pointer.
    behind: BTreeSet<TypeId>,
    /// Types of objects whose pointers are moved, seen as pointers to something else, or given to who looks at more than one.
    moved: BTreeSet<TypeId>,
    /// Types of objects that are seen as something that is no number, or of which the address becomes a number.
    otherwise: BTreeSet<TypeId>,
    /// Types of objects before which something may lie: their pointers are moved back.
    back: BTreeSet<TypeId>,
}

impl Uses {
    /// The uses in a whole program; parameters are those of `function`.
    pub(super) fn of(program: &Program, function: FunctionId) -> Uses {
        let mut uses = Uses {
            parameters: BTreeSet::new(),
            fields: BTreeSet::new(),
            behind: BTreeSet::new(),
            moved: BTreeSet::new(),
            otherwise: BTreeSet::new(),
            back: BTreeSet::new(),
        };
        for (id, entry) in program.functions.iter() {
            let Body::Defined(automaton) = &entry.body else { continue };
            let tested = tested(automaton);
            let in_function = InFunction { program, function: entry };
            for edge in automaton.edges.values() {
                uses.follow(in_function, &tested, &edge.instruction);
            }
            if id == function {
                uses.parameters = tested;
            }
        }
        uses
    }

    /// Whether the function compares this parameter with null.
    pub(super) fn tests_parameter(&self, parameter: RegisterId) -> bool {
        self.parameters.contains(&parameter)
    }

    /// Whether the program compares this field with null.
    pub(super) fn tests_field(&self, record: RecordId, field: u32) -> bool {
        self.fields.contains(&(record, field))
    }

    /// Whether the program compares pointers of this type with null that it reads through a pointer.
    pub(super) fn tests_behind(&self, ty: TypeId) -> bool {
        self.behind.contains(&ty)
    }

    /// Whether more than one object of this type may lie behind a pointer.
    pub(super) fn moves_along(&self, pointee: TypeId) -> bool {
        self.moved.contains(&pointee)
    }

    /// Whether what lies behind a pointer to this type may be something else, with pointers in it.
    pub(super) fn sees_otherwise(&self, pointee: TypeId) -> bool {
        self.otherwise.contains(&pointee)
    }

    /// Whether something may lie before what a pointer to this type leads to.
    pub(super) fn steps_back(&self, pointee: TypeId) -> bool {
        self.back.contains(&pointee)
    }

    fn follow(&mut self, at: InFunction<'_>, tested: &BTreeSet<RegisterId>, instruction: &Instruction) {
        match instruction {
            Instruction::Assign { target, value } => self.follow_value(at, *target, value),
            Instruction::Load { target, place } => {
                self.follow_place(at, place);
                if tested.contains(target) {
                    match place.path.steps.last() {
                        Some(Step::Field(record, field)) => self.fields.insert((*record, *field)),
                        None | Some(_) => self.behind.insert(place.ty),
                    };
                }
            }
            Instruction::Store { place, .. } => self.follow_place(at, place),
            Instruction::Copy { place, source, extent } => {
                self.follow_place(at, place);
                self.follow_extent(at, place, *extent);
                match source {
                    CopySource::Place(source) => {
                        self.follow_place(at, source);
                        self.follow_extent(at, source, *extent);
                    }
                    CopySource::Fill(_) | CopySource::Members | CopySource::Nondet => {}
                }
            }
            Instruction::Call { callee, arguments, .. } => self.follow_call(at, *callee, arguments),
            Instruction::Alloc { .. }
            | Instruction::Free { .. }
            | Instruction::End { .. }
            | Instruction::Assume(_)
            | Instruction::Assert(_)
            | Instruction::Unsupported(_) => {}
        }
    }

    fn move_along(&mut self, pointee: Option<TypeId>) {
        self.moved.extend(pointee);
    }

    /// An address of one type is one of the other from now on; `None` is no address.
    fn see_as(&mut self, program: &Program, from: Option<TypeId>, to: Option<TypeId>) {
        self.move_along(from);
        self.move_along(to);
        let is_number = |ty: TypeId| matches!(program.ty(ty), Type::Int(_) | Type::Float(_));
        if !(from.is_some_and(is_number) && to.is_some_and(is_number)) {
            self.otherwise.extend(from);
            self.otherwise.extend(to);
        }
    }

    fn follow_place(&mut self, at: InFunction<'_>, place: &Place) {
        let pointee = at.pointee(place.base);
        let starts_with_index = starts_with_index(&place.path);
        // Seen as something else than its type says.
        let is_other = pointee.is_some_and(|pointee| place.path.view != pointee && !starts_with_index);
        if is_other {
            self.see_as(at.program, pointee, Some(place.path.view));
        }
        if starts_with_index {
            self.move_along(pointee);
        }
    }

    fn follow_extent(&mut self, at: InFunction<'_>, place: &Place, extent: Extent) {
        let pointee = at.pointee(place.base);
        let size = pointee.and_then(|pointee| at.program.size_of(pointee));
        let fits = match extent {
            Extent::Type(ty) => at.program.size_of(ty) <= size,
            Extent::Bytes(Operand::Int(bytes)) => size.is_some_and(|size| bytes <= i128::from(size)),
            Extent::Bytes(_) | Extent::Common => false,
        };
        if !fits {
            self.move_along(pointee);
        }
    }

    fn follow_value(&mut self, at: InFunction<'_>, target: RegisterId, value: &Expression) {
        match value {
            // Null leads nowhere.
            Expression::Operand(Operand::Int(0)) | Expression::Convert { value: Operand::Int(0), .. } => {}
            Expression::Operand(source) => {
                let (from, to) = (at.pointee(*source), at.pointee(Operand::Register(target)));
                if from != to {
                    self.see_as(at.program, from, to);
                }
            }
            Expression::AddPath { base, path } => {
                if starts_with_index(path) {
                    self.move_along(at.pointee(*base));
                }
            }
            Expression::SubtractPath { base, .. } => {
                self.move_along(at.pointee(*base));
                self.back.extend(at.pointee(*base));
            }
            Expression::AddBytes { base, bytes: by } | Expression::AddIndex { base, index: by, .. } => {
                self.move_along(at.pointee(*base));
                if matches!(by, Operand::Int(by) if *by < 0) {
                    self.back.extend(at.pointee(*base));
                }
            }
            Expression::PointerDifference { left, right, .. } => {
                self.move_along(at.pointee(*left));
                self.move_along(at.pointee(*right));
            }
            // An address as a number may be any other one afterwards.
            Expression::Convert { value, .. } => {
                self.see_as(at.program, at.pointee(*value), at.pointee(Operand::Register(target)));
            }
            Expression::Unary { .. }
            | Expression::Binary { .. }
            | Expression::Nondet { .. }
            | Expression::Uninitialised => {}
        }
    }

    fn follow_call(&mut self, at: InFunction<'_>, callee: Callee, arguments: &[Operand]) {
        let called = match callee {
            Callee::Direct(called) => Some(&at.program.functions[called]),
            Callee::Indirect(_) => None,
        };
        for (index, argument) in arguments.iter().enumerate() {
            let Some(pointee) = at.pointee(*argument) else { continue };
            let parameter = called.and_then(|called| called.parameters.get(index).map(|it| called.registers[*it].ty));
            let same = parameter.and_then(|ty| at.program.pointee(ty)) == Some(pointee);
            let has_body = called.is_some_and(|called| matches!(called.body, Body::Defined(_)));
            let is_byte = matches!(at.program.ty(pointee), Type::Int(int) if int.bytes() == 1);
            if !same && has_body {
                self.otherwise.insert(pointee);
            }
            if !same || is_byte && !has_body {
                self.move_along(Some(pointee));
            }
        }
    }
}

#[derive(Clone, Copy)]
struct InFunction<'a> {
    program: &'a Program,
    function: &'a Function,
}

impl InFunction<'_> {
    /// What a register points to.
    fn pointee(&self, operand: Operand) -> Option<TypeId> {
        let ty = self.function.registers[operand.register()?].ty;
        self.program.pointee(ty)
    }
}

/// Whether a path leads along elements behind its pointer.
fn starts_with_index(path: &Path) -> bool {
    match path.steps.first() {
        Some(Step::Index(Index::Constant(0)) | Step::Field(..)) | None => false,
        Some(Step::Index(_)) => true,
    }
}

/// The registers that are compared with null, and those that they are copies of.
fn tested(automaton: &Automaton) -> BTreeSet<RegisterId> {
    let mut tested: BTreeSet<RegisterId> = BTreeSet::new();
    for edge in automaton.edges.values() {
        if let Instruction::Assume(Condition::Compare { left, right, .. }) = &edge.instruction {
            match (left, right) {
                (Operand::Register(register), Operand::Int(0)) | (Operand::Int(0), Operand::Register(register)) => {
                    tested.insert(*register);
                }
                _ => {}
            }
        }
    }
    loop {
        let before = tested.len();
        for edge in automaton.edges.values() {
            if let Instruction::Assign { target, value: Expression::Operand(Operand::Register(source)) } =
                &edge.instruction
                && tested.contains(target)
            {
                tested.insert(*source);
            }
        }
        if tested.len() == before {
            return tested;
        }
    }
}
