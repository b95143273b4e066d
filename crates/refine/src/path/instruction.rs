//! What each step does to a run along a path.

use super::state::{Cell, Conflict, Event, EventId, State, Tested, Value, bad_use};
use super::{Continuation, PathChecker};
use heapwise_engine::{AllocationFailure, Kind};
use heapwise_ir::{
    Body, Condition, CopySource, Expression, Extent, Failure, FunctionId, InitialContents, Instruction, Operand, Place,
    RegisterId, Storage, Termination, TypeId, integer,
};
use heapwise_numbers::{Range, arithmetic};
use heapwise_shapes::memory::{Access, FieldId, ScalarKind, ScalarVariable};
use heapwise_shapes::precision::NumberTest;
use heapwise_shapes::transfer::{Problem, StepKey};
use rustc_hash::FxHashMap;

impl PathChecker<'_> {
    pub(super) fn start(&self) -> State {
        let mut state = State::default();
        let entry = &self.memory.program.functions[self.options.entry];
        for parameter in &entry.parameters {
            let variable = ScalarVariable::Register(self.options.entry, *parameter);
            let value = state.symbol(self.memory.variable_int(variable));
            state.write(variable, value, Event::default());
        }
        state
    }

    pub(super) fn step(&self, mut state: State, key: StepKey) -> Vec<Continuation> {
        match key {
            StepKey::Instruction(function, edge, callee) => {
                let Some(automaton) = self.memory.program.functions[function].automaton() else { return Vec::new() };
                self.instruction(state, function, &automaton.edges[edge].instruction, callee)
            }
            StepKey::Enter(function, edge, callee) => {
                let program = self.memory.program;
                let Some(automaton) = program.functions[function].automaton() else { return Vec::new() };
                let Instruction::Call { arguments, .. } = &automaton.edges[edge].instruction else { return Vec::new() };
                let inner = &program.functions[callee];
                let values: Vec<(Value, EventId)> = arguments
                    .iter()
                    .zip(&inner.parameters)
                    .map(|(argument, parameter)| {
                        self.read(&mut state, function, *argument, inner.registers[*parameter].ty)
                    })
                    .collect();
                state
                    .variables
                    .retain(|variable, _| !matches!(variable, ScalarVariable::Register(owner, _) if *owner == callee));
                state.calls.push((function, edge));
                for (parameter, (value, event)) in inner.parameters.iter().zip(values) {
                    let event = Event { from: vec![event], ..Event::default() };
                    state.write(ScalarVariable::Register(callee, *parameter), value, event);
                }
                vec![Continuation::On(Box::new(state))]
            }
            StepKey::Leave(function, edge, callee) => {
                let program = self.memory.program;
                let Some(automaton) = program.functions[function].automaton() else { return Vec::new() };
                if let (Some(target), Some(result)) =
                    (automaton.edges[edge].instruction.target(), program.functions[callee].result)
                {
                    let (value, event) = self.read_variable(&mut state, ScalarVariable::Register(callee, result));
                    if let Value::Cell(cell) = value
                        && state.cells[cell].local_of == Some(callee)
                        && self.options.asks_for(Kind::DanglingReturn)
                    {
                        let problem = Some(Problem::Error(Kind::DanglingReturn));
                        return vec![Continuation::Ends(problem, Conflict::of(vec![event]))];
                    }
                    let event = Event { from: vec![event], ..Event::default() };
                    state.write(ScalarVariable::Register(function, target), value, event);
                }
                state.calls.pop();
                for cell in 0..state.cells.len() {
                    if state.cells[cell].local_of == Some(callee) && !state.cells[cell].freed {
                        let made = state.cells[cell].made;
                        state.end(cell, vec![made]);
                    }
                }
                vec![Continuation::On(Box::new(state))]
            }
        }
    }

    /// An operand in a place for a scalar of that type.
    fn read(&self, state: &mut State, function: FunctionId, operand: Operand, ty: TypeId) -> (Value, EventId) {
        let int = self.memory.int(ty);
        let value = match operand {
            Operand::Register(register) => {
                return self.read_variable(state, ScalarVariable::Register(function, register));
            }
            Operand::Int(0) if self.memory.kind(ty) == ScalarKind::Pointer => Value::Null,
            Operand::Int(number) => match int {
                Some(int) => Value::Number(integer::wrap(number, int)),
                None => state.symbol(None),
            },
            Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => state.symbol(int),
        };
        (value, state.event(Event::default()))
    }

    /// A pointer that is looked through.
    fn read_pointer(&self, state: &mut State, function: FunctionId, operand: Operand) -> (Value, EventId) {
        match operand {
            Operand::Register(register) => self.read_variable(state, ScalarVariable::Register(function, register)),
            Operand::Int(0) => (Value::Null, state.event(Event::default())),
            Operand::Int(_) | Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => {
                let value = state.symbol(None);
                (value, state.event(Event::default()))
            }
        }
    }

    fn read_variable(&self, state: &mut State, variable: ScalarVariable) -> (Value, EventId) {
        if let Some((value, event)) = state.variables.get(&variable) {
            return (*value, *event);
        }
        let int = self.memory.variable_int(variable);
        let value = match variable {
            ScalarVariable::Register(..) => Value::Bad,
            ScalarVariable::Global(global, offset) => match (self.memory.initial(global, offset), int) {
                (Ok(number), Some(int)) => Value::Number(integer::wrap(number, int)),
                // A pointer whose first value is followed is null then.
                (Ok(_), None) if self.memory.variable_kind(variable) == ScalarKind::Pointer => Value::Null,
                (Ok(_) | Err(_), _) => state.symbol(int),
            },
        };
        state.write(variable, value, Event::default());
        state.variables[&variable]
    }

    /// The cell behind a pointer that is dereferenced, or how the run ends.
    fn dereferenced(&self, state: &mut State, base: (Value, EventId)) -> Result<usize, Box<Continuation>> {
        let mut from = vec![base.1];
        if let Some(problem) = bad_use(self.options, base.0) {
            return Err(Box::new(Continuation::Ends(Some(problem), Conflict::of(from))));
        }
        match base.0 {
            Value::Cell(cell) => {
                from.extend(state.writes.iter().filter(|(field, _)| field.is_none()).map(|(_, event)| *event));
                if state.cells[cell].freed {
                    let problem = Some(Problem::Error(Kind::UseAfterFree));
                    return Err(Box::new(Continuation::Ends(problem, Conflict::of(from))));
                }
                state.event(Event { from, ..Event::default() });
                Ok(cell)
            }
            Value::Null | Value::Number(_) | Value::Symbol(_) | Value::Bad => {
                let problem = Some(Problem::Error(Kind::NullDereference));
                Err(Box::new(Continuation::Ends(problem, Conflict::of(from))))
            }
        }
    }

    /// Takes an instruction. (Long: one case for each.)
    fn instruction(
        &self,
        mut state: State,
        function: FunctionId,
        instruction: &Instruction,
        callee: Option<FunctionId>,
    ) -> Vec<Continuation> {
        match instruction {
            Instruction::Assign { target, value } => self.assign(state, function, *target, value),
            Instruction::Load { target, place } => match self.memory.access(function, place) {
                Ok(Access::Variable(variable)) => {
                    let (value, event) = self.read_variable(&mut state, variable);
                    let event = Event { from: vec![event], ..Event::default() };
                    state.write(ScalarVariable::Register(function, *target), value, event);
                    vec![Continuation::On(Box::new(state))]
                }
                Ok(Access::Field(base, field)) => {
                    let base = self.read_pointer(&mut state, function, base);
                    let cell = match self.dereferenced(&mut state, base) {
                        Ok(cell) => cell,
                        Err(way) => return vec![*way],
                    };
                    let (value, stored) = state.field(cell, field, self.memory.fields[field].kind);
                    let mut from = vec![base.1, stored];
                    let writes = state.writes.iter().filter(|(written, _)| written.is_none_or(|other| other == field));
                    from.extend(writes.map(|(_, event)| *event));
                    let event =
                        state.event(Event { fields: vec![field], from, value: Some(value), ..Event::default() });
                    let event = Event { from: vec![event], is_load: true, ..Event::default() };
                    state.write(ScalarVariable::Register(function, *target), value, event);
                    vec![Continuation::On(Box::new(state))]
                }
                Err(reason) => vec![Continuation::Ends(Some(Problem::Gap(reason)), Conflict::default())],
            },
            Instruction::Store { place, value } => {
                let value = self.read(&mut state, function, *value, place.ty);
                match self.memory.access(function, place) {
                    Ok(Access::Variable(variable)) => {
                        state.write(variable, value.0, Event { from: vec![value.1], ..Event::default() });
                        vec![Continuation::On(Box::new(state))]
                    }
                    Ok(Access::Field(base, field)) => {
                        let base = self.read_pointer(&mut state, function, base);
                        let cell = match self.dereferenced(&mut state, base) {
                            Ok(cell) => cell,
                            Err(way) => return vec![*way],
                        };
                        let event = state.event(Event {
                            fields: vec![field],
                            from: vec![base.1, value.1],
                            value: Some(value.0),
                            ..Event::default()
                        });
                        state.cells[cell].fields.insert(field, (value.0, event));
                        let pointer = state.event(Event { from: vec![base.1], ..Event::default() });
                        state.writes.push((Some(field), pointer));
                        vec![Continuation::On(Box::new(state))]
                    }
                    Err(reason) => vec![Continuation::Ends(Some(Problem::Gap(reason)), Conflict::default())],
                }
            }
            Instruction::Alloc { target, failure, contents, storage, .. } => {
                let variable = ScalarVariable::Register(function, *target);
                let mut ways = Vec::new();
                let mut made = state.clone();
                let event = made.event(Event { variables: vec![variable], ..Event::default() });
                let local_of = (*storage == Storage::Auto).then_some(function);
                let (contents, fields) = (*contents, FxHashMap::default());
                made.cells.push(Cell { made: event, contents, fields, freed: false, local_of });
                let cell = made.cells.len() - 1;
                made.write(variable, Value::Cell(cell), Event { from: vec![event], ..Event::default() });
                ways.push(Continuation::On(Box::new(made)));
                if *failure == Failure::Possible && self.options.allocation_failure == AllocationFailure::Possible {
                    state.write(variable, Value::Null, Event::default());
                    ways.push(Continuation::On(Box::new(state)));
                }
                ways
            }
            Instruction::Free { pointer } => {
                let pointer = self.read_pointer(&mut state, function, *pointer);
                let conflict = Conflict::of(vec![pointer.1]);
                if let Some(problem) = bad_use(self.options, pointer.0) {
                    return vec![Continuation::Ends(Some(problem), conflict)];
                }
                if let Value::Cell(cell) = pointer.0 {
                    if state.cells[cell].local_of.is_some() {
                        return vec![Continuation::Ends(Some(Problem::Error(Kind::InvalidFree)), conflict)];
                    }
                    if state.cells[cell].freed {
                        let frees = state.writes.iter().filter(|(field, _)| field.is_none());
                        let from = conflict.from.iter().copied().chain(frees.map(|(_, event)| *event)).collect();
                        let conflict = Conflict { from, ..conflict };
                        return vec![Continuation::Ends(Some(Problem::Error(Kind::DoubleFree)), conflict)];
                    }
                    state.end(cell, vec![pointer.1]);
                }
                vec![Continuation::On(Box::new(state))]
            }
            Instruction::Assume(condition) => match self.condition(&mut state, function, condition) {
                Tested::Problem(problem, conflict) => vec![Continuation::Ends(Some(problem), conflict)],
                Tested::Is(true, _) | Tested::Open => vec![Continuation::On(Box::new(state))],
                Tested::Is(false, conflict) => vec![Continuation::Ends(None, conflict)],
            },
            Instruction::Assert(condition) => {
                let kind = match condition {
                    Condition::Shape(_) => Kind::Shape,
                    _ => Kind::Assertion,
                };
                match self.condition(&mut state, function, condition) {
                    Tested::Problem(problem, conflict) => vec![Continuation::Ends(Some(problem), conflict)],
                    Tested::Is(true, conflict) => {
                        state.event(Event { from: conflict.from, ..Event::default() });
                        vec![Continuation::On(Box::new(state))]
                    }
                    Tested::Is(false, conflict) => vec![Continuation::Ends(Some(Problem::Error(kind)), conflict)],
                    Tested::Open => {
                        let failed = Continuation::Ends(Some(Problem::Error(kind)), Conflict::default());
                        vec![failed, Continuation::On(Box::new(state))]
                    }
                }
            }
            Instruction::Call { target, arguments, .. } => {
                let called = callee.map(|callee| &self.memory.program.functions[callee].body);
                let Some(Body::Extern(effects)) = called else { return Vec::new() };
                for argument in arguments.iter().filter(|argument| matches!(argument, Operand::Register(_))) {
                    let value = self.read_pointer(&mut state, function, *argument);
                    state.event(Event { from: vec![value.1], ..Event::default() });
                    if let Some(problem) = bad_use(self.options, value.0) {
                        let conflict = Conflict::of(vec![value.1]);
                        return vec![Continuation::Ends(Some(problem), conflict)];
                    }
                }
                if effects.termination != Termination::Returns {
                    return vec![Continuation::Ends(None, Conflict::default())];
                }
                if let Some(target) = target {
                    let target = ScalarVariable::Register(function, *target);
                    let value = state.symbol(self.memory.variable_int(target));
                    state.write(target, value, Event::default());
                }
                vec![Continuation::On(Box::new(state))]
            }
            Instruction::End { pointer } => {
                let pointer = self.read_pointer(&mut state, function, *pointer);
                if let Value::Cell(cell) = pointer.0 {
                    state.end(cell, vec![pointer.1]);
                }
                vec![Continuation::On(Box::new(state))]
            }
            Instruction::Copy { place, source, extent: Extent::Type(ty) } => {
                self.copy(state, function, (place, source), *ty)
            }
            // The abstraction ends here in a gap: the way to it is what matters.
            Instruction::Copy { .. } | Instruction::Unsupported(_) => Vec::new(),
        }
    }

    fn copy(
        &self,
        mut state: State,
        function: FunctionId,
        (place, source): (&Place, &CopySource),
        ty: TypeId,
    ) -> Vec<Continuation> {
        // Else the abstraction ends here in a gap.
        let Ok(target) = self.memory.whole(function, place, ty) else { return Vec::new() };
        let target = self.read_pointer(&mut state, function, target);
        let cell = match self.dereferenced(&mut state, target) {
            Ok(cell) => cell,
            Err(way) => return vec![*way],
        };
        let from = match source {
            CopySource::Place(source) => {
                let Ok(source) = self.memory.whole(function, source, ty) else { return Vec::new() };
                let source = self.read_pointer(&mut state, function, source);
                match self.dereferenced(&mut state, source) {
                    Ok(cell) => Some((cell, source.1)),
                    Err(way) => return vec![*way],
                }
            }
            CopySource::Members | CopySource::Fill(Operand::Int(0)) => None,
            CopySource::Fill(_) | CopySource::Nondet => return Vec::new(),
        };
        let pointer = state.event(Event { from: vec![target.1], ..Event::default() });
        for field in self.memory.fields_of(ty) {
            let kind = self.memory.fields[field].kind;
            let (value, stored) = match from {
                Some((cell, source)) => {
                    let (value, stored) = state.field(cell, field, kind);
                    (value, vec![target.1, source, stored])
                }
                None => (State::zero(kind), vec![target.1]),
            };
            let event = Event { fields: vec![field], from: stored, value: Some(value), ..Event::default() };
            let event = state.event(event);
            state.cells[cell].fields.insert(field, (value, event));
            state.writes.push((Some(field), pointer));
        }
        vec![Continuation::On(Box::new(state))]
    }

    fn assign(
        &self,
        mut state: State,
        function: FunctionId,
        target: RegisterId,
        value: &Expression,
    ) -> Vec<Continuation> {
        let variable = ScalarVariable::Register(function, target);
        let ty = self.memory.program.functions[function].registers[target].ty;
        let int = self.memory.int(ty);
        let on = |mut state: State, value: Value, event: Event| {
            state.write(variable, value, event);
            vec![Continuation::On(Box::new(state))]
        };
        let used: Vec<(Operand, TypeId)> = match value {
            Expression::Operand(operand) => {
                let (value, event) = self.read(&mut state, function, *operand, ty);
                return on(state, value, Event { from: vec![event], ..Event::default() });
            }
            Expression::Nondet { .. } => {
                let value = state.symbol(int);
                return on(state, value, Event::default());
            }
            Expression::Uninitialised => return on(state, Value::Bad, Event::default()),
            Expression::AddPath { base, .. } | Expression::SubtractPath { base, .. } => vec![(*base, ty)],
            Expression::AddBytes { base, .. } | Expression::AddIndex { base, .. } => vec![(*base, ty)],
            Expression::PointerDifference { .. } => Vec::new(),
            Expression::Binary { left, right, ty, .. } => vec![(*left, *ty), (*right, *ty)],
            Expression::Unary { value, ty, .. } => vec![(*value, *ty)],
            Expression::Convert { value, from, .. } => vec![(*value, *from)],
        };
        let (mut from, mut values) = (Vec::new(), Vec::new());
        for (operand, ty) in &used {
            let (value, event) = self.read(&mut state, function, *operand, *ty);
            if let Some(problem) = bad_use(self.options, value) {
                return vec![Continuation::Ends(Some(problem), Conflict::of(vec![event]))];
            }
            from.push(event);
            values.push(value);
        }
        // What a number is computed from decides what it is.
        let tests = values.iter().filter_map(|value| match value {
            Value::Number(number) => Some(NumberTest::Equals(*number)),
            Value::Bad | Value::Null | Value::Cell(_) | Value::Symbol(_) => None,
        });
        let tests: Vec<NumberTest> = tests.collect();
        let ranges: Vec<Range> = values
            .iter()
            .map(|value| {
                let (range, why) = state.range(*value);
                from.extend(why);
                range
            })
            .collect();
        let computed = match (value, values.as_slice(), ranges.as_slice()) {
            (Expression::AddPath { .. } | Expression::SubtractPath { .. }, [base], _) => Some(*base),
            (Expression::Convert { from, to, .. }, [value], [range]) => {
                match (self.memory.int(*from), self.memory.int(*to)) {
                    (Some(_), Some(to)) if range.fits(to) => Some(*value),
                    (Some(_), Some(to)) => Some(state.symbol_in(arithmetic::convert(range, to))),
                    _ => None,
                }
            }
            (Expression::Unary { operator, ty, .. }, _, [range]) => {
                self.memory.int(*ty).map(|int| state.symbol_in(arithmetic::unary(*operator, int, range)))
            }
            (Expression::Binary { operator, ty, .. }, _, [left, right]) => match self.memory.int(*ty) {
                Some(int) => match arithmetic::binary(*operator, int, left, right) {
                    Some(range) => Some(state.symbol_in(range)),
                    // The machine traps.
                    None => {
                        let tests = tests.into_iter().collect();
                        return vec![Continuation::Ends(None, Conflict { from, tests, related: None })];
                    }
                },
                None => None,
            },
            _ => None,
        };
        let result = computed.unwrap_or_else(|| state.symbol(int));
        on(state, result, Event { from, tests, ..Event::default() })
    }

    fn condition(&self, state: &mut State, function: FunctionId, condition: &Condition) -> Tested {
        match condition {
            Condition::True => Tested::Is(true, Conflict::default()),
            Condition::False => Tested::Is(false, Conflict::default()),
            Condition::Compare { operator, ty, left, right } => {
                let one = self.read(state, function, *left, *ty);
                let other = self.read(state, function, *right, *ty);
                state.event(Event { from: vec![one.1, other.1], ..Event::default() });
                for (value, event) in [one, other] {
                    if let Some(problem) = bad_use(self.options, value) {
                        return Tested::Problem(problem, Conflict::of(vec![event]));
                    }
                }
                match self.memory.kind(*ty) {
                    ScalarKind::Pointer => state.compare_pointers(*operator, one, other),
                    ScalarKind::Number => state.compare_numbers(*operator, self.memory.int(*ty), one, other),
                }
            }
            Condition::NotCompare { left, right, ty, .. } => {
                for operand in [left, right] {
                    let (value, event) = self.read(state, function, *operand, *ty);
                    state.event(Event { from: vec![event], ..Event::default() });
                    if let Some(problem) = bad_use(self.options, value) {
                        return Tested::Problem(problem, Conflict::of(vec![event]));
                    }
                }
                Tested::Open
            }
            Condition::Shape(shape) => self.shape(state, function, shape),
        }
    }

    /// A claim about a shape: what it depends on are all links of the cells.
    fn shape(&self, state: &mut State, function: FunctionId, shape: &heapwise_ir::ShapePredicate) -> Tested {
        let mut from = Vec::new();
        for argument in &shape.arguments {
            let (value, event) = self.read_pointer(state, function, *argument);
            if let Some(problem) = bad_use(self.options, value) {
                return Tested::Problem(problem, Conflict::of(vec![event]));
            }
            from.push(event);
        }
        let record = self.memory.program.types.lookup(&heapwise_ir::Type::Record(shape.record));
        let links: Option<Vec<FieldId>> = shape.links.iter().map(|link| self.memory.link(record?, link).ok()).collect();
        let Some(links) = links else { return Tested::Open };
        let heap = crate::samples::Graph::of_cells(state.cells.len(), |cell| {
            let edges = links.iter().map(|link| match state.cells[cell].fields.get(link) {
                Some((Value::Cell(target), _)) => Some(*target),
                _ => None,
            });
            edges.collect()
        });
        for cell in &state.cells {
            from.push(cell.made);
            from.extend(links.iter().filter_map(|link| cell.fields.get(link)).map(|(_, event)| *event));
        }
        let fields = state.event(Event { fields: links.clone(), from, ..Event::default() });
        let roots: Vec<Option<usize>> = shape
            .arguments
            .iter()
            .map(|argument| match self.read_pointer(state, function, *argument).0 {
                Value::Cell(cell) => Some(cell),
                _ => None,
            })
            .collect();
        let is_whole = (0..state.cells.len()).filter(|cell| heap.reaches(&roots, *cell)).all(|cell| {
            let cell = &state.cells[cell];
            let has = |link: &FieldId| cell.fields.contains_key(link) || cell.contents == InitialContents::Zeroed;
            !cell.freed && links.iter().all(has)
        });
        if !is_whole {
            return Tested::Open;
        }
        match heap.claim(shape.kind, &roots) {
            Some(holds) => Tested::Is(holds, Conflict::of(vec![fields])),
            None => Tested::Open,
        }
    }
}
