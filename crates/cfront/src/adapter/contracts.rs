//! Contracts that follow a function's parameters: `node *push(node *list) hw_requires("…") hw_ensures("…");`. No grammar of
//! C has a place for them, so they are taken out of the text before it is parsed.

use heapwise_ir::claim::Clause;
use rucc_base::Interner;
use rucc_diag::Span;
use rucc_lex::{PpToken, PpTokenKind, Punct};

/// The clauses behind one declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DeclaredContract {
    /// The function.
    pub(crate) function: String,
    /// The names of its parameters there.
    pub(crate) parameters: Vec<Option<String>>,
    /// What is claimed, and where.
    pub(crate) clauses: Vec<(Clause, String, Span)>,
}

/// Takes the contracts of declarations out of a text.
pub(super) fn taken_out(tokens: Vec<PpToken>, names: &Interner) -> (Vec<PpToken>, Vec<DeclaredContract>) {
    let text = Text { tokens: &tokens, names };
    let mut found: Vec<DeclaredContract> = Vec::new();
    let mut gone: Vec<std::ops::Range<usize>> = Vec::new();
    let mut depth = 0usize;
    let mut index = 0;
    while index < tokens.len() {
        match tokens[index].punct() {
            Some(Punct::LBrace | Punct::LParen | Punct::LBracket) => depth += 1,
            Some(Punct::RBrace | Punct::RParen | Punct::RBracket) => depth = depth.saturating_sub(1),
            _ => {}
        }
        let after_another = gone.last().is_some_and(|range| range.end == index);
        let clause = if depth == 0 && index > 0 { text.clause(index) } else { None };
        let Some((end, clause, formula)) = clause else {
            index += 1;
            continue;
        };
        let claimed = (clause, formula, tokens[index].span);
        if after_another && let Some(contract) = found.last_mut() {
            contract.clauses.push(claimed);
        } else if let Some((function, parameters)) = text.declarator_before(index) {
            found.push(DeclaredContract { function, parameters, clauses: vec![claimed] });
        } else {
            // Left in place, the parser says what is wrong.
            index = end;
            continue;
        }
        gone.push(index..end);
        index = end;
    }
    if gone.is_empty() {
        return (tokens, found);
    }
    let kept = tokens.iter().enumerate().filter(|(index, _)| !gone.iter().any(|range| range.contains(index)));
    (kept.map(|(_, token)| *token).collect(), found)
}

struct Text<'a> {
    tokens: &'a [PpToken],
    names: &'a Interner,
}

impl Text<'_> {
    fn name(&self, index: usize) -> Option<&str> {
        let token = self.tokens.get(index)?;
        (token.kind == PpTokenKind::Ident).then_some(self.names.resolve(token.value?))
    }

    fn is(&self, index: usize, punct: Punct) -> bool {
        self.tokens.get(index).is_some_and(|token| token.punct() == Some(punct))
    }

    /// A clause that starts here: where it ends, and what it says.
    fn clause(&self, index: usize) -> Option<(usize, Clause, String)> {
        let clause = match self.name(index)? {
            "__hw_requires" => Clause::Requires,
            "__hw_ensures" => Clause::Ensures,
            _ => return None,
        };
        let mut at = index + 1;
        if !self.is(at, Punct::LParen) {
            return None;
        }
        let mut formula = String::new();
        at += 1;
        while let Some(literal) = self.tokens.get(at).filter(|token| token.kind == PpTokenKind::StringLit) {
            formula += &unquoted(self.names.resolve(literal.value?))?;
            at += 1;
        }
        (!formula.is_empty() && self.is(at, Punct::RParen)).then_some((at + 1, clause, formula))
    }

    /// The function whose parameters end just before, and their names.
    fn declarator_before(&self, index: usize) -> Option<(String, Vec<Option<String>>)> {
        let mut end = index;
        loop {
            if end == 0 || !self.is(end - 1, Punct::RParen) {
                return None;
            }
            let open = self.opening(end - 1)?;
            match open.checked_sub(1).and_then(|before| self.name(before))? {
                "__attribute__" | "__attribute" | "__asm__" | "asm" | "__asm" => end = open - 1,
                name => return Some((name.to_owned(), self.parameters(open + 1, end - 1))),
            }
        }
    }

    /// The parenthesis that the one at `close` closes.
    fn opening(&self, close: usize) -> Option<usize> {
        let mut depth = 0usize;
        for index in (0..=close).rev() {
            if self.is(index, Punct::RParen) {
                depth += 1;
            } else if self.is(index, Punct::LParen) {
                depth -= 1;
                if depth == 0 {
                    return Some(index);
                }
            }
        }
        None
    }

    /// The names of parameters: of each the last word outside of parentheses and brackets.
    fn parameters(&self, start: usize, end: usize) -> Vec<Option<String>> {
        let mut names = Vec::new();
        let (mut depth, mut words, mut last) = (0usize, 0usize, None);
        for index in start..end {
            match self.tokens[index].punct() {
                Some(Punct::LParen | Punct::LBracket) => depth += 1,
                Some(Punct::RParen | Punct::RBracket) => depth = depth.saturating_sub(1),
                Some(Punct::Comma) if depth == 0 => {
                    names.push(last.take().filter(|_| words > 1));
                    words = 0;
                }
                _ => {
                    if depth == 0
                        && let Some(name) = self.name(index)
                    {
                        words += 1;
                        last = Some(name.to_owned());
                    }
                }
            }
        }
        names.push(last.filter(|_| words > 1));
        names
    }
}

/// What a string literal says; `None` for wide ones and escapes that no formula has.
fn unquoted(spelling: &str) -> Option<String> {
    let inside = spelling.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::with_capacity(inside.len());
    let mut characters = inside.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next()? {
                'n' | 't' => text.push(' '),
                same @ ('"' | '\\' | '\'') => text.push(same),
                _ => return None,
            },
            other => text.push(other),
        }
    }
    Some(text)
}
