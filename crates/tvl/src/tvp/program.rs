//! A whole TVP file: declarations, actions, edges, locations to print.

use super::preprocess::{Files, Preprocessor};
use crate::action::{ActionSpecification, Message};
use crate::rules::Rule;
use crate::vocabulary::{Arity, Declaration, Role, Vocabulary};
use heapwise_logic::Formula;
use heapwise_logic::text::{Name, Origin, Parser, Source, TextError, TokenKind};
use indexmap::{IndexMap, IndexSet};
use std::sync::Arc;

/// A step of the program: an action from one location to another.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The location it leaves.
    pub from: usize,
    /// The location it enters.
    pub to: usize,
    /// What it does.
    pub action: ActionSpecification,
    /// Where it is written.
    pub place: String,
}

/// A specification: predicates, rules and a control-flow graph of actions.
#[derive(Clone, Debug)]
pub struct Specification {
    /// The predicates.
    pub vocabulary: Vocabulary,
    /// The rules as written.
    pub rules: Vec<Rule>,
    /// The locations, in the order of their first mention. The first is the entry.
    pub locations: IndexSet<String>,
    /// The edges, in order.
    pub edges: Vec<Edge>,
    /// The locations to print.
    pub shown: Vec<usize>,
    /// What was read but has no effect here, or was skipped.
    pub warnings: Vec<TextError>,
}

/// Reads a TVP file.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn parse(path: &str, text: &str, files: &dyn Files, defines: &[String]) -> Result<Specification, TextError> {
    let source = Preprocessor::new(files, defines).expand(path, text)?;
    let reader = Reader::new(&source)?;
    reader.program()
}

/// Predicates of TVLA that need no declaration, beside `sm`, `ac` and `isNew`.
pub(super) const BUILT_IN: [(&str, Arity); 5] = [
    ("instance", Arity::Binary),
    ("ready", Arity::Unary),
    ("isthread", Arity::Unary),
    ("runnable", Arity::Unary),
    ("outside", Arity::Unary),
];

/// An action as written: its parameters, and where its body starts.
#[derive(Clone, Debug)]
pub(super) struct WrittenAction {
    pub(super) parameters: Vec<Arc<str>>,
    pub(super) body: usize,
}

pub(super) struct Reader {
    pub(super) parser: Parser,
    pub(super) vocabulary: Vocabulary,
    pub(super) rules: Vec<Rule>,
    /// Focus formulas and messages of every action.
    pub(super) focus: Vec<Formula>,
    pub(super) messages: Vec<Message>,
    pub(super) actions: IndexMap<Arc<str>, WrittenAction>,
    pub(super) warnings: Vec<TextError>,
}

impl Reader {
    pub(super) fn new(source: &Source) -> Result<Reader, TextError> {
        let (parser, warnings) = Parser::new(source)?;
        let mut reader = Reader {
            parser,
            vocabulary: Vocabulary::new(),
            rules: Vec::new(),
            focus: Vec::new(),
            messages: Vec::new(),
            actions: IndexMap::new(),
            warnings,
        };
        reader.declare_built_in(source);
        Ok(reader)
    }

    /// Predicates that need no declaration, where the file uses them.
    fn declare_built_in(&mut self, source: &Source) {
        let text: String = source.lines.iter().map(|(_, l)| format!("{l}\n")).collect();
        for (name, arity) in BUILT_IN {
            let uses = text.match_indices(name).any(|(at, _)| {
                let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.' || c == '$';
                !text[..at].ends_with(word) && !text[at + name.len()..].starts_with(word)
            });
            let declares = text.match_indices(name).any(|(at, _)| {
                let before = text[..at].trim_end();
                before.ends_with("%p") || before.ends_with("%i")
            });
            if uses && !declares {
                let declaration = Declaration { role: Role::Plain, ..Declaration::core(arity) };
                // The name is new: nothing is declared yet.
                let _ = self.vocabulary.declare(name, declaration);
            }
        }
    }

    fn program(mut self) -> Result<Specification, TextError> {
        self.declarations(End::Section)?;
        self.separator("a declaration (`%s`, `%p`, `%i`, `%r`, `%f`, `%message`, `foreach` …) or `%%`")?;
        while self.parser.is_directive("action") {
            self.written_action()?;
        }
        self.separator("`%action` or `%%`")?;
        let mut locations = IndexSet::new();
        let mut edges = Vec::new();
        while !matches!(self.parser.kind(), TokenKind::Separator | TokenKind::End) {
            edges.extend(self.edge(&mut locations)?);
        }
        if locations.is_empty() {
            return Err(self.parser.expected("an edge: location, action, location"));
        }
        let shown = self.shown(&locations)?;
        Ok(Specification {
            vocabulary: self.vocabulary,
            rules: self.rules,
            locations,
            edges,
            shown,
            warnings: self.warnings,
        })
    }

    fn separator(&mut self, expected: &str) -> Result<(), TextError> {
        if *self.parser.kind() == TokenKind::Separator {
            self.parser.advance();
            Ok(())
        } else {
            Err(self.parser.expected(expected))
        }
    }

