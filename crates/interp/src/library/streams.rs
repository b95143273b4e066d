//! Streams and descriptors over several calls: one that has ended gives nothing more, behind a number that was scanned comes no
//! digit, and what is closed cannot be closed again.
//!
//! The ways on which that is not so are looked at too, in doubt: an input that ended may go on (a terminal, an error that was passing),
//! and a number may be given to another descriptor. So nothing is *safe* because of what stands here, and nothing is confirmed by it.

use crate::chooser::Question;
use crate::constraints::ByteSet;
use crate::machine::{Executor, Step};
use crate::state::{Ended, Reading, Source};
use crate::value::{Scalar, Term, Value};
use heapwise_engine::{Answer, ChoiceQuestion, InputSource};
use heapwise_ir::format::{ALL, left_behind, without};
use heapwise_ir::{
    CompareOperator, DescriptorPart, ExternEffects, ExternResult, FormatLanguage, FunctionId, InputEnd, IntType,
    RangeEnd, SequencePart,
};
use std::rc::Rc;

/// What a call may give, by what was read before.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Turn {
    /// What its model says.
    Any,
    /// This result alone; it does nothing else.
    Given(Value),
    /// The first byte is among these.
    First(ByteSet),
}

impl Turn {
    /// What the first byte is among, if that is said.
    pub(crate) fn first(self) -> Option<ByteSet> {
        match self {
            Turn::First(first) => Some(first),
            Turn::Any | Turn::Given(_) => None,
        }
    }
}

impl Executor<'_, '_> {
    /// What a call may give, by what was read and closed before.
    pub(super) fn turn(&mut self, function: FunctionId, effects: &ExternEffects, arguments: &[Value]) -> Step<Turn> {
        // A list of choices is of a run that was in no doubt.
        if self.state.doubtful || self.chooser.follows_list() {
            return Ok(Turn::Any);
        }
        let name = &self.machine.program.functions[function].name;
        if self.is_of_closed(effects, arguments) {
            let failed = self.result_question(effects, name);
            return self.repeats(failed, Answer::Integer(-1), Value::Int(-1));
        }
        let Some(input) = effects.input else { return Ok(Turn::Any) };
        let Some(source) = self.source(input.from, arguments) else { return Ok(Turn::Any) };
        let Some(at) = self.state.readings.iter().position(|reading| reading.source == source) else {
            return Ok(Turn::Any);
        };
        let Reading { ended, next, .. } = self.state.readings[at].clone();
        let has_ended = match ended {
            None => false,
            Some(Ended::Yes) => true,
            Some(Ended::IfBetween(symbol, first, last)) => {
                let value = Value::Symbol(Term { symbol, addend: 0 });
                let scalar = Scalar::Int(IntType::Signed(8));
                let (first, last) = (Value::Int(i128::from(first)), Value::Int(i128::from(last)));
                let is_above = self.compare(CompareOperator::GreaterEqual, scalar, value, first)?;
                if self.decide_condition(is_above)? {
                    let is_below = self.compare(CompareOperator::LessEqual, scalar, value, last)?;
                    self.decide_condition(is_below)?
                } else {
                    false
                }
            }
        };
        if has_ended {
            Rc::make_mut(&mut self.state.readings)[at].ended = Some(Ended::Yes);
            let question = self.result_question(effects, name);
            return match (input.end, effects.result) {
                (InputEnd::Negative, _) => self.repeats(question, Answer::Integer(-1), Value::Int(-1)),
                (InputEnd::Zero, ExternResult::Any) | (InputEnd::Fewer, _) => {
                    self.repeats(question, Answer::Integer(0), Value::ZERO)
                }
                (InputEnd::Zero, _) => self.repeats(question, Answer::Null, Value::ZERO),
            };
        }
        Rc::make_mut(&mut self.state.readings).remove(at);
        Ok(next.map_or(Turn::Any, Turn::First))
    }

    /// The question that decides the result of a call.
    fn result_question(&self, effects: &ExternEffects, name: &str) -> ChoiceQuestion {
        ChoiceQuestion::Input(match effects.format {
            Some(format) if format.language == FormatLanguage::Scan => InputSource::Conversions(name.to_owned()),
            Some(_) | None => InputSource::Result(name.to_owned()),
        })
    }

    /// The result is this one again; or any, in doubt.
    fn repeats(&mut self, question: ChoiceQuestion, answer: Answer, result: Value) -> Step<Turn> {
        if self.choose(Question::Input, 2)? == 1 {
            self.state.doubtful = true;
            return Ok(Turn::Any);
        }
        self.record(question, &answer, None);
        Ok(Turn::Given(result))
    }

    /// A byte that is read where the next one is among these, as the result of a call: it, or the end of the input; or, in doubt,
    /// another one.
    pub(super) fn next_character(&mut self, name: &str, next: ByteSet) -> Step<Value> {
        let source = InputSource::Result(name.to_owned());
        match self.choose(Question::Input, 3)? {
            0 => self.new_byte_among(next, source),
            1 => {
                self.record(ChoiceQuestion::Input(source), &Answer::Integer(-1), None);
                Ok(Value::Int(-1))
            }
            _ => {
                self.state.doubtful = true;
                self.new_byte_among(without(&ALL, &next), source)
            }
        }
    }

