//! Tokens of TVP and TVS files.

use super::TextError;
use crate::kleene::Kleene;
use std::fmt;
use std::sync::Arc;

/// Where a line of text came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The file.
    pub file: Arc<str>,
    /// The line in it, from 1.
    pub line: u32,
}

/// Text to be parsed, with the origin of each of its lines (a preprocessor moves lines around).
#[derive(Clone, Debug)]
pub struct Source {
    /// The lines.
    pub lines: Vec<(Origin, String)>,
    /// The file as a whole, for an error at its end.
    pub file: Arc<str>,
}

impl Source {
    /// A file as it stands.
    #[must_use]
    pub fn plain(file: &str, text: &str) -> Source {
        let file: Arc<str> = file.into();
        let lines = text
            .lines()
            .enumerate()
            .map(|(i, l)| (Origin { file: file.clone(), line: u32::try_from(i + 1).unwrap_or(u32::MAX) }, l.to_owned()))
            .collect();
        Source { lines, file }
    }
}

/// One token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub origin: Origin,
}

/// The kinds of tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// An identifier.
    Id(Arc<str>),
    /// A quoted string, without its quotes.
    Text(Arc<str>),
    /// `%action`, `%p` …, without the percent sign.
    Directive(Arc<str>),
    /// `%%`.
    Separator,
    /// `0`, `1` or `1/2`.
    Value(Kleene),
    /// An operator, a bracket or a reserved word.
    Symbol(&'static str),
    /// The end of the text.
    End,
}

impl fmt::Display for TokenKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TokenKind::Id(id) => write!(f, "`{id}`"),
            TokenKind::Text(text) => write!(f, "the string \"{text}\""),
            TokenKind::Directive(name) => write!(f, "`%{name}`"),
            TokenKind::Separator => f.write_str("`%%`"),
            TokenKind::Value(value) => write!(f, "`{value}`"),
            TokenKind::Symbol(word) if RESERVED.contains(word) => write!(f, "the reserved word `{word}`"),
            TokenKind::Symbol(symbol) => write!(f, "`{symbol}`"),
            TokenKind::End => f.write_str("the end of the file"),
        }
    }
}

/// Longest first, so that the first that fits is the longest that fits.
const SYMBOLS: [&str; 26] = [
    "-->", "==>", "<->", "->", "==", "!=", "!", "&", "|", "*", "+", "?", ":", "=", "(", ")", "[", "]", "{", "}", ",",
    "/", "-", ".0", ".1", ";",
];

const RESERVED: [&str; 5] = ["foreach", "auto", "E", "A", "TC"];

/// Splits a text into tokens. Characters that mean nothing are skipped and reported in the second part.
///
/// # Errors
/// An unfinished comment or string.
pub fn lex(source: &Source) -> Result<(Vec<Token>, Vec<TextError>), TextError> {
    let mut tokens = Vec::new();
    let mut skipped = Vec::new();
    let mut comment: Option<Origin> = None;
    for (origin, line) in &source.lines {
        let mut rest = line.as_str();
        loop {
            if comment.is_some() {
                let Some(end) = rest.find("*/") else { break };
                rest = &rest[end + 2..];
                comment = None;
            }
            rest = rest.trim_start();
            if rest.is_empty() || rest.starts_with("//") {
                break;
            }
            if rest.starts_with("/*") {
                comment = Some(origin.clone());
                rest = &rest[2..];
                continue;
            }
            let (kind, length) = token(rest, origin)?;
            match kind {
                Some(kind) => tokens.push(Token { kind, origin: origin.clone() }),
                None => skipped.push(TextError::at(origin, format!("skipped the character `{}`", &rest[..length]))),
            }
            rest = &rest[length..];
        }
    }
    if let Some(origin) = comment {
        return Err(TextError::at(&origin, "this comment is never closed: expected `*/`".to_owned()));
    }
    let line = source.lines.iter().rev().find(|(o, _)| o.file == source.file).map_or(1, |(o, _)| o.line);
    tokens.push(Token { kind: TokenKind::End, origin: Origin { file: source.file.clone(), line } });
    Ok((tokens, skipped))
}

fn token(rest: &str, origin: &Origin) -> Result<(Option<TokenKind>, usize), TextError> {
    let first = rest.chars().next().unwrap_or(' ');
    if first.is_ascii_alphabetic() || first == '_' || first == '$' {
        let length =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$' || c == '.')).unwrap_or(rest.len());
        let word = &rest[..length];
        let kind = match RESERVED.iter().find(|r| **r == word) {
            Some(reserved) => TokenKind::Symbol(reserved),
            None => TokenKind::Id(word.into()),
        };
        return Ok((Some(kind), length));
    }
    if first == '"' {
        let Some(length) = rest[1..].find('"') else {
            return Err(TextError::at(origin, "this string is never closed: expected `\"`".to_owned()));
        };
        return Ok((Some(TokenKind::Text(rest[1..=length].into())), length + 2));
    }
    if rest.starts_with("%%") {
        return Ok((Some(TokenKind::Separator), 2));
    }
    if let Some(word) = rest.strip_prefix('%') {
        let length = word.find(|c: char| !(c.is_ascii_alphabetic() || c == '_')).unwrap_or(word.len());
        return Ok((Some(TokenKind::Directive(word[..length].into())), length + 1));
    }
    if let Some(after) = rest.strip_prefix('1') {
        let spaced = after.trim_start();
        if let Some(two) = spaced.strip_prefix('/')
            && let Some(end) = two.trim_start().strip_prefix('2')
        {
            return Ok((Some(TokenKind::Value(Kleene::Unknown)), rest.len() - end.len()));
        }
        return Ok((Some(TokenKind::Value(Kleene::True)), 1));
    }
    if first == '0' {
        return Ok((Some(TokenKind::Value(Kleene::False)), 1));
    }
    for (spaced, symbol) in [("- >", "->"), ("< ->", "<->"), ("<- >", "<->"), ("< - >", "<->")] {
        if rest.starts_with(spaced) {
            return Ok((Some(TokenKind::Symbol(symbol)), spaced.len()));
        }
    }
    if let Some(symbol) = SYMBOLS.iter().find(|s| rest.starts_with(**s)) {
        return Ok((Some(TokenKind::Symbol(symbol)), symbol.len()));
    }
    Ok((None, first.len_utf8()))
}
