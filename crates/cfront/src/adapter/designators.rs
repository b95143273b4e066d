//! What the text of initializers says and the typed tree does not: the tree has their values, each with its place, but neither
//! braces nor designators. A braced list for a part that has values already makes that part anew (C11 6.7.9, paragraph 19), and
//! values that the list does not have are gone; an empty one has no value at all.

use rucc_base::Symbol;
use rucc_lex::{Keyword, Punct, Token, TokenKind, Tokens};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// The initializers of a file that have designators, found by the places of their values.
#[derive(Default)]
pub(crate) struct Designators {
    texts: Vec<InitializerText>,
    /// Which of them have a token at a place: several where a macro is used again.
    at: FxHashMap<u32, SmallVec<[u32; 1]>>,
}

/// The lists of an initializer in which an item has a designator.
pub(crate) struct InitializerText {
    pub(crate) lists: Vec<ListText>,
}

/// A braced list.
pub(crate) struct ListText {
    /// How many braces of the initializer are open around it.
    pub(crate) depth: usize,
    /// Its items in order.
    pub(crate) items: Vec<Item>,
}

impl Designators {
    /// Reads the initializers of a file.
    pub(super) fn read(tokens: &Tokens) -> Designators {
        let mut reader = Reader { tokens, enumerators: FxHashMap::default(), open: Vec::new(), found: Self::default() };
        let mut index = 0;
        while index < tokens.tokens.len() {
            index = reader.step(index);
        }
        reader.found
    }

    /// The initializers with designators that may have these values.
    pub(crate) fn around(&self, values: impl Iterator<Item = u32>) -> impl Iterator<Item = &InitializerText> {
        let found: BTreeSet<u32> = values.filter_map(|value| self.at.get(&value)).flatten().copied().collect();
        found.into_iter().map(|index| &self.texts[index as usize])
    }
}

/// What is open at a place of the text.
enum Open {
    /// A parenthesis or bracket.
    Other,
    /// A brace.
    List(List),
}

/// A braced list: an initializer, or anything else in braces, in which nothing like a designator stands.
struct List {
    start: usize,
    role: ListRole,
    items: Vec<Item>,
    is_designated: bool,
    /// Lists within it that have designators; `depth` is counted from here.
    inner: Vec<ListText>,
    /// Whether the next token begins an item.
    at_item: bool,
    /// Of an enumeration: the value of the next enumerator, where it is known.
    next_enumerator: Option<i128>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ListRole {
    /// It is an item of the list around it.
    Item,
    /// The enumerators of an enumeration.
    Enumeration,
    /// It stands by itself.
    Whole,
}

/// An item of a list.
pub(crate) struct Item {
    pub(crate) part: Part,
    pub(crate) form: Form,
    /// The places of its tokens.
    pub(crate) places: FxHashSet<u32>,
    start: usize,
}

/// What an item is for, as far as the text tells.
pub(crate) enum Part {
    /// The member of this name, or something in it.
    Member(Symbol),
    /// One of these elements, or something in it; without a designator, perhaps a member.
    Elements(RangeInclusive<i128>),
    /// It is not known here.
    Unknown,
}

/// How an item is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// In braces.
    List,
    /// As an expression.
    Value,
}

struct Reader<'t> {
    tokens: &'t Tokens,
    /// The values of enumerators; none where there are several of one name, or it is not known.
    enumerators: FxHashMap<Symbol, Option<i128>>,
    open: Vec<Open>,
    found: Designators,
}