    /// Remembers what a call read.
    pub(super) fn note_reading(
        &mut self,
        function: FunctionId,
        effects: &ExternEffects,
        arguments: &[Value],
        result: Value,
    ) -> Step<()> {
        let Some(input) = effects.input else { return Ok(()) };
        let Some(source) = self.source(input.from, arguments) else { return Ok(()) };
        let (first, last): (i64, i64) = match (input.end, effects.range.map(|range| range.high)) {
            (InputEnd::Negative, _) => (i64::MIN, -1),
            // A call that asks for nothing says nothing.
            (InputEnd::Zero, Some(RangeEnd::Argument(limit))) if self.is_zero(arguments, limit) => return Ok(()),
            (InputEnd::Zero, _) => (0, 0),
            (InputEnd::Fewer, Some(RangeEnd::Argument(limit))) => {
                if (0..arguments.len() as u32).any(|position| self.is_zero(arguments, position)) {
                    return Ok(());
                }
                let Some(Value::Int(limit)) = arguments.get(limit as usize).map(|limit| self.known(*limit)) else {
                    return Ok(());
                };
                (0, i64::try_from(limit - 1).unwrap_or(i64::MAX))
            }
            (InputEnd::Fewer, _) => return Ok(()),
        };
        let is_end = i128::from(first)..=i128::from(last);
        let ended = match self.known(result) {
            Value::Int(result) => is_end.contains(&result).then_some(Ended::Yes),
            // It is looked at when there is read again.
            Value::Symbol(Term { symbol, addend: 0 }) => Some(Ended::IfBetween(symbol, first, last)),
            _ => None,
        };
        let next = match (effects.format, self.known(result)) {
            (Some(format), Value::Int(matched @ 0..)) if format.language == FormatLanguage::Scan => {
                let name = &self.machine.program.functions[function].name;
                let text = arguments.get(format.parameter as usize).copied().unwrap_or(Value::ZERO);
                let text = self.read_string(name, text, u64::MAX)?;
                left_behind(&text, usize::try_from(matched).unwrap_or(usize::MAX))
            }
            _ => None,
        };
        let readings = Rc::make_mut(&mut self.state.readings);
        readings.retain(|reading| reading.source != source);
        if ended.is_some() || next.is_some() {
            readings.push(Reading { source, ended, next });
        }
        Ok(())
    }

    fn is_zero(&self, arguments: &[Value], position: u32) -> bool {
        arguments.get(position as usize).is_some_and(|argument| self.known(*argument) == Value::ZERO)
    }

    /// Which stream or descriptor an argument is, if that is known.
    fn source(&self, from: Option<u32>, arguments: &[Value]) -> Option<Source> {
        let Some(parameter) = from else {
            let (_, object) = self.machine.streams.iter().find(|(name, _)| *name == "stdin")?;
            return Some(Source::Stream(*object, self.state.heap.object(*object).birth));
        };
        match self.known(*arguments.get(parameter as usize)?) {
            Value::Pointer(pointer) if pointer.offset == 0 => {
                Some(Source::Stream(pointer.object, self.state.heap.find(pointer.object)?.birth))
            }
            Value::Int(number) => Some(Source::Number(number)),
            Value::Symbol(Term { symbol, addend: 0 }) => Some(Source::Symbol(symbol)),
            _ => None,
        }
    }

    /// Whether a call is about a descriptor that was closed, and nothing was opened since.
    fn is_of_closed(&self, effects: &ExternEffects, arguments: &[Value]) -> bool {
        let closed = match effects.descriptor {
            Some(DescriptorPart::Closes(parameter)) => Some(parameter),
            Some(DescriptorPart::Opens | DescriptorPart::OpensWritten | DescriptorPart::HandsOver(_)) | None => None,
        };
        let is_number = |range: &heapwise_ir::ResultRange| range.low == -1;
        let read = effects.input.and_then(|input| input.from).filter(|_| effects.range.as_ref().is_some_and(is_number));
        let source = closed.or(read).and_then(|parameter| self.source(Some(parameter), arguments));
        source.is_some_and(|source| self.state.closed.contains(&source))
    }

    /// What is closed behind a call, and what was read no more.
    pub(super) fn follow_closed(&mut self, effects: &ExternEffects, arguments: &[Value]) {
        let opens = match effects.descriptor {
            Some(DescriptorPart::Closes(parameter)) => {
                if let Some(source @ (Source::Number(_) | Source::Symbol(_))) = self.source(Some(parameter), arguments)
                    && !self.state.closed.contains(&source)
                {
                    Rc::make_mut(&mut self.state.closed).push(source);
                }
                false
            }
            Some(DescriptorPart::Opens | DescriptorPart::OpensWritten) => true,
            Some(DescriptorPart::HandsOver(_)) | None => matches!(effects.result, ExternResult::Library { .. }),
        };
        if opens && !self.state.closed.is_empty() {
            self.state.closed = Rc::default();
        }
        // From where it is read again is not known.
        if let Some(SequencePart::Restarts(_) | SequencePart::Changes(_)) = effects.sequence
            && !self.state.readings.is_empty()
        {
            self.state.readings = Rc::default();
        }
        // What is read under a number that was closed or opened is something else.
        if effects.descriptor.is_some() {
            let is_stream = |reading: &Reading| matches!(reading.source, Source::Stream(..));
            if !self.state.readings.iter().all(is_stream) {
                Rc::make_mut(&mut self.state.readings).retain(is_stream);
            }
        }
    }
}
