//! TVS files: structures as text.

use super::preprocess::{Files, Preprocessor};
use super::program::BUILT_IN;
use crate::structure::{MAX_INDIVIDUALS, Structure, members};
use crate::vocabulary::{Arity, SUMMARY, Vocabulary};
use heapwise_logic::text::{Parser, TextError, TokenKind};
use heapwise_logic::{Kleene, Predicate};
use std::fmt::Write;

/// Structures read from a file.
#[derive(Clone, Debug, Default)]
pub struct StructureFile {
    /// The structures, each with the line where it starts.
    pub structures: Vec<(u32, Structure)>,
    /// The location of each, in a file that has locations (the output form).
    pub locations: Vec<String>,
    /// What was read but has no effect, or was skipped.
    pub warnings: Vec<TextError>,
}

/// Reads a TVS file.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn parse(
    path: &str,
    text: &str,
    vocabulary: &Vocabulary,
    files: &dyn Files,
    defines: &[String],
) -> Result<StructureFile, TextError> {
    let source = Preprocessor::new(files, defines).expand(path, text)?;
    let (parser, warnings) = Parser::new(&source)?;
    let mut reader = Reader { parser, vocabulary, file: StructureFile { warnings, ..StructureFile::default() } };
    reader.file()?;
    Ok(reader.file)
}

struct Reader<'a> {
    parser: Parser,
    vocabulary: &'a Vocabulary,
    file: StructureFile,
}

/// The value of one predicate on one tuple of node names.
type Entry = (Vec<usize>, Kleene);

impl Reader<'_> {
    fn file(&mut self) -> Result<(), TextError> {
        while *self.parser.kind() != TokenKind::End {
            if self.parser.take_directive("location") {
                self.location()?;
            } else {
                self.structure()?;
            }
        }
        Ok(())
    }

    fn location(&mut self) -> Result<(), TextError> {
        let name = match self.parser.kind() {
            TokenKind::Id(name) | TokenKind::Text(name) => name.to_string(),
            _ => return Err(self.parser.expected("the name of a location")),
        };
        self.parser.advance();
        self.parser.expect("=", "after `%location` and its name")?;
        self.parser.expect("{", "before the structures of a location")?;
        while !self.parser.take("}") {
            if *self.parser.kind() == TokenKind::End {
                return Err(self.parser.expected("a structure or `}` in a location"));
            }
            self.structure()?;
            self.file.locations.push(name.clone());
        }
        Ok(())
    }

    fn structure(&mut self) -> Result<(), TextError> {
        let line = self.parser.origin().line;
        while self.parser.take_directive("message") {
            match self.parser.kind() {
                TokenKind::Text(_) => self.parser.advance(),
                _ => return Err(self.parser.expected("a string after `%message`")),
            }
        }
        if self.parser.take_directive("d") {
            self.parser.expect("=", "after `%d`")?;
            self.parser.expect("{", "before a description")?;
            match self.parser.kind() {
                TokenKind::Text(_) => self.parser.advance(),
                _ => return Err(self.parser.expected("a string in `%d = {…}`")),
            }
            self.parser.expect("}", "after a description")?;
        }
        if self.parser.is_directive("t") {
            self.threads()?;
        }
        if !self.parser.take_directive("n") {
            return Err(self.parser.expected("a structure: `%n = {…} %p = {…}`"));
        }
        let nodes = self.nodes()?;
        if !self.parser.take_directive("p") {
            return Err(self.parser.expected("`%p = {…}` after the nodes of a structure"));
        }
        let mut structure = Structure::new(self.vocabulary.layout(), nodes.len());
        self.values(&nodes, &mut structure)?;
        if self.parser.take_directive("a") {
            self.parser.expect("=", "after `%a`")?;
            self.parser.id("a name after `%a =`")?;
        }
        self.parser.take(",");
        self.file.structures.push((line, structure));
        Ok(())
    }

    fn threads(&mut self) -> Result<(), TextError> {
        let warning = self.parser.error("threads are without effect here".to_owned());
        self.file.warnings.push(warning);
        self.parser.advance();
        self.parser.expect("=", "after `%t`")?;
        self.parser.expect("{", "before the threads")?;
        if self.parser.take("}") {
            return Ok(());
        }
        loop {
            self.parser.id("a thread")?;
            self.parser.expect("(", "after a thread")?;
            self.parser.id("the type of a thread")?;
            if self.parser.take(",") {
                self.parser.id("the entry label of a thread")?;
            }
            self.parser.expect(")", "after the type of a thread")?;
            if !self.parser.take(",") {
                break;
            }
        }
        self.parser.expect("}", "or `,` after a thread")
    }

    fn nodes(&mut self) -> Result<Vec<String>, TextError> {
        self.parser.expect("=", "after `%n`")?;
        self.parser.expect("{", "before the nodes")?;
        let mut nodes = Vec::new();
        if self.parser.take("}") {
            return Ok(nodes);
        }
        loop {
            let node = self.node_name()?;
            if !nodes.contains(&node) {
                nodes.push(node);
            }
            if !self.parser.take(",") {
                break;
            }
        }
        self.parser.expect("}", "or `,` after a node")?;
        if nodes.len() > MAX_INDIVIDUALS {
            let message = format!("this structure has {} nodes: at most {MAX_INDIVIDUALS} are possible", nodes.len());
            return Err(self.parser.error(message));
        }
        Ok(nodes)
    }

    fn node_name(&mut self) -> Result<String, TextError> {
        let mut name = if self.parser.take("[") {
            let mut parts = vec![self.node_name()?];
            while self.parser.take(",") {
                parts.push(self.node_name()?);
            }
            self.parser.expect("]", "or `,` in a merged node's name")?;
            format!("[{}]", parts.join(","))
        } else {
            self.parser.id("a node")?.to_string()
        };
        loop {
            if self.parser.take(".0") {
                name.push_str(".0");
            } else if self.parser.take(".1") {
                name.push_str(".1");
            } else {
                return Ok(name);
            }
        }
    }

    fn values(&mut self, nodes: &[String], structure: &mut Structure) -> Result<(), TextError> {
        self.parser.expect("=", "after `%p`")?;
        self.parser.expect("{", "before the predicate values")?;
        while !self.parser.take("}") {
            let origin = self.parser.origin().clone();
            let name = self.parser.name("a predicate or `}`")?;
            let text = name.to_string();
            let found = self.vocabulary.find(&text);
            if found.is_none() && !BUILT_IN.iter().any(|(known, _)| *known == text) {
                return Err(TextError::at(&origin, format!("the predicate `{name}` is not declared")));
            }
            self.parser.expect("=", "after a predicate")?;
            let entries = self.entries(nodes)?;
            let Some(predicate) = found else {
                // It needs no declaration, and the specification never mentions it: no formula can ask for the value.
                let message = format!("`{name}` occurs nowhere in the specification: without effect");
                self.file.warnings.push(TextError::at(&origin, message));
                continue;
            };
            let slot = self.vocabulary.slot(predicate);
            for (tuple, value) in entries {
                if tuple.len() != slot.arity.count() {
                    let (takes, has) = (slot.arity.count(), tuple.len());
                    let message = format!("`{name}` takes {takes} argument(s), here it has {has}");
                    return Err(TextError::at(&origin, message));
                }
                // A node is a summary or it is not: nothing is surely several individuals.
                let summary = slot.arity == Arity::Unary && slot.index == SUMMARY;
                let value = if summary && value == Kleene::True { Kleene::Unknown } else { value };
                structure.set(slot, &tuple, value);
            }
        }
        Ok(())
    }

    fn entries(&mut self, nodes: &[String]) -> Result<Vec<Entry>, TextError> {
        if let TokenKind::Value(value) = *self.parser.kind() {
            self.parser.advance();
            return Ok(vec![(Vec::new(), value)]);
        }
        self.parser.expect("{", "or a value after `=`")?;
        let mut entries = Vec::new();
        if self.parser.take("}") {
            return Ok(entries);
        }
        loop {
            let tuple = if self.parser.take("(") {
                let mut tuple = vec![self.node(nodes)?];
                while self.parser.take(",") {
                    tuple.push(self.node(nodes)?);
                }
                self.parser.expect(")", "or `,` in a tuple of nodes")?;
                tuple
            } else {
                let mut tuple = vec![self.node(nodes)?];
                if self.parser.take("->") {
                    tuple.push(self.node(nodes)?);
                }
                tuple
            };
            let mut value = Kleene::True;
            if self.parser.take(":") {
                let TokenKind::Value(given) = *self.parser.kind() else {
                    return Err(self.parser.expected("`0`, `1` or `1/2` after `:`"));
                };
                self.parser.advance();
                value = given;
            }
            entries.push((tuple, value));
            if !self.parser.take(",") {
                break;
            }
        }
        self.parser.expect("}", "or `,` after a node in the values of a predicate")?;
        Ok(entries)
    }

    fn node(&mut self, nodes: &[String]) -> Result<usize, TextError> {
        let origin = self.parser.origin().clone();
        let name = self.node_name()?;
        nodes.iter().position(|n| *n == name).ok_or_else(|| {
            TextError::at(&origin, format!("the node `{name}` is not among the nodes of this structure"))
        })
    }
}

