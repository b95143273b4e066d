//! Making programs up.

use super::{
    Calling, Data, DataSource, Fields, Fresh, Knobs, RandomFunction, RandomProgram, RandomRecord, Recursion, Statement,
    Test, Variable,
};
use std::ops::RangeInclusive;

/// The program that a seed stands for.
pub fn generate(knobs: &Knobs, seed: u64) -> RandomProgram {
    let mut generator = Generator { knobs, state: seed, program: empty(knobs) };
    match knobs.calling {
        Calling::Anyhow => generator.program(),
        Calling::DownTrees => generator.descending_program(),
    }
}

fn empty(knobs: &Knobs) -> RandomProgram {
    RandomProgram {
        records: Vec::new(),
        globals: Vec::new(),
        functions: Vec::new(),
        locals: knobs.locals,
        placement: knobs.placement,
    }
}

pub(super) struct Generator<'k> {
    knobs: &'k Knobs,
    state: u64,
    pub(super) program: RandomProgram,
}

/// Where a statement stands.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    pub(super) function: usize,
    pub(super) depth: usize,
}

impl Generator<'_> {
    /// splitmix64
    fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.state;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        (self.draw() % limit.max(1) as u64) as usize
    }

    fn within(&mut self, range: &RangeInclusive<usize>) -> usize {
        range.start() + self.below(range.end() - range.start() + 1)
    }

    fn program(&mut self) -> RandomProgram {
        let n_records = self.within(&self.knobs.records).max(1);
        for record in 0..n_records {
            let pointers = match &self.knobs.fields {
                Fields::OneToItself => vec![record],
                // The first goes to the record itself, so that there are lists and trees.
                Fields::ToAny(range) => {
                    let n_fields = self.within(range);
                    (0..n_fields).map(|field| if field == 0 { record } else { self.below(n_records) }).collect()
                }
            };
            self.program.records.push(RandomRecord { pointers, data: self.knobs.data });
        }
        let n_globals = self.within(&self.knobs.globals);
        for _ in 0..n_globals {
            let record = self.below(n_records);
            self.program.globals.push(record);
        }
        let n_functions = self.within(&self.knobs.functions);
        for index in 0..=n_functions {
            let is_main = index == n_functions;
            let n_variables = self.within(&self.knobs.variables).max(1);
            let variables: Vec<usize> = (0..n_variables).map(|_| self.below(n_records)).collect();
            let n_parameters = if is_main { 0 } else { self.below(n_variables.min(2) + 1) };
            let result = (!is_main && self.below(3) > 0).then(|| self.below(n_variables));
            self.program.functions.push(RandomFunction { variables, n_parameters, result, body: Vec::new() });
        }
        for index in 0..=n_functions {
            let mut left = self.within(&self.knobs.statements);
            let scope = Scope { function: index, depth: self.knobs.depth };
            self.program.functions[index].body = self.block(scope, &mut left);
        }
        self.program.clone()
    }

    /// Statements until `left` is used up.
    pub(super) fn block(&mut self, scope: Scope, left: &mut usize) -> Vec<Statement> {
        let mut block = Vec::new();
        while *left > 0 {
            *left -= 1;
            self.statement(scope, left, &mut block);
        }
        block
    }

    fn variables(&self, scope: Scope) -> Vec<Variable> {
        let locals = (0..self.program.functions[scope.function].variables.len()).map(Variable::Local);
        locals.chain((0..self.program.globals.len()).map(Variable::Global)).collect()
    }

    fn record_of(&self, scope: Scope, variable: Variable) -> usize {
        match variable {
            Variable::Local(index) => self.program.functions[scope.function].variables[index],
            Variable::Global(index) => self.program.globals[index],
        }
    }

    fn any_variable(&mut self, scope: Scope) -> Variable {
        let variables = self.variables(scope);
        variables[self.below(variables.len())]
    }

    fn variable_of(&mut self, scope: Scope, record: usize) -> Option<Variable> {
        let mut variables = self.variables(scope);
        variables.retain(|variable| self.record_of(scope, *variable) == record);
        if variables.is_empty() { None } else { Some(variables[self.below(variables.len())]) }
    }

    fn statement(&mut self, scope: Scope, left: &mut usize, block: &mut Vec<Statement>) {
        let weights = self.knobs.weights;
        let nested = if scope.depth == 0 { 0 } else { 1 };
        let table = [
            weights.assign,
            weights.allocate,
            weights.load,
            weights.store,
            weights.free,
            weights.branch * nested,
            weights.repeat * nested,
            weights.call,
            weights.assert,
        ];
        let total: u32 = table.iter().sum();
        let mut roll = self.below(total as usize) as u32;
        let kind = table.iter().position(|weight| {
            let here = roll < *weight;
            roll = roll.saturating_sub(*weight);
            here
        });
        let target = self.any_variable(scope);
        match kind.unwrap_or(0) {
            0 => block.push(self.assignment(scope, target)),
            1 => {
                let zeroed = self.below(100) < self.knobs.zeroed as usize;
                let fresh = if zeroed { Fresh::Zeroed } else { Fresh::Uninitialised };
                block.push(Statement::Allocate(target, fresh));
            }
            2 => self.load(scope, target, block),
            3 => self.store(scope, target, block),
            4 => block.push(Statement::Free(target)),
            5 => {
                let test = self.test(scope);
                let (then, otherwise) = (self.inner(scope, left), self.inner(scope, left));
                block.push(Statement::If(test, then, otherwise));
            }
            6 => {
                let test = self.test(scope);
                let body = self.inner(scope, left);
                block.push(Statement::While(test, body));
            }
            7 => self.call(scope, block),
            _ => {
                let test = self.test(scope);
                if test != Test::Any {
                    block.push(Statement::Assert(test));
                }
            }
        }
    }

    /// A nested block takes some of what is left.
    fn inner(&mut self, scope: Scope, left: &mut usize) -> Vec<Statement> {
        let mut some = self.below(4).min(*left);
        *left -= some;
        self.block(Scope { depth: scope.depth - 1, ..scope }, &mut some)
    }

    fn assignment(&mut self, scope: Scope, target: Variable) -> Statement {
        let record = self.record_of(scope, target);
        match self.variable_of(scope, record) {
            Some(source) if source != target && self.below(3) > 0 => Statement::Copy(target, source),
            _ => Statement::SetNull(target),
        }
    }

    /// Puts a dereference behind a check, or not.
    fn guarded(&mut self, base: Variable, statement: Statement, block: &mut Vec<Statement>) {
        if self.below(100) < self.knobs.guarded as usize {
            block.push(Statement::If(Test::IsNotNull(base), vec![statement], Vec::new()));
        } else {
            block.push(statement);
        }
    }

    fn load(&mut self, scope: Scope, base: Variable, block: &mut Vec<Statement>) {
        let record = self.record_of(scope, base);
        let n_fields = self.program.records[record].pointers.len();
        if n_fields == 0 {
            return;
        }
        let field = self.below(n_fields);
        let pointee = self.program.records[record].pointers[field];
        if let Some(target) = self.variable_of(scope, pointee) {
            self.guarded(base, Statement::Load { target, base, field }, block);
        }
    }

    fn store(&mut self, scope: Scope, base: Variable, block: &mut Vec<Statement>) {
        let record = self.record_of(scope, base);
        let has_data = self.knobs.data != Data::None;
        if has_data && self.below(4) == 0 {
            let value = self.below(3) as i64;
            return self.guarded(base, Statement::StoreData { base, value }, block);
        }
        if self.knobs.data == Data::Compared && self.below(3) == 0 {
            let source = match (self.below(4), self.variable_of(scope, record)) {
                (0, _) | (_, None) => DataSource::Any,
                (1, Some(other)) => DataSource::OneMoreThan(other),
                (_, Some(other)) => DataSource::Of(other),
            };
            return self.guarded(base, Statement::CopyData { base, source }, block);
        }
        let n_fields = self.program.records[record].pointers.len();
        if n_fields == 0 {
            return;
        }
        let field = self.below(n_fields);
        let pointee = self.program.records[record].pointers[field];
        let value = if self.below(4) == 0 { None } else { self.variable_of(scope, pointee) };
        self.guarded(base, Statement::Store { base, field, value }, block);
    }

    fn call(&mut self, scope: Scope, block: &mut Vec<Statement>) {
        let n_callable = match self.knobs.recursion {
            Recursion::Forbidden => scope.function,
            Recursion::Allowed => self.program.functions.len() - 1,
        };
        if n_callable == 0 {
            return;
        }
        let function = self.below(n_callable);
        let callee = self.program.functions[function].clone();
        let mut arguments = Vec::new();
        for parameter in &callee.variables[..callee.n_parameters] {
            match self.variable_of(scope, *parameter) {
                Some(argument) => arguments.push(argument),
                None => return,
            }
        }
        let target = callee.result.and_then(|result| self.variable_of(scope, callee.variables[result]));
        block.push(Statement::Call { function, arguments, target });
    }

    fn test(&mut self, scope: Scope) -> Test {
        let left = self.any_variable(scope);
        let record = self.record_of(scope, left);
        let right = self.variable_of(scope, record).unwrap_or(left);
        let kinds = if self.knobs.data == Data::Compared { 11 } else { 7 };
        match self.below(kinds) {
            0 => Test::IsNull(left),
            1 | 2 => Test::IsNotNull(left),
            3 if right != left => Test::Same(left, right),
            4 if right != left => Test::Different(left, right),
            5 if self.knobs.data != Data::None => Test::DataLess(left, self.below(3) as i64),
            7 | 8 => Test::DataIs(left, self.below(3) as i64),
            9 | 10 if right != left => Test::DataSame(left, right),
            _ => Test::Any,
        }
    }
}
