//! Conditions. A comparison is decided, or it splits: inputs that are not fixed yet, and addresses that C leaves open.

use crate::chooser::Question;
use crate::constraints::Difference;
use crate::integer;
use crate::machine::{Executor, Step, Stop};
use crate::state::Sameness;
use crate::value::{ObjectId, Pointer, Scalar, SymbolId, Value};
use heapwise_engine::reason::PointerGap;
use heapwise_ir::{CompareOperator, Condition, IntType, Operand, TypeId};
use smallvec::{SmallVec, smallvec};
use std::cmp::Ordering;
use std::rc::Rc;

/// Constraints that make one alternative true.
pub(crate) type Differences = SmallVec<[Difference; 2]>;

/// What a choice decides.
#[derive(Clone, Debug)]
pub(crate) enum Refinement {
    /// About inputs.
    Inputs(Differences),
    /// Whether two objects that never lived at the same time lie `delta` bytes apart.
    Address(ObjectId, ObjectId, i64, Sameness),
    /// The first object lies below the second.
    Below(ObjectId, ObjectId),
}

/// What is known of a condition.
#[derive(Clone, Debug)]
pub(crate) enum Truth {
    /// It is decided.
    Known(bool),
    /// The alternatives in which it holds, and those in which it does not.
    Split { holds: Vec<Refinement>, fails: Vec<Refinement> },
}

impl Truth {
    fn negated(self) -> Truth {
        match self {
            Truth::Known(value) => Truth::Known(!value),
            Truth::Split { holds, fails } => Truth::Split { holds: fails, fails: holds },
        }
    }
}

/// `x - y` against `bound`: less, equal, greater.
pub(crate) fn sign_alternatives(x: Option<SymbolId>, y: Option<SymbolId>, bound: i128) -> [(Ordering, Differences); 3] {
    let at_most = |bound| Difference { x, y, bound };
    let at_least = |bound: i128| Difference { x: y, y: x, bound: bound.saturating_neg() };
    // Symbols are far from the ends of 16 bytes: what saturates is as far beyond them as before.
    [
        (Ordering::Less, smallvec![at_most(bound.saturating_sub(1))]),
        (Ordering::Equal, smallvec![at_most(bound), at_least(bound)]),
        (Ordering::Greater, smallvec![at_least(bound.saturating_add(1))]),
    ]
}

/// No object lies below this address.
const LOWEST_OBJECT: i128 = 0x1_0000;
/// No object lies at or above this address, by the bytes of a pointer.
fn highest_object(word_bytes: u8) -> i128 {
    if word_bytes == 4 { 0xffff_0000 } else { 1 << 47 }
}

impl Executor<'_, '_> {
    /// What is known of a condition.
    pub(crate) fn truth_of(&mut self, condition: &Condition) -> Step<Truth> {
        match condition {
            Condition::True => Ok(Truth::Known(true)),
            Condition::False => Ok(Truth::Known(false)),
            Condition::Compare { operator, ty, left, right } => self.compare_operands(*operator, *ty, *left, *right),
            Condition::NotCompare { operator, ty, left, right } => {
                Ok(self.compare_operands(*operator, *ty, *left, *right)?.negated())
            }
            Condition::Shape(shape) => Ok(Truth::Known(self.shape_holds(shape)?.is_ok())),
        }
    }

    fn compare_operands(
        &mut self,
        operator: CompareOperator,
        ty: TypeId,
        left: Operand,
        right: Operand,
    ) -> Step<Truth> {
        let scalar = self.machine.code.scalar(ty);
        let (left, right) = (self.operand(left, scalar), self.operand(right, scalar));
        self.compare(operator, scalar, left, right)
    }

