//! Random programs over integers, run with valuations and with states side by side: every valuation is in its state.

use heapwise_ir::{BinaryOperator, CompareOperator, IntType, UnaryOperator, integer};
use heapwise_numbers::{Comparison, Expression, Operand, Range, State, Truth, arithmetic, parse_state};
use proptest::prelude::*;

/// Variables are numbers; several of each type, most of them so small that everything wraps around.
const TYPES: [IntType; 10] = [
    IntType::Signed(1),
    IntType::Signed(1),
    IntType::Signed(1),
    IntType::Unsigned(1),
    IntType::Unsigned(1),
    IntType::Signed(4),
    IntType::Signed(4),
    IntType::Unsigned(8),
    IntType::Bool,
    IntType::Unsigned(16),
];

const OPERATORS: [BinaryOperator; 10] = [
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
];

const COMPARISONS: [CompareOperator; 6] = [
    CompareOperator::Equal,
    CompareOperator::NotEqual,
    CompareOperator::Less,
    CompareOperator::LessEqual,
    CompareOperator::Greater,
    CompareOperator::GreaterEqual,
];

type Valuation = [i128; TYPES.len()];

#[derive(Clone, Debug)]
enum Statement {
    Assign(usize, Expression<usize>),
    Assume(Comparison<usize>),
    Forget(usize, i128),
    Rename(usize, usize, i128),
    Branch(Vec<Statement>, Vec<Statement>),
    Loop(Vec<Statement>),
}

fn constants(int: IntType) -> impl Strategy<Value = i128> {
    let (least, greatest) = integer::range(int);
    prop_oneof![
        4 => (-3i128..4).prop_map(move |value| integer::wrap(value, int)),
        1 => Just(least),
        1 => Just(greatest),
        2 => any::<i16>().prop_map(move |value| integer::wrap(value.into(), int)),
    ]
}

fn variables_of(int: IntType) -> impl Strategy<Value = usize> {
    let found: Vec<usize> = (0..TYPES.len()).filter(|variable| TYPES[*variable] == int).collect();
    proptest::sample::select(found)
}

fn operands(int: IntType) -> impl Strategy<Value = Operand<usize>> {
    prop_oneof![
        3 => variables_of(int).prop_map(Operand::Variable),
        2 => constants(int).prop_map(Operand::Constant),
    ]
}

fn expressions(int: IntType) -> BoxedStrategy<Expression<usize>> {
    let increments = (variables_of(int), constants(int), any::<bool>()).prop_map(move |(variable, by, add)| {
        let operator = if add { BinaryOperator::Add } else { BinaryOperator::Subtract };
        Expression::Binary(operator, int, Operand::Variable(variable), Operand::Constant(by))
    });
    let binary = (proptest::sample::select(OPERATORS.to_vec()), operands(int), operands(int))
        .prop_map(move |(operator, left, right)| Expression::Binary(operator, int, left, right));
    let convert = (0..TYPES.len()).prop_map(move |variable| Expression::Convert {
        from: TYPES[variable],
        to: int,
        value: Operand::Variable(variable),
    });
    prop_oneof![
        3 => operands(int).prop_map(move |operand| Expression::Operand(int, operand)),
        4 => increments,
        4 => binary,
        2 => convert,
        1 => operands(int).prop_map(move |operand| Expression::Unary(UnaryOperator::Negate, int, operand)),
        1 => operands(int).prop_map(move |operand| Expression::Unary(UnaryOperator::Complement, int, operand)),
    ]
    .boxed()
}

fn comparisons() -> impl Strategy<Value = Comparison<usize>> {
    (proptest::sample::select(TYPES.to_vec()), proptest::sample::select(COMPARISONS.to_vec())).prop_flat_map(
        |(int, operator)| {
            (operands(int), operands(int)).prop_map(move |(left, right)| Comparison { operator, int, left, right })
        },
    )
}

fn statements() -> impl Strategy<Value = Statement> {
    let value = any::<i64>().prop_map(i128::from);
    let leaf = prop_oneof![
        6 => (0..TYPES.len()).prop_flat_map(|variable| {
            expressions(TYPES[variable]).prop_map(move |expression| Statement::Assign(variable, expression))
        }),
        4 => comparisons().prop_map(Statement::Assume),
        1 => (0..TYPES.len(), value.clone()).prop_map(|(variable, value)| Statement::Forget(variable, value)),
        1 => (0..TYPES.len(), value).prop_flat_map(|(from, value)| {
            variables_of(TYPES[from]).prop_map(move |to| Statement::Rename(from, to, value))
        }),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        let block = proptest::collection::vec(inner, 0..4);
        prop_oneof![
            (block.clone(), block.clone()).prop_map(|(one, other)| Statement::Branch(one, other)),
            block.prop_map(Statement::Loop),
        ]
    })
}

