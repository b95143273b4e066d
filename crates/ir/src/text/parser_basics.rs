//! Text into programs: tokens, names, numbers, spans, types and operands.

use super::ParseError;
use super::lexer::Token;
use super::parser::Parser;
use super::words::{FLOAT_TYPES, INT_TYPES, RESERVED, value_of};
use crate::ids::{FileId, FunctionId, TypeId};
use crate::span::Span;
use crate::types::{BitRange, Signature, Type};
use crate::value::Operand;

/// How deep a type may nest.
const MAX_DEPTH: u32 = 500;

impl Parser<'_> {
    pub fn position(&self) -> usize {
        self.position
    }

    pub fn skip(&mut self) {
        self.position += 1;
    }

    pub fn peek(&self) -> &Token {
        self.peek_at(0)
    }

    pub fn peek_at(&self, ahead: usize) -> &Token {
        self.tokens.get(self.position + ahead).map_or(&Token::End, |placed| &placed.token)
    }

    pub fn error(&self, message: impl Into<String>) -> ParseError {
        self.error_at(self.position, message)
    }

    pub fn error_at(&self, position: usize, message: impl Into<String>) -> ParseError {
        let (line, column) = self.tokens.get(position).or(self.tokens.last()).map_or((1, 1), |at| (at.line, at.column));
        ParseError { line, column, message: message.into() }
    }

    pub fn expected(&self, what: &str) -> ParseError {
        self.error(format!("expected {what}, found {}", self.peek().describe()))
    }

    pub fn eat(&mut self, punctuation: &str) -> bool {
        let found = matches!(self.peek(), Token::Punctuation(found) if *found == punctuation);
        self.position += usize::from(found);
        found
    }

    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(found) if found == word);
        self.position += usize::from(found);
        found
    }

    pub fn expect(&mut self, punctuation: &str) -> Result<(), ParseError> {
        if self.eat(punctuation) { Ok(()) } else { Err(self.expected(&format!("`{punctuation}`"))) }
    }

    pub fn expect_word(&mut self, word: &str) -> Result<(), ParseError> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    pub fn end_of_line(&mut self) -> Result<(), ParseError> {
        match self.peek() {
            Token::Separator => {
                self.position += 1;
                Ok(())
            }
            Token::End => Ok(()),
            _ => Err(self.expected("the end of the line")),
        }
    }

    /// Past `}`, and past the lines before it.
    pub fn eat_closing_brace(&mut self) -> bool {
        while self.peek() == &Token::Separator {
            self.position += 1;
        }
        self.eat("}")
    }

    /// After a member of a list in braces: a comma, a new line, or the closing brace.
    pub fn end_of_member(&mut self) -> Result<(), ParseError> {
        if self.eat(",") || matches!(self.peek(), Token::Separator | Token::Punctuation("}")) {
            Ok(())
        } else {
            Err(self.expected("`,`, a new line or `}`"))
        }
    }

    /// A declared name: a plain identifier that is not reserved, or anything between backquotes.
    pub fn name(&mut self, what: &str) -> Result<String, ParseError> {
        if let Token::Word(word) = self.peek()
            && RESERVED.contains(&word.as_str())
        {
            let message = format!("expected {what}, found the reserved word `{word}` (as a name it needs backquotes)");
            return Err(self.error(message));
        }
        self.name_or_word(what)
    }

    pub fn name_or_word(&mut self, what: &str) -> Result<String, ParseError> {
        match self.peek() {
            Token::Word(name) | Token::Quoted(name) => {
                let name = name.clone();
                self.position += 1;
                Ok(name)
            }
            _ => Err(self.expected(what)),
        }
    }

    pub fn number<T: TryFrom<i128>>(&mut self, what: &str) -> Result<T, ParseError> {
        match self.peek() {
            Token::Int(value) => match T::try_from(*value) {
                Ok(value) => {
                    self.position += 1;
                    Ok(value)
                }
                Err(_) => Err(self.error(format!("`{value}` is out of range for {what}"))),
            },
            _ => Err(self.expected(what)),
        }
    }

    pub fn bytes(&mut self, what: &str) -> Result<Vec<u8>, ParseError> {
        match self.peek() {
            Token::Text(bytes) => {
                let bytes = bytes.clone();
                self.position += 1;
                Ok(bytes)
            }
            _ => Err(self.expected(what)),
        }
    }

    pub fn string(&mut self, what: &str) -> Result<String, ParseError> {
        let at = self.position;
        String::from_utf8(self.bytes(what)?).map_err(|_| self.error_at(at, "this must be UTF-8"))
    }

    pub fn bit_range(&mut self) -> Result<BitRange, ParseError> {
        let shift = self.number("the first bit")?;
        self.expect("+")?;
        Ok(BitRange { shift, width: self.number("how many bits")? })
    }

    /// `at FILE:LINE:COLUMN[-LINE:COLUMN]`, or nothing.
    pub fn span(&mut self) -> Result<Span, ParseError> {
        if !self.eat_word("at") {
            return Ok(Span::NONE);
        }
        let at = self.position;
        let file = if self.eat("-") { None } else { Some(FileId::from_u32(self.number("the number of a file")?)) };
        if file.is_some_and(|file| !self.program.files.is_valid(file)) {
            return Err(self.error_at(at, "no file of that number is declared"));
        }
        self.expect(":")?;
        let line = self.number("a line")?;
        self.expect(":")?;
        let column: u32 = self.number("a column")?;
        let (mut end_line, mut end_column) = (line, column.saturating_add(1));
        if let Token::Int(value) = self.peek() {
            // `-12` is read as one number.
            let last = value.checked_neg().and_then(|value| u32::try_from(value).ok());
            end_line = last.ok_or_else(|| self.expected("`-` and the last line"))?;
            self.position += 1;
            self.expect(":")?;
            end_column = self.number("the last column")?;
        }
        Ok(Span { file, line, column, end_line, end_column })
    }

    pub fn function_name(&mut self) -> Result<FunctionId, ParseError> {
        let at = self.position;
        let name = self.name("the name of a function")?;
        let found = self.functions.get(&name).copied();
        found.ok_or_else(|| self.error_at(at, format!("no function `{name}` is declared")))
    }

    pub fn intern(&mut self, ty: Type) -> TypeId {
        self.program.types.intern(ty)
    }

    pub fn ty(&mut self) -> Result<TypeId, ParseError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("this type is nested too deeply"));
        }
        let ty = self.ty_inner()?;
        self.depth -= 1;
        Ok(self.program.types.intern(ty))
    }

    fn ty_inner(&mut self) -> Result<Type, ParseError> {
        if self.eat("[") {
            let element = self.ty()?;
            let count = if self.eat(";") { Some(self.number("the number of elements")?) } else { None };
            self.expect("]")?;
            return Ok(Type::Array(element, count));
        }
        let at = self.position;
        if let Token::Word(word) = self.peek() {
            let known = match word.as_str() {
                "void" => Some(Type::Void),
                word => {
                    value_of(&INT_TYPES, word).map(Type::Int).or_else(|| value_of(&FLOAT_TYPES, word).map(Type::Float))
                }
            };
            if let Some(known) = known {
                self.position += 1;
                return Ok(known);
            }
        }
        if self.eat_word("ptr") {
            return Ok(Type::Pointer(self.ty()?));
        }
        if self.eat_word("fn") {
            return self.signature().map(Type::Function);
        }
        let name = self.name("a type")?;
        match self.records.get(&name) {
            Some(record) => Ok(Type::Record(*record)),
            None => Err(self.error_at(at, format!("no record `{name}` is declared, and no type has this name"))),
        }
    }

    fn signature(&mut self) -> Result<Signature, ParseError> {
        self.expect("(")?;
        let mut signature = Signature { result: None, parameters: Vec::new(), variadic: false };
        while !self.eat(")") {
            if !signature.parameters.is_empty() {
                self.expect(",")?;
            }
            if self.eat("...") {
                signature.variadic = true;
                self.expect(")")?;
                break;
            }
            signature.parameters.push(self.ty()?);
        }
        if self.eat("->") {
            signature.result = Some(self.ty()?);
        }
        Ok(signature)
    }

    /// A global's initializer has no registers: then `function` is `None`.
    pub fn operand(&mut self, function: Option<FunctionId>) -> Result<Operand, ParseError> {
        let at = self.position;
        match self.peek().clone() {
            Token::Int(value) => {
                self.position += 1;
                return Ok(Operand::Int(value));
            }
            Token::Float(value) => {
                self.position += 1;
                return Ok(Operand::Float(value));
            }
            _ => {}
        }
        if self.eat_word("null") {
            return Ok(Operand::ZERO);
        }
        if self.eat_word("floatbits") {
            return Ok(Operand::Float(f64::from_bits(self.number("the 64 bits as 0x…")?)));
        }
        if self.eat_word("sizeof") {
            let ty = self.ty()?;
            let size = self.program.size_of(ty).ok_or_else(|| self.error_at(at, "this type has no size"))?;
            return Ok(Operand::Int(i128::from(size)));
        }
        if self.eat("&") {
            let at = self.position;
            let name = self.name("the name of a global")?;
            let found = self.globals.get(&name).copied();
            return found
                .map(Operand::Global)
                .ok_or_else(|| self.error_at(at, format!("no global `{name}` is declared")));
        }
        if self.eat("@") {
            return self.function_name().map(Operand::Function);
        }
        match function {
            Some(_) => self.register("an operand").map(Operand::Register),
            None => Err(self.expected("a constant, `&GLOBAL` or `@FUNCTION`")),
        }
    }
}
