//! The text form of predicates.
//!
//! ```text
//! predicate dll(p, y)
//!   links next, prev
//!   ports x = y, l = p
//!   at x { next: R.x, prev: p } R = dll(self, y) with l = R.l
//!   at l { next: y, prev: R.l } R = dll(p, self) with x = R.x
//! ```
//! Where a predicate says what its cells are (`cells cell`, in front of `links`), links are members of that record; `cells item
//! at link` says that they lead to the member `link` of it. Without that, the engine looks for records that fit.
//!
//! A line that starts with `#` is a comment. `self` is the address of the cell where links point, `self@next` that of its
//! link; a port `l@next` points to that link of its cell.

use super::{
    Anchor, Cells, Closing, Colours, Definition, DefinitionId, Definitions, Equation, MeasureName, MeasureOf,
    MeasureTerm, Part, Port, Rule, Term, TreeLinks,
};
use crate::heap::PortId;
use std::fmt;

/// What is wrong with a text, and in which line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DefinitionError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for DefinitionError {}

type Result<T> = std::result::Result<T, DefinitionError>;

/// Reads definitions.
pub fn parse(text: &str) -> Result<Definitions> {
    let mut tokens = tokenize(text)?;
    tokens.reverse();
    let mut parser = Parser { tokens, line: 1 };
    let mut raw = Vec::new();
    while parser.peek().is_some() {
        raw.push(parser.predicate()?);
    }
    if raw.len() > usize::from(u8::MAX) {
        return Err(DefinitionError { line: 1, message: "too many predicates".into() });
    }
    let names: Vec<Signature> = raw
        .iter()
        .map(|raw| Signature {
            name: raw.name.clone(),
            n_inputs: raw.inputs.len(),
            measures: raw.measures.iter().map(|measure| measure.name.clone()).collect(),
        })
        .collect();
    for (index, Signature { name, .. }) in names.iter().enumerate() {
        if names[..index].iter().any(|other| other.name == *name) {
            return Err(DefinitionError { line: raw[index].line, message: format!("`{name}` is defined twice") });
        }
    }
    let ports: Vec<Vec<String>> =
        raw.iter().map(|raw| raw.ports.iter().map(|port| port.name.clone()).collect()).collect();
    let definitions = raw
        .into_iter()
        .enumerate()
        .map(|(index, raw)| raw.resolve(index, Known { names: &names, all_ports: &ports }))
        .collect::<Result<_>>()?;
    Ok(Definitions { definitions, tree_links: TreeLinks::default(), colours: Colours::default() })
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Word(String),
    Sign(char),
}

fn tokenize(text: &str) -> Result<Vec<(Token, usize)>> {
    let mut tokens = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line_text = line.split('#').next().unwrap_or_default();
        let mut rest = line_text;
        while let Some(first) = rest.chars().next() {
            if first.is_whitespace() {
                rest = &rest[first.len_utf8()..];
            } else if first.is_alphanumeric() || first == '_' {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                tokens.push((Token::Word(rest[..end].to_owned()), number + 1));
                rest = &rest[end..];
            } else if "(){},:=.@+".contains(first) {
                tokens.push((Token::Sign(first), number + 1));
                rest = &rest[1..];
            } else {
                return Err(DefinitionError { line: number + 1, message: format!("`{first}` is not expected here") });
            }
        }
    }
    Ok(tokens)
}

/// What others need to know of a predicate.
struct Signature {
    name: String,
    n_inputs: usize,
    measures: Vec<String>,
}

/// `A.h + 1`, `h`, `1`.
struct RawMeasure {
    part: Option<String>,
    name: String,
    plus: u32,
    line: usize,
}

struct RawPort {
    name: String,
    anchor: Option<String>,
    empty: String,
}

#[derive(Clone)]
struct RawTerm {
    base: String,
    /// Behind a dot.
    port: Option<String>,
    /// Behind an at sign.
    anchor: Option<String>,
    /// Behind a plus sign.
    tag: u32,
    line: usize,
}

struct RawPart {
    name: String,
    predicate: String,
    inputs: Vec<RawTerm>,
}