fn programs() -> impl Strategy<Value = Vec<Statement>> {
    proptest::collection::vec(statements(), 1..9)
}

fn valuations() -> impl Strategy<Value = Vec<Valuation>> {
    let one = proptest::collection::vec(prop_oneof![(-4i128..5), any::<i64>().prop_map(i128::from)], TYPES.len());
    let typed = one.prop_map(|values| std::array::from_fn(|index| integer::wrap(values[index], TYPES[index])));
    proptest::collection::vec(typed, 1..12)
}

fn value(valuation: &Valuation, operand: &Operand<usize>, int: IntType) -> i128 {
    match operand {
        Operand::Constant(constant) => integer::wrap(*constant, int),
        Operand::Variable(variable) => valuation[*variable],
    }
}

fn evaluate(valuation: &Valuation, expression: &Expression<usize>) -> Option<i128> {
    Some(match expression {
        Expression::Operand(int, operand) => value(valuation, operand, *int),
        Expression::Unary(operator, int, operand) => integer::unary(*operator, *int, value(valuation, operand, *int)),
        Expression::Binary(operator, int, left, right) => {
            return integer::binary(*operator, *int, value(valuation, left, *int), value(valuation, right, *int)).ok();
        }
        Expression::Convert { from, to, value: operand } => integer::wrap(value(valuation, operand, *from), *to),
        Expression::Any(_) => return None,
    })
}

fn holds(valuation: &Valuation, comparison: &Comparison<usize>) -> bool {
    let Comparison { operator, int, left, right } = comparison;
    let (left, right) = (value(valuation, left, *int), value(valuation, right, *int));
    match operator {
        CompareOperator::Equal => left == right,
        CompareOperator::NotEqual => left != right,
        CompareOperator::Less => integer::less(*int, left, right),
        CompareOperator::LessEqual => !integer::less(*int, right, left),
        CompareOperator::Greater => integer::less(*int, right, left),
        CompareOperator::GreaterEqual => !integer::less(*int, left, right),
    }
}

/// What happens at each step; wrong steps are collected.
struct Run {
    wrong: Vec<String>,
    states: Vec<State<usize>>,
}

impl Run {
    fn check(&mut self, what: &str, state: &State<usize>, valuations: &[Valuation]) {
        for valuation in valuations {
            if !state.admits(|variable| valuation[*variable]) {
                self.wrong.push(format!("{what}: {state} lacks {valuation:?}"));
            }
        }
        self.states.push(state.clone());
    }

    fn block(&mut self, statements: &[Statement], state: &mut State<usize>, valuations: &mut Vec<Valuation>) {
        for statement in statements {
            self.statement(statement, state, valuations);
            self.check(&format!("{statement:?}"), state, valuations);
        }
    }

    fn statement(&mut self, statement: &Statement, state: &mut State<usize>, valuations: &mut Vec<Valuation>) {
        match statement {
            Statement::Assign(variable, expression) => {
                let defined = state.is_defined(expression);
                let before = valuations.len();
                valuations.retain_mut(|valuation| match evaluate(valuation, expression) {
                    Some(value) => {
                        valuation[*variable] = value;
                        true
                    }
                    None => false,
                });
                let is_wrong = match defined {
                    Truth::Yes => valuations.len() < before,
                    Truth::No => !valuations.is_empty(),
                    Truth::Unknown => false,
                };
                if is_wrong {
                    self.wrong.push(format!("{state}: {expression:?} is defined: {defined:?}"));
                }
                state.assign(*variable, expression);
            }
            Statement::Assume(comparison) => {
                let answer = state.entails(comparison);
                let n_holding = valuations.iter().filter(|valuation| holds(valuation, comparison)).count();
                let is_wrong = match answer {
                    Truth::Yes => n_holding < valuations.len(),
                    Truth::No => n_holding > 0,
                    Truth::Unknown => false,
                };
                if is_wrong {
                    self.wrong.push(format!("{state}: {comparison:?} is {answer:?}, holds for {n_holding}"));
                }
                valuations.retain(|valuation| holds(valuation, comparison));
                state.assume(comparison);
            }
            Statement::Forget(variable, new) => {
                valuations
                    .iter_mut()
                    .for_each(|valuation| valuation[*variable] = integer::wrap(*new, TYPES[*variable]));
                state.forget(variable);
            }
            Statement::Rename(from, to, new) => {
                if from != to {
                    for valuation in valuations {
                        valuation[*to] = valuation[*from];
                        valuation[*from] = integer::wrap(*new, TYPES[*from]);
                    }
                }
                state.rename(from, *to);
            }
            Statement::Branch(one, other) => {
                let half = valuations.len() / 2;
                let mut others = valuations.split_off(half);
                let mut other_state = state.clone();
                self.block(one, state, valuations);
                self.block(other, &mut other_state, &mut others);
                let joined = state.join(&other_state);
                if !state.leq(&joined) || !other_state.leq(&joined) {
                    self.wrong.push(format!("{state} and {other_state} are not within {joined}"));
                }
                *state = joined;
                valuations.append(&mut others);
            }
            Statement::Loop(body) => self.repeat(body, state, valuations),
        }
    }