/// A structure as text that [`parse`] reads back.
#[must_use]
pub fn print(structure: &Structure, vocabulary: &Vocabulary) -> String {
    let mut out = String::new();
    let names: Vec<String> = (0..structure.size()).map(|u| format!("_{u}")).collect();
    let _ = writeln!(out, "%n = {{{}}}", names.join(", "));
    let _ = writeln!(out, "%p = {{");
    for predicate in vocabulary.predicates() {
        if let Some(line) = print_predicate(structure, vocabulary, predicate) {
            let _ = writeln!(out, "  {line}");
        }
    }
    out.push_str("}\n");
    out
}

/// One predicate's values, if any is not 0 (for `ac`: if any is not 1).
fn print_predicate(structure: &Structure, vocabulary: &Vocabulary, predicate: Predicate) -> Option<String> {
    let slot = vocabulary.slot(predicate);
    let name = vocabulary.name(predicate);
    let entry = |left: String, value: Kleene| if value.must() { left } else { format!("{left}:{value}") };
    let is_active = slot.arity == Arity::Unary && slot.index == crate::vocabulary::ACTIVE;
    let entries: Vec<String> = match slot.arity {
        Arity::Nullary => {
            let value = structure.nullary(slot.index);
            return value.may().then(|| format!("{name} = {value}"));
        }
        Arity::Unary if is_active => {
            if structure.active().must == structure.universe() {
                return None;
            }
            (0..structure.size()).map(|u| entry(format!("_{u}"), structure.get(slot, &[u]))).collect()
        }
        Arity::Unary => members(structure.unary(slot.index).may)
            .map(|u| entry(format!("_{u}"), structure.get(slot, &[u])))
            .collect(),
        Arity::Binary => (0..structure.size())
            .flat_map(|u| members(structure.row(slot.index, u).may).map(move |v| (u, v)))
            .map(|(u, v)| entry(format!("_{u}->_{v}"), structure.get(slot, &[u, v])))
            .collect(),
    };
    (!entries.is_empty()).then(|| format!("{name} = {{{}}}", entries.join(", ")))
}
