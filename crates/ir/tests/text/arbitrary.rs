//! Arbitrary programs: every variant of everything, with no regard to sense.

use heapwise_ir::{
    Automaton, BinaryOperator, BitRange, Body, Callback, CallbackArgument, Callee, CertainArgument, ClaimFault,
    CompareOperator, Condition, Construct, Contract, CopySource, DecidedBy, Dereference, DescriptorPart, Elements,
    ErrorNumber, Expression, Extent, ExternEffects, ExternResult, Failure, Field, FileId, FloatType, Format,
    FormatLanguage, Function, FunctionId, Global, GlobalId, Index, InitialContents, Initializer, InitializerItem,
    InputEnd, InputPart, Instruction, IntType, Length, LinkError, LocationId, MemoryEffect, Mutability, NullArgument,
    NullResult, Operand, Path, Place, Program, RangeEnd, ReadFirst, Record, RecordId, RecordKind, Register, RegisterId,
    RegisterOrigin, ResultRange, ResultStorage, SequencePart, ShapeKind, ShapePredicate, Signature, SourceFile, Span,
    Step, Storage, Success, Target, Termination, Type, TypeId, UnaryOperator, UnsupportedReason, View, WrittenBytes,
};

pub fn program(seed: u64) -> Program {
    let target = if seed.is_multiple_of(3) { Target::ILP32 } else { Target::LP64 };
    let mut arbitrary = Arbitrary { state: seed | 1, program: Program::new(target), registers: 0 };
    arbitrary.fill();
    arbitrary.program
}

struct Arbitrary {
    state: u64,
    program: Program,
    registers: usize,
}

const NAMES: [&str; 10] = ["x", "load", "null", "next", "L0", "f@a.c", "weird name", "`", "ü\\\n", "i32"];