    fn repeat(&mut self, body: &[Statement], state: &mut State<usize>, valuations: &mut Vec<Valuation>) {
        let mut n_rounds = 0;
        loop {
            let mut after = state.clone();
            self.block(body, &mut after, &mut Vec::new());
            let widened = state.widen(&after, &[10, 100]);
            if !state.leq(&widened) || !after.leq(&widened) {
                self.wrong.push(format!("{state} and {after} are not within {widened}"));
            }
            if widened == *state {
                break;
            }
            *state = widened;
            n_rounds += 1;
            if n_rounds > 200 {
                self.wrong.push(format!("no end in sight: {state}"));
                break;
            }
        }
        let mut running = valuations.clone();
        for _ in 0..4 {
            let mut inner = state.clone();
            self.block(body, &mut inner, &mut running);
            self.check("loop head", state, &running);
            valuations.extend(&running);
        }
        valuations.truncate(64);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_valuation_is_in_its_state(program in programs(), mut valuations in valuations()) {
        let mut run = Run { wrong: Vec::new(), states: Vec::new() };
        let mut state = State::top();
        run.block(&program, &mut state, &mut valuations);
        prop_assert!(run.wrong.is_empty(), "{:#?}", run.wrong);
        for x in 0..TYPES.len() {
            for y in 0..TYPES.len() {
                if let Some(difference) = state.difference(&x, &y) {
                    for valuation in &valuations {
                        prop_assert_eq!(valuation[x] - valuation[y], difference);
                    }
                }
            }
        }
    }

    #[test]
    fn states_that_include_each_other_are_equal_and_inclusion_is_an_order(program in programs(), valuations in valuations()) {
        let mut run = Run { wrong: Vec::new(), states: Vec::new() };
        run.block(&program, &mut State::top(), &mut valuations.clone());
        run.states.truncate(12);
        for one in &run.states {
            prop_assert!(one.leq(one) && one.leq(&State::top()) && State::bottom().leq(one));
            prop_assert_eq!(&one.join(&State::bottom()), one);
            prop_assert_eq!(&one.join(one), one);
            for other in &run.states {
                if one.leq(other) && other.leq(one) {
                    prop_assert_eq!(one, other);
                }
                if one.leq(other) {
                    for valuation in &valuations {
                        let is_in = |state: &State<usize>| state.admits(|variable| valuation[*variable]);
                        prop_assert!(!is_in(one) || is_in(other));
                    }
                }
                for third in &run.states {
                    prop_assert!(!one.leq(other) || !other.leq(third) || one.leq(third), "{} {} {}", one, other, third);
                }
            }
        }
    }

    #[test]
    fn what_is_printed_is_read_again(program in programs()) {
        let mut run = Run { wrong: Vec::new(), states: Vec::new() };
        run.block(&program, &mut State::top(), &mut Vec::new());
        for state in &run.states {
            let named = state.map(|variable| format!("v{variable}"));
            let text = named.to_string();
            prop_assert_eq!(parse_state(&text, |name| Some(name.to_owned())), Ok(named), "{}", text);
        }
    }

    /// Ranges of one byte, all pairs of values.
    #[test]
    fn operators_lose_no_result(
        operator in proptest::sample::select(OPERATORS.to_vec()), signed: bool,
        left in any::<(i8, i8)>(), right in any::<(i8, i8)>(), hole: i8,
    ) {
        let int = if signed { IntType::Signed(1) } else { IntType::Unsigned(1) };
        let range = |(a, b): (i8, i8)| {
            let (a, b) = (integer::wrap(a.into(), int), integer::wrap(b.into(), int));
            let range = Range::between(a.min(b), a.max(b)).expect("in order");
            range.without(integer::wrap(hole.into(), int)).unwrap_or(range)
        };
        let (left, right) = (range(left), range(right));
        let found = arithmetic::binary(operator, int, &left, &right);
        for x in (left.least()..=left.greatest()).filter(|x| left.contains(*x)) {
            for y in (right.least()..=right.greatest()).filter(|y| right.contains(*y)) {
                if let Ok(result) = integer::binary(operator, int, x, y) {
                    prop_assert!(found.as_ref().is_some_and(|found| found.contains(result)), "{x} {operator:?} {y} = {result}");
                }
            }
            for to in TYPES {
                prop_assert!(arithmetic::convert(&left, to).contains(integer::wrap(x, to)));
            }
            for operator in [UnaryOperator::Negate, UnaryOperator::Complement] {
                prop_assert!(arithmetic::unary(operator, int, &left).contains(integer::unary(operator, int, x)));
            }
        }
    }
}
