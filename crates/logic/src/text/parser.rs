//! The formula parser: recursive descent over tokens, resolving names as it goes.

use super::{Name, Origin, Source, TextError, Token, TokenKind, lex};
use crate::formula::{Formula, Predicate, Steps, Variable};
use std::sync::Arc;

/// What names mean to the parser.
pub trait Names {
    /// The predicate of that (substituted) name, used with that many arguments.
    ///
    /// # Errors
    /// Why there is none: not declared, or declared with another arity.
    fn predicate(&self, name: &Name, arity: usize) -> Result<Predicate, String>;

    /// The elements of a declared set.
    ///
    /// # Errors
    /// That there is no such set.
    fn set(&self, id: &str) -> Result<Vec<Name>, String>;
}

/// A parser over a token list, with the current substitution of names.
///
/// While *surveying* (a body before its set is known, an action before it is used), only the form is checked: names
/// mean nothing yet.
pub struct Parser {
    tokens: Arc<[Token]>,
    position: usize,
    bindings: Vec<(Arc<str>, Name)>,
    surveying: u32,
}

impl Parser {
    /// A parser at the start of a text; also what was skipped while splitting it into tokens.
    ///
    /// # Errors
    /// An unfinished comment or string.
    pub fn new(source: &Source) -> Result<(Parser, Vec<TextError>), TextError> {
        let (tokens, skipped) = lex(source)?;
        Ok((Parser { tokens: tokens.into(), position: 0, bindings: Vec::new(), surveying: 0 }, skipped))
    }

