//! Format strings of `printf` and `scanf`: what their conversions do with the arguments that follow, as data.
//!
//! Everybody who follows a call with a format asks here, so that nobody takes an argument for another one. What is not
//! understood (numbered arguments such as `%1$s`, unknown conversions, a format that ends within one) is `None`: then any
//! pointer among the arguments may be looked through.

use crate::types::{FloatType, IntType, Target};

/// What `printf` does with one of its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrintArgument {
    /// Its value is used: numbers, characters, pointers as such, `*` for a width.
    Value(PrintedAs),
    /// The text behind it is read up to its NUL, or less where there is a precision (`%s`).
    Text,
    /// The text of wide characters behind it is read (`%ls`, `%S`).
    WideText,
    /// The number of characters so far is written behind it (`%n`).
    Count,
}

/// As what `printf` takes a value. Integers and pointers are passed in the same way, floating-point numbers in another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrintedAs {
    /// An integer, or the address in a pointer (`%d`, `%c`, `%p`).
    Integer,
    /// A floating-point number of this type (`%f`, `%Lf`).
    Float(FloatType),
}

/// What `printf` does with the arguments behind its format, in order.
pub fn print_arguments(format: &[u8]) -> Option<Vec<PrintArgument>> {
    let mut arguments = Vec::new();
    let mut rest = up_to_nul(format);
    while let Some(percent) = rest.iter().position(|byte| *byte == b'%') {
        rest = print_conversion(&rest[percent + 1..], &mut arguments)?;
    }
    Some(arguments)
}

/// Why it is not known what `printf` does with the arguments of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrintMisfit {
    /// The format is not understood.
    UnknownFormat,
    /// The format asks for more arguments than there are.
    FewArguments,
}

/// What `printf` does with so many arguments behind its format. Arguments that the format does not ask for are only evaluated.
pub fn arguments_printed(format: &[u8], n_given: usize) -> Result<Vec<PrintArgument>, PrintMisfit> {
    match print_arguments(format) {
        None => Err(PrintMisfit::UnknownFormat),
        Some(arguments) if arguments.len() > n_given => Err(PrintMisfit::FewArguments),
        Some(arguments) => Ok(arguments),
    }
}

/// Flags, width, precision, length, conversion; what follows them is returned.
fn print_conversion<'text>(text: &'text [u8], arguments: &mut Vec<PrintArgument>) -> Option<&'text [u8]> {
    let mut rest = skip_while(text, |byte| b"-+ #0'I".contains(&byte));
    for _ in 0..2 {
        if let Some(after) = rest.strip_prefix(b"*") {
            arguments.push(PrintArgument::Value(PrintedAs::Integer));
            rest = after;
        } else {
            rest = skip_while(rest, |byte| byte.is_ascii_digit());
        }
        match rest.strip_prefix(b".") {
            Some(after) => rest = after,
            None => break,
        }
    }
    let (length, rest) = length_modifier(rest);
    let (conversion, after) = rest.split_first()?;
    match conversion {
        b'%' | b'm' => {}
        b's' if length.contains(&b'l') => arguments.push(PrintArgument::WideText),
        b's' => arguments.push(PrintArgument::Text),
        b'S' => arguments.push(PrintArgument::WideText),
        b'n' => arguments.push(PrintArgument::Count),
        b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'c' | b'C' | b'p' => {
            arguments.push(PrintArgument::Value(PrintedAs::Integer));
        }
        b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
            let float = if length == b"L" { FloatType::Extended } else { FloatType::Double };
            arguments.push(PrintArgument::Value(PrintedAs::Float(float)));
        }
        _ => return None,
    }
    Some(after)
}

/// A set of bytes: one bit each.
pub type ByteSet = [u64; 4];

/// All bytes.
pub const ALL: ByteSet = [!0; 4];

/// All bytes but NUL.
pub const NOT_ZERO: ByteSet = [!1, !0, !0, !0];

/// The six bytes that are white space.
pub const WHITE: ByteSet = [1 << 9 | 1 << 10 | 1 << 11 | 1 << 12 | 1 << 13 | 1 << 32, 0, 0, 0];

/// All bytes but white space and NUL.
const WORD: ByteSet = [!(WHITE[0] | 1), !0, !0, !0];

/// Whether a byte is among them.
pub fn has(set: &ByteSet, byte: u8) -> bool {
    set[usize::from(byte) / 64] >> (byte % 64) & 1 == 1
}

