//! Instructions in the user's terms: temporaries are unfolded back into C expressions.

use crate::code::CompiledPlace;
use crate::heap::Site;
use crate::machine::{EventKind, Executor};
use crate::value::{ObjectId, Value};
use heapwise_ir::{
    Body, CompareOperator, Condition, Expression, Function, Index, Instruction, Operand, Path, Place, Program,
    RegisterId, RegisterOrigin, Span, Step, Type, TypeId,
};

/// Temporaries are unfolded this deep.
const DEEPEST: usize = 6;

impl Executor<'_, '_> {
    /// A condition as C text, in backquotes.
    pub(crate) fn describe_condition(&self, condition: &Condition) -> String {
        let Some(frame) = self.state.frames.last() else { return String::new() };
        let function = &self.machine.program.functions[frame.function];
        match condition_text(self.machine.program, function, condition) {
            Some(text) => format!("`{text}`"),
            None => "the condition holds".to_owned(),
        }
    }

    /// The line where an object was made.
    pub(crate) fn line_of(&self, id: ObjectId) -> Option<u32> {
        let site = self.state.heap.object(id).site?;
        span_of(self.machine.program, site).map(|span| span.line)
    }

    /// The C name of the local that an `alloc auto` makes.
    pub(crate) fn local_name(&self, site: Site) -> Option<&str> {
        let function = &self.machine.program.functions[site.function];
        let Body::Defined(automaton) = &function.body else { return None };
        let register = &function.registers[automaton.edges[site.edge].instruction.target()?];
        match register.origin {
            RegisterOrigin::Variable(_) | RegisterOrigin::AddressOfLocal(_) => {
                Some(register.name.trim_start_matches('&'))
            }
            RegisterOrigin::Temporary => None,
        }
    }

    /// Records the write of a pointer.
    pub(crate) fn store_event(&mut self, place: &Place, compiled: &CompiledPlace, value: Operand) {
        if self.sink.events.is_none() || !matches!(compiled.scalar, crate::value::Scalar::Pointer(_)) {
            return;
        }
        let written = self.operand(value, compiled.scalar);
        let Some(frame) = self.state.frames.last() else { return };
        let program = self.machine.program;
        let function = &program.functions[frame.function];
        let left = place_text(program, function, place, DEEPEST);
        let right = match written {
            Value::Int(0) => Some("NULL".to_owned()),
            _ => operand_text(program, function, value, Some(place.ty), DEEPEST),
        };
        if let (Some(left), Some(right)) = (left, right) {
            self.event(EventKind::Write, |_| format!("`{left} = {right}`"), written.object());
        }
    }
}

/// So many of something.
pub(crate) fn count(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// The text place of a site.
pub(crate) fn span_of(program: &Program, site: Site) -> Option<Span> {
    match &program.functions[site.function].body {
        Body::Defined(automaton) => Some(automaton.edges[site.edge].span).filter(|span| *span != Span::NONE),
        Body::Extern(_) => None,
    }
}

fn operator_text(operator: CompareOperator) -> &'static str {
    match operator {
        CompareOperator::Equal => "==",
        CompareOperator::NotEqual => "!=",
        CompareOperator::Less => "<",
        CompareOperator::LessEqual => "<=",
        CompareOperator::Greater => ">",
        CompareOperator::GreaterEqual => ">=",
    }
}

fn condition_text(program: &Program, function: &Function, condition: &Condition) -> Option<String> {
    let comparison = |operator: CompareOperator, ty: TypeId, left: Operand, right: Operand| {
        let left = operand_text(program, function, left, Some(ty), DEEPEST)?;
        let right = operand_text(program, function, right, Some(ty), DEEPEST)?;
        Some(format!("{left} {} {right}", operator_text(operator)))
    };
    match condition {
        Condition::True | Condition::False | Condition::Shape(_) => None,
        Condition::Compare { operator, ty, left, right } => comparison(*operator, *ty, *left, *right),
        Condition::NotCompare { operator, ty, left, right } => {
            comparison(*operator, *ty, *left, *right).map(|text| format!("!({text})"))
        }
    }
}

fn operand_text(
    program: &Program,
    function: &Function,
    operand: Operand,
    ty: Option<TypeId>,
    depth: usize,
) -> Option<String> {
    match operand {
        Operand::Register(register) => register_text(program, function, register, depth),
        Operand::Int(0) if ty.is_some_and(|ty| matches!(program.ty(ty), Type::Pointer(_))) => Some("NULL".to_owned()),
        Operand::Int(value) => Some(value.to_string()),
        Operand::Float(value) => Some(value.to_string()),
        Operand::Global(global) => Some(format!("&{}", program.globals[global].name)),
        Operand::Function(function) => Some(program.functions[function].name.clone()),
    }
}