struct RawRule {
    at: String,
    links: Vec<(String, RawTerm)>,
    parts: Vec<RawPart>,
    ports: Vec<(String, RawTerm)>,
    equations: Vec<(RawMeasure, RawMeasure)>,
    line: usize,
}

struct RawDefinition {
    name: String,
    inputs: Vec<String>,
    measures: Vec<MeasureName>,
    empty: Vec<(RawMeasure, RawMeasure)>,
    links: Vec<String>,
    ports: Vec<RawPort>,
    rules: Vec<RawRule>,
    closing: Option<RawClosing>,
    cells: Option<Cells>,
    line: usize,
}

/// `closing h with ptree(q) into ptree(p)`.
struct RawClosing {
    hole: String,
    part: RawApplication,
    whole: RawApplication,
    equations: Vec<(RawMeasure, RawMeasure)>,
}

/// `T = ptree(q)`, where the name is needed for measures only.
struct RawApplication {
    name: Option<String>,
    predicate: String,
    inputs: Vec<String>,
}

struct Parser {
    /// The last one is next.
    tokens: Vec<(Token, usize)>,
    line: usize,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.last().map(|(token, _)| token)
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(DefinitionError { line: self.line, message: message.into() })
    }

    fn next(&mut self) -> Option<Token> {
        let (token, line) = self.tokens.pop()?;
        self.line = line;
        Some(token)
    }

    fn is_sign(&self, sign: char) -> bool {
        self.peek() == Some(&Token::Sign(sign))
    }

    fn accept(&mut self, sign: char) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.next();
        }
        found
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Word(found)) if found == word);
        if found {
            self.next();
        }
        found
    }

    fn sign(&mut self, sign: char) -> Result<()> {
        if self.accept(sign) { Ok(()) } else { self.error(format!("`{sign}` is expected")) }
    }

    fn keyword(&mut self, word: &str) -> Result<()> {
        if self.accept_word(word) { Ok(()) } else { self.error(format!("`{word}` is expected")) }
    }

    fn word(&mut self) -> Result<String> {
        match self.next() {
            Some(Token::Word(word)) => Ok(word),
            _ => self.error("a name is expected"),
        }
    }

    fn predicate(&mut self) -> Result<RawDefinition> {
        self.keyword("predicate")?;
        let line = self.line;
        let name = self.word()?;
        self.sign('(')?;
        let mut inputs = Vec::new();
        while !self.accept(')') {
            inputs.push(self.word()?);
            self.accept(',');
        }
        let cells = if self.accept_word("cells") { Some(self.cells()?) } else { None };
        let measures = if self.accept_word("measures") { self.measures()? } else { Vec::new() };
        self.keyword("links")?;
        let mut links = Vec::new();
        while !matches!(self.peek(), Some(Token::Word(word)) if word == "ports") {
            links.push(self.word()?);
            self.accept(',');
        }
        self.keyword("ports")?;
        let mut ports = Vec::new();
        loop {
            let name = self.word()?;
            let anchor = if self.accept('@') { Some(self.word()?) } else { None };
            self.sign('=')?;
            ports.push(RawPort { name, anchor, empty: self.word()? });
            if !self.accept(',') {
                break;
            }
        }
        let empty = if self.accept_word("empty") { self.equations()? } else { Vec::new() };
        let mut rules = Vec::new();
        while self.accept_word("at") {
            rules.push(self.rule()?);
        }
        let closing = if self.accept_word("closing") { Some(self.closing()?) } else { None };
        Ok(RawDefinition { name, inputs, measures, empty, links, ports, rules, closing, cells, line })
    }

    fn cells(&mut self) -> Result<Cells> {
        self.accept_word("struct");
        let record = self.word()?;
        let member = if self.accept_word("at") { Some(self.word()?) } else { None };
        Ok(Cells { record, member })
    }

    fn number(&mut self) -> Result<u32> {
        let word = self.word()?;
        match word.parse() {
            Ok(number) => Ok(number),
            Err(_) => self.error(format!("`{word}` is no number")),
        }
    }

    fn measures(&mut self) -> Result<Vec<MeasureName>> {
        let mut measures = Vec::new();
        loop {
            let name = self.word()?;
            let below = if self.accept_word("below") { Some(self.number()?) } else { None };
            measures.push(MeasureName { name, below });
            if !self.accept(',') {
                return Ok(measures);
            }
        }
    }

    fn equations(&mut self) -> Result<Vec<(RawMeasure, RawMeasure)>> {
        let mut equations = Vec::new();
        loop {
            let left = self.measure()?;
            self.sign('=')?;
            equations.push((left, self.measure()?));
            if !self.accept(',') {
                return Ok(equations);
            }
        }
    }

    fn measure(&mut self) -> Result<RawMeasure> {
        let first = self.word()?;
        let line = self.line;
        let (part, name) = if self.accept('.') { (Some(first), self.word()?) } else { (None, first) };
        let plus = if self.accept('+') { self.number()? } else { 0 };
        Ok(RawMeasure { part, name, plus, line })
    }

    fn closing(&mut self) -> Result<RawClosing> {
        let hole = self.word()?;
        self.keyword("with")?;
        let part = self.application()?;
        self.keyword("into")?;
        let whole = self.application()?;
        let equations = if self.accept_word("where") { self.equations()? } else { Vec::new() };
        Ok(RawClosing { hole, part, whole, equations })
    }

    fn application(&mut self) -> Result<RawApplication> {
        let first = self.word()?;
        let (name, predicate) = if self.accept('=') { (Some(first), self.word()?) } else { (None, first) };
        self.sign('(')?;
        let mut inputs = Vec::new();
        while !self.accept(')') {
            inputs.push(self.word()?);
            self.accept(',');
        }
        Ok(RawApplication { name, predicate, inputs })
    }

    fn rule(&mut self) -> Result<RawRule> {
        let line = self.line;
        let at = self.word()?;
        self.sign('{')?;
        let mut links = Vec::new();
        while !self.accept('}') {
            let link = self.word()?;
            self.sign(':')?;
            links.push((link, self.term()?));
            self.accept(',');
        }
        let mut parts = Vec::new();
        while let Some(Token::Word(word)) = self.peek() {
            if ["with", "where", "at", "predicate", "closing"].contains(&word.as_str()) {
                break;
            }
            let name = self.word()?;
            self.sign('=')?;
            let predicate = self.word()?;
            self.sign('(')?;
            let mut inputs = Vec::new();
            while !self.accept(')') {
                inputs.push(self.term()?);
                self.accept(',');
            }
            parts.push(RawPart { name, predicate, inputs });
            self.accept(',');
        }
        let mut ports = Vec::new();
        if self.accept_word("with") {
            loop {
                let port = self.word()?;
                self.sign('=')?;
                ports.push((port, self.term()?));
                if !self.accept(',') {
                    break;
                }
            }
        }
        let equations = if self.accept_word("where") { self.equations()? } else { Vec::new() };
        Ok(RawRule { at, links, parts, ports, equations, line })
    }

    fn term(&mut self) -> Result<RawTerm> {
        let base = self.word()?;
        let line = self.line;
        let port = if self.accept('.') { Some(self.word()?) } else { None };
        let anchor = if self.accept('@') { Some(self.word()?) } else { None };
        let tag = if self.accept('+') { self.number()? } else { 0 };
        // A number stands for itself.
        match base.parse::<u32>() {
            Ok(number) if port.is_none() && anchor.is_none() => {
                Ok(RawTerm { base: "0".to_owned(), port, anchor, tag: number + tag, line })
            }
            Ok(_) | Err(_) => Ok(RawTerm { base, port, anchor, tag, line }),
        }
    }
}

