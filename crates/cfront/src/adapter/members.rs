//! Attributes of members that change their type, which the checker passes over without a word: it reads `mode` and
//! `vector_size` on objects and `typedef`s only. A record that has such a member is laid out wrongly, so the file that
//! declares it must not be trusted.

use rucc_base::Interner;
use rucc_diag::Span;
use rucc_lex::{Keyword, Punct, Token};

const RETYPING: [&str; 6] = ["mode", "__mode__", "vector_size", "__vector_size__", "hardbool", "__hardbool__"];

/// The attributes of members that change their type, with their names.
pub(super) fn retyped(tokens: &[Token], names: &Interner) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    // For each open brace, whether it holds the members of a record.
    let mut braces: Vec<bool> = Vec::new();
    let mut record_brace = None;
    for (index, token) in tokens.iter().enumerate() {
        if let Some(Keyword::Struct | Keyword::Union) = token.keyword() {
            record_brace = brace_of_record(tokens, index + 1);
        } else if token.punct() == Some(Punct::LBrace) {
            braces.push(record_brace == Some(index));
        } else if token.punct() == Some(Punct::RBrace) {
            braces.pop();
        } else if token.keyword() == Some(Keyword::Attribute) && braces.last() == Some(&true) {
            let end = after_parentheses(tokens, index + 1);
            found.extend(tokens[index..end].iter().filter_map(|token| {
                let name = names.resolve(token.ident()?);
                RETYPING.contains(&name).then(|| (token.span, name.to_owned()))
            }));
        } else if opens_standard_attribute(tokens, index) && braces.last() == Some(&true) {
            let end = tokens[index..].iter().position(|token| token.punct() == Some(Punct::RBracket));
            let inside = &tokens[index..end.map_or(tokens.len(), |end| index + end)];
            found.extend(inside.iter().filter_map(|token| {
                let name = names.resolve(token.ident()?);
                RETYPING.contains(&name).then(|| (token.span, name.to_owned()))
            }));
        }
    }
    found
}

/// Whether `[[` stands here, as in `[[gnu::mode(DI)]]`.
fn opens_standard_attribute(tokens: &[Token], index: usize) -> bool {
    let is_bracket = |index: usize| tokens.get(index).is_some_and(|token| token.punct() == Some(Punct::LBracket));
    is_bracket(index) && is_bracket(index + 1)
}

/// The brace that opens the members of the record whose `struct` or `union` stands before `start`, if they follow.
fn brace_of_record(tokens: &[Token], start: usize) -> Option<usize> {
    let mut index = start;
    let mut tag_allowed = true;
    loop {
        let token = tokens.get(index)?;
        if token.keyword() == Some(Keyword::Attribute) {
            index = after_parentheses(tokens, index + 1);
        } else if token.ident().is_some() && tag_allowed {
            tag_allowed = false;
            index += 1;
        } else {
            return (token.punct() == Some(Punct::LBrace)).then_some(index);
        }
    }
}

/// One past the parentheses that open at `start`, or `start` where none do.
fn after_parentheses(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(start) {
        match token.punct() {
            Some(Punct::LParen) => depth += 1,
            Some(Punct::RParen) if depth == 1 => return index + 1,
            Some(Punct::RParen) => depth = depth.saturating_sub(1),
            _ if depth == 0 => return index,
            _ => {}
        }
    }
    tokens.len()
}
