//! A program several times over: how a cost grows is told by copies of one program, which differ in nothing but their names.

use heapwise_ir::{
    Body, Callee, Condition, CopySource, Edge, Expression, Extent, Function, FunctionId, Global, GlobalId, Index,
    Initializer, Instruction, Operand, Path, Place, Program, Step,
};

/// Functions and globals of the program so many times. What it does not define itself is there once, as the C library is.
pub(crate) fn copies_of(program: &Program, copies: usize) -> Program {
    let mut all = program.clone();
    let n_functions = program.functions.len();
    let n_globals = program.globals.len();
    for copy in 1..copies {
        let renumbering = Renumbering { program, copy, n_functions, n_globals };
        // Those that are there once are copied, too, and not used: so numbers are easily told.
        for function in program.functions.values() {
            let mut function = function.clone();
            renumbering.function(&mut function);
            all.functions.push(function);
        }
        for global in program.globals.values() {
            let mut global = global.clone();
            renumbering.global(&mut global);
            all.globals.push(global);
        }
    }
    all
}

struct Renumbering<'p> {
    program: &'p Program,
    copy: usize,
    n_functions: usize,
    n_globals: usize,
}

impl Renumbering<'_> {
    fn function_id(&self, id: FunctionId) -> FunctionId {
        match self.program.functions[id].body {
            Body::Extern(_) => id,
            Body::Defined(_) => FunctionId::from_u32((self.copy * self.n_functions) as u32 + id.as_u32()),
        }
    }

    fn global_id(&self, id: GlobalId) -> GlobalId {
        match self.program.globals[id].initializer {
            Initializer::Unknown | Initializer::Library(_) => id,
            Initializer::Bytes(_) | Initializer::Items(_) => {
                GlobalId::from_u32((self.copy * self.n_globals) as u32 + id.as_u32())
            }
        }
    }

    fn operand(&self, operand: &mut Operand) {
        match operand {
            Operand::Global(id) => *id = self.global_id(*id),
            Operand::Function(id) => *id = self.function_id(*id),
            Operand::Register(_) | Operand::Int(_) | Operand::Float(_) => {}
        }
    }

    fn function(&self, function: &mut Function) {
        function.name = format!("{}.{}", function.name, self.copy);
        let Body::Defined(automaton) = &mut function.body else { return };
        automaton.edges.values_mut().for_each(|edge: &mut Edge| self.instruction(&mut edge.instruction));
    }

    fn global(&self, global: &mut Global) {
        global.name = format!("{}.{}", global.name, self.copy);
        if let Initializer::Items(items) = &mut global.initializer {
            items.iter_mut().for_each(|item| self.operand(&mut item.value));
        }
    }

    fn place(&self, place: &mut Place) {
        self.operand(&mut place.base);
        self.path(&mut place.path);
    }

    fn path(&self, path: &mut Path) {
        for step in &mut path.steps {
            if let Step::Index(Index::Operand(operand)) = step {
                self.operand(operand);
            }
        }
    }

    fn instruction(&self, instruction: &mut Instruction) {
        match instruction {
            Instruction::Assign { value, .. } => self.expression(value),
            Instruction::Load { place, .. } => self.place(place),
            Instruction::Store { place, value } => {
                self.place(place);
                self.operand(value);
            }
            Instruction::Copy { place, source, extent } => {
                self.place(place);
                match source {
                    CopySource::Place(from) => self.place(from),
                    CopySource::Fill(byte) => self.operand(byte),
                    CopySource::Members | CopySource::Nondet => {}
                }
                if let Extent::Bytes(bytes) = extent {
                    self.operand(bytes);
                }
            }
            Instruction::Alloc { bytes, view, .. } => {
                self.operand(bytes);
                view.iter_mut().for_each(|view| self.operand(&mut view.count));
            }
            Instruction::Free { pointer } | Instruction::End { pointer } => self.operand(pointer),
            Instruction::Call { callee, arguments, .. } => {
                match callee {
                    Callee::Direct(function) => *function = self.function_id(*function),
                    Callee::Indirect(pointer) => self.operand(pointer),
                }
                arguments.iter_mut().for_each(|argument| self.operand(argument));
            }
            Instruction::Assume(condition) | Instruction::Assert(condition) => self.condition(condition),
            Instruction::Unsupported(_) => {}
        }
    }

    fn condition(&self, condition: &mut Condition) {
        match condition {
            Condition::True | Condition::False => {}
            Condition::Compare { left, right, .. } | Condition::NotCompare { left, right, .. } => {
                self.operand(left);
                self.operand(right);
            }
            Condition::Shape(predicate) => predicate.arguments.iter_mut().for_each(|operand| self.operand(operand)),
        }
    }

    fn expression(&self, expression: &mut Expression) {
        match expression {
            Expression::Operand(value) | Expression::Unary { value, .. } | Expression::Convert { value, .. } => {
                self.operand(value);
            }
            Expression::AddPath { base, path } | Expression::SubtractPath { base, path } => {
                self.operand(base);
                self.path(path);
            }
            Expression::AddBytes { base: left, bytes: right }
            | Expression::AddIndex { base: left, index: right, .. }
            | Expression::PointerDifference { left, right, .. }
            | Expression::Binary { left, right, .. } => {
                self.operand(left);
                self.operand(right);
            }
            Expression::Nondet { .. } | Expression::Uninitialised => {}
        }
    }
}
