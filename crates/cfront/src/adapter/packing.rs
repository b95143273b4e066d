//! Records with bit-fields that the checker lays out in another way than gcc, and says nothing: such a record's layout is
//! not known. They are those that `#pragma pack` and an attribute pack at once (gcc then ignores the attribute where it
//! asks how a bit-field aligns its record), those with a bit-field of a smaller alignment than its type has, and those laid
//! out as Microsoft's compiler does.

use rucc_base::{Interner, Symbol};
use rucc_diag::Span;
use rucc_lex::{Keyword, Punct, Token, Tokens};

/// Those records, and the `pop` lines that name an entry further down.
pub(super) fn misread_records(tokens: &Tokens, names: &Interner) -> Vec<(Span, String)> {
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
            body.sees(tokens, index, names);
        }
        match token.punct() {
            Some(Punct::LBrace) => {
                let start = head.take();
                let attributes = start.map_or(&[][..], |start| &tokens.tokens[start..index]);
                let is_packed = attributes.iter().any(|token| says_packed(token, names));
                let is_microsoft = asks_for_microsoft(attributes, names);
                open.push(Body { start, is_packed, is_microsoft, ..Body::default() });
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
                if body.is_microsoft || asks_for_microsoft(&tokens.tokens[index..], names) {
                    found.push((tokens.tokens[start].span, "a record with the attribute `ms_struct`".to_owned()));
                }
                if body.has_small_bit_field {
                    let what = "a record with a bit-field whose alignment is lowered";
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
#[derive(Default)]
struct Body {
    /// The `struct` or `union`, if it is a record's.
    start: Option<usize>,
    has_bit_field: bool,
    has_small_bit_field: bool,
    is_packed: bool,
    is_microsoft: bool,
    /// Whether the member being read is a bit-field, and whether an alignment is asked for that may be small.
    member: (bool, bool),
}

impl Body {
    fn sees(&mut self, tokens: &Tokens, index: usize, names: &Interner) {
        let token = &tokens.tokens[index];
        match token.punct() {
            Some(Punct::Colon) => self.member.0 = true,
            Some(Punct::Semi) => self.member = (false, false),
            _ => {}
        }
        self.member.1 |= says_aligned(tokens, index, names);
        self.has_bit_field |= self.member.0;
        self.has_small_bit_field |= self.member == (true, true);
        self.is_packed |= says_packed(token, names);
    }
}

/// Whether `aligned(n)` stands here, with an `n` that may be less than the alignment of some bit-field's type.
fn says_aligned(tokens: &Tokens, index: usize, names: &Interner) -> bool {
    /// That of `__int128`.
    const LARGEST: u128 = 16;
    let is_named = |name: Symbol| matches!(names.resolve(name), "aligned" | "__aligned__");
    if !tokens.tokens[index].ident().is_some_and(is_named) {
        return false;
    }
    let behind = |distance: usize| tokens.tokens.get(index + distance);
    // Without a number, it is the largest.
    if behind(1).is_none_or(|token| token.punct() != Some(Punct::LParen)) {
        return false;
    }
    let closes = behind(3).is_some_and(|token| token.punct() == Some(Punct::RParen));
    let number = behind(2).and_then(|token| tokens.int(*token)).map(|number| number.value);
    !(closes && number.is_some_and(|number| number >= LARGEST))
}

/// Whether an attribute among the tokens up to the next semicolon is `ms_struct`.
fn asks_for_microsoft(tokens: &[Token], names: &Interner) -> bool {
    tokens
        .iter()
        .take_while(|token| token.punct() != Some(Punct::Semi))
        .filter_map(|token| token.ident())
        .any(|name| matches!(names.resolve(name), "ms_struct" | "__ms_struct__"))
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