fn fail<T>(line: usize, message: String) -> Result<T> {
    Err(DefinitionError { line, message })
}

/// Where a name stands in a list.
fn position_of(list: &[String], name: &str) -> Option<usize> {
    list.iter().position(|known| known == name)
}

/// The predicates that may be named: their signatures, and their ports.
#[derive(Clone, Copy)]
struct Known<'a> {
    names: &'a [Signature],
    all_ports: &'a [Vec<String>],
}

impl RawDefinition {
    fn resolve(self, index: usize, known: Known<'_>) -> Result<Definition> {
        let ports = self.resolve_ports()?;
        let rules =
            self.rules.iter().map(|rule| self.resolve_rule(rule, &ports, index, known)).collect::<Result<_>>()?;
        let closing = self.closing.as_ref().map(|closing| self.resolve_closing(closing, index, known)).transpose()?;
        let empty = resolve_equations(&self.empty, &known.names[index].measures, &[], known.names)?;
        let cells = self.cells;
        Ok(Definition {
            name: self.name,
            inputs: self.inputs,
            measures: self.measures,
            empty,
            links: self.links,
            ports,
            rules,
            closing,
            cells,
        })
    }
    fn resolve_ports(&self) -> Result<Vec<Port>> {
        let mut ports = Vec::new();
        for port in &self.ports {
            let anchor = match &port.anchor {
                None => Anchor::Entry,
                Some(link) => match position_of(&self.links, link) {
                    Some(link) => Anchor::Link(link),
                    None => return fail(self.line, format!("`{link}` is no link")),
                },
            };
            let empty = match (port.empty.as_str(), position_of(&self.inputs, &port.empty)) {
                ("0", _) => None,
                (_, Some(input)) => Some(input),
                (name, None) => return fail(self.line, format!("`{name}` is no input")),
            };
            ports.push(Port { name: port.name.clone(), empty, anchor });
        }
        Ok(ports)
    }