impl Reader<'_> {
    /// Reads what stands at `index`; the answer is where to go on.
    fn step(&mut self, index: usize) -> usize {
        let begins_item = matches!(self.open.last(), Some(Open::List(list)) if list.at_item);
        if begins_item && self.punct(index) != Some(Punct::RBrace) {
            return self.item(index);
        }
        match self.punct(index) {
            Some(Punct::LBrace) => self.begin_list(index, ListRole::Whole),
            Some(Punct::RBrace) => self.end_list(index),
            Some(Punct::LParen | Punct::LBracket) => self.open.push(Open::Other),
            Some(Punct::RParen | Punct::RBracket) => {
                self.open.pop();
            }
            Some(Punct::Comma) => {
                if let Some(Open::List(list)) = self.open.last_mut() {
                    list.at_item = true;
                }
            }
            _ => {}
        }
        index + 1
    }

    /// Reads the beginning of an item: its designators, and the brace behind them.
    fn item(&mut self, index: usize) -> usize {
        let (designated, value) = match self.designation(index) {
            Some((item, value)) => (Some(item), value),
            None => (None, index),
        };
        let form = if self.punct(value) == Some(Punct::LBrace) { Form::List } else { Form::Value };
        self.enumerator(index);
        if let Some(Open::List(list)) = self.open.last_mut() {
            list.add(designated, form, index);
        }
        if form == Form::List {
            self.begin_list(value, ListRole::Item);
            return value + 1;
        }
        // What stands here may itself open something.
        if value == index { self.step(index) } else { value }
    }

    fn begin_list(&mut self, index: usize, role: ListRole) {
        let role = if self.is_enumeration(index) { ListRole::Enumeration } else { role };
        self.open.push(Open::List(List {
            start: index,
            role,
            items: Vec::new(),
            is_designated: false,
            inner: Vec::new(),
            at_item: true,
            next_enumerator: Some(0),
        }));
    }

    fn end_list(&mut self, end: usize) {
        // Where parentheses do not match, the parser says so.
        while let Some(open) = self.open.pop() {
            let Open::List(list) = open else { continue };
            let start = list.start;
            let role = list.role;
            let lists = list.finish(self.tokens, end);
            match (role, self.open.last_mut()) {
                (ListRole::Item, Some(Open::List(around))) => {
                    around.inner.extend(lists.into_iter().map(|list| ListText { depth: list.depth + 1, ..list }));
                }
                _ if lists.is_empty() => {}
                _ => {
                    let number = self.found.texts.len() as u32;
                    for token in &self.tokens.tokens[start..=end] {
                        self.found.at.entry(token.span.lo).or_default().push(number);
                    }
                    self.found.texts.push(InitializerText { lists });
                }
            }
            return;
        }
    }

    /// Whether the brace at `index` opens the enumerators of an enumeration: `enum tag {`.
    fn is_enumeration(&self, index: usize) -> bool {
        let is_enum = |before: usize| {
            let token = index.checked_sub(before).and_then(|at| self.tokens.tokens.get(at));
            token.is_some_and(|token| token.keyword() == Some(Keyword::Enum))
        };
        is_enum(1) || is_enum(2)
    }

    /// Remembers the value of the enumerator at `index`, if one stands there.
    fn enumerator(&mut self, index: usize) {
        let tokens = &self.tokens.tokens;
        let Some(Open::List(list)) = self.open.last() else { return };
        let (ListRole::Enumeration, Some(name)) = (list.role, tokens[index].ident()) else { return };
        let value = match self.punct(index + 1) {
            Some(Punct::Eq) => {
                let end = tokens[index..]
                    .iter()
                    .position(|token| matches!(token.punct(), Some(Punct::Comma | Punct::RBrace)))
                    .map_or(tokens.len(), |length| index + length);
                self.constant(&tokens[(index + 2).min(end)..end])
            }
            _ => list.next_enumerator,
        };
        self.enumerators
            .entry(name)
            .and_modify(|known| *known = known.filter(|it| Some(*it) == value))
            .or_insert(value);
        if let Some(Open::List(list)) = self.open.last_mut() {
            list.next_enumerator = value.and_then(|value| value.checked_add(1));
        }
    }

    /// The designators that begin at `index`, if any do: what the first one names, and where the value begins.
    fn designation(&self, index: usize) -> Option<(Part, usize)> {
        let tokens = &self.tokens.tokens;
        let name = |at: usize| tokens.get(at).and_then(|token| token.ident());
        if let (Some(member), Some(Punct::Colon)) = (name(index), self.punct(index + 1)) {
            return Some((Part::Member(member), index + 2));
        }
        let mut first = None;
        let mut at = index;
        loop {
            match self.punct(at) {
                Some(Punct::Dot) => {
                    first.get_or_insert(Part::Member(name(at + 1)?));
                    at += 2;
                }
                Some(Punct::LBracket) => {
                    let end = self.closing_bracket(at)?;
                    let elements = self.elements(&tokens[at + 1..end]);
                    first.get_or_insert(elements.map_or(Part::Unknown, Part::Elements));
                    at = end + 1;
                }
                Some(Punct::Eq) => return Some((first?, at + 1)),
                Some(Punct::LBrace) => return Some((first?, at)),
                _ => return None,
            }
        }
    }

    fn closing_bracket(&self, start: usize) -> Option<usize> {
        let mut depth = 0usize;
        for at in start..self.tokens.tokens.len() {
            match self.punct(at) {
                Some(Punct::LBracket) => depth += 1,
                Some(Punct::RBracket) if depth == 1 => return Some(at),
                Some(Punct::RBracket) => depth -= 1,
                Some(Punct::Semi) => return None,
                _ => {}
            }
        }
        None
    }

    /// The elements of `[3]`, or of GNU's `[3 ... 5]`.
    fn elements(&self, index: &[Token]) -> Option<RangeInclusive<i128>> {
        match index.iter().position(|token| token.punct() == Some(Punct::Ellipsis)) {
            Some(middle) => Some(self.constant(&index[..middle])?..=self.constant(&index[middle + 1..])?),
            None => self.constant(index).map(|value| value..=value),
        }
    }

    /// The value of a constant expression of integers, where it is a simple one.
    fn constant(&self, tokens: &[Token]) -> Option<i128> {
        let mut rest = tokens;
        let value = self.operators(&mut rest, 0)?;
        rest.is_empty().then_some(value)
    }

    fn operators(&self, rest: &mut &[Token], least: u8) -> Option<i128> {
        let mut value = self.operand(rest)?;
        while let Some((operator, strength)) = rest.first().and_then(|token| binary(token.punct()?)) {
            if strength < least {
                break;
            }
            *rest = &rest[1..];
            let right = self.operators(rest, strength + 1)?;
            value = operator(value, right)?;
        }
        Some(value)
    }

    fn operand(&self, rest: &mut &[Token]) -> Option<i128> {
        let (token, behind) = rest.split_first()?;
        *rest = behind;
        match token.kind {
            TokenKind::Int => i128::try_from(self.tokens.ints.get(token.value as usize)?.value).ok(),
            TokenKind::Char => Some(i128::from(self.tokens.chars.get(token.value as usize)?.value)),
            TokenKind::Ident => self.enumerators.get(&token.ident()?).copied()?,
            TokenKind::Punct(Punct::Minus) => self.operand(rest)?.checked_neg(),
            TokenKind::Punct(Punct::Plus) => self.operand(rest),
            TokenKind::Punct(Punct::LParen) => {
                let value = self.operators(rest, 0)?;
                let (close, behind) = rest.split_first()?;
                *rest = behind;
                (close.punct() == Some(Punct::RParen)).then_some(value)
            }
            TokenKind::Keyword(_) | TokenKind::Float | TokenKind::Str | TokenKind::Punct(_) | TokenKind::Eof => None,
        }
    }

    fn punct(&self, index: usize) -> Option<Punct> {
        self.tokens.tokens.get(index).and_then(|token| token.punct())
    }
}

