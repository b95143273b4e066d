//! Everything that is not determined goes through a [`Chooser`].

use heapwise_engine::{Answer, Choice, ChoiceQuestion};
use heapwise_ir::{FunctionId, LocationId, Span};
use rustc_hash::FxHashMap;

/// What is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Question {
    /// Which way an undetermined comparison goes.
    Branch,
    /// Whether an allocation succeeds (option 0) or fails (option 1).
    Allocation,
    /// Which value an input has.
    Input,
    /// How many arguments the program gets.
    Arguments,
    /// How two addresses compare that C leaves open.
    Address,
}

/// Makes the choices of a run. `None` stops the step: the caller wants to try all answers.
pub trait Chooser {
    /// One of `n` options, `n > 1`.
    fn option(&mut self, question: Question, n: usize) -> Option<usize>;

    /// A value between `low` and `high`; `candidates` are the likeliest ones.
    fn value(&mut self, low: i128, high: i128, candidates: &[i128]) -> Option<i128>;

    /// The answer that a list of choices gives, where the run follows one ([`Replayer`]).
    fn listed(&mut self, _question: &ChoiceQuestion, _span: Span) -> Listed {
        Listed::Open
    }

    /// Whether the run follows a list of choices.
    fn follows_list(&self) -> bool {
        false
    }
}

/// What a list of choices says to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Listed {
    /// There is no list: the question is an open one.
    Open,
    /// This.
    Answer(Answer),
    /// The list has no answer to this question here.
    Missing,
}

/// An answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// An option.
    Option(u32),
    /// A value.
    Value(i128),
}

/// What a step asked when its chooser had no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asked {
    /// One of so many options.
    Options(Question, usize),
    /// One of these values (or others).
    Values(Vec<i128>),
}

impl Asked {
    /// All answers to try.
    pub fn answers(&self) -> Vec<Decision> {
        match self {
            Asked::Options(_, n) => (0..*n as u32).map(Decision::Option).collect(),
            Asked::Values(values) => values.iter().copied().map(Decision::Value).collect(),
        }
    }
}

/// Answers from a list, then stops.
#[derive(Clone, Default, Debug)]
pub struct Script {
    decisions: Vec<Decision>,
    next: usize,
    asked: Option<Asked>,
}

impl Script {
    /// Answers with `decisions`, in order.
    pub fn new(decisions: Vec<Decision>) -> Script {
        Script { decisions, next: 0, asked: None }
    }

    /// How many answers were used.
    pub fn used(&self) -> usize {
        self.next
    }

    /// The question that found no answer.
    pub fn take_asked(&mut self) -> Option<Asked> {
        self.asked.take()
    }
}

impl Chooser for Script {
    fn option(&mut self, question: Question, n: usize) -> Option<usize> {
        match self.decisions.get(self.next) {
            Some(Decision::Option(option)) if (*option as usize) < n => {
                self.next += 1;
                Some(*option as usize)
            }
            _ => {
                self.asked = Some(Asked::Options(question, n));
                None
            }
        }
    }

    fn value(&mut self, low: i128, high: i128, candidates: &[i128]) -> Option<i128> {
        match self.decisions.get(self.next) {
            Some(Decision::Value(value)) if (low..=high).contains(value) => {
                self.next += 1;
                Some(*value)
            }
            _ => {
                self.asked = Some(Asked::Values(candidates.to_vec()));
                None
            }
        }
    }
}

/// A small fast generator (SplitMix64): the same seed gives the same run everywhere.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.draw() % n.max(1) as u64) as usize
    }
}

/// What was answered at each place of the program, by the number of the question in its step.
#[derive(Clone, Debug)]
struct Habits {
    one_in: usize,
    place: Option<(FunctionId, LocationId)>,
    n_asked: u32,
    answers: FxHashMap<(Option<(FunctionId, LocationId)>, u32), usize>,
}

/// Chooses at random and remembers what it chose.
#[derive(Clone, Debug)]
pub struct RandomChooser {
    random: Random,
    habits: Option<Habits>,
    /// What was chosen.
    pub log: Vec<Decision>,
}

impl RandomChooser {
    /// Starts from a seed.
    pub fn new(seed: u64) -> RandomChooser {
        RandomChooser { random: Random::new(seed), habits: None, log: Vec::new() }
    }

