//! The first section of a TVP file: sets, predicates, rules, what holds for every action.

use super::program::{End, Reader};
use crate::action::Message;
use crate::rules::{Head, Rule, RuleSource};
use crate::vocabulary::{Arity, Declaration, Definition, PredicateStyle, Property, Role};
use heapwise_logic::text::{TextError, TokenKind};
use heapwise_logic::{Formula, Predicate, Variable};

impl Reader {
    pub(super) fn declarations(&mut self, end: End) -> Result<(), TextError> {
        loop {
            match self.parser.kind().clone() {
                TokenKind::Separator if end != End::Brace => return Ok(()),
                TokenKind::End if end == End::File => return Ok(()),
                TokenKind::Symbol("}") if end == End::Brace => return Ok(()),
                TokenKind::Symbol("foreach") => self.for_each(&mut |r| r.declarations(End::Brace))?,
                TokenKind::Directive(directive) => self.declaration(&directive)?,
                _ => {
                    let stop = if end == End::Brace { "`}`" } else { "`%%`" };
                    let kinds = "a declaration (`%s`, `%pset`, `%p`, `%i`, `%r`, `%f`, `%message`, `%dname`, `%closecycle` or `foreach`)";
                    return Err(self.parser.expected(&format!("{kinds} or {stop}")));
                }
            }
        }
    }

    fn declaration(&mut self, directive: &str) -> Result<(), TextError> {
        match directive {
            "s" | "pset" => self.set_declaration(),
            "p" | "i" => self.predicate_declaration(directive == "i"),
            "r" => self.rule(),
            "f" => {
                self.parser.advance();
                let formulas = self.focus_list()?;
                if !self.parser.is_surveying() {
                    self.focus.extend(formulas);
                }
                Ok(())
            }
            "message" => {
                let message = self.message_clause()?;
                if !self.parser.is_surveying() {
                    self.messages.push(message);
                }
                Ok(())
            }
            "dname" => {
                self.warn_unused("`%dname` names parts for the decomposition engine: without effect here");
                self.parser.advance();
                self.parser.formula(&self.vocabulary)?;
                if matches!(self.parser.kind(), TokenKind::Text(_) | TokenKind::Id(_)) {
                    self.message_text()?;
                }
                Ok(())
            }
            "closecycle" => {
                self.warn_unused("`%closecycle` is without effect here");
                self.parser.advance();
                self.parser.name("a predicate after `%closecycle`")?;
                self.parser.expect("->", "after the predicate of `%closecycle`")?;
                self.parser.formula(&self.vocabulary).map(|_| ())
            }
            _ => Err(self.parser.expected("a declaration or `%%`")),
        }
    }

    pub(super) fn warn_unused(&mut self, message: &str) {
        self.warn(self.parser.error(message.to_owned()));
    }

