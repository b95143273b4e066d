//! A run along a path: exact for pointers, for numbers as far as ranges and equalities go; and of what each value was computed.

use heapwise_engine::reason::RefineGap;
use heapwise_engine::{Kind, Options};
use heapwise_ir::{CompareOperator, EdgeId, FunctionId, InitialContents, IntType};
use heapwise_numbers::{Range, arithmetic};
use heapwise_shapes::memory::{FieldId, ScalarKind, ScalarVariable};
use heapwise_shapes::precision::NumberTest;
use heapwise_shapes::transfer::Problem;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Bad,
    Null,
    Cell(usize),
    Number(i128),
    /// A number that is not known; the same symbol is the same number.
    Symbol(usize),
}

/// Something that was computed, by its position.
pub(super) type EventId = usize;

#[derive(Clone, Default, Debug)]
pub(super) struct Event {
    pub(super) variables: Vec<ScalarVariable>,
    pub(super) fields: Vec<FieldId>,
    pub(super) from: Vec<EventId>,
    /// What the variable or field holds then.
    pub(super) value: Option<Value>,
    /// What decides about the number.
    pub(super) tests: Vec<NumberTest>,
    /// Whether a variable got what a field holds.
    pub(super) is_load: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) made: EventId,
    pub(super) contents: InitialContents,
    pub(super) fields: FxHashMap<FieldId, (Value, EventId)>,
    pub(super) freed: bool,
    /// The function whose local it is.
    pub(super) local_of: Option<FunctionId>,
}

/// What is known of a symbol.
#[derive(Clone, Debug)]
struct Symbol {
    range: Range,
    /// Why no more numbers than these.
    why: Vec<EventId>,
    /// Another symbol that is the same number.
    same: Option<(usize, EventId)>,
    /// Symbols that are other numbers.
    differs: Vec<(usize, EventId)>,
}

#[derive(Clone, Default, Debug)]
pub(super) struct State {
    pub(super) variables: FxHashMap<ScalarVariable, (Value, EventId)>,
    pub(super) cells: Vec<Cell>,
    symbols: Vec<Symbol>,
    pub(super) events: Vec<Event>,
    /// The stores and frees so far: the field (all for a free), and the pointer.
    pub(super) writes: Vec<(Option<FieldId>, EventId)>,
    /// The calls that the run is in: the caller, and its edge.
    pub(super) calls: Vec<(FunctionId, EdgeId)>,
}

/// A contradiction: what it depends on, what decides about the numbers, and the values that are the same or not.
#[derive(Clone, Default, Debug)]
pub(super) struct Conflict {
    pub(super) from: Vec<EventId>,
    pub(super) tests: BTreeSet<NumberTest>,
    pub(super) related: Option<(Value, Value)>,
}

impl Conflict {
    pub(super) fn of(from: Vec<EventId>) -> Conflict {
        Conflict { from, ..Conflict::default() }
    }

    /// Takes over what another one depends on.
    pub(super) fn extend(&mut self, other: Conflict) {
        self.from.extend(other.from);
        self.tests.extend(other.tests);
        self.related = self.related.or(other.related);
    }
}

/// How a condition comes out.
pub(super) enum Tested {
    /// So, because of these.
    Is(bool, Conflict),
    /// That depends.
    Open,
    /// A value in it must not be used.
    Problem(Problem, Conflict),
}

/// The problem that a use of a value has, if any.
pub(super) fn bad_use(options: &Options, value: Value) -> Option<Problem> {
    (value == Value::Bad).then(|| {
        if options.asks_for(Kind::Uninitialised) {
            Problem::Error(Kind::Uninitialised)
        } else {
            Problem::Gap(RefineGap::AnyValue.into())
        }
    })
}

impl State {
    /// A number of a type that is not known.
    pub(super) fn symbol(&mut self, int: Option<IntType>) -> Value {
        self.symbol_in(int.map_or_else(Range::all, Range::of_type))
    }

    /// A number of a range.
    pub(super) fn symbol_in(&mut self, range: Range) -> Value {
        if let Some(number) = range.as_constant() {
            return Value::Number(number);
        }
        self.symbols.push(Symbol { range, why: Vec::new(), same: None, differs: Vec::new() });
        Value::Symbol(self.symbols.len() - 1)
    }

    pub(super) fn event(&mut self, event: Event) -> EventId {
        self.events.push(event);
        self.events.len() - 1
    }

