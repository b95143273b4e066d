//! From the tree of statements to `ir`, and to the C text that its spans point into.

use super::{Data, DataSource, Locals, Placement, RandomFunction, RandomProgram, Statement, Test, Variable};
use heapwise_ir::{
    Automaton, BinaryOperator, Body, Callee, CompareOperator, Condition, Expression, Field, FileId, Function,
    FunctionId, Global, GlobalId, Initializer, Instruction, IntType, LocationId, Mutability, Operand, Path, Place,
    Program, Record, RecordId, RecordKind, Register, RegisterId, RegisterOrigin, SourceFile, Span, Step, Target, Type,
    TypeId,
};
use std::collections::BTreeSet;

impl RandomProgram {
    /// The program in `ir`; only what `main` uses. Its only file is the C text.
    pub fn lower(&self) -> Lowered {
        Lowering::new(self).program()
    }
}

/// A random program in `ir`.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// Its entry point.
    pub main: FunctionId,
}

impl Lowered {
    /// The C text.
    pub fn c_text(&self) -> &str {
        self.program.files.values().next().map_or("", |file| &file.text)
    }
}

pub(super) struct Lowering<'r> {
    pub(super) source: &'r RandomProgram,
    pub(super) program: Program,
    file: FileId,
    c: String,
    line: u32,
    int: TypeId,
    /// By number in `source`; only what is used.
    records: Vec<Option<RecordId>>,
    /// The records around them, where there are such.
    pub(super) cells: Vec<Option<RecordId>>,
    globals: Vec<Option<GlobalId>>,
    functions: Vec<Option<FunctionId>>,
}

/// The function being lowered.
pub(super) struct Frame<'r> {
    source: &'r RandomFunction,
    function: Function,
    pub(super) automaton: Automaton,
    registers: Vec<Option<RegisterId>>,
    pub(super) at: LocationId,
    n_temporaries: usize,
}

/// What `main` uses.
#[derive(Default)]
struct Used {
    records: BTreeSet<usize>,
    globals: BTreeSet<usize>,
    functions: BTreeSet<usize>,
}