/// The bytes of both sets.
fn either(set: &ByteSet, other: &ByteSet) -> ByteSet {
    std::array::from_fn(|index| set[index] | other[index])
}

/// The bytes of the first set that the other one does not have.
pub fn without(set: &ByteSet, other: &ByteSet) -> ByteSet {
    std::array::from_fn(|part| set[part] & !other[part])
}

/// One conversion of a format of `scanf`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScanConversion {
    /// Which conversion it is: `d`, `s`, `[` …
    pub letter: u8,
    /// The most characters that it takes.
    pub width: Option<u64>,
    /// The members of `[set]`; of `%s` all that is no white space.
    pub set: ByteSet,
    /// `%*d`: it is read, and not stored.
    pub is_skipped: bool,
    /// Whether text that must match stands between it and the conversion before.
    pub is_behind_text: bool,
    /// What stands right before it.
    pub before: Before,
    /// `hh`, `l` …
    length: Vec<u8>,
    /// `%ms`: the text is put into memory of its own.
    allocates: bool,
}

/// What stands right before a conversion of `scanf`: characters that it may not begin with, as what is before takes all that it can.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Before {
    /// The begin of the format, or text that matches itself.
    Text,
    /// White space or a conversion that take all that fits them: the next byte is one of these.
    Leaves(ByteSet),
    /// A conversion that takes a fixed number of characters, or none.
    Counted,
    /// A conversion of which it is not said what it leaves.
    Open,
}

/// What a conversion of `scanf` stores where its argument points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scanned {
    /// Nothing; there is no argument (`%%`, `%*d`).
    Nothing,
    /// An integer. A pointer (`%p`) is one of its size.
    Integer(IntType),
    /// A floating-point number.
    Float(FloatType),
    /// So many characters, without a NUL (`%c`).
    Characters(u64),
    /// Characters and a NUL, where `width` says the most characters (`%s`, `%[a-z]`).
    Text {
        /// The most characters.
        width: Option<u64>,
    },
    /// Wide characters (`%ls`, `%lc`).
    WideText,
    /// The address of a fresh text on the heap (`%ms`).
    Allocated,
    /// How many characters were read so far (`%n`), as soon as it is reached. It does not count as a conversion.
    Count(IntType),
}

impl Scanned {
    /// How many bytes are stored, where that is the same each time that the conversion succeeds.
    pub fn fixed_bytes(self) -> Option<u64> {
        match self {
            Scanned::Integer(int) => Some(int.bytes()),
            Scanned::Float(float @ (FloatType::Single | FloatType::Double)) => Some(float.bytes()),
            Scanned::Characters(1) => Some(1),
            // Some of a `long double` is padding; the end of the input may cut several characters short.
            Scanned::Float(FloatType::Extended | FloatType::Quad) | Scanned::Characters(_) => None,
            Scanned::Text { .. } | Scanned::WideText | Scanned::Allocated | Scanned::Count(_) | Scanned::Nothing => {
                None
            }
        }
    }
}

impl ScanConversion {
    /// What it stores.
    pub fn stores(&self, target: Target) -> Scanned {
        let is_wide = self.length.contains(&b'l');
        match self.letter {
            _ if self.is_skipped => Scanned::Nothing,
            b'%' => Scanned::Nothing,
            b's' | b'[' | b'c' | b'S' | b'C' if self.allocates => Scanned::Allocated,
            b's' | b'[' | b'c' if is_wide => Scanned::WideText,
            b'S' | b'C' => Scanned::WideText,
            b's' | b'[' => Scanned::Text { width: self.width },
            b'c' => Scanned::Characters(self.width.unwrap_or(1)),
            b'd' | b'i' => Scanned::Integer(IntType::Signed(self.integer_bytes(target))),
            b'n' => Scanned::Count(IntType::Signed(self.integer_bytes(target))),
            b'p' => Scanned::Integer(IntType::Unsigned(target.pointer_bytes as u8)),
            b'u' | b'x' | b'X' | b'o' => Scanned::Integer(IntType::Unsigned(self.integer_bytes(target))),
            // The letters of floating-point numbers are the only ones left.
            _ => Scanned::Float(match self.length.as_slice() {
                b"l" => FloatType::Double,
                b"L" | b"ll" | b"q" => FloatType::Extended,
                _ => FloatType::Single,
            }),
        }
    }

    /// What it is for a conversion right behind it.
    fn left_behind(&self) -> Before {
        match self.letter {
            b'c' | b'C' => Before::Counted,
            // Nothing is read: what stands before still does.
            b'n' => self.before,
            b'%' => Before::Text,
            _ => self.leaves().map_or(Before::Open, Before::Leaves),
        }
    }