    /// Compares two values.
    pub(crate) fn compare(
        &mut self,
        operator: CompareOperator,
        scalar: Scalar,
        left: Value,
        right: Value,
    ) -> Step<Truth> {
        let ordering = match (self.known(left), self.known(right)) {
            (Value::Int(left), Value::Int(right)) => {
                let int = scalar.integer().unwrap_or(IntType::Signed(16));
                let is_less = integer::less(int, left, right);
                let is_greater = integer::less(int, right, left);
                is_greater.cmp(&is_less)
            }
            (value @ Value::Uninitialised(_), _) | (_, value @ Value::Uninitialised(_)) => {
                return self.uninitialised(value, "a branch depends on an uninitialised value");
            }
            (Value::Float(left), Value::Float(right)) => {
                let holds = match left.partial_cmp(&right) {
                    Some(ordering) => operator.holds(ordering),
                    None => operator == CompareOperator::NotEqual,
                };
                return Ok(Truth::Known(holds));
            }
            (left @ (Value::Symbol(_) | Value::Int(_)), right @ (Value::Symbol(_) | Value::Int(_))) => {
                return match scalar.integer() {
                    Some(int) if int.bytes() == 16 => self.compare_wide(operator, int, left, right),
                    _ => self.compare_terms(operator, left, right),
                };
            }
            (Value::Pointer(left), Value::Pointer(right)) if left.object == right.object => {
                left.offset.cmp(&right.offset)
            }
            (Value::Pointer(left), Value::Pointer(right)) => return self.compare_objects(operator, left, right),
            (Value::Function(left), Value::Function(right)) if left == right => Ordering::Equal,
            (Value::Function(_), Value::Function(_) | Value::Pointer(_)) | (Value::Pointer(_), Value::Function(_)) => {
                return self.compare_distinct(operator, PointerGap::FunctionAddressOrder);
            }
            (Value::Pointer(_) | Value::Function(_) | Value::Opaque, Value::Int(address)) => {
                self.order_address(left, address)?
            }
            (Value::Int(address), Value::Pointer(_) | Value::Function(_) | Value::Opaque) => {
                self.order_address(right, address)?.reverse()
            }
            (Value::Opaque, _) | (_, Value::Opaque) => {
                return self.gap(PointerGap::NondeterministicCompared);
            }
            (left, right) => {
                let (left, right) = (self.integer(left)?, self.integer(right)?);
                left.cmp(&right)
            }
        };
        Ok(Truth::Known(operator.holds(ordering)))
    }

    /// An address against a number: objects lie between the lowest and the highest address that one can have.
    fn order_address(&mut self, address: Value, number: i128) -> Step<Ordering> {
        let unsigned =
            if number < 0 { integer::wrap(number, IntType::Unsigned(self.machine.word_bytes())) } else { number };
        if unsigned < LOWEST_OBJECT {
            return Ok(if number < 0 { Ordering::Less } else { Ordering::Greater });
        }
        if unsigned >= highest_object(self.machine.word_bytes()) {
            // `p > -1` as a signed comparison sees the number below every address.
            return Ok(if number < 0 { Ordering::Greater } else { Ordering::Less });
        }
        Ok(self.integer(address)?.cmp(&number))
    }

    /// Integers of 16 bytes: differences between numbers of one sign can be told, and unsigned ones are kept as the signed
    /// numbers with the same bits. So the signs are settled first.
    fn compare_wide(&mut self, operator: CompareOperator, int: IntType, left: Value, right: Value) -> Step<Truth> {
        if int == IntType::Signed(16) && self.is_far_from_the_ends(left) && self.is_far_from_the_ends(right) {
            return self.compare_terms(operator, left, right);
        }
        let (is_left_negative, is_right_negative) = (self.is_negative(left)?, self.is_negative(right)?);
        if is_left_negative == is_right_negative {
            return self.compare_terms(operator, left, right);
        }
        let is_left_greater = is_left_negative == (int == IntType::Unsigned(16));
        let ordering = if is_left_greater { Ordering::Greater } else { Ordering::Less };
        Ok(Truth::Known(operator.holds(ordering)))
    }

