//! Records that are packed by `#pragma pack` and by an attribute at once and have bit-fields: gcc then ignores the
//! attribute where it asks how a bit-field aligns its record, the checker does not, and says nothing. Such a record's
//! size is not known.

use rucc_base::{Interner, Symbol};
use rucc_diag::Span;
use rucc_lex::{Keyword, Punct, Token, Tokens};

/// The records that are packed twice and have bit-fields, and the `pop` lines that name an entry further down.
pub(super) fn packed_twice(tokens: &Tokens, names: &Interner) -> Vec<(Span, String)> {
    let mut packs = Packs { tokens, names, next: 0, in_effect: false, saved: Vec::new(), odd: Vec::new() };
    let mut found = Vec::new();
    let mut open: Vec<Body> = Vec::new();
    let mut head = None;
    for (index, token) in tokens.tokens.iter().enumerate() {
        let was_in_effect = packs.in_effect;
        packs.read_up_to(index);
        if let Some(Keyword::Struct | Keyword::Union) = token.keyword() {
            head = Some(index);
        }
        if let Some(body) = open.last_mut() {
            body.sees(token, names);
        }
        match token.punct() {
            Some(Punct::LBrace) => {
                let start = head.take();
                let attributes = start.map_or(&[][..], |start| &tokens.tokens[start..index]);
                let is_packed = attributes.iter().any(|token| says_packed(token, names));
                open.push(Body { start, has_bit_field: false, is_packed });
            }
            Some(Punct::RBrace) => {
                let Some(body) = open.pop() else { continue };
                let Some(start) = body.start else { continue };
                // Attributes may follow the brace, up to the declarator's end.
                let behind = tokens.tokens[index..].iter().take_while(|token| token.punct() != Some(Punct::Semi));
                let is_packed = body.is_packed || behind.into_iter().any(|token| says_packed(token, names));
                if body.has_bit_field && is_packed && (packs.in_effect || was_in_effect) {
                    let what = "a record with bit-fields that an attribute and `#pragma pack` both pack";
                    found.push((tokens.tokens[start].span, what.to_owned()));
                }
            }
            Some(Punct::Semi) => head = None,
            _ => {}
        }
    }
    found.extend(packs.odd.into_iter().map(|span| (span, "a `#pragma pack(pop)` of an outer entry".to_owned())));
    found
}

/// A brace that is open: the members of a record, or anything else.
struct Body {
    /// The `struct` or `union`, if it is a record's.
    start: Option<usize>,
    has_bit_field: bool,
    is_packed: bool,
}

impl Body {
    fn sees(&mut self, token: &Token, names: &Interner) {
        self.has_bit_field |= token.punct() == Some(Punct::Colon);
        self.is_packed |= says_packed(token, names);
    }
}

fn says_packed(token: &Token, names: &Interner) -> bool {
    token.ident().is_some_and(|name| matches!(names.resolve(name), "packed" | "__packed__"))
}

/// The `#pragma pack` lines read so far.
struct Packs<'t> {
    tokens: &'t Tokens,
    names: &'t Interner,
    next: usize,
    in_effect: bool,
    saved: Vec<(bool, Option<Symbol>)>,
    /// Lines that pop more than one entry.
    odd: Vec<Span>,
}

impl Packs<'_> {
    fn read_up_to(&mut self, index: usize) {
        let tokens = self.tokens;
        while let Some(pragma) = tokens.pragmas.get(self.next).filter(|pragma| pragma.before as usize <= index) {
            self.next += 1;
            let word = |token: Option<&Token>| token.and_then(|token| token.ident());
            if word(pragma.tokens.first()).is_none_or(|name| self.names.resolve(name) != "pack") {
                continue;
            }
            let action = word(pragma.tokens.get(2));
            let named = pragma.tokens.get(4..).unwrap_or_default().iter().find_map(|token| token.ident());
            let number = pragma.tokens.iter().find_map(|token| tokens.int(*token)).map(|number| number.value);
            match action.map(|name| self.names.resolve(name)) {
                Some("push") => {
                    self.saved.push((self.in_effect, named));
                    self.in_effect = number.map_or(self.in_effect, |number| number != 0);
                }
                Some("pop") => {
                    let (before, name) = self.saved.pop().unwrap_or_default();
                    self.in_effect = before;
                    if named.is_some() && name != named {
                        self.odd.push(pragma.span);
                    }
                }
                Some(_) => {}
                None => self.in_effect = number.is_some_and(|number| number != 0),
            }
        }
    }
}