    fn resolve_rule(&self, rule: &RawRule, ports: &[Port], index: usize, known: Known<'_>) -> Result<Rule> {
        let Known { names, all_ports } = known;
        let term = |term: &RawTerm| -> Result<Term> {
            let part = rule.parts.iter().position(|part| part.name == term.base);
            match (term.base.as_str(), part, &term.port) {
                ("0", _, None) => Ok(Term::Null),
                ("self", _, None) => Ok(Term::Own(match &term.anchor {
                    None => Anchor::Entry,
                    Some(link) => match position_of(&self.links, link) {
                        Some(link) => Anchor::Link(link),
                        None => return fail(term.line, format!("`{link}` is no link")),
                    },
                })),
                (_, Some(part), Some(port)) => {
                    let predicate = &rule.parts[part].predicate;
                    let known = names.iter().position(|known| known.name == *predicate);
                    match known.and_then(|known| position_of(&all_ports[known], port)) {
                        Some(port) => Ok(Term::Part(part, PortId(port as u8))),
                        None => fail(term.line, format!("`{predicate}` has no port `{port}`")),
                    }
                }
                (name, None, None) => match position_of(&self.inputs, name) {
                    Some(input) => Ok(Term::Input(input)),
                    None => fail(term.line, format!("`{name}` is no input and no part")),
                },
                (name, ..) => fail(term.line, format!("`{name}` is not understood")),
            }
        };
        let Some(at) = position_of(&all_ports[index], &rule.at) else {
            return fail(rule.line, format!("`{}` is no port", rule.at));
        };
        let (mut links, mut tags) = (Vec::new(), Vec::new());
        for link in &self.links {
            match rule.links.iter().find(|(name, _)| name == link) {
                Some((_, value)) => {
                    links.push(term(value)?);
                    tags.push(value.tag);
                }
                None => return fail(rule.line, format!("the rule does not say what `{link}` is")),
            }
        }
        if let Some((name, _)) = rule.links.iter().find(|(name, _)| !self.links.contains(name)) {
            return fail(rule.line, format!("`{name}` is no link"));
        }
        let mut parts = Vec::new();
        for part in &rule.parts {
            let Some(known) = names.iter().position(|known| known.name == part.predicate) else {
                return fail(rule.line, format!("`{}` is not defined", part.predicate));
            };
            if names[known].n_inputs != part.inputs.len() {
                let n_inputs = names[known].n_inputs;
                return fail(rule.line, format!("`{}` takes {n_inputs} inputs", part.predicate));
            }
            let inputs = part.inputs.iter().map(&term).collect::<Result<_>>()?;
            parts.push(Part { definition: DefinitionId(known as u8), inputs });
        }
        let mut resolved_ports = Vec::new();
        for (number, name) in all_ports[index].iter().enumerate() {
            resolved_ports.push(match rule.ports.iter().find(|(port, _)| port == name) {
                _ if number == at => Term::Own(ports[number].anchor),
                Some((_, value)) => term(value)?,
                None => return fail(rule.line, format!("the rule does not say what `{name}` is")),
            });
        }
        let own = DefinitionId(index as u8);
        let mut same = parts.iter().enumerate().filter(|(_, part)| part.definition == own);
        let spine = match (same.next(), same.next()) {
            (Some((first, _)), None) => Some(first),
            (None, _) | (Some(_), Some(_)) => None,
        };
        let part_names: Vec<(&str, usize)> = rule
            .parts
            .iter()
            .zip(&parts)
            .map(|(raw, part)| (raw.name.as_str(), usize::from(part.definition.0)))
            .collect();
        let equations = resolve_equations(&rule.equations, &names[index].measures, &part_names, names)?;
        Ok(Rule { at: PortId(at as u8), links, tags, equations, parts, ports: resolved_ports, spine })
    }