    /// What the byte is among that it leaves behind as the next one, whether it matched or not: it takes all that it can. (A number in
    /// floating point may be `inf`, and then a digit.)
    fn leaves(&self) -> Option<ByteSet> {
        const BINARY: ByteSet = [3 << 48, 0, 0, 0];
        const OCTAL: ByteSet = [0xff << 48, 0, 0, 0];
        const DECIMAL: ByteSet = [0x3ff << 48, 0, 0, 0];
        const HEXADECIMAL: ByteSet = [DECIMAL[0], 0x7e | 0x7e << 32, 0, 0];
        if self.width.is_some() {
            return None;
        }
        match self.letter {
            b'd' | b'u' => Some(without(&ALL, &DECIMAL)),
            b'x' | b'X' => Some(without(&ALL, &HEXADECIMAL)),
            b'o' => Some(without(&ALL, &OCTAL)),
            // It may begin with `0b`.
            b'i' => Some(without(&ALL, &BINARY)),
            b's' => Some(WHITE),
            // What is read may have NULs in it.
            b'[' => Some(without(&NOT_ZERO, &self.set)),
            _ => None,
        }
    }

    /// Whether it is among those that the result of `scanf` counts.
    pub fn is_counted(&self) -> bool {
        !self.is_skipped && !b"%n".contains(&self.letter)
    }

    fn integer_bytes(&self, target: Target) -> u8 {
        match self.length.as_slice() {
            b"hh" => 1,
            b"h" => 2,
            b"" => 4,
            b"l" | b"z" | b"t" => target.pointer_bytes as u8,
            _ => 8,
        }
    }
}

/// What the byte is among that comes next where so many conversions of a format of `scanf` were counted, if something does. `None`:
/// any.
pub fn left_behind(format: &[u8], n_counted: usize) -> Option<ByteSet> {
    let (conversions, end) = conversions_and_end(format)?;
    let reading = || conversions.iter().filter(|conversion| conversion.letter != b'n');
    let n_before = reading().scan(0, |n, conversion| {
        let is_before = *n < n_counted;
        *n += usize::from(conversion.is_counted());
        is_before.then_some(())
    });
    let n_before = n_before.count();
    // One of those behind may be where it stopped, up to the first one that would have been counted.
    let mut left = [0; 4];
    for conversion in reading().skip(n_before) {
        // Text that has to match: how far it went is not known.
        if conversion.is_behind_text {
            return None;
        }
        left = either(&left, &conversion.leaves()?);
        if conversion.is_counted() {
            return Some(left);
        }
    }
    match (end, reading().next_back()) {
        ([], Some(last)) => Some(either(&left, &last.leaves()?)),
        (end, _) if end.iter().all(|byte| has(&WHITE, *byte)) => Some(either(&left, &without(&ALL, &WHITE))),
        _ => None,
    }
}

/// The conversions of a format of `scanf`, in order.
pub fn scan_conversions(format: &[u8]) -> Option<Vec<ScanConversion>> {
    conversions_and_end(format).map(|(conversions, _)| conversions)
}

/// The conversions, and the text behind the last one.
fn conversions_and_end(format: &[u8]) -> Option<(Vec<ScanConversion>, &[u8])> {
    let mut found: Vec<ScanConversion> = Vec::new();
    let mut rest = up_to_nul(format);
    while let Some(start) = rest.iter().position(|byte| *byte == b'%') {
        let is_white = |byte: &u8| has(&WHITE, *byte);
        let is_behind_text = rest[..start].iter().any(|byte| !is_white(byte));
        let before = match (rest[..start].last(), found.last()) {
            (Some(byte), _) if is_white(byte) => Before::Leaves(without(&ALL, &WHITE)),
            (Some(_), _) | (None, None) => Before::Text,
            (None, Some(conversion)) => conversion.left_behind(),
        };
        rest = &rest[start + 1..];
        let is_skipped = rest.first() == Some(&b'*');
        rest = skip_while(&rest[usize::from(is_skipped)..], |byte| byte == b'\'');
        let n_digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let width = match &rest[..n_digits] {
            [] => None,
            digits => Some(std::str::from_utf8(digits).ok()?.parse().ok()?),
        };
        rest = &rest[n_digits..];
        let allocates = rest.first() == Some(&b'm');
        rest = &rest[usize::from(allocates)..];
        let (length, after) = length_modifier(rest);
        let (letter, after) = after.split_first()?;
        rest = after;
        let mut set = WORD;
        match letter {
            b'[' => (set, rest) = members(rest)?,
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' | b'c'
            | b'C' | b's' | b'S' | b'p' | b'n' | b'%' => {}
            _ => return None,
        }
        let (letter, length) = (*letter, length.to_vec());
        found.push(ScanConversion { letter, width, set, is_skipped, is_behind_text, before, length, allocates });
    }
    Some((found, rest))
}

