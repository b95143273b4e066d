//! The C preprocessor, as far as TVP and TVS files use it: includes, macros, conditions.

use heapwise_logic::text::{Origin, Source, TextError};
use indexmap::IndexMap;
use std::sync::Arc;

/// Where included files come from.
pub trait Files {
    /// The text of `path` as named in an `#include` of `from`, with the path it was found under.
    fn read(&self, path: &str, from: &str) -> Option<(String, String)>;
}

/// No files but the given ones.
#[derive(Clone, Copy, Debug)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _path: &str, _from: &str) -> Option<(String, String)> {
        None
    }
}

/// Files on disk: beside the including file, then in the given directories.
#[derive(Clone, Default, Debug)]
pub struct DiskFiles {
    /// Further directories.
    pub directories: Vec<std::path::PathBuf>,
}

impl Files for DiskFiles {
    fn read(&self, path: &str, from: &str) -> Option<(String, String)> {
        let beside = std::path::Path::new(from).parent().map(std::path::Path::to_path_buf).unwrap_or_default();
        std::iter::once(beside).chain(self.directories.iter().cloned()).find_map(|directory| {
            let full = directory.join(path);
            std::fs::read_to_string(&full).ok().map(|text| (text, full.display().to_string()))
        })
    }
}

#[derive(Clone, Debug)]
struct Macro {
    params: Option<Vec<String>>,
    body: String,
}

/// How deep files may include each other.
const INCLUDE_DEPTH: usize = 64;
/// How many expansions one line may take.
const EXPANSIONS: usize = 100_000;

/// Macro definitions and the lines produced so far.
pub struct Preprocessor<'a> {
    files: &'a dyn Files,
    macros: IndexMap<String, Macro>,
    lines: Vec<(Origin, String)>,
}