impl<'r> Lowering<'r> {
    fn new(source: &'r RandomProgram) -> Lowering<'r> {
        let mut program = Program::new(Target::LP64);
        let file = program.files.push(SourceFile { path: "random.c".to_owned(), text: String::new() });
        let int = program.types.intern(Type::Int(IntType::Signed(4)));
        Lowering {
            source,
            program,
            file,
            c: String::new(),
            line: 1,
            int,
            records: vec![None; source.records.len()],
            cells: vec![None; source.records.len()],
            globals: vec![None; source.globals.len()],
            functions: vec![None; source.functions.len()],
        }
    }

    fn program(mut self) -> Lowered {
        let used = self.used();
        self.emit(0, "#include <assert.h>");
        self.emit(0, "#include <stdlib.h>");
        self.emit(0, "int any(void);");
        for record in &used.records {
            let fields = None;
            let name = format!("s{record}");
            let record_id =
                self.program.records.push(Record { name, kind: RecordKind::Struct, fields, size: 0, align: 8 });
            self.records[*record] = Some(record_id);
        }
        for record in &used.records {
            self.record(*record);
        }
        for global in &used.globals {
            let ty = self.pointer_to(self.source.globals[*global]);
            let span = self.emit(0, &format!("struct s{} *g{global};", self.source.globals[*global]));
            let initializer = Initializer::Items(Vec::new());
            let mutability = Mutability::Mutable;
            let name = format!("g{global}");
            let id =
                self.program.globals.push(Global { name, span, ty, size: 8, align: None, initializer, mutability });
            self.globals[*global] = Some(id);
        }
        for function in &used.functions {
            self.declare(*function);
        }
        for function in &used.functions {
            self.define(*function);
        }
        self.program.files[self.file].text = std::mem::take(&mut self.c);
        let main = self.functions.last().copied().flatten().unwrap_or(FunctionId::from_u32(0));
        Lowered { program: self.program, main }
    }

    /// One line of C; its span.
    pub(super) fn emit(&mut self, depth: usize, text: &str) -> Span {
        let indent = 2 * depth;
        self.c += &format!("{:indent$}{text}\n", "");
        let (line, column) = (self.line, indent as u32 + 1);
        self.line += 1;
        Span { file: Some(self.file), line, column, end_line: line, end_column: column + text.len() as u32 }
    }

    fn used(&self) -> Used {
        let mut used = Used::default();
        let mut pending = vec![self.source.functions.len() - 1];
        while let Some(function) = pending.pop() {
            if !used.functions.insert(function) {
                continue;
            }
            let function = &self.source.functions[function];
            for variable in used_locals(function) {
                used.records.insert(function.variables[variable]);
            }
            walk(&function.body, &mut |statement| {
                if let Statement::Call { function, .. } = statement {
                    pending.push(*function);
                }
                for variable in variables_of(statement) {
                    if let Variable::Global(global) = variable {
                        used.globals.insert(global);
                        used.records.insert(self.source.globals[global]);
                    }
                }
            });
        }
        let mut pending: Vec<usize> = used.records.iter().copied().collect();
        while let Some(record) = pending.pop() {
            for pointee in &self.source.records[record].pointers {
                if used.records.insert(*pointee) {
                    pending.push(*pointee);
                }
            }
        }
        used
    }

    fn record_id(&self, record: usize) -> RecordId {
        self.records[record].expect("used records were made first")
    }

    pub(super) fn record_type(&mut self, record: usize) -> TypeId {
        let id = self.record_id(record);
        self.program.types.intern(Type::Record(id))
    }

    pub(super) fn pointer_to(&mut self, record: usize) -> TypeId {
        let record = self.record_type(record);
        self.program.types.intern(Type::Pointer(record))
    }

    fn record(&mut self, record: usize) {
        let source = self.source.records[record].clone();
        let mut fields = Vec::new();
        let mut members = String::new();
        for (index, pointee) in source.pointers.iter().enumerate() {
            let ty = self.pointer_to(*pointee);
            fields.push(Field { name: format!("f{index}"), ty, offset: 8 * index as u64, bits: None });
            members += &format!("struct s{pointee} *f{index}; ");
        }
        let mut size = 8 * source.pointers.len() as u64;
        // A record without any field would have no size.
        if source.data != Data::None || fields.is_empty() {
            fields.push(Field { name: "data".to_owned(), ty: self.int, offset: size, bits: None });
            members += "int data; ";
            size += 8;
        }
        let id = self.record_id(record);
        self.program.records[id].fields = Some(fields);
        self.program.records[id].size = size;
        self.emit(0, &format!("struct s{record} {{ {members}}};"));
        if self.source.placement == Placement::Within {
            self.cell(record);
        }
    }

    fn is_main(&self, function: usize) -> bool {
        function + 1 == self.source.functions.len()
    }

    fn header(&self, function: usize) -> String {
        let source = &self.source.functions[function];
        if self.is_main(function) {
            return "int main(void)".to_owned();
        }
        let parameters: Vec<String> =
            (0..source.n_parameters).map(|index| format!("struct s{} *v{index}", source.variables[index])).collect();
        let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
        match source.result {
            Some(result) => format!("struct s{} *fn{function}({parameters})", source.variables[result]),
            None => format!("void fn{function}({parameters})"),
        }
    }

    fn declare(&mut self, function: usize) {
        let header = self.header(function);
        let span = self.emit(0, &format!("{header};"));
        let name = if self.is_main(function) { "main".to_owned() } else { format!("fn{function}") };
        self.functions[function] = Some(self.program.functions.push(Function {
            name,
            span,
            registers: Default::default(),
            parameters: Vec::new(),
            result: None,
            variadic: false,
            address_taken: false,
            body: Body::Defined(Automaton::new()),
        }));
    }

    fn define(&mut self, function: usize) {
        let id = self.functions[function].expect("used functions were declared first");
        let source = &self.source.functions[function];
        let header = self.header(function);
        self.emit(0, &format!("{header} {{"));
        let automaton = Automaton::new();
        let at = automaton.entry;
        let mut frame = Frame {
            source,
            function: self.program.functions[id].clone(),
            automaton,
            registers: vec![None; source.variables.len()],
            at,
            n_temporaries: 0,
        };
        for variable in used_locals(source) {
            self.local(&mut frame, variable);
        }
        self.block(&mut frame, &source.body, 1);
        self.finish(&mut frame, function);
        frame.function.body = Body::Defined(frame.automaton);
        self.program.functions[id] = frame.function;
    }

    fn local(&mut self, frame: &mut Frame<'_>, variable: usize) {
        let record = frame.source.variables[variable];
        let ty = self.pointer_to(record);
        let is_parameter = variable < frame.source.n_parameters;
        let initial = match self.source.locals {
            Locals::Null => " = NULL",
            Locals::Uninitialised => "",
        };
        let span = if is_parameter {
            frame.function.span
        } else {
            self.emit(1, &format!("struct s{record} *v{variable}{initial};"))
        };
        let origin = RegisterOrigin::Variable(span);
        let register = frame.function.registers.push(Register { name: format!("v{variable}"), ty, origin });
        frame.registers[variable] = Some(register);
        if is_parameter {
            frame.function.parameters.push(register);
        } else if self.source.locals == Locals::Null {
            frame.assign(register, Expression::Operand(Operand::ZERO), span);
        }
    }

    fn finish(&mut self, frame: &mut Frame<'_>, function: usize) {
        let (text, ty, value) = match frame.source.result {
            _ if self.is_main(function) => ("return 0;".to_owned(), self.int, Operand::ZERO),
            Some(result) => {
                let ty = self.pointer_to(frame.source.variables[result]);
                (format!("return v{result};"), ty, Operand::Register(frame.register(result)))
            }
            None => {
                let span = self.emit(0, "}");
                return frame.edge_to(frame.automaton.exit, Instruction::Assume(Condition::True), span);
            }
        };
        let span = self.emit(1, &text);
        let register = frame.temporary("result", ty);
        frame.function.result = Some(register);
        let exit = frame.automaton.exit;
        frame.edge_to(exit, Instruction::Assign { target: register, value: Expression::Operand(value) }, span);
        self.emit(0, "}");
    }

    fn block(&mut self, frame: &mut Frame<'_>, block: &[Statement], depth: usize) {
        for statement in block {
            self.statement(frame, statement, depth);
        }
    }

    fn statement(&mut self, frame: &mut Frame<'_>, statement: &Statement, depth: usize) {
        match statement {
            Statement::SetNull(target) => {
                let span = self.emit(depth, &format!("{} = NULL;", name(*target)));
                self.write(frame, *target, Operand::ZERO, span);
            }
            Statement::Copy(target, source) => {
                let span = self.emit(depth, &format!("{} = {};", name(*target), name(*source)));
                let value = self.read(frame, *source, span);
                self.write(frame, *target, value, span);
            }
            Statement::Allocate(target, fresh) => self.allocate(frame, *target, *fresh, depth),
            Statement::Load { target, base, field } => {
                let span = self.emit(depth, &format!("{} = {}->f{field};", name(*target), name(*base)));
                let place = self.place(frame, *base, *field, span);
                let register = self.target(frame, *target);
                frame.edge(Instruction::Load { target: register, place }, span);
                self.write_back(frame, *target, register, span);
            }
            Statement::Store { base, field, value } => {
                let text = value.map_or("NULL".to_owned(), name);
                let span = self.emit(depth, &format!("{}->f{field} = {text};", name(*base)));
                let value = value.map_or(Operand::ZERO, |value| self.read(frame, value, span));
                let place = self.place(frame, *base, *field, span);
                frame.edge(Instruction::Store { place, value }, span);
            }
            Statement::StoreData { base, value } => {
                let span = self.emit(depth, &format!("{}->data = {value};", name(*base)));
                let place = self.data(frame, *base, span);
                frame.edge(Instruction::Store { place, value: Operand::Int(i128::from(*value)) }, span);
            }
            Statement::CopyData { base, source } => self.copy_data(frame, *base, *source, depth),
            Statement::Free(variable) => self.free(frame, *variable, depth),
            Statement::If(test, then, otherwise) => self.branch(frame, *test, then, otherwise, depth),
            Statement::While(test, body) => self.repeat(frame, *test, body, depth),
            Statement::Call { function, arguments, target } => {
                self.call(frame, *function, arguments, *target, depth);
            }
            Statement::Assert(test) => {
                let span = self.emit(depth, &format!("assert({});", test_text(*test)));
                let (holds, fails) = self.test(frame, *test, span);
                let dead_end = frame.automaton.add_location();
                frame.automaton.add_edge(fails, dead_end, Instruction::Assert(Condition::False), span);
                frame.at = holds;
            }
        }
    }

    fn copy_data(&mut self, frame: &mut Frame<'_>, base: Variable, source: DataSource, depth: usize) {
        let text = match source {
            DataSource::Any => "any()".to_owned(),
            DataSource::Of(other) => format!("{}->data", name(other)),
            DataSource::OneMoreThan(other) => format!("{}->data + 1", name(other)),
        };
        let span = self.emit(depth, &format!("{}->data = {text};", name(base)));
        let value = match source {
            DataSource::Any => {
                let target = frame.temporary("any", self.int);
                frame.assign(target, Expression::Nondet { ty: self.int }, span);
                target
            }
            DataSource::Of(other) => self.loaded_data(frame, other, span),
            DataSource::OneMoreThan(other) => {
                let left = Operand::Register(self.loaded_data(frame, other, span));
                let target = frame.temporary("sum", self.int);
                let (operator, ty, right) = (BinaryOperator::Add, self.int, Operand::Int(1));
                frame.assign(target, Expression::Binary { operator, ty, left, right }, span);
                target
            }
        };
        let place = self.data(frame, base, span);
        frame.edge(Instruction::Store { place, value: Operand::Register(value) }, span);
    }

    fn loaded_data(&mut self, frame: &mut Frame<'_>, base: Variable, span: Span) -> RegisterId {
        let place = self.data(frame, base, span);
        let target = frame.temporary("data", self.int);
        frame.edge(Instruction::Load { target, place }, span);
        target
    }

    fn branch(&mut self, frame: &mut Frame<'_>, test: Test, then: &[Statement], otherwise: &[Statement], depth: usize) {
        let span = self.emit(depth, &format!("if ({}) {{", test_text(test)));
        let (holds, fails) = self.test(frame, test, span);
        frame.at = holds;
        self.block(frame, then, depth + 1);
        let end = frame.at;
        frame.at = fails;
        if !otherwise.is_empty() {
            self.emit(depth, "} else {");
            self.block(frame, otherwise, depth + 1);
        }
        let span = self.emit(depth, "}");
        let join = frame.automaton.add_location();
        frame.automaton.add_edge(end, join, Instruction::Assume(Condition::True), span);
        frame.edge_to(join, Instruction::Assume(Condition::True), span);
        frame.at = join;
    }

    fn repeat(&mut self, frame: &mut Frame<'_>, test: Test, body: &[Statement], depth: usize) {
        let span = self.emit(depth, &format!("while ({}) {{", test_text(test)));
        let head = frame.automaton.add_location();
        frame.edge_to(head, Instruction::Assume(Condition::True), span);
        frame.at = head;
        let (holds, fails) = self.test(frame, test, span);
        frame.at = holds;
        self.block(frame, body, depth + 1);
        let span = self.emit(depth, "}");
        frame.edge_to(head, Instruction::Assume(Condition::True), span);
        frame.at = fails;
    }

    fn call(
        &mut self,
        frame: &mut Frame<'_>,
        function: usize,
        arguments: &[Variable],
        target: Option<Variable>,
        depth: usize,
    ) {
        let names: Vec<String> = arguments.iter().map(|argument| name(*argument)).collect();
        let before = target.map_or(String::new(), |target| format!("{} = ", name(target)));
        let span = self.emit(depth, &format!("{before}fn{function}({});", names.join(", ")));
        let arguments = arguments.iter().map(|argument| self.read(frame, *argument, span)).collect();
        let callee = Callee::Direct(self.functions[function].expect("used functions were declared first"));
        let register = target.map(|target| self.target(frame, target));
        frame.edge(Instruction::Call { target: register, callee, arguments }, span);
        if let (Some(target), Some(register)) = (target, register) {
            self.write_back(frame, target, register, span);
        }
    }

    /// Where the test holds, and where it does not.
    fn test(&mut self, frame: &mut Frame<'_>, test: Test, span: Span) -> (LocationId, LocationId) {
        let (operator, ty, left, right) = match test {
            Test::IsNull(variable) | Test::IsNotNull(variable) => {
                let operator = match test {
                    Test::IsNull(_) => CompareOperator::Equal,
                    _ => CompareOperator::NotEqual,
                };
                let ty = self.variable_type(frame, variable);
                (operator, ty, self.read(frame, variable, span), Operand::ZERO)
            }
            Test::Same(left, right) | Test::Different(left, right) => {
                let operator = match test {
                    Test::Same(..) => CompareOperator::Equal,
                    _ => CompareOperator::NotEqual,
                };
                let ty = self.variable_type(frame, left);
                (operator, ty, self.read(frame, left, span), self.read(frame, right, span))
            }
            Test::DataLess(variable, bound) => {
                let data = Operand::Register(self.loaded_data(frame, variable, span));
                (CompareOperator::Less, self.int, data, Operand::Int(i128::from(bound)))
            }
            Test::DataIs(variable, number) => {
                let data = Operand::Register(self.loaded_data(frame, variable, span));
                (CompareOperator::Equal, self.int, data, Operand::Int(i128::from(number)))
            }
            Test::DataSame(left, right) => {
                let left = Operand::Register(self.loaded_data(frame, left, span));
                let right = Operand::Register(self.loaded_data(frame, right, span));
                (CompareOperator::Equal, self.int, left, right)
            }
            Test::Any => {
                let target = frame.temporary("any", self.int);
                frame.assign(target, Expression::Nondet { ty: self.int }, span);
                (CompareOperator::NotEqual, self.int, Operand::Register(target), Operand::ZERO)
            }
        };
        let (holds, fails) = (frame.automaton.add_location(), frame.automaton.add_location());
        let condition = |operator| Instruction::Assume(Condition::Compare { operator, ty, left, right });
        frame.edge_to(holds, condition(operator), span);
        frame.edge_to(fails, condition(operator.negated()), span);
        (holds, fails)
    }

    pub(super) fn record_of(&self, frame: &Frame<'_>, variable: Variable) -> usize {
        match variable {
            Variable::Local(local) => frame.source.variables[local],
            Variable::Global(global) => self.source.globals[global],
        }
    }

    fn variable_type(&mut self, frame: &Frame<'_>, variable: Variable) -> TypeId {
        let record = self.record_of(frame, variable);
        self.pointer_to(record)
    }

    fn global_place(&mut self, global: usize) -> Place {
        let ty = self.pointer_to(self.source.globals[global]);
        let base = Operand::Global(self.globals[global].expect("used globals were made first"));
        Place { base, path: Path { view: ty, steps: Default::default() }, ty, bits: None }
    }

    /// The value of a variable; a global is loaded first.
    pub(super) fn read(&mut self, frame: &mut Frame<'_>, variable: Variable, span: Span) -> Operand {
        match variable {
            Variable::Local(local) => Operand::Register(frame.register(local)),
            Variable::Global(global) => {
                let place = self.global_place(global);
                let target = frame.temporary("g", place.ty);
                frame.edge(Instruction::Load { target, place }, span);
                Operand::Register(target)
            }
        }
    }

    fn write(&mut self, frame: &mut Frame<'_>, target: Variable, value: Operand, span: Span) {
        match target {
            Variable::Local(local) => frame.assign(frame.register(local), Expression::Operand(value), span),
            Variable::Global(global) => {
                let place = self.global_place(global);
                frame.edge(Instruction::Store { place, value }, span);
            }
        }
    }

    /// The register that an instruction writes on behalf of a variable.
    pub(super) fn target(&mut self, frame: &mut Frame<'_>, target: Variable) -> RegisterId {
        match target {
            Variable::Local(local) => frame.register(local),
            Variable::Global(_) => {
                let ty = self.variable_type(frame, target);
                frame.temporary("g", ty)
            }
        }
    }

    pub(super) fn write_back(&mut self, frame: &mut Frame<'_>, target: Variable, register: RegisterId, span: Span) {
        if let Variable::Global(_) = target {
            self.write(frame, target, Operand::Register(register), span);
        }
    }

    fn place(&mut self, frame: &mut Frame<'_>, base: Variable, field: usize, span: Span) -> Place {
        let record = self.record_of(frame, base);
        let view = self.record_type(record);
        let base = self.read(frame, base, span);
        let record = self.record_id(record);
        let ty = self.program.records[record].fields()[field].ty;
        let steps = [Step::Field(record, field as u32)].into_iter().collect();
        Place { base, path: Path { view, steps }, ty, bits: None }
    }

    fn data(&mut self, frame: &mut Frame<'_>, base: Variable, span: Span) -> Place {
        let record = self.record_id(self.record_of(frame, base));
        let field = self.program.records[record].fields().len() - 1;
        self.place(frame, base, field, span)
    }
}

impl Frame<'_> {
    fn register(&self, local: usize) -> RegisterId {
        self.registers[local].expect("used variables were declared first")
    }

