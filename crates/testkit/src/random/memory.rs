//! Allocating and freeing, of records and of what they lie within.

use super::lower::{Frame, Lowering, name};
use super::{Fresh, Placement, Variable};
use heapwise_ir::{
    CompareOperator, Condition, Expression, Failure, Field, InitialContents, Instruction, IntType, Operand, Path,
    Record, RecordKind, RegisterId, Span, Step, Storage, Type, TypeId, View,
};

/// Bytes in front of a record that lies within what is allocated.
const BEFORE: u64 = 8;

impl Lowering<'_> {
    /// The record that is allocated where a record lies within it.
    pub(super) fn cell(&mut self, record: usize) {
        let it = self.record_type(record);
        let long = self.program.types.intern(Type::Int(IntType::Signed(8)));
        let fields = vec![
            Field { name: "before".to_owned(), ty: long, offset: 0, bits: None },
            Field { name: "it".to_owned(), ty: it, offset: BEFORE, bits: None },
        ];
        let size = BEFORE + self.program.size_of(it).unwrap_or(0);
        let (kind, fields) = (RecordKind::Struct, Some(fields));
        let cell = self.program.records.push(Record { name: format!("c{record}"), kind, fields, size, align: 8 });
        self.cells[record] = Some(cell);
        self.emit(0, &format!("struct c{record} {{ long before; struct s{record} it; }};"));
    }

    pub(super) fn allocate(&mut self, frame: &mut Frame<'_>, target: Variable, fresh: Fresh, depth: usize) {
        let record = self.record_of(frame, target);
        let tag = match self.source.placement {
            Placement::Whole => format!("struct s{record}"),
            Placement::Within => format!("struct c{record}"),
        };
        let (call, contents) = match fresh {
            Fresh::Zeroed => (format!("calloc(1, sizeof({tag}))"), InitialContents::Zeroed),
            Fresh::Uninitialised => (format!("malloc(sizeof({tag}))"), InitialContents::Uninitialised),
        };
        let text = match self.source.placement {
            Placement::Whole => format!("{} = {call};", name(target)),
            Placement::Within => format!("{{ {tag} *c = {call}; {} = c != NULL ? &c->it : NULL; }}", name(target)),
        };
        let span = self.emit(depth, &text);
        let register = self.target(frame, target);
        match self.cells[record] {
            None => {
                let element = self.record_type(record);
                self.allocate_one(frame, register, element, contents, span);
            }
            Some(cell) => {
                let element = self.program.types.intern(Type::Record(cell));
                let pointer = self.program.types.intern(Type::Pointer(element));
                let whole = frame.temporary("c", pointer);
                self.allocate_one(frame, whole, element, contents, span);
                let it = Expression::AddPath { base: Operand::Register(whole), path: self.it(record) };
                self.unless_null(frame, (Operand::Register(whole), pointer), (register, it), span);
            }
        }
        self.write_back(frame, target, register, span);
    }

    fn allocate_one(
        &mut self,
        frame: &mut Frame<'_>,
        target: RegisterId,
        element: TypeId,
        contents: InitialContents,
        span: Span,
    ) {
        let size = self.program.size_of(element).unwrap_or(0);
        let instruction = Instruction::Alloc {
            target,
            bytes: Operand::Int(i128::from(size)),
            storage: Storage::Heap,
            contents,
            failure: Failure::Possible,
            align: None,
            view: Some(View { element, count: Operand::Int(1), has_tail: false }),
        };
        frame.edge(instruction, span);
    }

    pub(super) fn free(&mut self, frame: &mut Frame<'_>, variable: Variable, depth: usize) {
        let record = self.record_of(frame, variable);
        let Some(cell) = self.cells[record] else {
            let span = self.emit(depth, &format!("free({});", name(variable)));
            let pointer = self.read(frame, variable, span);
            frame.edge(Instruction::Free { pointer }, span);
            return;
        };
        let text = format!("free({0} != NULL ? (char *){0} - {BEFORE} : NULL);", name(variable));
        let span = self.emit(depth, &text);
        let pointer = self.read(frame, variable, span);
        let element = self.program.types.intern(Type::Record(cell));
        let whole_type = self.program.types.intern(Type::Pointer(element));
        let whole = frame.temporary("c", whole_type);
        let pointer_type = self.pointer_to(record);
        let around = Expression::SubtractPath { base: pointer, path: self.it(record) };
        self.unless_null(frame, (pointer, pointer_type), (whole, around), span);
        frame.edge(Instruction::Free { pointer: Operand::Register(whole) }, span);
    }

    /// The way from what is allocated to the record within.
    fn it(&mut self, record: usize) -> Path {
        let cell = self.cells[record].expect("cells were made with their records");
        let view = self.program.types.intern(Type::Record(cell));
        Path { view, steps: [Step::Field(cell, 1)].into_iter().collect() }
    }

    /// `target = pointer != NULL ? value : NULL`.
    fn unless_null(
        &mut self,
        frame: &mut Frame<'_>,
        (pointer, ty): (Operand, TypeId),
        (target, value): (RegisterId, Expression),
        span: Span,
    ) {
        let condition =
            |operator| Instruction::Assume(Condition::Compare { operator, ty, left: pointer, right: Operand::ZERO });
        let (null, other) = (frame.automaton.add_location(), frame.automaton.add_location());
        frame.edge_to(null, condition(CompareOperator::Equal), span);
        frame.edge_to(other, condition(CompareOperator::NotEqual), span);
        frame.at = other;
        frame.assign(target, value, span);
        let join = frame.at;
        frame.at = null;
        frame.edge_to(join, Instruction::Assign { target, value: Expression::Operand(Operand::ZERO) }, span);
        frame.at = join;
    }
}