    pub(super) fn write(&mut self, variable: ScalarVariable, value: Value, event: Event) {
        let event = self.event(Event { variables: vec![variable], value: Some(value), ..event });
        self.variables.insert(variable, (value, event));
    }

    pub(super) fn field(&mut self, cell: usize, field: FieldId, kind: ScalarKind) -> (Value, EventId) {
        if let Some(known) = self.cells[cell].fields.get(&field) {
            return *known;
        }
        let (contents, made) = (self.cells[cell].contents, self.cells[cell].made);
        let value = match (contents, kind) {
            (InitialContents::Uninitialised, _) => Value::Bad,
            (InitialContents::Zeroed, kind) => State::zero(kind),
            (InitialContents::Nondet, _) => self.symbol(None),
        };
        let event = self.event(Event { fields: vec![field], from: vec![made], value: Some(value), ..Event::default() });
        self.cells[cell].fields.insert(field, (value, event));
        (value, event)
    }

    /// What a field of a cell of zeros holds.
    pub(super) fn zero(kind: ScalarKind) -> Value {
        match kind {
            ScalarKind::Pointer => Value::Null,
            ScalarKind::Number => Value::Number(0),
        }
    }

    /// A cell was freed, or ended.
    pub(super) fn end(&mut self, cell: usize, from: Vec<EventId>) {
        self.cells[cell].freed = true;
        let event = self.event(Event { from, ..Event::default() });
        self.writes.push((None, event));
    }

    /// The symbol that stands for all that are the same, and why.
    fn root(&self, symbol: usize) -> (usize, Vec<EventId>) {
        let (mut root, mut why) = (symbol, Vec::new());
        while let Some((same, event)) = self.symbols[root].same {
            root = same;
            why.push(event);
        }
        (root, why)
    }

    /// The value with symbols that are the same made one.
    pub(super) fn resolved(&self, value: Value) -> Value {
        match value {
            Value::Symbol(symbol) => Value::Symbol(self.root(symbol).0),
            Value::Bad | Value::Null | Value::Cell(_) | Value::Number(_) => value,
        }
    }

    /// The numbers that a value may be, and why no others.
    pub(super) fn range(&self, value: Value) -> (Range, Vec<EventId>) {
        match value {
            Value::Number(number) => (Range::constant(number), Vec::new()),
            Value::Null => (Range::constant(0), Vec::new()),
            Value::Symbol(symbol) => {
                let (root, mut why) = self.root(symbol);
                why.extend(&self.symbols[root].why);
                (self.symbols[root].range.clone(), why)
            }
            Value::Bad | Value::Cell(_) => (Range::all(), Vec::new()),
        }
    }

    /// Compares two numbers of a type. Where that depends, it is learnt that they compare so.
    pub(super) fn compare_numbers(
        &mut self,
        operator: CompareOperator,
        int: Option<IntType>,
        (one, first): (Value, EventId),
        (other, second): (Value, EventId),
    ) -> Tested {
        let Some(int) = int else { return Tested::Open };
        let (one, other) = (self.resolved(one), self.resolved(other));
        let ((left, why_left), (right, why_right)) = (self.range(one), self.range(other));
        let mut conflict = Conflict::of([first, second].into_iter().chain(why_left).chain(why_right).collect());
        if let Some(is_equal) = self.equality(one, other, &mut conflict) {
            match operator {
                CompareOperator::Equal | CompareOperator::LessEqual | CompareOperator::GreaterEqual if is_equal => {
                    return Tested::Is(true, conflict);
                }
                CompareOperator::NotEqual | CompareOperator::Less | CompareOperator::Greater if is_equal => {
                    return Tested::Is(false, conflict);
                }
                CompareOperator::Equal => return Tested::Is(false, conflict),
                CompareOperator::NotEqual => return Tested::Is(true, conflict),
                _ => {}
            }
        }
        conflict.related = None;
        let decides = |operator: CompareOperator, constant: i128| match operator {
            CompareOperator::Equal | CompareOperator::NotEqual => NumberTest::Equals(constant),
            CompareOperator::Less | CompareOperator::GreaterEqual => NumberTest::Below(constant),
            CompareOperator::Greater | CompareOperator::LessEqual => NumberTest::Below(constant.saturating_add(1)),
        };
        let mut tests = Vec::new();
        tests.extend(right.as_constant().map(|constant| decides(operator, constant)));
        tests.extend(left.as_constant().map(|constant| decides(operator.mirrored(), constant)));
        if let (Some(left), Some(right)) = (left.as_constant(), right.as_constant()) {
            tests.extend([NumberTest::Equals(left), NumberTest::Equals(right)]);
        }
        if let Some(is) = arithmetic::compare(operator, int, &left, &right) {
            conflict.tests.extend(tests);
            return Tested::Is(is, conflict);
        }
        let why = self.event(Event { from: vec![first, second], tests, ..Event::default() });
        self.learn(operator, one, other, why);
        Tested::Open
    }

