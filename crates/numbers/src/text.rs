//! States, expressions and comparisons as text.
//!
//! ```text
//! STATE      = true | false | FACT, …
//! FACT       = x = 3 | x in 0..9 | x in 0.. | x in ..9 | x in TYPE | x != 4      both ends of a range belong to it
//!            | y = x + 1 mod 2^32 | x != y                                       without `mod`: modulo 2^64
//! EXPRESSION = OPERAND : TYPE | (- | ~)OPERAND : TYPE | OPERAND (+ | - | * | …) OPERAND : TYPE
//!            | OPERAND : TYPE -> TYPE | any : TYPE
//! COMPARISON = OPERAND (== | != | < | <= | > | >=) OPERAND : TYPE
//! OPERAND    = x | 3 | -3
//! TYPE       = bool | i8 | u8 | … | i128 | u128
//! ```

use crate::expression::{Comparison, Expression, Operand};
use crate::range::Range;
use crate::state::{Facts, State, Variable};
use heapwise_ir::text::words::{
    BINARY_OPERATORS, COMPARE_OPERATORS, INT_TYPES, is_name_part, is_name_start, value_of, word_of,
};
use heapwise_ir::{IntType, UnaryOperator, integer};
use std::fmt;

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("column {column}: expected {expected}")]
pub struct ParseError {
    /// Where, in characters from 1.
    pub column: usize,
    /// What should be there.
    pub expected: &'static str,
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_of = |int: IntType| (self.least(), self.greatest()) == integer::range(int);
        // 0..1 says more than `bool`.
        let whole = INT_TYPES.iter().find(|(_, int)| *int != IntType::Bool && int.bytes() < 16 && is_of(*int));
        if let Some((word, _)) = whole {
            return f.write_str(word);
        }
        if self.least() != i128::MIN {
            write!(f, "{}", self.least())?;
        }
        f.write_str("..")?;
        if self.greatest() != i128::MAX {
            write!(f, "{}", self.greatest())?;
        }
        Ok(())
    }
}

impl<V: Variable + fmt::Display> fmt::Display for State<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(facts) = self.facts() else { return f.write_str("false") };
        let mut lines: Vec<String> = Vec::new();
        for (variable, range) in &facts.ranges {
            match range.as_constant() {
                Some(value) => lines.push(format!("{variable} = {value}")),
                None if range.least() == i128::MIN && range.greatest() == i128::MAX => {}
                None => lines.push(format!("{variable} in {range}")),
            }
            lines.extend(range.holes().iter().map(|hole| format!("{variable} != {hole}")));
        }
        for class in facts.equalities.classes() {
            let (first, _) = &class.members[0];
            for (member, offset) in &class.members[1..] {
                // The nearer way round.
                let half = 1i128 << (class.bits - 1);
                let near = if *offset >= half { offset - 2 * half } else { *offset };
                let sign = if near < 0 { "-" } else { "+" };
                let distance = if near == 0 { String::new() } else { format!(" {sign} {}", near.unsigned_abs()) };
                let modulus = if class.bits == 64 { String::new() } else { format!(" mod 2^{}", class.bits) };
                lines.push(format!("{member} = {first}{distance}{modulus}"));
            }
        }
        lines.extend(facts.distinct.iter().map(|(x, y)| format!("{x} != {y}")));
        if lines.is_empty() { f.write_str("true") } else { f.write_str(&lines.join(", ")) }
    }
}

impl<V: fmt::Display> fmt::Display for Operand<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Constant(value) => write!(f, "{value}"),
            Operand::Variable(variable) => write!(f, "{variable}"),
        }
    }
}

impl<V: fmt::Display> fmt::Display for Expression<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |int: &IntType| word_of(&INT_TYPES, int);
        match self {
            Expression::Operand(int, operand) => write!(f, "{operand} : {}", name(int)),
            Expression::Unary(UnaryOperator::Negate, int, operand) => write!(f, "- {operand} : {}", name(int)),
            Expression::Unary(UnaryOperator::Complement, int, operand) => write!(f, "~ {operand} : {}", name(int)),
            Expression::Binary(operator, int, left, right) => {
                write!(f, "{left} {} {right} : {}", word_of(&BINARY_OPERATORS, operator), name(int))
            }
            Expression::Convert { from, to, value } => write!(f, "{value} : {} -> {}", name(from), name(to)),
            Expression::Any(int) => write!(f, "any : {}", name(int)),
        }
    }
}