    /// Whether the number that an integer is kept as is negative; where that is open, it is decided now.
    fn is_negative(&mut self, value: Value) -> Step<bool> {
        let term = match value {
            Value::Symbol(term) => term,
            value => return Ok(self.integer(value)? < 0),
        };
        let (low, high) = self.term_bounds(term);
        if low >= 0 || high < 0 {
            return Ok(low < 0);
        }
        let (symbol, addend) = (Some(term.symbol), i128::from(term.addend));
        let is_negative = self.choose(Question::Branch, 2)? == 0;
        let side = match is_negative {
            true => Difference { x: symbol, y: None, bound: -1 - addend },
            false => Difference { x: None, y: symbol, bound: addend },
        };
        self.refine(&[side])?;
        Ok(is_negative)
    }

    /// Whether differences with the number are surely numbers of 16 bytes.
    fn is_far_from_the_ends(&self, value: Value) -> bool {
        const FAR: i128 = 1 << 120;
        let (low, high) = match value {
            Value::Symbol(term) => self.term_bounds(term),
            Value::Int(number) => (number, number),
            _ => return false,
        };
        -FAR < low && high < FAR
    }

    fn compare_terms(&mut self, operator: CompareOperator, left: Value, right: Value) -> Step<Truth> {
        let parts = |value: Value| match value {
            Value::Symbol(term) => (Some(term.symbol), i128::from(term.addend)),
            Value::Int(constant) => (None, constant),
            _ => (None, 0),
        };
        let ((x, left), (y, right)) = (parts(left), parts(right));
        if x == y {
            return Ok(Truth::Known(operator.holds(left.cmp(&right))));
        }
        let bound = right.saturating_sub(left);
        let (mut holds, mut fails) = (Vec::new(), Vec::new());
        let mut add = |is_true: bool, differences: Differences| -> Step<()> {
            if self.allows(&differences)? {
                let list = if is_true { &mut holds } else { &mut fails };
                list.push(Refinement::Inputs(differences));
            }
            Ok(())
        };
        let at_most = |bound| Difference { x, y, bound };
        let at_least = |bound: i128| Difference { x: y, y: x, bound: bound.saturating_neg() };
        match operator {
            CompareOperator::Equal | CompareOperator::NotEqual => {
                for (ordering, differences) in sign_alternatives(x, y, bound) {
                    add(operator.holds(ordering), differences)?;
                }
            }
            CompareOperator::Less | CompareOperator::GreaterEqual => {
                add(operator == CompareOperator::Less, smallvec![at_most(bound.saturating_sub(1))])?;
                add(operator == CompareOperator::GreaterEqual, smallvec![at_least(bound)])?;
            }
            CompareOperator::LessEqual | CompareOperator::Greater => {
                add(operator == CompareOperator::LessEqual, smallvec![at_most(bound)])?;
                add(operator == CompareOperator::Greater, smallvec![at_least(bound.saturating_add(1))])?;
            }
        }
        Ok(match (holds.is_empty(), fails.is_empty()) {
            (false, true) => Truth::Known(true),
            (true, _) => Truth::Known(false),
            (false, false) => Truth::Split { holds, fails },
        })
    }

    /// Whether these can hold together with what is known.
    pub(crate) fn allows(&self, differences: &[Difference]) -> Step<bool> {
        let machine = self.machine;
        self.state.constraints.allows(differences, &|| machine.check_budget()).map_err(Stop::Exhausted)
    }

