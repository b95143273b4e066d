//! Feasibility of one path, and what its contradiction depends on.
//!
//! Along a path from the start the heap is a finite object: every cell was allocated on it. So the strongest postcondition
//! is computed exactly for pointers, and for numbers as far as constants and comparisons with them go. Where the path
//! contradicts itself, the *dynamic slice* of the contradiction (all that its values were computed from) names the variables, fields and
//! constants that an abstraction needs to see it. This takes the place of the interpolants of Beyer et al. (section 3.3): a
//! store or a free through another pointer in between is part of the slice, as the paper tracks aliases.

use heapwise_engine::reason::RefineGap;
use heapwise_engine::{AllocationFailure, Kind, Options};
use heapwise_ir::{
    Body, CompareOperator, Condition, Expression, Failure, FunctionId, InitialContents, Instruction, LocationId,
    Operand, RegisterId, Termination, TypeId,
};
use heapwise_shapes::memory::{Access, FieldId, Memory, ScalarKind, ScalarVariable};
use heapwise_shapes::precision::Facts;
use heapwise_shapes::transfer::{Problem, Relevance, StepKey};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Whether a path can be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Feasibility {
    /// Nothing speaks against it.
    Perhaps,
    /// It contradicts itself; the contradiction depends on these.
    Infeasible(Facts),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    Bad,
    Null,
    Cell(usize),
    Number(i128),
    /// A number that is not known; the same symbol is the same number.
    Symbol(usize),
}

/// Something that was computed, by its position.
type EventId = usize;

#[derive(Clone, Default, Debug)]
struct Event {
    variables: Vec<ScalarVariable>,
    fields: Vec<FieldId>,
    from: Vec<EventId>,
}

#[derive(Clone, Debug)]
struct Cell {
    made: EventId,
    contents: InitialContents,
    fields: FxHashMap<FieldId, (Value, EventId)>,
    freed: bool,
}

/// What is known of a symbol.
#[derive(Clone, Default, Debug)]
struct Symbol {
    is: Option<(i128, EventId)>,
    is_not: Vec<(i128, EventId)>,
}

#[derive(Clone, Default, Debug)]
struct State {
    variables: FxHashMap<ScalarVariable, (Value, EventId)>,
    cells: Vec<Cell>,
    symbols: Vec<Symbol>,
    events: Vec<Event>,
    /// The stores and frees so far: the field (all for a free), and the pointer.
    writes: Vec<(Option<FieldId>, EventId)>,
    /// The calls that the run is in: the caller, and where it goes on.
    calls: Vec<(FunctionId, LocationId)>,
}

/// A contradiction: what it depends on, and the numbers that were compared.
#[derive(Clone, Default, Debug)]
struct Conflict {
    from: Vec<EventId>,
    constants: BTreeSet<i128>,
}

/// How a step goes from one state.
enum Continuation {
    /// The run goes on.
    On(Box<State>),
    /// It ends, in an error, or because an assumption does not hold.
    Ends(Option<Problem>, Conflict),
}

/// Goes along paths.
pub struct PathChecker<'a> {
    /// The memory of the program.
    pub memory: &'a Memory<'a>,
    /// The question.
    pub options: &'a Options,
    /// Which registers matter where.
    pub relevance: Relevance<'a>,
}