    fn resolve_closing(&self, raw: &RawClosing, index: usize, known: Known<'_>) -> Result<Closing> {
        let Known { names, all_ports } = known;
        let predicate = |name: &str, n_inputs: usize| match names.iter().position(|known| known.name == name) {
            Some(known) if names[known].n_inputs == n_inputs => Ok(DefinitionId(known as u8)),
            Some(known) => fail(self.line, format!("`{name}` takes {} inputs", names[known].n_inputs)),
            None => fail(self.line, format!("`{name}` is not defined")),
        };
        let find = |list: &[String], name: &str| match position_of(list, name) {
            Some(found) => Ok(found),
            None => fail(self.line, format!("`{name}` is not known here")),
        };
        let part_inputs =
            raw.part.inputs.iter().map(|name| find(&all_ports[index], name).map(|port| PortId(port as u8)));
        let part = predicate(&raw.part.predicate, raw.part.inputs.len())?;
        let whole = predicate(&raw.whole.predicate, raw.whole.inputs.len())?;
        let part_names = [
            (raw.part.name.as_deref().unwrap_or_default(), usize::from(part.0)),
            (raw.whole.name.as_deref().unwrap_or_default(), usize::from(whole.0)),
        ];
        Ok(Closing {
            hole: find(&self.inputs, &raw.hole)?,
            part,
            part_inputs: part_inputs.collect::<Result<_>>()?,
            whole,
            whole_inputs: raw.whole.inputs.iter().map(|name| find(&self.inputs, name)).collect::<Result<_>>()?,
            equations: resolve_equations(&raw.equations, &names[index].measures, &part_names, names)?,
        })
    }
}

/// Equations of measures, with the names of the parts and their predicates.
fn resolve_equations(
    raw: &[(RawMeasure, RawMeasure)],
    own: &[String],
    parts: &[(&str, usize)],
    all: &[Signature],
) -> Result<Vec<Equation>> {
    let term = |raw: &RawMeasure| -> Result<MeasureTerm> {
        let RawMeasure { part, name, plus, line } = raw;
        if let (None, Ok(number)) = (part, name.parse::<u32>()) {
            return Ok(MeasureTerm { of: None, plus: number + plus });
        }
        let found = match part {
            None => own.iter().position(|known| known == name).map(MeasureOf::Own),
            Some(part) => parts.iter().position(|(known, _)| known == part).and_then(|number| {
                let measures = &all[parts[number].1].measures;
                Some(MeasureOf::Part(number, measures.iter().position(|known| known == name)?))
            }),
        };
        match found {
            Some(of) => Ok(MeasureTerm { of: Some(of), plus: *plus }),
            None => fail(*line, format!("`{name}` is no measure here")),
        }
    };
    raw.iter().map(|(left, right)| Ok(Equation { left: term(left)?, right: term(right)? })).collect()
}