    pub(super) fn temporary(&mut self, stem: &str, ty: TypeId) -> RegisterId {
        self.n_temporaries += 1;
        let name = format!("{stem}_{}", self.n_temporaries);
        self.function.registers.push(Register { name, ty, origin: RegisterOrigin::Temporary })
    }

    pub(super) fn assign(&mut self, target: RegisterId, value: Expression, span: Span) {
        self.edge(Instruction::Assign { target, value }, span);
    }

    /// An edge to a new location, which is where the next one starts.
    pub(super) fn edge(&mut self, instruction: Instruction, span: Span) {
        let to = self.automaton.add_location();
        self.edge_to(to, instruction, span);
        self.at = to;
    }

    pub(super) fn edge_to(&mut self, to: LocationId, instruction: Instruction, span: Span) {
        self.automaton.add_edge(self.at, to, instruction, span);
    }
}

pub(super) fn name(variable: Variable) -> String {
    match variable {
        Variable::Local(index) => format!("v{index}"),
        Variable::Global(index) => format!("g{index}"),
    }
}

fn test_text(test: Test) -> String {
    match test {
        Test::IsNull(variable) => format!("{} == NULL", name(variable)),
        Test::IsNotNull(variable) => format!("{} != NULL", name(variable)),
        Test::Same(left, right) => format!("{} == {}", name(left), name(right)),
        Test::Different(left, right) => format!("{} != {}", name(left), name(right)),
        Test::DataLess(variable, bound) => format!("{}->data < {bound}", name(variable)),
        Test::DataIs(variable, number) => format!("{}->data == {number}", name(variable)),
        Test::DataSame(left, right) => format!("{}->data == {}->data", name(left), name(right)),
        Test::Any => "any()".to_owned(),
    }
}