/// The members of `[set]`, and what follows it. A `]` right behind the `[` (or `[^`) is a member.
fn members(text: &[u8]) -> Option<(ByteSet, &[u8])> {
    let (is_negated, text) = match text.strip_prefix(b"^") {
        Some(after) => (true, after),
        None => (false, text),
    };
    let end = text.iter().skip(1).position(|byte| *byte == b']')? + 1;
    let (inside, after) = (&text[..end], &text[end + 1..]);
    let mut set = [0u64; 4];
    let mut add = |byte: u8| set[usize::from(byte) / 64] |= 1 << (byte % 64);
    let mut at = 0;
    while at < inside.len() {
        match inside[at..] {
            [low, b'-', high, ..] if low <= high => {
                (low..=high).for_each(&mut add);
                at += 3;
            }
            [byte, ..] => {
                add(byte);
                at += 1;
            }
            [] => break,
        }
    }
    if is_negated {
        set.iter_mut().for_each(|bits| *bits = !*bits);
    }
    set[0] &= !1;
    Some((set, after))
}

fn up_to_nul(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
    &text[..end]
}

fn skip_while(text: &[u8], wanted: impl Fn(u8) -> bool) -> &[u8] {
    let end = text.iter().position(|byte| !wanted(*byte)).unwrap_or(text.len());
    &text[end..]
}

/// `hh`, `l`, `z` …, and what follows.
fn length_modifier(text: &[u8]) -> (&[u8], &[u8]) {
    let after = skip_while(text, |byte| b"hlqjztL".contains(&byte));
    text.split_at(text.len() - after.len())
}

#[cfg(test)]
mod tests {
    use super::PrintArgument::{Count, Text, Value, WideText};
    use super::{PrintArgument, PrintMisfit, PrintedAs, Scanned, arguments_printed, print_arguments, scan_conversions};
    use crate::types::{FloatType, IntType, Target};

    const NUMBER: PrintArgument = Value(PrintedAs::Integer);
    const DOUBLE: PrintArgument = Value(PrintedAs::Float(FloatType::Double));
    const LONG_DOUBLE: PrintArgument = Value(PrintedAs::Float(FloatType::Extended));

    #[test]
    fn printf_reads_through_s_and_writes_through_n() {
        assert_eq!(print_arguments(b"%d %-8s: %p%n%%\n"), Some(vec![NUMBER, Text, NUMBER, Count]));
        assert_eq!(print_arguments(b"%.*s|%*lu|%5.2f|%hhx"), Some(vec![NUMBER, Text, NUMBER, NUMBER, DOUBLE, NUMBER]));
        assert_eq!(print_arguments(b"%ls %S %lc"), Some(vec![WideText, WideText, NUMBER]));
        assert_eq!(print_arguments(b"%Lf %.3le"), Some(vec![LONG_DOUBLE, DOUBLE]));
        assert_eq!(print_arguments(b"no conversion\0%s"), Some(vec![]));
    }

    #[test]
    fn a_format_may_ask_for_more_than_there_is() {
        assert_eq!(arguments_printed(b"%*d", 1), Err(PrintMisfit::FewArguments));
        assert_eq!(arguments_printed(b"%*d", 2), Ok(vec![NUMBER, NUMBER]));
        assert_eq!(arguments_printed(b"%d%%", 3), Ok(vec![NUMBER]));
        assert_eq!(arguments_printed(b"%2$d", 1), Err(PrintMisfit::UnknownFormat));
    }

