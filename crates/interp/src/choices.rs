//! What a run chooses: options, inputs, and values of inputs where they matter.

use crate::approximate::{ALL_TRIED_UP_TO, Range};
use crate::chooser::{Listed, Question};
use crate::constraints::{ByteSet, Difference, is_among};
use crate::integer;
use crate::machine::{Ending, EventKind, Executor, Made, Others, Step, Stop};
use crate::value::{Scalar, SymbolId, Term, Value};
use heapwise_engine::reason::InputGap;
use heapwise_engine::{Answer, Choice, ChoiceQuestion, InputSource};
use heapwise_ir::{IntType, TypeId};
use std::rc::Rc;

impl Executor<'_, '_> {
    /// One of `n` options.
    pub(crate) fn choose(&mut self, question: Question, n: usize) -> Step<usize> {
        if n == 1 {
            return Ok(0);
        }
        self.chooser.option(question, n).ok_or(Stop::NeedsChoice)
    }

    /// Asks for one of `options`, and records the answer.
    pub(crate) fn ask(&mut self, kind: Question, question: ChoiceQuestion, options: &[Answer]) -> Step<usize> {
        let (_, span) = self.place();
        let chosen = match self.chooser.listed(&question, span) {
            Listed::Open if options.len() == 1 => 0,
            Listed::Open => self.chooser.option(kind, options.len()).ok_or(Stop::NeedsChoice)?,
            Listed::Answer(answer) => match options.iter().position(|option| *option == answer) {
                Some(chosen) => chosen,
                None => return self.gap(InputGap::NotOpen),
            },
            Listed::Missing => return Err(Stop::NeedsChoice),
        };
        self.record(question, &options[chosen], None);
        Ok(chosen)
    }

    /// Writes a choice down; inputs are steps of the trace too.
    pub(crate) fn record(&mut self, question: ChoiceQuestion, answer: &Answer, symbol: Option<SymbolId>) {
        if self.sink.events.is_none() && self.sink.choices.is_none() {
            return;
        }
        let (function, span) = self.place();
        match &question {
            ChoiceQuestion::Input(source) => {
                let message = match symbol {
                    Some(_) => format!("{source} is {{}}"),
                    None => format!("{source} is {answer}"),
                };
                self.event(EventKind::Input, |_| message, None);
                if let Some(event) = self.sink.events.as_mut().and_then(|events| events.last_mut()) {
                    event.symbol = symbol;
                }
            }
            ChoiceQuestion::Address { .. } | ChoiceQuestion::Place { .. } => {
                let choice = Choice { question: question.clone(), span, function, answer: answer.clone() };
                self.event(EventKind::Input, |_| choice.to_string(), None);
            }
            ChoiceQuestion::Allocation => {}
        }
        if let Some(choices) = &mut self.sink.choices {
            choices.push(Made { choice: Choice { question, span, function, answer: answer.clone() }, symbol });
        }
    }

    /// A new input of an integer type.
    pub(crate) fn new_input(&mut self, int: IntType, source: InputSource) -> Step<Value> {
        self.new_input_between(integer::range(int), source)
    }

    /// A new input between two bounds.
    pub(crate) fn new_input_between(&mut self, (low, high): (i128, i128), source: InputSource) -> Step<Value> {
        let question = ChoiceQuestion::Input(source);
        let (_, span) = self.place();
        match self.chooser.listed(&question, span) {
            Listed::Answer(Answer::Integer(value)) if (low..=high).contains(&value) => {
                self.record(question, &Answer::Integer(value), None);
                Ok(Value::Int(value))
            }
            Listed::Answer(_) => self.gap(InputGap::NotOpen),
            Listed::Missing => Err(Stop::NeedsChoice),
            Listed::Open => {
                let symbol = Rc::make_mut(&mut self.state.constraints).add_symbol(low, high);
                self.record(question, &Answer::Integer(low), Some(symbol));
                Ok(Value::Symbol(Term { symbol, addend: 0 }))
            }
        }
    }

    /// A new input that is one of these bytes.
    pub(crate) fn new_byte_among(&mut self, bytes: ByteSet, source: InputSource) -> Step<Value> {
        let question = ChoiceQuestion::Input(source);
        let (_, span) = self.place();
        match self.chooser.listed(&question, span) {
            Listed::Answer(Answer::Integer(value)) if is_among(&bytes, value) => {
                self.record(question, &Answer::Integer(value), None);
                Ok(Value::Int(value))
            }
            Listed::Answer(_) => self.gap(InputGap::NotOpen),
            Listed::Missing => Err(Stop::NeedsChoice),
            Listed::Open => match Rc::make_mut(&mut self.state.constraints).add_byte(bytes) {
                Some(symbol) => {
                    self.record(question, &Answer::Integer(0), Some(symbol));
                    Ok(Value::Symbol(Term { symbol, addend: 0 }))
                }
                None => self.gap(InputGap::ManyValues),
            },
        }
    }

    /// A value that input decides.
    pub(crate) fn nondet(&mut self, ty: TypeId, source: InputSource) -> Step<Value> {
        self.nondet_scalar(self.machine.code.scalar(ty), source)
    }