impl Arbitrary {
    fn below(&mut self, limit: usize) -> usize {
        // splitmix64
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// A name that nothing else has.
    fn name(&mut self, number: usize) -> String {
        let stem = self.pick(&NAMES);
        if number == 0 { stem.to_owned() } else { format!("{stem}{number}") }
    }

    fn text(&mut self) -> String {
        self.pick(&["", "x", "a \"quoted\" text", "two\nlines\t\\", "ü\u{7f}\0"]).to_owned()
    }

    fn span(&mut self) -> Span {
        let file = FileId::from_u32(0);
        match self.below(4) {
            0 => Span::at(file, 7, 3),
            1 => Span { file: Some(file), line: 3, column: 4, end_line: 5, end_column: 6 },
            2 => Span { file: None, line: 3, column: 4, end_line: 0, end_column: 0 },
            _ => Span::NONE,
        }
    }

    fn fill(&mut self) {
        for number in 0..1 + self.below(2) {
            let (path, text) = (self.name(number), self.text());
            self.program.files.push(SourceFile { path, text });
        }
        let n_records = 1 + self.below(3);
        for number in 0..n_records {
            let name = self.name(number);
            self.program.records.push(Record { name, kind: RecordKind::Struct, fields: None, size: 0, align: 1 });
        }
        for number in 0..n_records {
            self.record(RecordId::from_u32(number as u32));
        }
        let n_globals = self.below(3);
        for number in 0..n_globals {
            let (name, ty, span) = (self.name(number), self.ty(), self.span());
            let mutability = self.pick(&[Mutability::Mutable, Mutability::ReadOnly]);
            let size = self.below(100) as u64;
            let align = self.pick(&[None, Some(1), Some(64)]);
            let initializer = Initializer::Unknown;
            self.program.globals.push(Global { name, span, ty, size, align, initializer, mutability });
        }
        let n_functions = 1 + self.below(3);
        for number in 0..n_functions {
            let name = self.name(number);
            self.function(name);
        }
        for number in 0..n_globals {
            self.program.globals[GlobalId::from_u32(number as u32)].initializer = self.initializer();
        }
        for number in 0..n_functions {
            if self.one_in(3) {
                let body = self.effects();
                self.program.functions[FunctionId::from_u32(number as u32)].body = Body::Extern(body);
            } else {
                self.body(FunctionId::from_u32(number as u32));
            }
        }
        for _ in 0..self.below(2) {
            let function = FunctionId::from_u32(self.below(n_functions) as u32);
            let (requires, ensures) = (vec![self.text()], vec![self.text(), self.text()]);
            let span = self.span();
            self.program.contracts.push(Contract { function, requires, ensures, span });
        }
        for _ in 0..self.below(3) {
            let gap = (self.span(), self.reason());
            self.program.gaps.push(gap);
        }
    }

    fn record(&mut self, id: RecordId) {
        let kind = self.pick(&[RecordKind::Struct, RecordKind::Union]);
        let (size, align) = (self.below(100) as u64, 1 << self.below(4));
        let mut fields = Vec::new();
        for number in 0..self.below(5) {
            let (name, ty, offset) = (self.name(number), self.ty(), self.below(64) as u64);
            let bits = if self.one_in(4) { Some(self.bits()) } else { None };
            fields.push(Field { name, ty, offset, bits });
        }
        let fields = if self.one_in(5) { None } else { Some(fields) };
        let record = &mut self.program.records[id];
        (record.kind, record.size, record.align, record.fields) = (kind, size, align, fields);
    }

    fn bits(&mut self) -> BitRange {
        BitRange { shift: self.below(32) as u8, width: 1 + self.below(32) as u8 }
    }

    fn ty(&mut self) -> TypeId {
        let ty = match self.below(9) {
            0 => Type::Void,
            1 | 2 => Type::Int(self.pick(&[
                IntType::Bool,
                IntType::Signed(1),
                IntType::Signed(4),
                IntType::Unsigned(8),
                IntType::Unsigned(16),
            ])),
            3 => Type::Float(self.pick(&[FloatType::Single, FloatType::Double, FloatType::Extended, FloatType::Quad])),
            4 => Type::Array(self.ty(), self.clone_count()),
            5 => {
                let parameters = (0..self.below(3)).map(|_| self.ty()).collect();
                let result = if self.one_in(2) { Some(self.ty()) } else { None };
                Type::Function(Signature { result, parameters, variadic: self.one_in(2) })
            }
            6 => Type::Record(RecordId::from_u32(self.below(self.program.records.len()) as u32)),
            _ => Type::Pointer(self.ty()),
        };
        self.program.types.intern(ty)
    }

    fn clone_count(&mut self) -> Option<u64> {
        self.pick(&[None, Some(0), Some(3), Some(u64::MAX)])
    }

    fn initializer(&mut self) -> Initializer {
        self.registers = 0;
        match self.below(4) {
            0 => Initializer::Unknown,
            3 => Initializer::Library(self.pick(&[NullResult::Possible, NullResult::Never])),
            1 => Initializer::Bytes(vec![b'a', 0, 0xff, b'"', b'\n', 0xc3, 0xa4]),
            _ => Initializer::Items(
                (0..self.below(3))
                    .map(|_| InitializerItem {
                        offset: self.below(64) as u64,
                        ty: self.ty(),
                        bits: if self.one_in(3) { Some(self.bits()) } else { None },
                        value: self.operand(),
                        addend: self.pick(&[0, 8, -8]),
                    })
                    .collect(),
            ),
        }
    }

    fn function(&mut self, name: String) {
        let mut function = Function {
            name,
            span: self.span(),
            registers: Default::default(),
            parameters: Vec::new(),
            result: None,
            variadic: self.one_in(3),
            address_taken: self.one_in(3),
            body: Body::Extern(ExternEffects::UNKNOWN),
        };
        let n_registers = self.below(6);
        for number in 0..n_registers {
            let (name, ty, span) = (self.name(number), self.ty(), self.span());
            let origin = self.pick(&[
                RegisterOrigin::Variable(span),
                RegisterOrigin::AddressOfLocal(span),
                RegisterOrigin::Temporary,
            ]);
            function.registers.push(Register { name, ty, origin });
        }
        let mut registers: Vec<RegisterId> = function.registers.keys().collect();
        if self.one_in(4) {
            registers.reverse();
        }
        let n_parameters = self.below(n_registers + 1);
        function.parameters = registers[..n_parameters].to_vec();
        if n_registers > 0 && self.one_in(2) {
            function.result = Some(RegisterId::from_u32(self.below(n_registers) as u32));
        }
        self.program.functions.push(function);
    }

    fn effects(&mut self) -> ExternEffects {
        ExternEffects {
            termination: self.pick(&[Termination::Returns, Termination::Exits, Termination::Aborts]),
            memory: self.pick(&[
                MemoryEffect::Pure,
                MemoryEffect::Unknown,
                MemoryEffect::Writes(vec![0, 2]),
                MemoryEffect::Writes(vec![]),
                MemoryEffect::StoresPointer { through: 1, into: 0 },
            ]),
            dereferences: self.pick(&[
                vec![],
                vec![
                    Dereference { parameter: 2, null: NullArgument::Error, length: Length::Behind(1) },
                    Dereference { parameter: 0, null: NullArgument::Allowed, length: Length::Argument(1) },
                    Dereference { parameter: 1, null: NullArgument::Error, length: Length::Constant(16) },
                ],
            ]),
            reads_first: self.pick(&[
                vec![],
                vec![
                    ReadFirst { parameter: 0, member: None },
                    ReadFirst { parameter: 2, member: Some("tm_sec".to_owned()) },
                    ReadFirst { parameter: 2, member: Some("struct".to_owned()) },
                ],
            ]),
            format: self.pick(&[
                None,
                Some(Format { parameter: 1, language: FormatLanguage::Print }),
                Some(Format { parameter: 0, language: FormatLanguage::Scan }),
                Some(Format { parameter: 2, language: FormatLanguage::PrintList }),
            ]),
            result: self.pick(&[
                ExternResult::Any,
                ExternResult::Argument(1),
                ExternResult::IntoArgument { argument: 0, null: NullResult::Possible },
                ExternResult::IntoArgument { argument: 0, null: NullResult::Never },
                ExternResult::Library { null: NullResult::Possible },
                ExternResult::Library { null: NullResult::Never },
            ]),
            takes_ownership: self.pick(&[vec![], vec![1], vec![0, 1]]),
            range: self.pick(&[
                None,
                Some(ResultRange { low: -1, high: RangeEnd::Constant(255) }),
                Some(ResultRange { low: 0, high: RangeEnd::Below(1) }),
                Some(ResultRange { low: -1, high: RangeEnd::Argument(1) }),
            ]),
            decided_by: self.pick(&[
                DecidedBy::Arguments,
                DecidedBy::Outside,
                DecidedBy::OutsideOnce,
                DecidedBy::OutsideChanges,
            ]),
            success: self.pick(&[
                None,
                Some(Success::Zero),
                Some(Success::NonNegative),
                Some(Success::Positive),
                Some(Success::NonZero),
                Some(Success::Negative),
            ]),
            certain: self.pick(&[None, Some(CertainArgument { parameter: 1, low: -3, high: 7 })]),
            written: self.pick(&[WrittenBytes::Any, WrittenBytes::Text, WrittenBytes::Characters]),
            storage: self.pick(&[
                None,
                Some(ResultStorage::Shared("tm".to_owned())),
                Some(ResultStorage::Changing("environment".to_owned())),
                Some(ResultStorage::OfArgument(2)),
                Some(ResultStorage::New),
            ]),
            sequence: self.pick(&[
                None,
                Some(SequencePart::Draws("rand".to_owned())),
                Some(SequencePart::Restarts("rand".to_owned())),
                Some(SequencePart::Changes("rand".to_owned())),
            ]),
            input: self.pick(&[
                None,
                Some(InputPart { from: None, end: InputEnd::Negative }),
                Some(InputPart { from: Some(0), end: InputEnd::Zero }),
                Some(InputPart { from: Some(3), end: InputEnd::Fewer }),
            ]),
            callback: self.pick(&[
                None,
                Some(Box::new(Callback { function: 1, arguments: vec![], rearranges: None, elements: None })),
                Some(Box::new(Callback {
                    function: 0,
                    arguments: vec![CallbackArgument::Parameter(2), CallbackArgument::Into(0), CallbackArgument::Other],
                    rearranges: Some(1),
                    elements: Some(Elements { count: 0, size: 1 }),
                })),
            ]),
            descriptor: self.pick(&[
                None,
                Some(DescriptorPart::Opens),
                Some(DescriptorPart::OpensWritten),
                Some(DescriptorPart::Closes(1)),
                Some(DescriptorPart::HandsOver(1)),
            ]),
            non_empty: self.pick(&[None, Some("d_name".to_owned())]),
            error_number: self.pick(&[ErrorNumber::MayBeSet, ErrorNumber::Kept]),
            modelled: self.one_in(2),
        }
    }

    fn body(&mut self, id: FunctionId) {
        self.registers = self.program.functions[id].registers.len();
        let mut automaton = Automaton::new();
        for _ in 0..self.below(4) {
            automaton.add_location();
        }
        let n_locations = automaton.n_locations();
        automaton.entry = LocationId::from_u32(self.below(n_locations) as u32);
        automaton.exit = LocationId::from_u32(self.below(n_locations) as u32);
        for _ in 0..self.below(12) {
            let from = LocationId::from_u32(self.below(n_locations) as u32);
            let to = LocationId::from_u32(self.below(n_locations) as u32);
            let (instruction, span) = (self.instruction(), self.span());
            automaton.add_edge(from, to, instruction, span);
        }
        self.program.functions[id].body = Body::Defined(automaton);
    }

    fn register(&mut self) -> Option<RegisterId> {
        if self.registers == 0 { None } else { Some(RegisterId::from_u32(self.below(self.registers) as u32)) }
    }

    fn operand(&mut self) -> Operand {
        match self.below(6) {
            0 => Operand::Int(self.pick(&[0, 1, -1, i128::MAX, i128::MIN, 1 << 64])),
            1 => Operand::Float(self.pick(&[0.0, -0.0, 1.5, -1e300, 1e-7, f64::INFINITY, f64::NAN, f64::MIN_POSITIVE])),
            2 if !self.program.globals.is_empty() => {
                Operand::Global(GlobalId::from_u32(self.below(self.program.globals.len()) as u32))
            }
            3 => Operand::Function(FunctionId::from_u32(self.below(self.program.functions.len()) as u32)),
            _ => self.register().map_or(Operand::ZERO, Operand::Register),
        }
    }

    fn path(&mut self) -> Path {
        let view = self.ty();
        let mut path = Path { view, steps: Default::default() };
        let mut ty = view;
        for _ in 0..self.below(4) {
            match self.program.ty(ty).clone() {
                Type::Record(record) => {
                    let n_fields = self.program.records[record].fields().len();
                    if n_fields == 0 {
                        break;
                    }
                    let field = self.below(n_fields);
                    path.steps.push(Step::Field(record, field as u32));
                    ty = self.program.records[record].fields()[field].ty;
                }
                Type::Array(element, _) => {
                    // Only elements with a size can be stepped over.
                    if self.program.stride_of(element).is_none() {
                        break;
                    }
                    let operand = self.operand();
                    let index = self.pick(&[Index::Constant(-3), Index::Constant(4), Index::Operand(operand)]);
                    path.steps.push(Step::Index(index));
                    ty = element;
                }
                _ => break,
            }
        }
        if self.program.resolve(&path).is_none() {
            path.steps.clear();
        }
        path
    }

    fn place(&mut self) -> Place {
        let base = self.operand();
        let mut path = self.path();
        if let Some(view) = base.register().and_then(|_| self.program.default_view(None, base)) {
            path = Path { view, steps: Default::default() };
        }
        let resolved = self.program.resolve(&path).expect("checked above");
        let bits = self.bits();
        Place {
            base,
            path,
            ty: if self.one_in(4) { self.ty() } else { resolved.ty },
            bits: self.pick(&[resolved.bits, resolved.bits, None, Some(bits)]),
        }
    }

    fn reason(&mut self) -> UnsupportedReason {
        let (text, other) = (self.text(), self.text());
        self.pick(&[
            UnsupportedReason::InlineAssembly,
            UnsupportedReason::NonLocalJump,
            UnsupportedReason::ComputedGoto,
            UnsupportedReason::NestedFunction,
            UnsupportedReason::ScalarType(text.clone()),
            UnsupportedReason::FrontEndError(text.clone()),
            UnsupportedReason::CompilerOption { option: text.clone(), file: other.clone() },
            ClaimFault::Unknown { name: text.clone() }.into(),
            ClaimFault::ContractNoLiteral.into(),
            ClaimFault::FieldNoLiteral.into(),
            ClaimFault::Links(LinkError::NoStruct).into(),
            ClaimFault::Links(LinkError::NoField { record: text.clone(), field: other }).into(),
            ClaimFault::Links(LinkError::NoLink { record: text.clone() }).into(),
            ClaimFault::Links(LinkError::NoParent { record: text.clone() }).into(),
            ClaimFault::Links(LinkError::UnclearCycle { record: text.clone() }).into(),
            ClaimFault::Links(LinkError::UnclearNeighbours { record: text.clone() }).into(),
            ClaimFault::Links(LinkError::TooMany { record: text.clone() }).into(),
            Construct::DeclaredOtherwise { name: text.clone() }.into(),
            Construct::DefinedOtherwise { name: text.clone() }.into(),
            Construct::ArgumentNotModelled { function: text.clone() }.into(),
            Construct::WeakObject { name: text.clone() }.into(),
            Construct::VariadicThroughPointer { function: text }.into(),
            Construct::CalledAsOtherType.into(),
            Construct::AddressOfRegister.into(),
            Construct::AllocaCalled.into(),
            Construct::EvaluatedInType.into(),
            Construct::AtomicOperation.into(),
            Construct::AtomicAggregate.into(),
            Construct::Builtin.into(),
            Construct::FloatBits.into(),
            Construct::WideOverflowCheck.into(),
            Construct::ArgumentCount.into(),
            Construct::VaStartWithoutEllipsis.into(),
            Construct::Constructor.into(),
            Construct::StrayBreak.into(),
            Construct::StrayContinue.into(),
            Construct::ErroneousExpression.into(),
            Construct::ErroneousStatement.into(),
            Construct::InitializerNotConstant.into(),
            Construct::InitializerOfUnknownPart.into(),
            Construct::FormatMisfit.into(),
            Construct::InitializedAgain.into(),
            Construct::InitializerReversed.into(),
            Construct::MemberReversed.into(),
            Construct::MemberOfNoRecord.into(),
            Construct::MemberWithoutLayout.into(),
            Construct::IncompleteSize.into(),
            Construct::IncompleteArithmetic.into(),
        ])
    }

    fn instruction(&mut self) -> Instruction {
        let target = self.register();
        match (self.below(11), target) {
            (0, Some(target)) => Instruction::Assign { target, value: self.expression() },
            (1, Some(target)) => Instruction::Load { target, place: self.place() },
            (2, _) => Instruction::Store { place: self.place(), value: self.operand() },
            (3, _) => {
                let place = self.place();
                let (source, value) = (self.place(), self.operand());
                let source = self.pick(&[
                    CopySource::Place(source),
                    CopySource::Fill(value),
                    CopySource::Members,
                    CopySource::Nondet,
                ]);
                let (ty, bytes) = (self.ty(), self.operand());
                let extent =
                    self.pick(&[Extent::Type(ty), Extent::Type(place.ty), Extent::Bytes(bytes), Extent::Common]);
                Instruction::Copy { place, source, extent }
            }
            (4, Some(target)) => {
                let (element, count) = (self.ty(), self.operand());
                let view = View { element, count, has_tail: self.one_in(2) };
                Instruction::Alloc {
                    target,
                    bytes: self.operand(),
                    storage: self.pick(&[Storage::Heap, Storage::Auto]),
                    contents: self.pick(&[
                        InitialContents::Uninitialised,
                        InitialContents::Zeroed,
                        InitialContents::Nondet,
                    ]),
                    failure: self.pick(&[Failure::Possible, Failure::Never]),
                    align: if self.one_in(2) { None } else { Some(self.operand()) },
                    view: if self.one_in(3) { None } else { Some(view) },
                }
            }
            (5, _) => Instruction::Free { pointer: self.operand() },
            (6, _) => Instruction::End { pointer: self.operand() },
            (7, _) => Instruction::Assume(self.condition()),
            (8, target) => {
                let function = FunctionId::from_u32(self.below(self.program.functions.len()) as u32);
                let pointer = self.operand();
                Instruction::Call {
                    target,
                    callee: self.pick(&[Callee::Direct(function), Callee::Indirect(pointer)]),
                    arguments: (0..self.below(3)).map(|_| self.operand()).collect(),
                }
            }
            (9, _) => Instruction::Assert(self.condition()),
            _ => Instruction::Unsupported(self.reason()),
        }
    }

    fn expression(&mut self) -> Expression {
        let (base, other) = (self.operand(), self.operand());
        let (path, ty) = (self.path(), self.ty());
        match self.below(10) {
            0 => Expression::Operand(base),
            1 => Expression::AddPath { base, path },
            2 => Expression::SubtractPath { base, path },
            3 => Expression::AddBytes { base, bytes: other },
            4 => Expression::AddIndex { base, index: other, element: ty },
            5 => Expression::PointerDifference { left: base, right: other, element: ty },
            6 => Expression::Unary {
                operator: self.pick(&[UnaryOperator::Negate, UnaryOperator::Complement]),
                ty,
                value: base,
            },
            7 => Expression::Binary {
                operator: self.pick(&[
                    BinaryOperator::Add,
                    BinaryOperator::Subtract,
                    BinaryOperator::Multiply,
                    BinaryOperator::Divide,
                    BinaryOperator::Remainder,
                    BinaryOperator::And,
                    BinaryOperator::Or,
                    BinaryOperator::Xor,
                    BinaryOperator::ShiftLeft,
                    BinaryOperator::ShiftRight,
                ]),
                ty,
                left: base,
                right: other,
            },
            8 => Expression::Convert { from: ty, to: self.ty(), value: base },
            _ => Expression::Nondet { ty },
        }
    }

    fn condition(&mut self) -> Condition {
        let (ty, left, right) = (self.ty(), self.operand(), self.operand());
        let operator = self.pick(&[
            CompareOperator::Equal,
            CompareOperator::NotEqual,
            CompareOperator::Less,
            CompareOperator::LessEqual,
            CompareOperator::Greater,
            CompareOperator::GreaterEqual,
        ]);
        match self.below(5) {
            0 => Condition::True,
            1 => Condition::False,
            2 => Condition::Compare { operator, ty, left, right },
            3 => Condition::NotCompare { operator, ty, left, right },
            _ => {
                let kind = self.pick(&[
                    ShapeKind::Acyclic,
                    ShapeKind::Cyclic,
                    ShapeKind::Reach,
                    ShapeKind::Disjoint,
                    ShapeKind::DoublyLinked,
                    ShapeKind::Tree,
                    ShapeKind::TreeWithParent,
                ]);
                let record = RecordId::from_u32(self.below(self.program.records.len()) as u32);
                let links = (0..self.below(3)).map(|_| self.path()).collect();
                let arguments = (0..self.below(3)).map(|_| self.operand()).collect();
                Condition::Shape(ShapePredicate { kind, arguments, record, links })
            }
        }
    }
}