/// The locals that a function uses, its parameters and its result included, in ascending order.
fn used_locals(function: &RandomFunction) -> BTreeSet<usize> {
    let mut used: BTreeSet<usize> = (0..function.n_parameters).chain(function.result).collect();
    walk(&function.body, &mut |statement| {
        for variable in variables_of(statement) {
            if let Variable::Local(local) = variable {
                used.insert(local);
            }
        }
    });
    used
}

fn walk(block: &[Statement], visit: &mut impl FnMut(&Statement)) {
    for statement in block {
        visit(statement);
        match statement {
            Statement::If(_, then, otherwise) => {
                walk(then, visit);
                walk(otherwise, visit);
            }
            Statement::While(_, body) => walk(body, visit),
            _ => {}
        }
    }
}

/// The variables of a statement, those of statements within it excepted.
fn variables_of(statement: &Statement) -> Vec<Variable> {
    match statement {
        Statement::SetNull(variable) | Statement::Allocate(variable, _) | Statement::Free(variable) => vec![*variable],
        Statement::Copy(target, source) => vec![*target, *source],
        Statement::Load { target, base, .. } => vec![*target, *base],
        Statement::Store { base, value, .. } => [Some(*base), *value].into_iter().flatten().collect(),
        Statement::StoreData { base, .. } => vec![*base],
        Statement::CopyData { base, source } => match source {
            DataSource::Any => vec![*base],
            DataSource::Of(other) | DataSource::OneMoreThan(other) => vec![*base, *other],
        },
        Statement::If(test, ..) | Statement::While(test, _) | Statement::Assert(test) => match test {
            Test::IsNull(variable)
            | Test::IsNotNull(variable)
            | Test::DataLess(variable, _)
            | Test::DataIs(variable, _) => vec![*variable],
            Test::Same(left, right) | Test::Different(left, right) | Test::DataSame(left, right) => {
                vec![*left, *right]
            }
            Test::Any => Vec::new(),
        },
        Statement::Call { arguments, target, .. } => arguments.iter().copied().chain(*target).collect(),
    }
}