    /// Tells the user something that is no error; once, however often the text is read.
    pub(super) fn warn(&mut self, warning: TextError) {
        if !self.parser.is_surveying() && !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// `%s` and `%pset`: a set declared again grows by the new names, as in TVLA.
    fn set_declaration(&mut self) -> Result<(), TextError> {
        self.parser.advance();
        let id = self.parser.id("the name of a set")?;
        let elements = self.parser.set_expression(&self.vocabulary)?;
        if !self.parser.is_surveying() {
            self.vocabulary.declare_set(&id, elements);
        }
        Ok(())
    }

    fn predicate_declaration(&mut self, derived: bool) -> Result<(), TextError> {
        self.parser.advance();
        let origin = self.parser.origin().clone();
        let name = self.parser.name("the name of a predicate")?;
        let params = self.parser.variables("after the name of a predicate")?;
        let Some(arity) = Arity::of(params.len()) else {
            let message = format!("`{name}` has {} arguments: predicates have at most two", params.len());
            return Err(TextError::at(&origin, message));
        };
        let mut declaration = Declaration::core(arity);
        if derived {
            self.parser.expect("=", "and a formula after the arguments of an `%i` predicate")?;
            let formula = self.parser.formula(&self.vocabulary)?;
            declaration.definition = Some(Definition { params, formula });
        }
        while let TokenKind::Id(word) = self.parser.kind().clone() {
            self.property(&word, &mut declaration)?;
        }
        self.show_filter()?;
        if self.parser.is_surveying() {
            return Ok(());
        }
        self.vocabulary.declare(&name.to_string(), declaration).map_err(|m| TextError::at(&origin, m))?;
        Ok(())
    }

    fn property(&mut self, word: &str, declaration: &mut Declaration) -> Result<(), TextError> {
        let (arity, property) = match word {
            "unique" => (Arity::Unary, Some(Property::Unique)),
            "pointer" | "box" => {
                declaration.style = PredicateStyle::Pointer;
                (Arity::Unary, None)
            }
            "uniquePerCC" => {
                self.parser.advance();
                self.parser.expect("(", "after `uniquePerCC`")?;
                let origin = self.parser.origin().clone();
                let name = self.parser.name("a binary predicate")?;
                if !self.parser.is("(") && !self.parser.is(")") {
                    return Err(self.parser.expected("`)` after `uniquePerCC(p`"));
                }
                let mut property = None;
                if !self.parser.is_surveying() {
                    let predicate = heapwise_logic::text::Names::predicate(&self.vocabulary, &name, 2);
                    property = Some(Property::UniquePerComponent(predicate.map_err(|m| TextError::at(&origin, m))?));
                }
                (Arity::Unary, property)
            }
            "function" => (Arity::Binary, Some(Property::Function)),
            "invfunction" => (Arity::Binary, Some(Property::InverseFunction)),
            "symmetric" => (Arity::Binary, Some(Property::Symmetric)),
            "antisymmetric" => (Arity::Binary, Some(Property::Antisymmetric)),
            "reflexive" => (Arity::Binary, Some(Property::Reflexive)),
            "antireflexive" => (Arity::Binary, Some(Property::Antireflexive)),
            "transitive" => (Arity::Binary, Some(Property::Transitive)),
            "acyclic" => (Arity::Binary, Some(Property::Acyclic)),
            "abs" | "nonabs" => {
                if declaration.arity == Arity::Binary {
                    return Err(self.parser.error(format!("`{word}` is for predicates with at most one argument")));
                }
                declaration.role = if word == "abs" { Role::Abstraction } else { Role::Plain };
                self.parser.advance();
                return Ok(());
            }
            _ => {
                let known = "a property (`unique`, `pointer`, `box`, `uniquePerCC`, `function`, `invfunction`, `symmetric`, `antisymmetric`, `reflexive`, `antireflexive`, `transitive`, `acyclic`, `abs`, `nonabs`) or a declaration";
                return Err(self.parser.expected(known));
            }
        };
        if declaration.arity != arity {
            let count = arity.count();
            return Err(self.parser.error(format!("`{word}` is for predicates with {count} argument(s)")));
        }
        self.parser.advance();
        if let Some(property) = property {
            declaration.properties.push(property);
        }
        Ok(())
    }

    /// `{0, 1/2, 1}`: which values TVLA draws. Read and forgotten.
    fn show_filter(&mut self) -> Result<(), TextError> {
        if !self.parser.take("{") {
            return Ok(());
        }
        while !self.parser.take("}") {
            match self.parser.kind() {
                TokenKind::Value(_) => self.parser.advance(),
                _ => return Err(self.parser.expected("`0`, `1/2`, `1` or `}` in a display filter")),
            }
            if !self.parser.take(",") {
                self.parser.expect("}", "or `,` in a display filter")?;
                return Ok(());
            }
        }
        Ok(())
    }

    /// `%r body ==> head`, for every assignment of the variables of both: one that the head lacks stands for some
    /// individual, one that the body lacks for every individual.
    fn rule(&mut self) -> Result<(), TextError> {
        self.parser.advance();
        let origin = self.parser.origin().clone();
        let body = self.parser.formula(&self.vocabulary)?;
        self.parser.expect("==>", "after the body of a rule")?;
        let written = self.parser.formula(&self.vocabulary)?;
        if self.parser.is_surveying() {
            return Ok(());
        }
        let error = |message: &str| Err(TextError::at(&origin, message.to_owned()));
        let Some(head) = Head::from_formula(&strip_not(&written)) else {
            return error("the head of a rule is a predicate, an equality, one of them negated, or `0`");
        };
        let (of_body, of_head) = (body.free_variables(), written.free_variables());
        if head != Head::Never && !of_body.is_subset(&of_head) && !of_head.is_subset(&of_body) {
            // Each has a variable of its own: allowed, but most likely a slip.
            let message = "the body and the head of this rule have different free variables: it is read as \
                           \"if the body holds for some individuals, the head holds for all\"";
            self.warn(TextError::at(&origin, message.to_owned()));
        }
        let source = RuleSource::Written(format!("{}:{}", origin.file, origin.line));
        self.rules.push(Rule { body, head, source });
        Ok(())
    }

    /// Takes `{ focus, … }`.
    pub(super) fn focus_list(&mut self) -> Result<Vec<Formula>, TextError> {
        self.parser.expect("{", "after `%f`")?;
        let mut formulas = Vec::new();
        self.focus_items(&mut formulas)?;
        self.parser.expect("}", "or `,` after a focus formula")?;
        Ok(formulas)
    }

    fn focus_items(&mut self, formulas: &mut Vec<Formula>) -> Result<(), TextError> {
        loop {
            if self.parser.is("foreach") {
                self.for_each(&mut |r| r.focus_items(formulas))?;
            } else {
                let formula = self.parser.formula(&self.vocabulary)?;
                if !self.parser.is_surveying() {
                    formulas.push(formula);
                }
            }
            if !self.parser.take(",") {
                return Ok(());
            }
        }
    }

    /// Takes `%message [φ]? φ -> text`.
    pub(super) fn message_clause(&mut self) -> Result<Message, TextError> {
        self.parser.advance();
        if self.parser.is("[") {
            self.warn_unused(
                "the composition formula of a message is for the decomposition engine: without effect here",
            );
            self.parser.advance();
            self.parser.formula(&self.vocabulary)?;
            self.parser.expect("]", "after the composition formula of a message")?;
        }
        let condition = self.parser.disjunction(&self.vocabulary)?;
        self.parser.expect("->", "and a text after the condition of a message")?;
        Ok(Message { condition, text: self.message_text()? })
    }

    /// Takes strings and names joined by `+`.
    pub(super) fn message_text(&mut self) -> Result<String, TextError> {
        let mut text = String::new();
        loop {
            match self.parser.kind().clone() {
                TokenKind::Text(part) => {
                    text.push_str(&part);
                    self.parser.advance();
                }
                TokenKind::Id(_) => text.push_str(&self.parser.name("a name")?.to_string()),
                _ => return Err(self.parser.expected("a string or a name in a text")),
            }
            if !self.parser.take("+") {
                return Ok(text);
            }
        }
    }
}

fn strip_not(formula: &Formula) -> Formula {
    match formula {
        Formula::Not(inner) => !strip_not(inner),
        other => other.clone(),
    }
}

/// The one variable that a formula speaks of beside `parameters`; a fresh one if there is none.
pub(super) fn only_variable(formula: &Formula, parameters: &[Variable]) -> Result<Variable, String> {
    let free: Vec<Variable> = formula.free_variables().into_iter().filter(|v| !parameters.contains(v)).collect();
    match free.as_slice() {
        [] => Ok(Variable::new("$v")),
        [v] => Ok(v.clone()),
        [first, second, ..] => {
            Err(format!("expected one free variable, found `{}` and `{}`", first.name(), second.name()))
        }
    }
}

/// The predicate and arguments on the left of an update.
pub(super) type Target = (Predicate, Vec<Variable>);