impl<'a> Preprocessor<'a> {
    /// A preprocessor; `defines` are macros given from outside, as `NAME` or `NAME(value)` or `NAME=value`.
    #[must_use]
    pub fn new(files: &'a dyn Files, defines: &[String]) -> Preprocessor<'a> {
        let mut macros = IndexMap::new();
        for define in defines {
            let (name, value) = match define.split_once(['(', '=']) {
                Some((name, value)) => (name, value.trim_end_matches(')')),
                None => (define.as_str(), "1"),
            };
            macros.insert(name.to_owned(), Macro { params: None, body: value.to_owned() });
        }
        Preprocessor { files, macros, lines: Vec::new() }
    }

    /// Expands a file.
    ///
    /// # Errors
    /// A directive that is not understood, a file that is not found, a macro used with the wrong number of arguments.
    pub fn expand(mut self, path: &str, text: &str) -> Result<Source, TextError> {
        self.file(path, text, 0)?;
        Ok(Source { lines: self.lines, file: path.into() })
    }

    fn file(&mut self, path: &str, text: &str, depth: usize) -> Result<(), TextError> {
        let lines = logical_lines(path, text);
        let mut conditions: Vec<(Origin, Condition)> = Vec::new();
        let mut next = 0;
        while next < lines.len() {
            let (origin, line) = lines[next].clone();
            next += 1;
            if let Some(directive) = line.trim_start().strip_prefix('#') {
                self.directive(&origin, directive.trim(), &mut conditions, depth)?;
                continue;
            }
            if conditions.iter().any(|(_, c)| *c != Condition::Taken) {
                continue;
            }
            let mut text = line;
            // A macro call may go on over several lines.
            while self.has_open_call(&text) && next < lines.len() && !lines[next].1.trim_start().starts_with('#') {
                text.push(' ');
                text.push_str(&lines[next].1);
                next += 1;
            }
            let mut budget = EXPANSIONS;
            let expanded = self.replace(&text, &origin, &mut Vec::new(), &mut budget)?;
            self.lines.push((origin, expanded));
        }
        match conditions.pop() {
            Some((origin, _)) => Err(TextError::at(
                &origin,
                "expected `#endif` for this condition, found the end of the file".to_owned(),
            )),
            None => Ok(()),
        }
    }

    fn directive(
        &mut self,
        origin: &Origin,
        directive: &str,
        conditions: &mut Vec<(Origin, Condition)>,
        depth: usize,
    ) -> Result<(), TextError> {
        let error = |message: String| Err(TextError::at(origin, message));
        let end = directive.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(directive.len());
        let (word, rest) = (&directive[..end], directive[end..].trim());
        let active = conditions.iter().all(|(_, c)| *c == Condition::Taken);
        match word {
            "ifdef" | "ifndef" | "if" => {
                let holds = match word {
                    "ifdef" => self.macros.contains_key(rest),
                    "ifndef" => !self.macros.contains_key(rest),
                    _ if !active => false,
                    _ => self.condition(rest, origin)?,
                };
                let condition = if holds { Condition::Taken } else { Condition::Waiting };
                conditions.push((origin.clone(), if active { condition } else { Condition::Over }));
            }
            "elif" | "else" => {
                let Some((_, condition)) = conditions.last().cloned() else {
                    return error(format!("expected `#if` before `#{word}`"));
                };
                let holds = word == "else" || condition == Condition::Waiting && self.condition(rest, origin)?;
                if let Some((_, last)) = conditions.last_mut() {
                    *last = match condition {
                        Condition::Taken | Condition::Over => Condition::Over,
                        Condition::Waiting if holds => Condition::Taken,
                        Condition::Waiting => Condition::Waiting,
                    };
                }
            }
            "endif" => {
                if conditions.pop().is_none() {
                    return error("expected `#if` before `#endif`".to_owned());
                }
            }
            _ if !active => {}
            "define" => self.define(origin, rest)?,
            "undef" => {
                self.macros.shift_remove(rest);
            }
            "include" => {
                let name = rest.trim_start_matches(['"', '<']).trim_end_matches(['"', '>']);
                if name.len() + 2 != rest.len() || name.is_empty() {
                    return error(format!("expected `#include \"file\"`, found `#include {rest}`"));
                }
                if depth == INCLUDE_DEPTH {
                    return error(format!("files include each other more than {INCLUDE_DEPTH} deep"));
                }
                let Some((text, path)) = self.files.read(name, &origin.file) else {
                    return error(format!("the included file `{name}` is not found"));
                };
                self.file(&path, &text, depth + 1)?;
            }
            "" | "line" | "pragma" => {}
            _ => {
                let known = "`#include`, `#define`, `#undef`, `#if`, `#ifdef`, `#ifndef`, `#elif`, `#else` or `#endif`";
                return error(format!("expected {known}, found `#{word}`"));
            }
        }
        Ok(())
    }

    fn define(&mut self, origin: &Origin, rest: &str) -> Result<(), TextError> {
        let end = identifier_length(rest);
        if end == 0 {
            return Err(TextError::at(origin, "expected a name after `#define`".to_owned()));
        }
        let (name, after) = (&rest[..end], &rest[end..]);
        let (params, body) = match after.strip_prefix('(') {
            Some(list) => {
                let Some((inside, body)) = list.split_once(')') else {
                    return Err(TextError::at(
                        origin,
                        format!("expected `)` after the parameters of the macro `{name}`"),
                    ));
                };
                let params = inside.split(',').map(|p| p.trim().to_owned()).filter(|p| !p.is_empty()).collect();
                (Some(params), body)
            }
            None => (None, after),
        };
        self.macros.insert(name.to_owned(), Macro { params, body: body.trim().to_owned() });
        Ok(())
    }

    /// `#if`: numbers, `defined`, names that are macros for numbers, `!`, `&&`, `||`, `==`, `!=`.
    fn condition(&self, text: &str, origin: &Origin) -> Result<bool, TextError> {
        let mut replaced = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("defined") {
            replaced.push_str(&rest[..at]);
            let after = rest[at + "defined".len()..].trim_start();
            let inner = after.strip_prefix('(').map_or(after, str::trim_start);
            let end = identifier_length(inner);
            replaced.push_str(if self.macros.contains_key(&inner[..end]) { " 1 " } else { " 0 " });
            rest = &inner[end..];
            if after.starts_with('(') {
                rest = rest.trim_start().strip_prefix(')').unwrap_or(rest);
            }
        }
        replaced.push_str(rest);
        let mut budget = EXPANSIONS;
        let expanded = self.replace(&replaced, origin, &mut Vec::new(), &mut budget)?;
        let mut expression = Expression { rest: expanded.trim() };
        let value = expression.or();
        match (value, expression.rest.trim()) {
            (Some(value), "") => Ok(value != 0),
            _ => Err(TextError::at(origin, format!("expected a condition after `#if`, found `{text}`"))),
        }
    }

    fn has_open_call(&self, text: &str) -> bool {
        let mut rest = text;
        while let Some((name, after)) = next_identifier(&mut rest) {
            let is_call = self.macros.get(name).is_some_and(|m| m.params.is_some());
            if is_call && after.trim_start().starts_with('(') && split_arguments(after.trim_start()).is_none() {
                return true;
            }
        }
        false
    }

    fn replace(
        &self,
        text: &str,
        origin: &Origin,
        hidden: &mut Vec<String>,
        budget: &mut usize,
    ) -> Result<String, TextError> {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        loop {
            let before = rest;
            let Some((name, after)) = next_identifier(&mut rest) else {
                out.push_str(before);
                return Ok(out);
            };
            let at = before.len() - after.len() - name.len();
            out.push_str(&before[..at]);
            let found = self.macros.get(name).filter(|_| !hidden.iter().any(|h| h == name));
            let Some(found) = found else {
                out.push_str(name);
                continue;
            };
            let body = match &found.params {
                None => found.body.clone(),
                Some(params) => {
                    let Some((arguments, remaining)) = split_arguments(after.trim_start()) else {
                        out.push_str(name);
                        continue;
                    };
                    rest = remaining;
                    let count = if params.is_empty() && arguments == [""] { 0 } else { arguments.len() };
                    if count != params.len() {
                        let message =
                            format!("the macro `{name}` takes {} argument(s), here it has {count}", params.len());
                        return Err(TextError::at(origin, message));
                    }
                    let mut expanded = Vec::with_capacity(count);
                    for argument in &arguments {
                        expanded.push(self.replace(argument, origin, hidden, budget)?);
                    }
                    substitute(&found.body, params, &arguments, &expanded)
                }
            };
            *budget = budget.saturating_sub(1);
            if *budget == 0 {
                return Err(TextError::at(origin, format!("the macro `{name}` expands without end")));
            }
            let pasted = paste(&body);
            hidden.push(name.to_owned());
            out.push_str(&self.replace(&pasted, origin, hidden, budget)?);
            hidden.pop();
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Condition {
    /// The lines count.
    Taken,
    /// A later branch may count.
    Waiting,
    /// No branch counts any more.
    Over,
}

/// Lines without comments, continued lines joined, each with the place where it starts.
fn logical_lines(path: &str, text: &str) -> Vec<(Origin, String)> {
    let file: Arc<str> = path.into();
    let text = strip_comments(text);
    let mut lines: Vec<(Origin, String)> = Vec::new();
    let mut joining = false;
    for (i, line) in text.lines().enumerate() {
        let (content, continued) = match line.trim_end().strip_suffix('\\') {
            Some(content) => (content, true),
            None => (line, false),
        };
        match lines.last_mut() {
            Some((_, last)) if joining => {
                last.push(' ');
                last.push_str(content);
            }
            _ => {
                let line = u32::try_from(i + 1).unwrap_or(u32::MAX);
                lines.push((Origin { file: file.clone(), line }, content.to_owned()));
            }
        }
        joining = continued;
    }
    lines
}

/// Comments become blanks; an unfinished one is left for the lexer to report.
fn strip_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', '/']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with('"') {
            let end = rest[1..].find(['"', '\n']).map_or(rest.len(), |e| e + 2);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
        } else if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if let (true, Some(end)) = (rest.starts_with("/*"), rest.find("*/")) {
            out.push(' ');
            out.extend(rest[..end].chars().filter(|c| *c == '\n'));
            rest = &rest[end + 2..];
        } else {
            out.push('/');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out
}

fn is_identifier_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '$'
}

fn identifier_length(text: &str) -> usize {
    if !text.starts_with(is_identifier_start) {
        return 0;
    }
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$')).unwrap_or(text.len())
}

/// The next identifier outside strings and what follows it; `rest` goes past it.
fn next_identifier<'t>(rest: &mut &'t str) -> Option<(&'t str, &'t str)> {
    let mut text = *rest;
    loop {
        let at = text.find(|c: char| is_identifier_start(c) || c == '"' || c == '%' || c.is_ascii_digit())?;
        text = &text[at..];
        if let Some(string) = text.strip_prefix('"') {
            text = string.find('"').map_or("", |end| &string[end + 1..]);
        } else if let Some(directive) = text.strip_prefix('%') {
            // `%p` is one token: its letter is no name.
            text = &directive[identifier_length(directive)..];
        } else if text.starts_with(|c: char| c.is_ascii_digit()) {
            text = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        } else {
            let end = identifier_length(text);
            *rest = &text[end..];
            return Some((&text[..end], &text[end..]));
        }
    }
}

/// The arguments of a call that starts with `(`, and what follows it.
fn split_arguments(text: &str) -> Option<(Vec<&str>, &str)> {
    let mut depth = 0;
    let mut start = 1;
    let mut arguments = Vec::new();
    let mut in_string = false;
    for (i, c) in text.char_indices() {
        match c {
            '"' => in_string = !in_string,
            _ if in_string => {}
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    arguments.push(text[start..i].trim());
                    return Some((arguments, &text[i + 1..]));
                }
            }
            ',' if depth == 1 => {
                arguments.push(text[start..i].trim());
                start = i + 1;
            }
            _ if i == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Puts arguments into a macro's body: as written beside `##` and after `#`, expanded elsewhere.
fn substitute(body: &str, params: &[String], raw: &[&str], expanded: &[String]) -> String {
    let mut out = String::new();
    let mut rest = body;
    loop {
        let before = rest;
        let Some((name, after)) = next_identifier(&mut rest) else {
            out.push_str(before);
            return out;
        };
        out.push_str(&before[..before.len() - after.len() - name.len()]);
        let Some(i) = params.iter().position(|p| p == name) else {
            out.push_str(name);
            continue;
        };
        let trimmed = out.trim_end();
        if trimmed.ends_with('#') && !trimmed.ends_with("##") {
            out.truncate(trimmed.len() - 1);
            out.push_str(&format!("\"{}\"", raw[i]));
        } else if trimmed.ends_with("##") || after.trim_start().starts_with("##") {
            out.push_str(raw[i]);
        } else {
            out.push_str(&expanded[i]);
        }
    }
}

fn paste(body: &str) -> String {
    let mut parts = body.split("##");
    let mut out = parts.next().unwrap_or("").to_owned();
    for part in parts {
        out.truncate(out.trim_end().len());
        out.push_str(part.trim_start());
    }
    out
}

struct Expression<'t> {
    rest: &'t str,
}

impl Expression<'_> {
    fn take(&mut self, operator: &str) -> bool {
        match self.rest.trim_start().strip_prefix(operator) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn or(&mut self) -> Option<i64> {
        let mut value = self.and()?;
        while self.take("||") {
            let right = self.and()?;
            value = i64::from(value != 0 || right != 0);
        }
        Some(value)
    }

    fn and(&mut self) -> Option<i64> {
        let mut value = self.comparison()?;
        while self.take("&&") {
            let right = self.comparison()?;
            value = i64::from(value != 0 && right != 0);
        }
        Some(value)
    }

    fn comparison(&mut self) -> Option<i64> {
        let left = self.unary()?;
        let test: fn(&i64, &i64) -> bool = if self.take("==") {
            i64::eq
        } else if self.take("!=") {
            i64::ne
        } else if self.take("<=") {
            i64::le
        } else if self.take(">=") {
            i64::ge
        } else if self.take("<") {
            i64::lt
        } else if self.take(">") {
            i64::gt
        } else {
            return Some(left);
        };
        let right = self.unary()?;
        Some(i64::from(test(&left, &right)))
    }

    fn unary(&mut self) -> Option<i64> {
        if self.take("!") {
            return Some(i64::from(self.unary()? == 0));
        }
        if self.take("(") {
            let value = self.or()?;
            return self.take(")").then_some(value);
        }
        let text = self.rest.trim_start();
        let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
        self.rest = &text[end..];
        match &text[..end] {
            "" => None,
            // A name that is no macro is 0.
            word if word.starts_with(is_identifier_start) => Some(0),
            number => number.parse().ok(),
        }
    }
}