fn register_text(program: &Program, function: &Function, register: RegisterId, depth: usize) -> Option<String> {
    let definition = &function.registers[register];
    match definition.origin {
        RegisterOrigin::Variable(_) => return Some(definition.name.clone()),
        RegisterOrigin::AddressOfLocal(_) => return Some(format!("&{}", definition.name.trim_start_matches('&'))),
        RegisterOrigin::Temporary => {}
    }
    let Body::Defined(automaton) = &function.body else { return None };
    let mut definitions = automaton.edges.values().filter(|edge| edge.instruction.target() == Some(register));
    let edge = definitions.next()?;
    if definitions.next().is_some() || depth == 0 {
        return None;
    }
    match &edge.instruction {
        Instruction::Assign { value, .. } => expression_text(program, function, value, depth - 1),
        Instruction::Load { place, .. } => place_text(program, function, place, depth - 1),
        Instruction::Call { callee: heapwise_ir::Callee::Direct(callee), .. } => {
            Some(format!("{}(…)", program.functions[*callee].name))
        }
        _ => None,
    }
}

fn expression_text(program: &Program, function: &Function, expression: &Expression, depth: usize) -> Option<String> {
    let text = |operand: Operand, ty: Option<TypeId>| operand_text(program, function, operand, ty, depth);
    match expression {
        Expression::Operand(operand) => text(*operand, None),
        Expression::Convert { value, from, .. } => text(*value, Some(*from)),
        Expression::AddPath { base, path } => {
            path_text(program, function, *base, path, depth).map(|path| format!("&{path}"))
        }
        Expression::AddIndex { base, index, .. } => Some(format!("({} + {})", text(*base, None)?, text(*index, None)?)),
        Expression::Binary { operator, ty, left, right } => {
            use heapwise_ir::BinaryOperator as Operator;
            let symbol = match operator {
                Operator::Add => "+",
                Operator::Subtract => "-",
                Operator::Multiply => "*",
                Operator::Divide => "/",
                Operator::Remainder => "%",
                Operator::And => "&",
                Operator::Or => "|",
                Operator::Xor => "^",
                Operator::ShiftLeft => "<<",
                Operator::ShiftRight => ">>",
            };
            Some(format!("({} {symbol} {})", text(*left, Some(*ty))?, text(*right, Some(*ty))?))
        }
        Expression::Nondet { .. } => Some("input".to_owned()),
        Expression::SubtractPath { .. }
        | Expression::AddBytes { .. }
        | Expression::PointerDifference { .. }
        | Expression::Unary { .. }
        | Expression::Uninitialised => None,
    }
}

fn place_text(program: &Program, function: &Function, place: &Place, depth: usize) -> Option<String> {
    path_text(program, function, place.base, &place.path, depth)
}

fn path_text(program: &Program, function: &Function, base: Operand, path: &Path, depth: usize) -> Option<String> {
    // An address of a variable that is stepped into is the variable itself.
    let (mut text, mut is_pointer) = match base {
        Operand::Global(global) => (program.globals[global].name.clone(), false),
        Operand::Register(register)
            if matches!(function.registers[register].origin, RegisterOrigin::AddressOfLocal(_)) =>
        {
            (function.registers[register].name.trim_start_matches('&').to_owned(), false)
        }
        base => (operand_text(program, function, base, None, depth)?, true),
    };
    if path.steps.is_empty() && is_pointer {
        return Some(match text.strip_prefix('&') {
            Some(variable) => variable.to_owned(),
            None => format!("*{text}"),
        });
    }
    if let Some(variable) = text.strip_prefix('&') {
        text = variable.to_owned();
        is_pointer = false;
    }
    // `*` binds looser than `->`, `.` and `[`.
    if !path.steps.is_empty() && text.starts_with('*') {
        text = format!("({text})");
    }
    for step in &path.steps {
        match step {
            Step::Field(record, field) => {
                let name = &program.records[*record].fields().get(*field as usize)?.name;
                text = format!("{text}{}{name}", if is_pointer { "->" } else { "." });
            }
            Step::Index(index) => {
                let index = match index {
                    Index::Constant(constant) => constant.to_string(),
                    Index::Operand(operand) => operand_text(program, function, *operand, None, depth)?,
                };
                text = if is_pointer { format!("(*{text})[{index}]") } else { format!("{text}[{index}]") };
            }
        }
        is_pointer = false;
    }
    Some(text)
}