    pub(crate) fn nondet_scalar(&mut self, scalar: Scalar, source: InputSource) -> Step<Value> {
        match scalar {
            Scalar::Int(int) if int.bytes() <= 8 => self.new_input(int, source),
            Scalar::Int(_) => {
                self.incomplete(InputGap::WideInteger);
                const TRIED: [i128; 3] = [0, 1, -1];
                let question = ChoiceQuestion::Input(source);
                let chosen = self.ask(Question::Input, question, &TRIED.map(Answer::Integer))?;
                Ok(Value::Int(TRIED[chosen]))
            }
            Scalar::Float(_) => self.float_input(&[0.0, 1.0, -1.0], source),
            Scalar::Pointer(_) => {
                let options = [Answer::Null, Answer::NotNull];
                let chosen = self.ask(Question::Input, ChoiceQuestion::Input(source), &options)?;
                Ok(if chosen == 0 { Value::ZERO } else { Value::Opaque })
            }
            Scalar::None => Ok(Value::UNSET),
        }
    }

    /// A floating-point input: one of a few values.
    pub(crate) fn float_input(&mut self, tried: &[f64], source: InputSource) -> Step<Value> {
        self.incomplete(InputGap::Float);
        let options: Vec<Answer> = tried.iter().map(|value| Answer::Float(value.to_bits())).collect();
        let chosen = self.ask(Question::Input, ChoiceQuestion::Input(source), &options)?;
        Ok(Value::Float(tried[chosen]))
    }

    /// Adds what a choice decided.
    pub(crate) fn refine(&mut self, differences: &[Difference]) -> Step<()> {
        let machine = self.machine;
        let constraints = Rc::make_mut(&mut self.state.constraints);
        for difference in differences {
            self.state.doubtful |= [difference.x, difference.y]
                .into_iter()
                .flatten()
                .any(|symbol| constraints.is_doubtful(symbol) && !constraints.implies(difference));
            let feasible = constraints.assume(*difference, &|| machine.check_budget()).map_err(Stop::Exhausted)?;
            // Only feasible alternatives are offered, but what multiples allow together is not all known before.
            if !feasible {
                return Err(Stop::Ended(Ending::Infeasible));
            }
        }
        Ok(())
    }

    /// The integer that a term stands for, if it is already fixed.
    pub(crate) fn known(&self, value: Value) -> Value {
        match value {
            Value::Symbol(term) => {
                let (low, high) = self.state.constraints.bounds(term.symbol);
                if low == high { Value::Int(low + i128::from(term.addend)) } else { value }
            }
            _ => value,
        }
    }

    /// Fixes an input, so that any operation can be computed.
    pub(crate) fn fix(&mut self, term: Term) -> Step<i128> {
        self.fix_one_of(term, ALL_TRIED_UP_TO, Others::LeftOut)
    }

    /// Fixes an input to a value that it has in a run.
    pub(crate) fn fix_one_of(&mut self, term: Term, all_tried_up_to: i128, others: Others) -> Step<i128> {
        let (low, high) = self.state.constraints.bounds(term.symbol);
        let addend = i128::from(term.addend);
        if low == high {
            return Ok(low + addend);
        }
        let mut candidates: Vec<i128> = if high - low < all_tried_up_to {
            (low..=high).collect()
        } else {
            match others {
                Others::LeftOut => self.incomplete(InputGap::ManyValues),
                Others::Covered => {}
            }
            let mut candidates: Vec<i128> = self.machine.code.constants.clone();
            candidates.retain(|value| (low..=high).contains(value));
            candidates.extend([low, high].iter().filter(|bound| !self.machine.code.constants.contains(bound)));
            candidates
        };
        candidates.retain(|value| self.state.constraints.can_be(term.symbol, *value));
        let value = self.chooser.value(low, high, &candidates).ok_or(Stop::NeedsChoice)?;
        let value = if self.state.constraints.can_be(term.symbol, value) { value } else { low };
        self.refine_between(term, (value, value))?;
        Ok(value + addend)
    }

    pub(crate) fn refine_between(&mut self, term: Term, (low, high): Range) -> Step<()> {
        let (x, y) = (Some(term.symbol), Some(term.symbol));
        self.refine(&[Difference { x, y: None, bound: high }, Difference { x: None, y, bound: -low }])
    }

    /// The value of an index: an input lies before, in or behind the range of those that are there.
    pub(crate) fn index(&mut self, value: Value, (least, most): Range) -> Step<i128> {
        const ALL_INDICES_UP_TO: i128 = 300;
        let Value::Symbol(term) = self.known(value) else { return self.integer(value) };
        let addend = i128::from(term.addend);
        let (low, high) = self.state.constraints.bounds(term.symbol);
        let (least, most) = (least - addend, most - addend);
        let regions: Vec<Range> =
            [(low, high.min(least - 1)), (low.max(least), high.min(most)), (low.max(most + 1), high)]
                .into_iter()
                .filter(|(low, high)| low <= high)
                .collect();
        let region = regions[self.choose(Question::Branch, regions.len())?];
        self.refine_between(term, region)?;
        self.fix_one_of(term, ALL_INDICES_UP_TO, Others::LeftOut)
    }
}
