//! Expressions without side effects and without undefined behaviour, with the type that C gives them.

use super::Generator;
use super::scalar::Scalar;
use super::scope::{MemberType, Place, Scope, VariableType};

/// An expression, in parentheses where it needs them.
pub(super) struct Value {
    pub(super) text: String,
    pub(super) ty: Scalar,
}

impl Generator {
    /// An expression of at most this depth.
    pub(super) fn expression(&mut self, scope: &Scope, depth: usize) -> Value {
        if depth == 0 {
            return self.leaf(scope);
        }
        match self.random.below(12) {
            0..=3 => self.arithmetic(scope, depth),
            4 => self.bitwise(scope, depth),
            5 => self.division(scope, depth),
            6 => self.shift(scope, depth),
            7 => self.comparison(scope, depth),
            8 => self.unary(scope, depth),
            9 => {
                let ty = Scalar::any(&mut self.random);
                let operand = self.expression(scope, depth - 1);
                Value { text: format!("({})({})", ty.name(), operand.text), ty }
            }
            10 => self.choice(scope, depth),
            _ => self.leaf(scope),
        }
    }

    fn leaf(&mut self, scope: &Scope) -> Value {
        if scope.variables.is_empty() || self.random.chance(1, 4) {
            let ty = *self.random.pick(&[Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64]);
            return Value { text: format!("({})", ty.constant(&mut self.random)), ty };
        }
        let place = self.place(scope, 1);
        Value { text: place.text, ty: place.operand }
    }

    /// `+ - *`, computed unsigned where C would leave an overflow undefined.
    fn arithmetic(&mut self, scope: &Scope, depth: usize) -> Value {
        let left = self.expression(scope, depth - 1);
        let right = self.expression(scope, depth - 1);
        let operator = *self.random.pick(&["+", "-", "*"]);
        let ty = left.ty.common(right.ty);
        let text = if ty.is_signed() {
            let unsigned = ty.unsigned().name();
            format!("({})(({unsigned})({}) {operator} ({unsigned})({}))", ty.name(), left.text, right.text)
        } else {
            format!("({} {operator} {})", left.text, right.text)
        };
        Value { text: format!("({text})"), ty }
    }

    fn bitwise(&mut self, scope: &Scope, depth: usize) -> Value {
        let left = self.expression(scope, depth - 1);
        let right = self.expression(scope, depth - 1);
        let operator = *self.random.pick(&["&", "|", "^"]);
        Value { text: format!("({} {operator} {})", left.text, right.text), ty: left.ty.common(right.ty) }
    }

    /// `/ %` by the guarded functions of the prelude.
    fn division(&mut self, scope: &Scope, depth: usize) -> Value {
        let left = self.expression(scope, depth - 1);
        let right = self.expression(scope, depth - 1);
        let ty = left.ty.common(right.ty);
        let suffix = match ty {
            Scalar::U64 => "u64",
            Scalar::I64 => "i64",
            Scalar::U32 => "u32",
            _ => "i32",
        };
        let operator = *self.random.pick(&["div", "mod"]);
        Value { text: format!("{operator}_{suffix}({}, {})", left.text, right.text), ty }
    }

    fn shift(&mut self, scope: &Scope, depth: usize) -> Value {
        let left = self.expression(scope, depth - 1);
        let right = self.expression(scope, depth - 1);
        let ty = left.ty.promoted();
        let mask = ty.bits() - 1;
        if self.random.chance(1, 2) {
            return Value { text: format!("({} >> ({} & {mask}))", left.text, right.text), ty };
        }
        let unsigned = ty.unsigned().name();
        Value { text: format!("(({})(({unsigned})({}) << ({} & {mask})))", ty.name(), left.text, right.text), ty }
    }

    fn comparison(&mut self, scope: &Scope, depth: usize) -> Value {
        let left = self.expression(scope, depth - 1);
        let right = self.expression(scope, depth - 1);
        let operator = *self.random.pick(&["<", "<=", ">", ">=", "==", "!=", "&&", "||"]);
        Value { text: format!("({} {operator} {})", left.text, right.text), ty: Scalar::I32 }
    }

    fn unary(&mut self, scope: &Scope, depth: usize) -> Value {
        let operand = self.expression(scope, depth - 1);
        let ty = operand.ty.promoted();
        match self.random.below(3) {
            0 => Value { text: format!("(!{})", operand.text), ty: Scalar::I32 },
            1 => Value { text: format!("(~{})", operand.text), ty },
            _ => {
                let unsigned = ty.unsigned().name();
                Value { text: format!("(({})-({unsigned})({}))", ty.name(), operand.text), ty }
            }
        }
    }

    fn choice(&mut self, scope: &Scope, depth: usize) -> Value {
        let condition = self.expression(scope, depth - 1);
        let yes = self.expression(scope, depth - 1);
        let no = self.expression(scope, depth - 1);
        let ty = yes.ty.common(no.ty);
        match self.random.below(4) {
            0 => Value { text: format!("({} ?: {})", yes.text, no.text), ty },
            1 => Value { text: format!("({}, {})", condition.text, yes.text), ty: yes.ty },
            2 => Value { text: format!("({{ {} t_ = {}; t_ ^ {}; }})", ty.name(), yes.text, no.text), ty },
            _ => Value { text: format!("({} ? {} : {})", condition.text, yes.text, no.text), ty },
        }
    }

    /// A place that holds an integer; `depth` bounds the index expressions.
    pub(super) fn place(&mut self, scope: &Scope, depth: usize) -> Place {
        let variable = self.random.pick(&scope.variables).clone();
        match variable.ty {
            VariableType::Scalar(ty) => Place { text: variable.name, ty, operand: ty },
            VariableType::Pointer(ty) => Place { text: format!("(*{})", variable.name), ty, operand: ty },
            VariableType::Array(ty, length) => {
                let text = self.element(scope, &variable.name, length, depth);
                Place { text, ty, operand: ty }
            }
            VariableType::Aggregate(index) => self.member(scope, &variable.name, index, depth),
        }
    }

    fn member(&mut self, scope: &Scope, base: &str, index: usize, depth: usize) -> Place {
        let member = self.random.pick(&self.aggregates[index].members).clone();
        let text = format!("{base}.{}", member.name);
        match member.ty {
            MemberType::Scalar(ty) => Place { text, ty, operand: ty },
            MemberType::Bits(ty, width) => {
                let operand = if width < 32 { Scalar::I32 } else { ty };
                Place { text, ty, operand }
            }
            MemberType::Array(ty, length) => {
                let text = self.element(scope, &text, length, depth);
                Place { text, ty, operand: ty }
            }
            MemberType::Aggregate(inner) => self.member(scope, &text, inner, depth),
        }
    }

    fn element(&mut self, scope: &Scope, array: &str, length: usize, depth: usize) -> String {
        let mask = length - 1;
        if depth == 0 || self.random.chance(1, 2) {
            format!("{array}[{}]", self.random.below(length))
        } else {
            let index = self.expression(scope, 1);
            format!("{array}[{} & {mask}]", index.text)
        }
    }
}
