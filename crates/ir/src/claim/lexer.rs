//! Characters of a formula into tokens.

use super::ClaimError;

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Name(String),
    Zero,
    Sign(&'static str),
    End,
}

impl Token {
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Name(name) => format!("`{name}`"),
            Token::Zero => "`0`".to_owned(),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the formula".to_owned(),
        }
    }
}

/// Longest first, so that the first match is the right one.
const SIGNS: &[&str] = &["<==>", "==>", "&&", "||", "==", "!=", "->", "!", "(", ")", ",", ":", "*", "."];

/// All tokens with the character (from 1) they start at, [`Token::End`] last.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, usize)>, ClaimError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let column = |rest: &str| text.chars().count() - rest.chars().count() + 1;
    loop {
        rest = rest.trim_start();
        let at = column(rest);
        let Some(first) = rest.chars().next() else {
            tokens.push((Token::End, at));
            return Ok(tokens);
        };
        if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            tokens.push((Token::Sign(sign), at));
            rest = &rest[sign.len()..];
            continue;
        }
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        let token = match word {
            "" => return Err(ClaimError { column: at, message: format!("`{first}` has no meaning in a claim") }),
            "0" => Token::Zero,
            _ if first.is_ascii_digit() => {
                let message = format!("`{word}`: claims speak of pointers, the only number in them is 0");
                return Err(ClaimError { column: at, message });
            }
            _ => Token::Name(word.to_owned()),
        };
        tokens.push((token, at));
        rest = &rest[length..];
    }
}