impl<V: fmt::Display> fmt::Display for Comparison<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Comparison { operator, int, left, right } = self;
        write!(f, "{left} {} {right} : {}", word_of(&COMPARE_OPERATORS, operator), word_of(&INT_TYPES, int))
    }
}

/// Reads a state; `variable` makes variables of names.
pub fn parse_state<V: Variable>(text: &str, variable: impl FnMut(&str) -> Option<V>) -> Result<State<V>, ParseError> {
    let mut parser = Parser { text, at: 0, variable };
    let state = parser.state()?;
    parser.end()?;
    Ok(state)
}

/// Reads an expression; `variable` makes variables of names.
pub fn parse_expression<V: Variable>(
    text: &str,
    variable: impl FnMut(&str) -> Option<V>,
) -> Result<Expression<V>, ParseError> {
    let mut parser = Parser { text, at: 0, variable };
    let expression = parser.expression()?;
    parser.end()?;
    Ok(expression)
}

/// Reads a comparison; `variable` makes variables of names.
pub fn parse_comparison<V: Variable>(
    text: &str,
    variable: impl FnMut(&str) -> Option<V>,
) -> Result<Comparison<V>, ParseError> {
    let mut parser = Parser { text, at: 0, variable };
    let left = parser.operand()?;
    let operator = parser.one_of(&COMPARE_OPERATORS, "a comparison")?;
    let right = parser.operand()?;
    let int = parser.typed()?;
    parser.end()?;
    Ok(Comparison { operator, int, left, right })
}

struct Parser<'t, N> {
    text: &'t str,
    /// In bytes.
    at: usize,
    variable: N,
}