/// What a binary operator makes of two numbers.
type Operation = fn(i128, i128) -> Option<i128>;

/// What a binary operator of constant expressions does, and how strongly it binds.
fn binary(punct: Punct) -> Option<(Operation, u8)> {
    Some(match punct {
        Punct::Pipe => (|a, b| Some(a | b), 1),
        Punct::Caret => (|a, b| Some(a ^ b), 2),
        Punct::Amp => (|a, b| Some(a & b), 3),
        Punct::Shl => (|a, b| u32::try_from(b).ok().filter(|&b| b < 64).and_then(|b| a.checked_mul(1 << b)), 4),
        Punct::Shr => (|a, b| u32::try_from(b).ok().filter(|&b| b < 64).map(|b| a >> b), 4),
        Punct::Plus => (i128::checked_add, 5),
        Punct::Minus => (i128::checked_sub, 5),
        Punct::Star => (i128::checked_mul, 6),
        Punct::Slash => (i128::checked_div, 6),
        Punct::Percent => (i128::checked_rem, 6),
        _ => return None,
    })
}

impl List {
    /// One more item, with what its designator names if it has one.
    fn add(&mut self, designated: Option<Part>, form: Form, start: usize) {
        self.at_item = false;
        self.is_designated |= designated.is_some();
        let part = designated.unwrap_or_else(|| self.following());
        self.items.push(Item { part, form, places: FxHashSet::default(), start });
    }

    /// What an item without designator is for: what follows the one before it. Several items without braces may stand for one
    /// element together.
    fn following(&self) -> Part {
        match self.items.last() {
            None => Part::Elements(0..=0),
            Some(Item { part: Part::Elements(range), form, .. }) => {
                let first = match form {
                    Form::List => range.start().saturating_add(1),
                    Form::Value => *range.start(),
                };
                Part::Elements(first..=range.end().saturating_add(1))
            }
            Some(Item { part: Part::Member(_) | Part::Unknown, .. }) => Part::Unknown,
        }
    }

    /// The list and those within it that have designators, once its brace at `end` closes it.
    fn finish(self, tokens: &Tokens, end: usize) -> Vec<ListText> {
        let mut lists = self.inner;
        if self.is_designated {
            let ends: Vec<usize> = self.items.iter().skip(1).map(|item| item.start).chain([end]).collect();
            let places = |item: &Item, end: usize| tokens.tokens[item.start..end].iter().map(|token| token.span.lo);
            let items = self.items.into_iter().zip(ends);
            let items = items.map(|(item, end)| Item { places: places(&item, end).collect(), ..item }).collect();
            lists.push(ListText { depth: 0, items });
        }
        lists
    }
}

impl Part {
    /// Whether both may be the same part, or in the same one.
    pub(crate) fn may_touch(&self, other: &Part) -> bool {
        match (self, other) {
            (Part::Member(name), Part::Member(other)) => name == other,
            (Part::Elements(range), Part::Elements(other)) => {
                range.start() <= other.end() && other.start() <= range.end()
            }
            (Part::Member(_) | Part::Elements(_) | Part::Unknown, _) => true,
        }
    }
}