    /// One that mostly answers as it did before at the same place, and otherwise in one of so many cases: where choices are made in a
    /// loop, its runs go the same way for long.
    pub(crate) fn with_habits(seed: u64, one_in: usize) -> RandomChooser {
        let habits = Habits { one_in, place: None, n_asked: 0, answers: FxHashMap::default() };
        RandomChooser { habits: Some(habits), ..RandomChooser::new(seed) }
    }

    /// Where the next questions are asked.
    pub(crate) fn come_to(&mut self, place: Option<(FunctionId, LocationId)>) {
        if let Some(habits) = &mut self.habits {
            (habits.place, habits.n_asked) = (place, 0);
        }
    }

    fn by_habit(&mut self, n: usize) -> usize {
        let Some(habits) = &mut self.habits else { return self.random.below(n) };
        let key = (habits.place, habits.n_asked);
        habits.n_asked += 1;
        if let Some(known) = habits.answers.get(&key)
            && *known < n
            && self.random.below(habits.one_in) != 0
        {
            return *known;
        }
        let answer = self.random.below(n);
        habits.answers.insert(key, answer);
        answer
    }
}

impl Chooser for RandomChooser {
    fn option(&mut self, question: Question, n: usize) -> Option<usize> {
        // Allocations fail seldom, or no run gets anywhere.
        let option = match question {
            Question::Allocation => usize::from(self.random.below(16) == 0),
            Question::Branch | Question::Input | Question::Arguments | Question::Address => self.by_habit(n),
        };
        self.log.push(Decision::Option(option as u32));
        Some(option)
    }

    fn value(&mut self, low: i128, high: i128, candidates: &[i128]) -> Option<i128> {
        let value = if candidates.is_empty() || self.random.below(4) == 0 {
            let width = high.wrapping_sub(low).wrapping_add(1) as u128;
            let raw = u128::from(self.random.draw()) << 64 | u128::from(self.random.draw());
            if width == 0 { raw as i128 } else { low.wrapping_add((raw % width) as i128) }
        } else {
            candidates[self.random.below(candidates.len())]
        };
        self.log.push(Decision::Value(value));
        Some(value)
    }
}

/// Always takes the first option and the first candidate: allocations succeed, inputs are small.
#[derive(Clone, Copy, Default, Debug)]
pub struct FirstChooser;

impl Chooser for FirstChooser {
    fn option(&mut self, _question: Question, _n: usize) -> Option<usize> {
        Some(0)
    }

    fn value(&mut self, low: i128, high: i128, candidates: &[i128]) -> Option<i128> {
        Some(candidates.first().copied().unwrap_or(0i128.clamp(low, high)))
    }
}

/// Makes a run again from the list of its choices, as [`heapwise_engine::Finding::choices`] has it: every input has its
/// value as soon as it is there.
#[derive(Clone, Debug)]
pub struct Replayer<'c> {
    choices: &'c [Choice],
    next: usize,
    missing: Option<(ChoiceQuestion, Span)>,
}

impl<'c> Replayer<'c> {
    /// Answers with `choices`, in order.
    pub fn new(choices: &'c [Choice]) -> Replayer<'c> {
        Replayer { choices, next: 0, missing: None }
    }

    /// How many choices were used.
    pub fn used(&self) -> usize {
        self.next
    }

    /// The first question that the list does not answer, and where it was asked: the list is of another program.
    pub fn missing(&self) -> Option<&(ChoiceQuestion, Span)> {
        self.missing.as_ref()
    }
}

impl Chooser for Replayer<'_> {
    fn option(&mut self, _question: Question, _n: usize) -> Option<usize> {
        None
    }

    fn value(&mut self, _low: i128, _high: i128, _candidates: &[i128]) -> Option<i128> {
        None
    }

    fn listed(&mut self, question: &ChoiceQuestion, span: Span) -> Listed {
        match self.choices.get(self.next) {
            Some(choice) if choice.question == *question && choice.span == span => {
                self.next += 1;
                Listed::Answer(choice.answer.clone())
            }
            _ => {
                self.missing.get_or_insert_with(|| (question.clone(), span));
                Listed::Missing
            }
        }
    }

    fn follows_list(&self) -> bool {
        true
    }
}