impl<'t, V: Variable, N: FnMut(&str) -> Option<V>> Parser<'t, N> {
    fn rest(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    fn wrong<T>(&self, expected: &'static str) -> Result<T, ParseError> {
        Err(ParseError { column: self.text[..self.at].chars().count() + 1, expected })
    }

    fn eat(&mut self, symbol: &str) -> bool {
        let found = self.rest().starts_with(symbol);
        if found {
            self.at += symbol.len();
        }
        found
    }

    /// The longest of the symbols that stands here.
    fn one_of<T: Copy>(&mut self, table: &[(&'static str, T)], expected: &'static str) -> Result<T, ParseError> {
        let rest = self.rest();
        let found = table.iter().filter(|(symbol, _)| rest.starts_with(symbol)).max_by_key(|(symbol, _)| symbol.len());
        match found {
            Some((symbol, value)) => {
                self.at += symbol.len();
                Ok(*value)
            }
            None => self.wrong(expected),
        }
    }

    fn word(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        rest.chars().next().filter(|first| is_name_start(*first))?;
        let end = rest.find(|part| !is_name_part(part)).unwrap_or(rest.len());
        self.at += end;
        Some(&rest[..end])
    }

    fn integer(&mut self) -> Option<i128> {
        let rest = self.rest();
        let digits = rest.strip_prefix('-').unwrap_or(rest);
        let n_digits = digits.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(digits.len());
        let end = rest.len() - digits.len() + n_digits;
        let value = rest[..end].parse().ok()?;
        self.at += end;
        Some(value)
    }

    fn name(&mut self) -> Result<V, ParseError> {
        let start = self.at;
        let found = self.word().and_then(|word| (self.variable)(word));
        found.map_or_else(
            || {
                self.at = start;
                self.wrong("a variable")
            },
            Ok,
        )
    }

    fn operand(&mut self) -> Result<Operand<V>, ParseError> {
        match self.integer() {
            Some(value) => Ok(Operand::Constant(value)),
            None => self.name().map(Operand::Variable),
        }
    }

    fn int_type(&mut self) -> Result<IntType, ParseError> {
        let start = self.at;
        match self.word().and_then(|word| value_of(&INT_TYPES, word)) {
            Some(int) => Ok(int),
            None => {
                self.at = start;
                self.wrong("an integer type")
            }
        }
    }

    fn typed(&mut self) -> Result<IntType, ParseError> {
        if self.eat(":") { self.int_type() } else { self.wrong("`:` and a type") }
    }

    fn end(&mut self) -> Result<(), ParseError> {
        if self.rest().is_empty() { Ok(()) } else { self.wrong("the end") }
    }

    fn expression(&mut self) -> Result<Expression<V>, ParseError> {
        let start = self.at;
        if self.word() == Some("any") {
            return Ok(Expression::Any(self.typed()?));
        }
        self.at = start;
        let is_number = |rest: &str| rest[1..].starts_with(|digit: char| digit.is_ascii_digit());
        let unary = match self.rest() {
            rest if rest.starts_with('~') => Some(UnaryOperator::Complement),
            rest if rest.starts_with('-') && !is_number(rest) => Some(UnaryOperator::Negate),
            _ => None,
        };
        if let Some(operator) = unary {
            self.at += 1;
            let value = self.operand()?;
            return Ok(Expression::Unary(operator, self.typed()?, value));
        }
        let left = self.operand()?;
        if self.eat(":") {
            let from = self.int_type()?;
            return Ok(if self.eat("->") {
                Expression::Convert { from, to: self.int_type()?, value: left }
            } else {
                Expression::Operand(from, left)
            });
        }
        let operator = self.one_of(&BINARY_OPERATORS, "an operator or `:`")?;
        let right = self.operand()?;
        Ok(Expression::Binary(operator, self.typed()?, left, right))
    }

    fn state(&mut self) -> Result<State<V>, ParseError> {
        let start = self.at;
        match self.word() {
            Some("true") => return Ok(State::top()),
            Some("false") => return Ok(State::bottom()),
            Some(_) | None => self.at = start,
        }
        let mut facts = Facts::none();
        loop {
            let is_possible = self.fact(&mut facts)?;
            if !is_possible {
                return Ok(State::bottom());
            }
            if !self.eat(",") {
                break;
            }
        }
        Ok(match facts.normalize() {
            Ok(()) => State::from_facts(facts),
            Err(_) => State::bottom(),
        })
    }

    /// Reads a fact; `false` if it contradicts what was read before.
    fn fact(&mut self, facts: &mut Facts<V>) -> Result<bool, ParseError> {
        let x = self.name()?;
        if self.eat("!=") {
            return Ok(match self.operand()? {
                Operand::Constant(value) => match facts.range(&x).without(value) {
                    Some(range) => {
                        facts.set_range(&x, range);
                        true
                    }
                    None => false,
                },
                Operand::Variable(y) => {
                    facts.add_distinct(&x, &y);
                    true
                }
            });
        }
        if self.eat("=") {
            return match self.operand()? {
                Operand::Constant(value) => Ok(facts.meet_range(&x, &Range::constant(value)).is_ok()),
                Operand::Variable(y) => self.equality(facts, &x, &y),
            };
        }
        let start = self.at;
        if self.word() != Some("in") {
            self.at = start;
            return self.wrong("`=`, `!=` or `in`");
        }
        let start = self.at;
        if let Ok(int) = self.int_type() {
            return Ok(facts.meet_range(&x, &Range::of_type(int)).is_ok());
        }
        self.at = start;
        let least = self.integer().unwrap_or(i128::MIN);
        if !self.eat("..") {
            return self.wrong("`..`");
        }
        let greatest = self.integer().unwrap_or(i128::MAX);
        let range = Range::between(least, greatest);
        Ok(range.is_some_and(|range| facts.meet_range(&x, &range).is_ok()))
    }

    fn equality(&mut self, facts: &mut Facts<V>, x: &V, y: &V) -> Result<bool, ParseError> {
        let is_minus = self.rest().starts_with('-');
        let distance = if is_minus || self.rest().starts_with('+') {
            self.at += 1;
            let Some(distance) = self.integer() else { return self.wrong("a number") };
            if is_minus { distance.wrapping_neg() } else { distance }
        } else {
            0
        };
        let start = self.at;
        let bits = if self.word() == Some("mod") {
            if !self.eat("2^") {
                return self.wrong("`2^`");
            }
            match self.integer().and_then(|bits| u32::try_from(bits).ok()).filter(|bits| (1..=64).contains(bits)) {
                Some(bits) => bits,
                None => return self.wrong("1 to 64"),
            }
        } else {
            self.at = start;
            64
        };
        Ok(facts.equalities.relate(x, y, distance, bits).is_ok())
    }
}