    fn location(&mut self, what: &str) -> Result<String, TextError> {
        let name = match self.parser.kind() {
            TokenKind::Id(name) | TokenKind::Text(name) => name.to_string(),
            _ => return Err(self.parser.expected(what)),
        };
        self.parser.advance();
        Ok(name)
    }

    /// Takes the actual arguments of an action.
    pub(super) fn actuals(parser: &mut Parser) -> Result<Vec<Name>, TextError> {
        let mut actuals = Vec::new();
        parser.expect("(", "after the action of an edge")?;
        if !parser.take(")") {
            loop {
                actuals.push(parser.name("an argument of the action")?);
                if !parser.take(",") {
                    break;
                }
            }
            parser.expect(")", "or `,` after an argument of the action")?;
        }
        Ok(actuals)
    }

    /// The declared action of that name with these arguments.
    pub(super) fn resolve(
        &mut self,
        origin: &Origin,
        name: &Arc<str>,
        actuals: &[Name],
    ) -> Result<Vec<ActionSpecification>, TextError> {
        let Some(written) = self.actions.get(name).cloned() else {
            return Err(TextError::at(origin, format!("the action `{name}` is not declared")));
        };
        if written.parameters.len() != actuals.len() {
            let (takes, has) = (written.parameters.len(), actuals.len());
            let message = format!("the action `{name}` takes {takes} argument(s), here it has {has}");
            return Err(TextError::at(origin, message));
        }
        self.instantiate(name, &written, actuals)
    }

    fn edge(&mut self, locations: &mut IndexSet<String>) -> Result<Vec<Edge>, TextError> {
        let origin = self.parser.origin().clone();
        let from = self.location("a location that an edge leaves")?;
        let name = self.parser.id("the action of an edge")?;
        let actuals = Reader::actuals(&mut self.parser)?;
        let to = self.location("the location that an edge enters")?;
        let place = format!("{}:{}", origin.file, origin.line);
        let actions = self.resolve(&origin, &name, &actuals)?;
        if actions.is_empty() {
            let message = format!("`%param` of the action `{name}` ranges over an empty set: it never happens");
            self.warn(TextError::at(&origin, message));
        }
        let (from, _) = locations.insert_full(from);
        let (to, _) = locations.insert_full(to);
        Ok(actions.into_iter().map(|action| Edge { from, to, action, place: place.clone() }).collect())
    }

    fn shown(&mut self, locations: &IndexSet<String>) -> Result<Vec<usize>, TextError> {
        if *self.parser.kind() == TokenKind::End {
            return Ok((0..locations.len()).collect());
        }
        self.parser.advance();
        let mut shown = Vec::new();
        loop {
            let origin = self.parser.origin().clone();
            let name = self.location("a location to print")?;
            match locations.get_index_of(&name) {
                Some(index) => shown.push(index),
                None => self.warnings.push(TextError::at(&origin, format!("no edge has the location `{name}`"))),
            }
            if !self.parser.take(",") {
                break;
            }
        }
        match self.parser.kind() {
            TokenKind::End => Ok(shown),
            _ => Err(self.parser.expected("`,` or the end of the file after the locations to print")),
        }
    }

    /// Parses a body once per element of a set: `foreach (z in S) { … }`. The body's form is checked even if the set
    /// is empty.
    pub(super) fn for_each(
        &mut self,
        body: &mut dyn FnMut(&mut Reader) -> Result<(), TextError>,
    ) -> Result<(), TextError> {
        self.parser.advance();
        self.parser.expect("(", "after `foreach`")?;
        let (id, elements) = self.parser.binder(&self.vocabulary)?;
        self.parser.expect(")", "after the set of `foreach`")?;
        self.parser.expect("{", "before the body of `foreach`")?;
        let start = self.parser.position();
        self.parser.begin_survey();
        let surveyed = body(self);
        self.parser.end_survey();
        surveyed?;
        self.parser.expect("}", "after the body of `foreach`")?;
        let end = self.parser.position();
        if !self.parser.is_surveying() {
            for element in elements {
                self.parser.rewind(start);
                self.parser.bind(&id, element);
                let done = body(self);
                self.parser.unbind();
                done?;
            }
            self.parser.rewind(end);
        }
        Ok(())
    }

    /// Runs `read` on another part of the text with other bindings, and comes back.
    pub(super) fn elsewhere<T>(
        &mut self,
        position: usize,
        bindings: &[(Arc<str>, Name)],
        read: impl FnOnce(&mut Reader) -> Result<T, TextError>,
    ) -> Result<T, TextError> {
        let mut other = self.parser.at(position);
        bindings.iter().for_each(|(id, name)| other.bind(id, name.clone()));
        std::mem::swap(&mut self.parser, &mut other);
        let result = read(self);
        std::mem::swap(&mut self.parser, &mut other);
        result
    }
}

/// Where a list of declarations ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// At `%%`.
    Section,
    /// At `%%` or at the end of the file.
    File,
    /// At `}`.
    Brace,
}
