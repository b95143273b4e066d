//! Text into programs: instructions.

use super::ParseError;
use super::lexer::Token;
use super::parser::Parser;
use super::words::{BINARY_OPERATORS, COMPARE_OPERATORS, SHAPES, value_of};
use crate::ids::{FunctionId, RegisterId, TypeId};
use crate::instruction::{
    Callee, Condition, CopySource, Extent, Failure, InitialContents, Instruction, Place, ShapeKind, ShapePredicate,
    Storage, View,
};
use crate::path::{Index, Path, Step};
use crate::types::{BitRange, Type};
use crate::value::{Expression, Operand, UnaryOperator};
use smallvec::SmallVec;

/// A place whose type may follow.
struct UntypedPlace {
    at: usize,
    base: Operand,
    path: Path,
    bits: Option<Option<BitRange>>,
}

impl Parser<'_> {
    pub fn instruction(&mut self, function: FunctionId) -> Result<Instruction, ParseError> {
        let Token::Word(word) = self.peek().clone() else { return self.assignment(function) };
        let keyword = word.as_str();
        match keyword {
            "store" | "copy" | "free" | "end" | "skip" | "assume" | "assert" | "call" | "unsupported" => self.skip(),
            _ => return self.assignment(function),
        }
        match keyword {
            "store" => {
                let place = self.untyped_place(function)?;
                self.expect("=")?;
                let value = self.operand(Some(function))?;
                Ok(Instruction::Store { place: self.with_type(place)?, value })
            }
            "copy" => self.copy(function),
            "free" => Ok(Instruction::Free { pointer: self.operand(Some(function))? }),
            "end" => Ok(Instruction::End { pointer: self.operand(Some(function))? }),
            "skip" => Ok(Instruction::Assume(Condition::True)),
            "assume" => self.condition(function).map(Instruction::Assume),
            "assert" => self.condition(function).map(Instruction::Assert),
            "call" => self.call(function, None),
            _ => self.reason().map(Instruction::Unsupported),
        }
    }

    fn assignment(&mut self, function: FunctionId) -> Result<Instruction, ParseError> {
        let target = self.register("an instruction")?;
        self.expect("=")?;
        if self.eat_word("load") {
            let place = self.untyped_place(function)?;
            return Ok(Instruction::Load { target, place: self.with_type(place)? });
        }
        if self.eat_word("alloc") {
            return self.alloc(function, target);
        }
        if self.eat_word("call") {
            return self.call(function, Some(target));
        }
        Ok(Instruction::Assign { target, value: self.expression(function, target)? })
    }

    fn type_after_colon(&mut self) -> Result<TypeId, ParseError> {
        self.expect(":")?;
        self.ty()
    }

    fn expression(&mut self, function: FunctionId, target: RegisterId) -> Result<Expression, ParseError> {
        let some = Some(function);
        if self.eat_word("container_of") {
            return self.container_of(function);
        }
        if self.eat_word("bytes") {
            let base = self.operand(some)?;
            self.expect("+")?;
            return Ok(Expression::AddBytes { base, bytes: self.operand(some)? });
        }
        if self.eat_word("index") {
            let base = self.operand(some)?;
            self.expect("+")?;
            let index = self.operand(some)?;
            return Ok(Expression::AddIndex { base, index, element: self.type_after_colon()? });
        }
        if self.eat_word("diff") {
            let left = self.operand(some)?;
            self.expect("-")?;
            let right = self.operand(some)?;
            return Ok(Expression::PointerDifference { left, right, element: self.type_after_colon()? });
        }
        if self.eat_word("convert") {
            let value = self.operand(some)?;
            let from = self.type_after_colon()?;
            self.expect_word("to")?;
            return Ok(Expression::Convert { from, to: self.ty()?, value });
        }
        if self.eat_word("nondet") {
            return Ok(Expression::Nondet { ty: self.type_after_colon()? });
        }
        if self.eat_word("uninitialised") {
            return Ok(Expression::Uninitialised);
        }
        let default = self.program.functions[function].registers[target].ty;
        for (word, operator) in [("neg", UnaryOperator::Negate), ("not", UnaryOperator::Complement)] {
            if self.eat_word(word) {
                let value = self.operand(some)?;
                return Ok(Expression::Unary { operator, ty: self.optional_type(Some(default))?, value });
            }
        }
        if matches!(self.peek(), Token::Punctuation("&")) && self.is_address_of_path() {
            self.skip();
            let place = self.untyped_place(function)?;
            return Ok(Expression::AddPath { base: place.base, path: place.path });
        }
        let left = self.operand(some)?;
        if let Token::Punctuation(word) = self.peek()
            && let Some(operator) = value_of(&BINARY_OPERATORS, word)
        {
            self.skip();
            let right = self.operand(some)?;
            return Ok(Expression::Binary { operator, ty: self.optional_type(Some(default))?, left, right });
        }
        Ok(Expression::Operand(left))
    }

    /// `&*p`, `&(…)` and `&p->` are addresses of paths; `&g` is a global.
    fn is_address_of_path(&self) -> bool {
        matches!(self.peek_at(1), Token::Punctuation("*" | "(")) || matches!(self.peek_at(2), Token::Punctuation("->"))
    }

    fn container_of(&mut self, function: FunctionId) -> Result<Expression, ParseError> {
        self.expect("(")?;
        let base = self.operand(Some(function))?;
        self.expect(",")?;
        let view = self.ty()?;
        let steps = if self.eat(",") { self.steps(function, view)? } else { SmallVec::new() };
        self.expect(")")?;
        Ok(Expression::SubtractPath { base, path: Path { view, steps } })
    }

    fn optional_type(&mut self, default: Option<TypeId>) -> Result<TypeId, ParseError> {
        match default {
            Some(default) if !matches!(self.peek(), Token::Punctuation(":")) => Ok(default),
            _ => self.type_after_colon(),
        }
    }

    fn untyped_place(&mut self, function: FunctionId) -> Result<UntypedPlace, ParseError> {
        let at = self.position();
        let whole = self.eat("*");
        let base_at = self.position();
        let (base, view) = if self.eat("(") {
            let base = self.operand(Some(function))?;
            let view = if self.eat_word("as") { Some(self.ty()?) } else { None };
            self.expect(")")?;
            (base, view)
        } else {
            (Operand::Register(self.register("a place (`p->field` or `*p`)")?), None)
        };
        let default = self.program.default_view(Some(&self.program.functions[function]), base);
        let view = view.or(default).ok_or_else(|| {
            self.error_at(base_at, "this is no pointer, so its view must be said: `(base as TYPE)->…`")
        })?;
        let steps = if whole {
            SmallVec::new()
        } else {
            self.expect("->")?;
            self.steps(function, view)?
        };
        let bits = if !self.eat_word("bits") {
            None
        } else if self.eat_word("none") {
            Some(None)
        } else {
            Some(Some(self.bit_range()?))
        };
        Ok(UntypedPlace { at, base, path: Path { view, steps }, bits })
    }

    fn with_type(&mut self, place: UntypedPlace) -> Result<Place, ParseError> {
        let UntypedPlace { at, base, path, bits } = place;
        let resolved = self.program.resolve(&path).ok_or_else(|| self.error_at(at, "this path leads nowhere"))?;
        let ty = self.optional_type(Some(resolved.ty))?;
        Ok(Place { base, path, ty, bits: bits.unwrap_or(resolved.bits) })
    }

    /// Steps from `view` down: field names and indices.
    fn steps(&mut self, function: FunctionId, view: TypeId) -> Result<SmallVec<[Step; 2]>, ParseError> {
        let mut steps = SmallVec::new();
        let mut ty = view;
        loop {
            if self.eat("[") {
                let Type::Array(element, _) = *self.program.ty(ty) else {
                    return Err(self.error("only an array has elements"));
                };
                ty = element;
                steps.push(Step::Index(self.index(function)?));
                self.expect("]")?;
            } else if steps.is_empty() || self.eat(".") {
                let at = self.position();
                let name = self.name_or_word("the name of a field")?;
                let Type::Record(record) = *self.program.ty(ty) else {
                    return Err(self.error_at(at, format!("`{name}`: only a record has fields")));
                };
                let fields = self.program.records[record].fields();
                let Some(position) = fields.iter().position(|field| field.name == name) else {
                    let message = format!("`{}` has no field `{name}`", self.program.records[record].name);
                    return Err(self.error_at(at, message));
                };
                ty = fields[position].ty;
                let position = u32::try_from(position).map_err(|_| self.error_at(at, "too many fields"))?;
                steps.push(Step::Field(record, position));
            } else {
                return Ok(steps);
            }
        }
    }

    fn index(&mut self, function: FunctionId) -> Result<Index, ParseError> {
        if let Token::Int(_) = self.peek() {
            return self.number("an index").map(Index::Constant);
        }
        self.eat("+");
        self.operand(Some(function)).map(Index::Operand)
    }

    fn copy(&mut self, function: FunctionId) -> Result<Instruction, ParseError> {
        let place = self.untyped_place(function)?;
        let place = self.with_type(place)?;
        self.expect("=")?;
        let source = if self.eat_word("fill") {
            CopySource::Fill(self.operand(Some(function))?)
        } else if self.eat_word("members") {
            CopySource::Members
        } else if self.eat_word("nondet") {
            CopySource::Nondet
        } else {
            let source = self.untyped_place(function)?;
            CopySource::Place(self.with_type(source)?)
        };
        let extent = if self.eat_word("size") {
            Extent::Type(self.ty()?)
        } else if self.eat_word("bytes") {
            Extent::Bytes(self.operand(Some(function))?)
        } else if self.eat_word("common") {
            Extent::Common
        } else {
            Extent::Type(place.ty)
        };
        Ok(Instruction::Copy { place, source, extent })
    }

    fn alloc(&mut self, function: FunctionId, target: RegisterId) -> Result<Instruction, ParseError> {
        let storage = if self.eat_word("heap") {
            Storage::Heap
        } else if self.eat_word("auto") {
            Storage::Auto
        } else {
            return Err(self.expected("`heap` or `auto`"));
        };
        let bytes = self.operand(Some(function))?;
        let contents = if self.eat_word("zeroed") {
            InitialContents::Zeroed
        } else if self.eat_word("anything") {
            InitialContents::Nondet
        } else {
            InitialContents::Uninitialised
        };
        let failure = if self.eat_word("nofail") { Failure::Never } else { Failure::Possible };
        let align = self.eat_word("align").then(|| self.operand(Some(function))).transpose()?;
        let view = if self.eat_word("as") {
            let element = self.ty()?;
            let count = if self.eat("*") { self.operand(Some(function))? } else { Operand::Int(1) };
            Some(View { element, count, has_tail: self.eat_word("tail") })
        } else {
            None
        };
        Ok(Instruction::Alloc { target, bytes, storage, contents, failure, align, view })
    }

    fn call(&mut self, function: FunctionId, target: Option<RegisterId>) -> Result<Instruction, ParseError> {
        let callee = if self.eat("*") {
            Callee::Indirect(self.operand(Some(function))?)
        } else {
            Callee::Direct(self.function_name()?)
        };
        Ok(Instruction::Call { target, callee, arguments: self.operands(function)? })
    }

    fn operands(&mut self, function: FunctionId) -> Result<Vec<Operand>, ParseError> {
        self.expect("(")?;
        let mut operands = Vec::new();
        while !self.eat(")") {
            if !operands.is_empty() {
                self.expect(",")?;
            }
            operands.push(self.operand(Some(function))?);
        }
        Ok(operands)
    }

    fn condition(&mut self, function: FunctionId) -> Result<Condition, ParseError> {
        if self.eat_word("true") {
            return Ok(Condition::True);
        }
        if self.eat_word("false") {
            return Ok(Condition::False);
        }
        if let Token::Word(word) = self.peek()
            && let Some(kind) = value_of(&SHAPES, word)
        {
            self.skip();
            return self.shape(function, kind).map(Condition::Shape);
        }
        let negated = self.eat_word("not");
        let left = self.operand(Some(function))?;
        let operator = match self.peek() {
            Token::Punctuation(word) => value_of(&COMPARE_OPERATORS, word),
            _ => None,
        };
        let Some(operator) = operator else { return Err(self.expected("a comparison: == != < <= > >=")) };
        self.skip();
        let right = self.operand(Some(function))?;
        let default = self.program.functions[function].default_compare_type(left, right);
        let ty = self.optional_type(default)?;
        Ok(if negated {
            Condition::NotCompare { operator, ty, left, right }
        } else {
            Condition::Compare { operator, ty, left, right }
        })
    }

    fn shape(&mut self, function: FunctionId, kind: ShapeKind) -> Result<ShapePredicate, ParseError> {
        let arguments = self.operands(function)?;
        self.expect_word("over")?;
        let at = self.position();
        let name = self.name("the name of a record")?;
        let found = self.records.get(&name).copied();
        let record = found.ok_or_else(|| self.error_at(at, format!("no record `{name}` is declared")))?;
        let mut links = Vec::new();
        if self.eat_word("via") {
            loop {
                let view = if self.eat("(") {
                    let view = self.ty()?;
                    self.expect(")")?;
                    view
                } else {
                    self.intern(Type::Record(record))
                };
                let empty = matches!(self.peek(), Token::Separator | Token::End | Token::Punctuation("," | "}"))
                    || matches!(self.peek(), Token::Word(word) if word == "at");
                let steps = if empty { SmallVec::new() } else { self.steps(function, view)? };
                links.push(Path { view, steps });
                if !self.eat(",") {
                    break;
                }
            }
        }
        Ok(ShapePredicate { kind, arguments, record, links })
    }
}