    #[test]
    fn what_comes_behind_a_number_is_no_digit() {
        use super::{has, left_behind};
        let may_be = |format: &[u8], n: usize, byte: u8| left_behind(format, n).is_none_or(|set| has(&set, byte));
        assert!(!may_be(b"%d", 1, b'7') && !may_be(b"%d", 0, b'7') && may_be(b"%d", 1, b'a'));
        assert!(may_be(b"%3d", 1, b'7') && may_be(b"%f", 1, b'7') && may_be(b"%o", 1, b'8') && may_be(b"%i", 0, b'5'));
        assert!(!may_be(b"%x", 1, b'f') && !may_be(b"%x", 1, b'A') && may_be(b"%x", 1, b'g'));
        assert!(!may_be(b"%d %s", 2, b'x') && may_be(b"%d %s", 2, b'\n') && !may_be(b"%d %s", 0, b'3'));
        assert!(!may_be(b"%d\n", 1, b' ') && may_be(b"%d\n", 1, b'7') && may_be(b"%d,", 1, b'7'));
        assert!(!may_be(b"%[a-c]", 0, b'b') && may_be(b"%*d%c", 1, b'1'));
        assert!(!may_be(b"%*[^\n]", 0, b'x') && may_be(b"%*[^\n]", 0, b'\n') && !may_be(b"%d%*[ ]", 1, b' '));
        assert!(!may_be(b" ", 0, b' ') && may_be(b" ", 0, b'x') && may_be(b"%dx%*d", 1, b'3'));
    }

    #[test]
    fn what_comes_right_behind_a_number_is_no_digit() {
        use super::{Before, has};
        let may_be = |format: &[u8], byte: u8| {
            let conversions = scan_conversions(format)?;
            Some(match conversions.last()?.before {
                Before::Leaves(left) => has(&left, byte),
                Before::Text | Before::Counted | Before::Open => true,
            })
        };
        for (format, byte) in [("%d%c", b'7'), ("%x%c", b'f'), ("%d %c", b' '), ("%s%c", b'x'), ("%u%*[a]", b'0')] {
            assert_eq!(may_be(format.as_bytes(), byte), Some(false), "{format}");
        }
        for (format, byte) in [("%2d%c", b'7'), ("%f%c", b'7'), ("%d,%c", b'7'), ("%c%c", b'7'), ("%d%c", b'x')] {
            assert_eq!(may_be(format.as_bytes(), byte), Some(true), "{format}");
        }
        assert_eq!(may_be(b"%d%n%c", b'7'), Some(false));
    }

    #[test]
    fn what_is_not_understood_says_so() {
        assert_eq!(print_arguments(b"%1$s"), None);
        assert_eq!(print_arguments(b"trailing %"), None);
        assert_eq!(scan_conversions(b"%[abc"), None);
        assert_eq!(scan_conversions(b"%2$d"), None);
        assert_eq!(scan_conversions(b"%"), None);
    }

    fn scanned(format: &[u8], target: Target) -> Option<Vec<Scanned>> {
        Some(scan_conversions(format)?.iter().map(|conversion| conversion.stores(target)).collect())
    }

    #[test]
    fn scanf_writes_through_all_that_it_does_not_skip() {
        let (int, double) = (Scanned::Integer(IntType::Signed(4)), Scanned::Float(FloatType::Double));
        let text = Scanned::Text { width: Some(15) };
        assert_eq!(scanned(b"%d %*s %15[^]a-z]%lf", Target::LP64), Some(vec![int, Scanned::Nothing, text, double]));
        assert_eq!(scanned(b"%ms%%%ls", Target::LP64), {
            Some(vec![Scanned::Allocated, Scanned::Nothing, Scanned::WideText])
        });
        assert_eq!(scanned(b"%c%3c", Target::LP64), Some(vec![Scanned::Characters(1), Scanned::Characters(3)]));
    }

    #[test]
    fn sizes_are_those_of_the_target() {
        let unsigned = |bytes| Scanned::Integer(IntType::Unsigned(bytes));
        assert_eq!(scanned(b"%lu%zx%llu%hhu%p", Target::LP64), {
            Some(vec![unsigned(8), unsigned(8), unsigned(8), unsigned(1), unsigned(8)])
        });
        assert_eq!(scanned(b"%lu%zx%llu%hu%p", Target::ILP32), {
            Some(vec![unsigned(4), unsigned(4), unsigned(8), unsigned(2), unsigned(4)])
        });
    }

    #[test]
    fn sets_have_ranges_and_their_complement() {
        let set = |format: &[u8]| scan_conversions(format).map(|found| found[0].set);
        let has = |format: &[u8], byte: u8| set(format).map(|set| set[usize::from(byte) / 64] >> (byte % 64) & 1);
        assert_eq!(has(b"%[a-c]", b'b'), Some(1));
        assert_eq!(has(b"%[a-c]", b'-'), Some(0));
        assert_eq!(has(b"%[^\n]", b'\n'), Some(0));
        assert_eq!(has(b"%[]x]", b']'), Some(1));
        assert_eq!(has(b"%s", b' '), Some(0));
    }
}