    /// Parses a whole text as one formula.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn formula_from(file: &str, text: &str, names: &dyn Names) -> Result<Formula, TextError> {
        let (mut parser, skipped) = Parser::new(&Source::plain(file, text))?;
        if let Some(error) = skipped.into_iter().next() {
            return Err(error);
        }
        let formula = parser.formula(names)?;
        match parser.kind() {
            TokenKind::End => Ok(formula),
            _ => Err(parser.expected("an operator or the end of the formula")),
        }
    }

    /// A second parser of the same tokens, at `position`, without bindings.
    #[must_use]
    pub fn at(&self, position: usize) -> Parser {
        Parser { tokens: self.tokens.clone(), position, bindings: Vec::new(), surveying: 0 }
    }

    /// The position of the next token.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }

    /// Goes (back) to a position.
    pub fn rewind(&mut self, position: usize) {
        self.position = position;
    }

    /// Binds a name; [`Parser::unbind`] takes it back.
    pub fn bind(&mut self, id: &Arc<str>, value: Name) {
        self.bindings.push((id.clone(), value));
    }

    /// Takes back the latest binding.
    pub fn unbind(&mut self) {
        self.bindings.pop();
    }

    /// Starts checking form only.
    pub fn begin_survey(&mut self) {
        self.surveying += 1;
    }

    /// Ends what [`Parser::begin_survey`] began.
    pub fn end_survey(&mut self) {
        self.surveying = self.surveying.saturating_sub(1);
    }

    /// Whether only the form is checked.
    #[must_use]
    pub fn is_surveying(&self) -> bool {
        self.surveying > 0
    }

    /// The next token.
    #[must_use]
    pub fn kind(&self) -> &TokenKind {
        &self.tokens[self.position.min(self.tokens.len() - 1)].kind
    }

    /// The token `ahead` places after the next one.
    #[must_use]
    pub fn peek(&self, ahead: usize) -> &TokenKind {
        &self.tokens[(self.position + ahead).min(self.tokens.len() - 1)].kind
    }

    /// Where the next token stands.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.tokens[self.position.min(self.tokens.len() - 1)].origin
    }

    /// Goes past the next token.
    pub fn advance(&mut self) {
        self.position += 1;
    }

    /// The error "expected …, found …" at the next token.
    #[must_use]
    pub fn expected(&self, what: &str) -> TextError {
        TextError::at(self.origin(), format!("expected {what}, found {}", self.kind()))
    }

    /// An error about meaning, at the next token.
    #[must_use]
    pub fn error(&self, message: String) -> TextError {
        TextError::at(self.origin(), message)
    }

    /// Whether the next token is that symbol.
    #[must_use]
    pub fn is(&self, symbol: &str) -> bool {
        matches!(self.kind(), TokenKind::Symbol(s) if *s == symbol)
    }

    /// Whether the next token is that directive.
    #[must_use]
    pub fn is_directive(&self, name: &str) -> bool {
        matches!(self.kind(), TokenKind::Directive(d) if **d == *name)
    }

    /// Takes the symbol if it is next.
    pub fn take(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        if found {
            self.advance();
        }
        found
    }

    /// Takes the directive if it is next.
    pub fn take_directive(&mut self, name: &str) -> bool {
        let found = self.is_directive(name);
        if found {
            self.advance();
        }
        found
    }

    /// Takes the symbol, or says where it is missing.
    ///
    /// # Errors
    /// It is not next.
    pub fn expect(&mut self, symbol: &str, place: &str) -> Result<(), TextError> {
        if self.take(symbol) { Ok(()) } else { Err(self.expected(&format!("`{symbol}` {place}"))) }
    }

    /// Takes an identifier.
    ///
    /// # Errors
    /// None is next.
    pub fn id(&mut self, what: &str) -> Result<Arc<str>, TextError> {
        let TokenKind::Id(id) = self.kind() else { return Err(self.expected(what)) };
        let id = id.clone();
        self.advance();
        Ok(id)
    }

    /// Takes `ID,*` up to and including `)`; the `(` comes first.
    ///
    /// # Errors
    /// The list has another form.
    pub fn variables(&mut self, place: &str) -> Result<Vec<Variable>, TextError> {
        self.expect("(", place)?;
        let mut variables = Vec::new();
        if self.take(")") {
            return Ok(variables);
        }
        loop {
            variables.push(Variable::new(&self.id("a variable")?));
            if !self.take(",") {
                break;
            }
        }
        self.expect(")", "or `,` after a variable")?;
        Ok(variables)
    }

    /// Takes a predicate name and substitutes the current bindings in it.
    ///
    /// # Errors
    /// No name is next.
    pub fn name(&mut self, what: &str) -> Result<Name, TextError> {
        let id = self.id(what)?;
        if !self.take("[") {
            let bound = self.bindings.iter().rev().find(|(from, _)| *from == id);
            return Ok(bound.map_or(Name { id, parameters: None }, |(_, to)| to.clone()));
        }
        let mut parameters = Vec::new();
        if !self.take("]") {
            loop {
                parameters.push(self.name("a name in brackets")?);
                if !self.take(",") {
                    break;
                }
            }
            self.expect("]", "or `,` after a name in brackets")?;
        }
        Ok(Name { id, parameters: Some(parameters) })
    }

    /// Takes a formula: quantifiers reach as far right as possible; then, from the loosest, `<->`, `->`, `|`, `&`, `!`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn formula(&mut self, names: &dyn Names) -> Result<Formula, TextError> {
        let mut left = self.implication(names)?;
        while self.take("<->") {
            left = Formula::iff(left, self.implication(names)?);
        }
        Ok(left)
    }

    fn implication(&mut self, names: &dyn Names) -> Result<Formula, TextError> {
        let mut left = self.disjunction(names)?;
        // In `%message φ -> "text"` the arrow is not a connective.
        while self.is("->") && !matches!(self.peek(1), TokenKind::Text(_)) {
            self.advance();
            left = Formula::implies(left, self.disjunction(names)?);
        }
        Ok(left)
    }

    /// Takes a formula without a `->` or `<->` outside brackets: the condition of a message.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn disjunction(&mut self, names: &dyn Names) -> Result<Formula, TextError> {
        let mut parts = vec![self.conjunction(names)?];
        while self.is("|") && !self.is_big_operator() {
            self.advance();
            parts.push(self.conjunction(names)?);
        }
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Formula::Or(parts) })
    }

    fn conjunction(&mut self, names: &dyn Names) -> Result<Formula, TextError> {
        let mut parts = vec![self.unary(names)?];
        while self.is("&") && !self.is_big_operator() {
            self.advance();
            parts.push(self.unary(names)?);
        }
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Formula::And(parts) })
    }

    fn is_big_operator(&self) -> bool {
        matches!(self.peek(1), TokenKind::Symbol("/"))
    }

    fn unary(&mut self, names: &dyn Names) -> Result<Formula, TextError> {
        match self.kind().clone() {
            TokenKind::Symbol("!") => {
                self.advance();
                Ok(Formula::Not(Box::new(self.unary(names)?)))
            }
            TokenKind::Symbol("E") => {
                self.advance();
                let variables = self.variables("after `E`")?;
                Ok(Formula::exists(variables, self.formula(names)?))
            }
            TokenKind::Symbol("A") => {
                self.advance();
                let variables = self.variables("after `A`")?;
                Ok(Formula::forall(variables, self.formula(names)?))
            }
            TokenKind::Symbol("TC") => {
                self.advance();
                self.closure(names)
            }
            TokenKind::Symbol("(") => self.parenthesised(names),
            TokenKind::Symbol("|" | "&") if self.is_big_operator() => self.big_operator(names),
            TokenKind::Value(value) => {
                self.advance();
                Ok(Formula::Literal(value))
            }
            TokenKind::Id(_) => self.atom(names),
            _ => Err(self.expected("a formula")),
        }
    }

    fn closure(&mut self, names: &dyn Names) -> Result<Formula, TextError> {
        let ends = self.pair("after `TC`")?;
        let bound = self.pair("with the two variables of one step, after `TC(l, r)`")?;
        let step = Box::new(self.formula(names)?);
        Ok(Formula::Closure { steps: Steps::OneOrMore, from: ends.0, to: ends.1, left: bound.0, right: bound.1, step })
    }

    fn pair(&mut self, place: &str) -> Result<(Variable, Variable), TextError> {
        self.expect("(", place)?;
        let first = Variable::new(&self.id("a variable")?);
        self.expect(",", "between two variables")?;
        let second = Variable::new(&self.id("a variable")?);
        self.expect(")", "after two variables")?;
        Ok((first, second))
    }

    fn parenthesised(&mut self, names: &dyn Names) -> Result<Formula, TextError> {
        self.advance();
        let inner = self.formula(names)?;
        if self.take("?") {
            let yes = self.formula(names)?;
            self.expect(":", "between the branches of `? :`")?;
            let no = self.formula(names)?;
            self.expect(")", "after an if-then-else")?;
            return Ok(Formula::if_then_else(inner, yes, no));
        }
        self.expect(")", "or an operator")?;
        Ok(inner)
    }

    fn big_operator(&mut self, names: &dyn Names) -> Result<Formula, TextError> {
        let disjunction = self.is("|");
        self.advance();
        self.advance();
        self.expect("{", "after `|/` or `&/`")?;
        let start = self.position;
        self.begin_survey();
        let surveyed = self.formula(names);
        self.end_survey();
        surveyed?;
        self.expect(":", "after the body of `|/{…}` or `&/{…}`")?;
        let (id, elements) = self.binder(names)?;
        self.expect("}", "after the set of `|/{…}` or `&/{…}`")?;
        let end = self.position;
        let mut parts = Vec::with_capacity(elements.len());
        for element in elements {
            self.rewind(start);
            self.bind(&id, element);
            let part = self.formula(names);
            self.unbind();
            parts.push(part?);
        }
        self.rewind(end);
        Ok(if disjunction { Formula::Or(parts) } else { Formula::And(parts) })
    }

    fn atom(&mut self, names: &dyn Names) -> Result<Formula, TextError> {
        if let (TokenKind::Id(left), TokenKind::Symbol(op @ ("==" | "!="))) =
            (self.kind().clone(), self.peek(1).clone())
        {
            self.advance();
            self.advance();
            let right = self.id(&format!("a variable after `{op}`"))?;
            let equal = Formula::equal(&Variable::new(&left), &Variable::new(&right));
            return Ok(if op == "==" { equal } else { !equal });
        }
        let origin = self.origin().clone();
        let name = self.name("a predicate")?;
        let closure = if self.take("*") {
            Some(Steps::ZeroOrMore)
        } else if self.take("+") {
            Some(Steps::OneOrMore)
        } else {
            None
        };
        if closure.is_none() && !self.is("(") {
            return Err(self.expected(&format!("`(`, `==` or `!=` after `{name}` in a formula")));
        }
        let args = self.variables("after a predicate")?;
        if closure.is_some() && args.len() != 2 {
            return Err(TextError::at(&origin, format!("expected two variables after the closure of `{name}`")));
        }
        let predicate = if self.is_surveying() {
            Predicate::new(0)
        } else {
            names.predicate(&name, args.len()).map_err(|message| TextError::at(&origin, message))?
        };
        Ok(match closure {
            None => Formula::Atom(predicate, args),
            Some(steps) => Formula::path(predicate, steps, &args[0], &args[1]),
        })
    }
}