    /// Two objects: distinct while both live; a later one may lie where a dead one lay.
    fn compare_objects(&mut self, operator: CompareOperator, left: Pointer, right: Pointer) -> Step<Truth> {
        if let (Some(left_base), Some(right_base)) =
            (self.state.heap.object(left.object).address, self.state.heap.object(right.object).address)
        {
            let left = i128::from(left_base) + i128::from(left.offset);
            let right = i128::from(right_base) + i128::from(right.offset);
            return Ok(Truth::Known(operator.holds(left.cmp(&right))));
        }
        if self.is_closed(left.object) || self.is_closed(right.object) {
            return self.gap(PointerGap::ClosedStreamCompared);
        }
        match (self.is_library(left.object), self.is_library(right.object)) {
            (false, false) => {}
            (true, true) if self.is_stream(left.object) || self.is_stream(right.object) => {
                // The three standard streams are no other ones.
                return self.compare_distinct(operator, PointerGap::LibraryAddressOrder);
            }
            (true, true) => return self.gap(PointerGap::LibraryAddressesCompared),
            (true, false) | (false, true) => return self.compare_distinct(operator, PointerGap::LibraryAddressOrder),
        }
        if let Some(distance) = self.known_distance(left.object, right.object) {
            let right = i128::from(right.offset) + i128::from(distance);
            return Ok(Truth::Known(operator.holds(i128::from(left.offset).cmp(&right))));
        }
        match operator {
            CompareOperator::Equal => Ok(self.same_address(left, right)),
            CompareOperator::NotEqual => Ok(self.same_address(left, right).negated()),
            CompareOperator::Less | CompareOperator::LessEqual => Ok(self.order_objects(left.object, right.object)),
            CompareOperator::Greater | CompareOperator::GreaterEqual => {
                Ok(self.order_objects(right.object, left.object))
            }
        }
    }

    /// Two addresses that are not the same, in an order that nobody says.
    fn compare_distinct(&self, operator: CompareOperator, gap: PointerGap) -> Step<Truth> {
        match operator {
            CompareOperator::Equal => Ok(Truth::Known(false)),
            CompareOperator::NotEqual => Ok(Truth::Known(true)),
            CompareOperator::Less
            | CompareOperator::LessEqual
            | CompareOperator::Greater
            | CompareOperator::GreaterEqual => self.gap(gap),
        }
    }

    pub(crate) fn is_stream(&self, object: ObjectId) -> bool {
        self.machine.streams.iter().any(|(_, stream)| *stream == object)
    }

    fn order_objects(&self, left: ObjectId, right: ObjectId) -> Truth {
        if self.is_known_below(left, right) {
            return Truth::Known(true);
        }
        if self.is_known_below(right, left) {
            return Truth::Known(false);
        }
        Truth::Split { holds: vec![Refinement::Below(left, right)], fails: vec![Refinement::Below(right, left)] }
    }

    pub(crate) fn is_known_below(&self, low: ObjectId, high: ObjectId) -> bool {
        let mut seen = vec![low];
        let mut next = 0;
        while next < seen.len() {
            for &(below, above) in &self.state.addresses.below {
                if below == seen[next] && !seen.contains(&above) {
                    seen.push(above);
                }
            }
            next += 1;
        }
        low != high && seen.contains(&high)
    }

    /// Makes an alternative true.
    pub(crate) fn decide(&mut self, refinement: &Refinement) -> Step<()> {
        match refinement {
            Refinement::Inputs(differences) => self.refine(differences)?,
            Refinement::Address(left, right, delta, sameness) => {
                Rc::make_mut(&mut self.state.addresses).equal.push((*left, *right, *delta, *sameness));
            }
            Refinement::Below(low, high) => Rc::make_mut(&mut self.state.addresses).below.push((*low, *high)),
        }
        Ok(())
    }

    /// Decides a condition, choosing where it is open.
    pub(crate) fn decide_condition(&mut self, truth: Truth) -> Step<bool> {
        match truth {
            Truth::Known(value) => Ok(value),
            Truth::Split { holds, fails } => {
                let choice = match self.address_question(&holds, &fails) {
                    Some((question, answers)) => self.ask(Question::Address, question, &answers)?,
                    None => self.choose(Question::Branch, holds.len() + fails.len())?,
                };
                let is_true = choice < holds.len();
                let refinement = if is_true { &holds[choice] } else { &fails[choice - holds.len()] };
                self.decide(refinement)?;
                Ok(is_true)
            }
        }
    }
}