impl PathChecker<'_> {
    /// Whether a path to a problem can be taken.
    pub fn check(&self, path: &[StepKey], problem: &Problem) -> Feasibility {
        let mut facts = Facts::default();
        let mut states = vec![self.start()];
        let Some((last, before)) = path.split_last() else { return Feasibility::Perhaps };
        for key in before {
            let mut next = Vec::new();
            for state in states {
                let events = state.events.clone();
                for way in self.step(state, *key) {
                    match way {
                        Continuation::On(state) => next.push(*state),
                        Continuation::Ends(_, conflict) => facts.extend(self.slice(&events, &conflict)),
                    }
                }
            }
            states = next;
        }
        let any_value = Problem::Gap(RefineGap::AnyValue.into());
        if matches!(problem, Problem::Gap(_)) && *problem != any_value && !states.is_empty() {
            // What is not followed there is so in every state.
            return Feasibility::Perhaps;
        }
        for state in states {
            let mut events = state.events.clone();
            let (mut operands, mut constants) = (Vec::new(), BTreeSet::new());
            for way in self.step(state, *last) {
                match way {
                    Continuation::Ends(Some(found), _) if found == *problem => return Feasibility::Perhaps,
                    Continuation::Ends(_, conflict) => {
                        operands.extend(conflict.from);
                        constants.extend(conflict.constants);
                    }
                    Continuation::On(state) if *problem == Problem::Error(Kind::Leak) => {
                        match self.held(&state, self.place_behind(*last)) {
                            None => return Feasibility::Perhaps,
                            Some(by) => operands.extend(by),
                        }
                        events = state.events;
                    }
                    Continuation::On(state) => {
                        // What the step looked at, in the order of its events.
                        operands.extend(events.len()..state.events.len());
                        events = state.events;
                    }
                }
            }
            facts.extend(self.slice(&events, &Conflict { from: operands, constants }));
        }
        Feasibility::Infeasible(facts)
    }

    /// Where a run is behind a step.
    fn place_behind(&self, key: StepKey) -> Option<(FunctionId, LocationId)> {
        let functions = &self.memory.program.functions;
        match key {
            StepKey::Instruction(function, edge, _) | StepKey::Leave(function, edge, _) => {
                Some((function, functions[function].automaton()?.edges[edge].to))
            }
            StepKey::Enter(_, _, callee) => Some((callee, functions[callee].automaton()?.entry)),
        }
    }

    /// What all cells are held by; nothing if one is lost.
    fn held(&self, state: &State, place: Option<(FunctionId, LocationId)>) -> Option<Vec<EventId>> {
        let places: Vec<(FunctionId, LocationId)> = state.calls.iter().copied().chain(place).collect();
        let is_root = |variable: &ScalarVariable| match variable {
            ScalarVariable::Global(..) => true,
            ScalarVariable::Register(function, register) => places
                .iter()
                .any(|(owner, location)| owner == function && self.relevance.matters(*owner, *location, *register)),
        };
        let mut reached = vec![false; state.cells.len()];
        let mut by: Vec<EventId> = state.writes.iter().map(|(_, event)| *event).collect();
        let mut pending = Vec::new();
        for (variable, (value, event)) in &state.variables {
            if let Value::Cell(cell) = value
                && is_root(variable)
            {
                by.push(*event);
                pending.push(*cell);
            }
        }
        while let Some(cell) = pending.pop() {
            if !std::mem::replace(&mut reached[cell], true) && !state.cells[cell].freed {
                for (value, event) in state.cells[cell].fields.values() {
                    if let Value::Cell(target) = value {
                        by.push(*event);
                        pending.push(*target);
                    }
                }
            }
        }
        let is_held = |(cell, reached): (&Cell, bool)| cell.freed || reached;
        by.sort_unstable();
        state.cells.iter().zip(reached).all(is_held).then_some(by)
    }

    /// All that a contradiction was computed from.
    fn slice(&self, events: &[Event], conflict: &Conflict) -> Facts {
        let mut facts = Facts::default();
        let mut seen: BTreeSet<EventId> = BTreeSet::new();
        let mut pending = conflict.from.clone();
        while let Some(id) = pending.pop() {
            let Some(event) = events.get(id) else { continue };
            if !seen.insert(id) {
                continue;
            }
            pending.extend(&event.from);
            facts.variables.extend(&event.variables);
            facts.fields.extend(&event.fields);
        }
        for constant in &conflict.constants {
            let variables =
                facts.variables.iter().filter(|variable| self.memory.variable_kind(**variable) == ScalarKind::Number);
            facts.variable_constants.extend(variables.map(|variable| (*variable, *constant)));
            let fields = facts.fields.iter().filter(|field| self.memory.fields[**field].kind == ScalarKind::Number);
            facts.field_constants.extend(fields.map(|field| (*field, *constant)));
        }
        facts
    }

    fn start(&self) -> State {
        let mut state = State::default();
        let entry = &self.memory.program.functions[self.options.entry];
        for parameter in &entry.parameters {
            let variable = ScalarVariable::Register(self.options.entry, *parameter);
            let value = state.symbol();
            let event = state.event(Event { variables: vec![variable], ..Event::default() });
            state.variables.insert(variable, (value, event));
        }
        state
    }

    fn step(&self, mut state: State, key: StepKey) -> Vec<Continuation> {
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
                let values: Vec<(Value, EventId)> =
                    arguments.iter().map(|argument| self.read(&mut state, function, *argument)).collect();
                state
                    .variables
                    .retain(|variable, _| !matches!(variable, ScalarVariable::Register(owner, _) if *owner == callee));
                state.calls.push((function, automaton.edges[edge].to));
                for (parameter, (value, event)) in inner.parameters.iter().zip(values) {
                    state.write(ScalarVariable::Register(callee, *parameter), value, vec![event]);
                }
                vec![Continuation::On(Box::new(state))]
            }
            StepKey::Leave(function, edge, callee) => {
                let program = self.memory.program;
                let Some(automaton) = program.functions[function].automaton() else { return Vec::new() };
                if let (Some(target), Some(result)) =
                    (automaton.edges[edge].instruction.target(), program.functions[callee].result)
                {
                    let (value, event) = self.read(&mut state, callee, Operand::Register(result));
                    state.write(ScalarVariable::Register(function, target), value, vec![event]);
                }
                state.calls.pop();
                vec![Continuation::On(Box::new(state))]
            }
        }
    }

    fn read(&self, state: &mut State, function: FunctionId, operand: Operand) -> (Value, EventId) {
        match operand {
            Operand::Register(register) => self.read_variable(state, ScalarVariable::Register(function, register)),
            Operand::Int(number) if self.memory.is_plain(number) => {
                let event = state.event(Event::default());
                (Value::Number(number), event)
            }
            Operand::Int(_) | Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => {
                let event = state.event(Event::default());
                (state.symbol(), event)
            }
        }
    }

    fn read_variable(&self, state: &mut State, variable: ScalarVariable) -> (Value, EventId) {
        if let Some((value, event)) = state.variables.get(&variable) {
            return (*value, *event);
        }
        let event = state.event(Event { variables: vec![variable], ..Event::default() });
        let value = match variable {
            ScalarVariable::Register(..) => Value::Bad,
            ScalarVariable::Global(global, offset) => match self.memory.initial(global, offset) {
                Ok(number) if self.memory.is_plain(number) => Value::Number(number),
                Ok(_) | Err(_) => state.symbol(),
            },
        };
        state.variables.insert(variable, (value, event));
        (value, event)
    }

    /// The problem that a use of a value has, if any.
    fn bad_use(&self, value: Value) -> Option<Problem> {
        (value == Value::Bad).then(|| {
            if self.options.asks_for(Kind::Uninitialised) {
                Problem::Error(Kind::Uninitialised)
            } else {
                Problem::Gap(RefineGap::AnyValue.into())
            }
        })
    }

    /// The cell behind a pointer that is dereferenced, or how the run ends.
    fn dereferenced(&self, state: &mut State, base: (Value, EventId)) -> Result<usize, Box<Continuation>> {
        let mut from = vec![base.1];
        if let Some(problem) = self.bad_use(base.0) {
            return Err(Box::new(Continuation::Ends(Some(problem), Conflict { from, ..Conflict::default() })));
        }
        match base.0 {
            Value::Cell(cell) => {
                from.extend(state.writes.iter().filter(|(field, _)| field.is_none()).map(|(_, event)| *event));
                if state.cells[cell].freed {
                    let problem = Some(Problem::Error(Kind::UseAfterFree));
                    return Err(Box::new(Continuation::Ends(problem, Conflict { from, ..Conflict::default() })));
                }
                state.event(Event { from, ..Event::default() });
                Ok(cell)
            }
            Value::Null | Value::Number(_) | Value::Symbol(_) | Value::Bad => {
                let problem = Some(Problem::Error(Kind::NullDereference));
                Err(Box::new(Continuation::Ends(problem, Conflict { from, ..Conflict::default() })))
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
                    state.write(ScalarVariable::Register(function, *target), value, vec![event]);
                    vec![Continuation::On(Box::new(state))]
                }
                Ok(Access::Field(base, field)) => {
                    let base = self.read(&mut state, function, base);
                    let cell = match self.dereferenced(&mut state, base) {
                        Ok(cell) => cell,
                        Err(way) => return vec![*way],
                    };
                    let (value, stored) = state.field(cell, field, self.memory.fields[field].kind);
                    let mut from = vec![base.1, stored];
                    let writes = state.writes.iter().filter(|(written, _)| written.is_none_or(|other| other == field));
                    from.extend(writes.map(|(_, event)| *event));
                    let event = state.event(Event { fields: vec![field], from, ..Event::default() });
                    state.write(ScalarVariable::Register(function, *target), value, vec![event]);
                    vec![Continuation::On(Box::new(state))]
                }
                Err(reason) => vec![Continuation::Ends(Some(Problem::Gap(reason)), Conflict::default())],
            },
            Instruction::Store { place, value } => {
                let value = self.read(&mut state, function, *value);
                match self.memory.access(function, place) {
                    Ok(Access::Variable(variable)) => {
                        state.write(variable, value.0, vec![value.1]);
                        vec![Continuation::On(Box::new(state))]
                    }
                    Ok(Access::Field(base, field)) => {
                        let base = self.read(&mut state, function, base);
                        let cell = match self.dereferenced(&mut state, base) {
                            Ok(cell) => cell,
                            Err(way) => return vec![*way],
                        };
                        let event = Event { fields: vec![field], from: vec![base.1, value.1], ..Event::default() };
                        let event = state.event(event);
                        state.cells[cell].fields.insert(field, (value.0, event));
                        let pointer = state.event(Event { from: vec![base.1], ..Event::default() });
                        state.writes.push((Some(field), pointer));
                        vec![Continuation::On(Box::new(state))]
                    }
                    Err(reason) => vec![Continuation::Ends(Some(Problem::Gap(reason)), Conflict::default())],
                }
            }
            Instruction::Alloc { target, failure, contents, .. } => {
                let variable = ScalarVariable::Register(function, *target);
                let mut ways = Vec::new();
                let mut made = state.clone();
                let event = made.event(Event { variables: vec![variable], ..Event::default() });
                made.cells.push(Cell { made: event, contents: *contents, fields: FxHashMap::default(), freed: false });
                let cell = made.cells.len() - 1;
                made.write(variable, Value::Cell(cell), vec![event]);
                ways.push(Continuation::On(Box::new(made)));
                if *failure == Failure::Possible && self.options.allocation_failure == AllocationFailure::Possible {
                    state.write(variable, Value::Null, Vec::new());
                    ways.push(Continuation::On(Box::new(state)));
                }
                ways
            }
            Instruction::Free { pointer } => {
                let pointer = self.read(&mut state, function, *pointer);
                let conflict = Conflict { from: vec![pointer.1], ..Conflict::default() };
                if let Some(problem) = self.bad_use(pointer.0) {
                    return vec![Continuation::Ends(Some(problem), conflict)];
                }
                if let Value::Cell(cell) = pointer.0 {
                    if state.cells[cell].freed {
                        let frees = state.writes.iter().filter(|(field, _)| field.is_none());
                        let from = conflict.from.iter().copied().chain(frees.map(|(_, event)| *event)).collect();
                        let conflict = Conflict { from, ..conflict };
                        return vec![Continuation::Ends(Some(Problem::Error(Kind::DoubleFree)), conflict)];
                    }
                    state.cells[cell].freed = true;
                    let event = state.event(Event { from: vec![pointer.1], ..Event::default() });
                    state.writes.push((None, event));
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
                for argument in arguments {
                    let value = self.read(&mut state, function, *argument);
                    state.event(Event { from: vec![value.1], ..Event::default() });
                    if let Some(problem) = self.bad_use(value.0) {
                        let conflict = Conflict { from: vec![value.1], ..Conflict::default() };
                        return vec![Continuation::Ends(Some(problem), conflict)];
                    }
                }
                if effects.termination != Termination::Returns {
                    return vec![Continuation::Ends(None, Conflict::default())];
                }
                if let Some(target) = target {
                    let value = state.symbol();
                    state.write(ScalarVariable::Register(function, *target), value, Vec::new());
                }
                vec![Continuation::On(Box::new(state))]
            }
            // The abstraction ends here in a gap: the way to it is what matters.
            Instruction::Copy { .. } | Instruction::End { .. } | Instruction::Unsupported(_) => Vec::new(),
        }
    }

    fn assign(
        &self,
        mut state: State,
        function: FunctionId,
        target: RegisterId,
        value: &Expression,
    ) -> Vec<Continuation> {
        let variable = ScalarVariable::Register(function, target);
        let used: Vec<Operand> = match value {
            Expression::Operand(operand) => {
                let (value, event) = self.read(&mut state, function, *operand);
                state.write(variable, value, vec![event]);
                return vec![Continuation::On(Box::new(state))];
            }
            Expression::Nondet { .. } => {
                let value = state.symbol();
                state.write(variable, value, Vec::new());
                return vec![Continuation::On(Box::new(state))];
            }
            Expression::Uninitialised => {
                state.write(variable, Value::Bad, Vec::new());
                return vec![Continuation::On(Box::new(state))];
            }
            Expression::AddPath { base, .. } | Expression::SubtractPath { base, .. } => vec![*base],
            Expression::AddBytes { base, bytes } => vec![*base, *bytes],
            Expression::AddIndex { base, index, .. } => vec![*base, *index],
            Expression::PointerDifference { left, right, .. } | Expression::Binary { left, right, .. } => {
                vec![*left, *right]
            }
            Expression::Unary { value, .. } | Expression::Convert { value, .. } => vec![*value],
        };
        let mut events = Vec::new();
        let mut only = Value::Bad;
        for operand in &used {
            let (value, event) = self.read(&mut state, function, *operand);
            if let Some(problem) = self.bad_use(value) {
                return vec![Continuation::Ends(Some(problem), Conflict { from: vec![event], ..Conflict::default() })];
            }
            events.push(event);
            only = value;
        }
        let result = match value {
            Expression::AddPath { .. } | Expression::SubtractPath { .. } => only,
            Expression::Convert { to, .. } => self.converted(&mut state, only, *to),
            _ => state.symbol(),
        };
        state.write(variable, result, events);
        vec![Continuation::On(Box::new(state))]
    }

    /// Small numbers stay what they are; others are not followed.
    fn converted(&self, state: &mut State, value: Value, to: TypeId) -> Value {
        let is_bool = matches!(self.memory.program.ty(to), heapwise_ir::Type::Int(heapwise_ir::IntType::Bool));
        match value {
            Value::Number(number) if (0..=1).contains(&number) || !is_bool && (0..=127).contains(&number) => value,
            _ => state.symbol(),
        }
    }

    fn condition(&self, state: &mut State, function: FunctionId, condition: &Condition) -> Tested {
        match condition {
            Condition::True => Tested::Is(true, Conflict::default()),
            Condition::False => Tested::Is(false, Conflict::default()),
            Condition::Compare { operator, ty, left, right } => {
                let one = self.read(state, function, *left);
                let other = self.read(state, function, *right);
                state.event(Event { from: vec![one.1, other.1], ..Event::default() });
                for (value, event) in [one, other] {
                    if let Some(problem) = self.bad_use(value) {
                        return Tested::Problem(problem, Conflict { from: vec![event], ..Conflict::default() });
                    }
                }
                match self.memory.kind(*ty) {
                    ScalarKind::Pointer => compare_pointers(state, *operator, one, other),
                    ScalarKind::Number => compare_numbers(state, *operator, one, other),
                }
            }
            Condition::NotCompare { left, right, .. } => {
                for operand in [left, right] {
                    let (value, event) = self.read(state, function, *operand);
                    state.event(Event { from: vec![event], ..Event::default() });
                    if let Some(problem) = self.bad_use(value) {
                        return Tested::Problem(problem, Conflict { from: vec![event], ..Conflict::default() });
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
            let (value, event) = self.read(state, function, *argument);
            if let Some(problem) = self.bad_use(value) {
                return Tested::Problem(problem, Conflict { from: vec![event], ..Conflict::default() });
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
            .map(|argument| match self.read(state, function, *argument).0 {
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
            Some(holds) => Tested::Is(holds, Conflict { from: vec![fields], ..Conflict::default() }),
            None => Tested::Open,
        }
    }
}

/// How a condition comes out.
enum Tested {
    /// So, because of these.
    Is(bool, Conflict),
    /// That depends.
    Open,
    /// A value in it must not be used.
    Problem(Problem, Conflict),
}

fn compare_pointers(
    state: &State,
    operator: CompareOperator,
    (one, first): (Value, EventId),
    (other, second): (Value, EventId),
) -> Tested {
    let plain = |value: Value| if value == Value::Number(0) { Value::Null } else { value };
    let (one, other) = (plain(one), plain(other));
    let is_freed = |value: Value| matches!(value, Value::Cell(cell) if state.cells[cell].freed);
    let is_known = |value: Value| matches!(value, Value::Null | Value::Cell(_));
    let equal = one == other;
    let may_meet = !equal && one != Value::Null && other != Value::Null && (is_freed(one) || is_freed(other));
    if may_meet || !is_known(one) || !is_known(other) {
        return Tested::Open;
    }
    let conflict = Conflict { from: vec![first, second], ..Conflict::default() };
    match operator {
        CompareOperator::Equal => Tested::Is(equal, conflict),
        CompareOperator::NotEqual => Tested::Is(!equal, conflict),
        CompareOperator::Less
        | CompareOperator::LessEqual
        | CompareOperator::Greater
        | CompareOperator::GreaterEqual => Tested::Open,
    }
}

fn compare_numbers(
    state: &mut State,
    operator: CompareOperator,
    (one, first): (Value, EventId),
    (other, second): (Value, EventId),
) -> Tested {
    let mut from = vec![first, second];
    let mut known = |value: Value| match value {
        Value::Number(number) => Some(number),
        Value::Symbol(symbol) => state.symbols[symbol].is.map(|(number, event)| {
            from.push(event);
            number
        }),
        Value::Bad | Value::Null | Value::Cell(_) => None,
    };
    match (known(one), known(other)) {
        (Some(left), Some(right)) => {
            let conflict = Conflict { from, constants: BTreeSet::from([left, right]) };
            Tested::Is(operator.holds(left.cmp(&right)), conflict)
        }
        (Some(number), None) => against(state, operator.mirrored(), (other, second), number, from),
        (None, Some(number)) => against(state, operator, (one, first), number, from),
        (None, None) => Tested::Open,
    }
}

/// A symbol is compared with a number: what that teaches is kept.
fn against(
    state: &mut State,
    operator: CompareOperator,
    (value, event): (Value, EventId),
    number: i128,
    mut from: Vec<EventId>,
) -> Tested {
    let Value::Symbol(symbol) = value else { return Tested::Open };
    let excluded = state.symbols[symbol].is_not.iter().find(|(other, _)| *other == number).copied();
    if let Some((_, why)) = excluded {
        from.push(why);
        let conflict = Conflict { from, constants: BTreeSet::from([number]) };
        match operator {
            CompareOperator::Equal => return Tested::Is(false, conflict),
            CompareOperator::NotEqual => return Tested::Is(true, conflict),
            _ => {}
        }
    }
    let why = state.event(Event { from: vec![event], ..Event::default() });
    match operator {
        CompareOperator::Equal => state.symbols[symbol].is = Some((number, why)),
        CompareOperator::NotEqual => state.symbols[symbol].is_not.push((number, why)),
        CompareOperator::Less
        | CompareOperator::LessEqual
        | CompareOperator::Greater
        | CompareOperator::GreaterEqual => {}
    }
    Tested::Open
}

impl State {
    fn symbol(&mut self) -> Value {
        self.symbols.push(Symbol::default());
        Value::Symbol(self.symbols.len() - 1)
    }

    fn event(&mut self, event: Event) -> EventId {
        self.events.push(event);
        self.events.len() - 1
    }

    fn write(&mut self, variable: ScalarVariable, value: Value, from: Vec<EventId>) {
        let event = self.event(Event { variables: vec![variable], from, ..Event::default() });
        self.variables.insert(variable, (value, event));
    }

    fn field(&mut self, cell: usize, field: FieldId, kind: ScalarKind) -> (Value, EventId) {
        if let Some(known) = self.cells[cell].fields.get(&field) {
            return *known;
        }
        let (contents, made) = (self.cells[cell].contents, self.cells[cell].made);
        let value = match (contents, kind) {
            (InitialContents::Uninitialised, _) => Value::Bad,
            (InitialContents::Zeroed, ScalarKind::Pointer) => Value::Null,
            (InitialContents::Zeroed, ScalarKind::Number) => Value::Number(0),
            (InitialContents::Nondet, _) => self.symbol(),
        };
        let event = self.event(Event { fields: vec![field], from: vec![made], ..Event::default() });
        self.cells[cell].fields.insert(field, (value, event));
        (value, event)
    }
}