    /// Whether two values are known to be the same number or different ones, by what was compared before.
    fn equality(&self, one: Value, other: Value, conflict: &mut Conflict) -> Option<bool> {
        let (Value::Symbol(a), Value::Symbol(b)) = (one, other) else { return None };
        conflict.related = Some((one, other));
        if a == b {
            // Why they are the same is why their symbols are: all that made symbols the same.
            conflict.from.extend(self.symbols.iter().filter_map(|symbol| symbol.same.map(|(_, event)| event)));
            return Some(true);
        }
        let known = |of: usize, other: usize| {
            let is_other = |symbol: usize| self.root(symbol).0 == other;
            self.symbols[of].differs.iter().find(|(symbol, _)| is_other(*symbol)).map(|(_, event)| *event)
        };
        let event = known(a, b).or_else(|| known(b, a))?;
        conflict.from.push(event);
        Some(false)
    }

    /// Two numbers compare so, which was not known.
    fn learn(&mut self, operator: CompareOperator, one: Value, other: Value, why: EventId) {
        if let (Value::Symbol(a), Value::Symbol(b)) = (one, other) {
            match operator {
                CompareOperator::Equal => {
                    if let Some(both) = self.symbols[a].range.meet(&self.symbols[b].range) {
                        let others = self.symbols[b].differs.clone();
                        let whys = self.symbols[b].why.clone();
                        self.symbols[a].range = both;
                        self.symbols[a].why.extend(whys);
                        self.symbols[a].why.push(why);
                        self.symbols[a].differs.extend(others);
                        self.symbols[b].same = Some((a, why));
                    }
                }
                CompareOperator::NotEqual => self.symbols[a].differs.push((b, why)),
                _ => {}
            }
            return;
        }
        let (right, left) = (self.range(other).0, self.range(one).0);
        self.narrow(operator, one, &right, why);
        self.narrow(operator.mirrored(), other, &left, why);
    }

    fn narrow(&mut self, operator: CompareOperator, value: Value, than: &Range, why: EventId) {
        let Value::Symbol(symbol) = value else { return };
        let range = &self.symbols[symbol].range;
        let all = (i128::MIN, i128::MAX);
        let narrower = match operator {
            CompareOperator::Equal => range.meet(than),
            CompareOperator::NotEqual => than.as_constant().map_or(Some(range.clone()), |number| range.without(number)),
            CompareOperator::Less => {
                Range::between(all.0, than.greatest().saturating_sub(1)).and_then(|below| range.meet(&below))
            }
            CompareOperator::LessEqual => Range::between(all.0, than.greatest()).and_then(|below| range.meet(&below)),
            CompareOperator::Greater => {
                Range::between(than.least().saturating_add(1), all.1).and_then(|above| range.meet(&above))
            }
            CompareOperator::GreaterEqual => Range::between(than.least(), all.1).and_then(|above| range.meet(&above)),
        };
        if let Some(narrower) = narrower
            && narrower != self.symbols[symbol].range
        {
            self.symbols[symbol].range = narrower;
            self.symbols[symbol].why.push(why);
        }
    }

    pub(super) fn compare_pointers(
        &self,
        operator: CompareOperator,
        (one, first): (Value, EventId),
        (other, second): (Value, EventId),
    ) -> Tested {
        let is_freed = |value: Value| matches!(value, Value::Cell(cell) if self.cells[cell].freed);
        let is_known = |value: Value| matches!(value, Value::Null | Value::Cell(_));
        let equal = one == other;
        let may_meet = !equal && one != Value::Null && other != Value::Null && (is_freed(one) || is_freed(other));
        if may_meet || !is_known(one) || !is_known(other) {
            return Tested::Open;
        }
        let conflict = Conflict::of(vec![first, second]);
        match operator {
            CompareOperator::Equal => Tested::Is(equal, conflict),
            CompareOperator::NotEqual => Tested::Is(!equal, conflict),
            CompareOperator::Less
            | CompareOperator::LessEqual
            | CompareOperator::Greater
            | CompareOperator::GreaterEqual => Tested::Open,
        }
    }
}
