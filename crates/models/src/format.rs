//! What a format string says about the arguments that follow it.

use heapwise_ir::FormatLanguage;

/// How a call looks at one of the arguments that a format describes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentUse {
    /// Only its value is used.
    Value,
    /// Bytes behind it are read (`%s` of `printf`).
    Reads,
    /// Bytes behind it are written (`%n` of `printf`, every conversion of `scanf`).
    Writes,
    /// A fresh heap string is stored where it points (`%ms` of `scanf`).
    Allocates,
}

/// The uses of the arguments that the format describes, in order; `None` where the format is not understood (numbered
/// arguments such as `%1$s`, unknown conversions), and then any pointer among them may be looked through.
pub fn argument_uses(language: FormatLanguage, format: &[u8]) -> Option<Vec<ArgumentUse>> {
    let end = format.iter().position(|byte| *byte == 0).unwrap_or(format.len());
    let mut rest = &format[..end];
    let mut uses = Vec::new();
    while let Some(percent) = rest.iter().position(|byte| *byte == b'%') {
        rest = &rest[percent + 1..];
        rest = match language {
            FormatLanguage::Print | FormatLanguage::PrintList => print_conversion(rest, &mut uses)?,
            FormatLanguage::Scan => scan_conversion(rest, &mut uses)?,
        };
    }
    Some(uses)
}

fn skip_while(text: &[u8], wanted: impl Fn(u8) -> bool) -> &[u8] {
    let end = text.iter().position(|byte| !wanted(*byte)).unwrap_or(text.len());
    &text[end..]
}

/// Length modifiers: `hh`, `l`, `z` …
fn skip_length(text: &[u8]) -> &[u8] {
    skip_while(text, |byte| b"hlqjztL".contains(&byte))
}

/// Flags, width, precision, length, conversion; what follows them is returned.
fn print_conversion<'text>(text: &'text [u8], uses: &mut Vec<ArgumentUse>) -> Option<&'text [u8]> {
    let mut rest = skip_while(text, |byte| b"-+ #0'I".contains(&byte));
    for _ in 0..2 {
        if let Some(after) = rest.strip_prefix(b"*") {
            uses.push(ArgumentUse::Value);
            rest = after;
        } else {
            rest = skip_while(rest, |byte| byte.is_ascii_digit());
        }
        match rest.strip_prefix(b".") {
            Some(after) => rest = after,
            None => break,
        }
    }
    let (conversion, after) = skip_length(rest).split_first()?;
    match conversion {
        b'%' | b'm' => {}
        b's' | b'S' => uses.push(ArgumentUse::Reads),
        b'n' => uses.push(ArgumentUse::Writes),
        b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' | b'c'
        | b'C' | b'p' => uses.push(ArgumentUse::Value),
        _ => return None,
    }
    Some(after)
}

fn scan_conversion<'text>(text: &'text [u8], uses: &mut Vec<ArgumentUse>) -> Option<&'text [u8]> {
    let (text, stored) = match text.strip_prefix(b"*") {
        Some(after) => (after, None),
        None => (text, Some(ArgumentUse::Writes)),
    };
    let text = skip_while(text, |byte| byte.is_ascii_digit() || byte == b'\'');
    let (text, stored) = match text.strip_prefix(b"m") {
        Some(after) => (after, stored.map(|_| ArgumentUse::Allocates)),
        None => (text, stored),
    };
    let (conversion, after) = skip_length(text).split_first()?;
    match conversion {
        b'%' => Some(after),
        b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' | b'c'
        | b'C' | b's' | b'S' | b'p' | b'n' => {
            uses.extend(stored);
            Some(after)
        }
        b'[' => {
            uses.extend(stored);
            // A bracket right after the opening one (or after its negation) is a member of the set.
            let members = after.strip_prefix(b"^").unwrap_or(after);
            let members = members.strip_prefix(b"]").unwrap_or(members);
            skip_while(members, |byte| byte != b']').strip_prefix(b"]")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::ArgumentUse::{Allocates, Reads, Value, Writes};
    use super::argument_uses;
    use heapwise_ir::FormatLanguage::{Print, Scan};

    #[test]
    fn printf_reads_through_s_and_writes_through_n() {
        assert_eq!(argument_uses(Print, b"%d %-8s: %p%n%%\n"), Some(vec![Value, Reads, Value, Writes]));
        assert_eq!(argument_uses(Print, b"%.*s|%*lu|%5.2f|%hhx"), Some(vec![Value, Reads, Value, Value, Value, Value]));
        assert_eq!(argument_uses(Print, b"no conversion\0%s"), Some(vec![]));
    }

    #[test]
    fn what_is_not_understood_says_so() {
        assert_eq!(argument_uses(Print, b"%1$s"), None);
        assert_eq!(argument_uses(Print, b"trailing %"), None);
        assert_eq!(argument_uses(Scan, b"%[abc"), None);
    }

    #[test]
    fn scanf_writes_through_all_that_it_does_not_skip() {
        assert_eq!(argument_uses(Scan, b"%d %*s %15[^]a-z]%lf"), Some(vec![Writes, Writes, Writes]));
        assert_eq!(argument_uses(Scan, b"%ms"), Some(vec![Allocates]));
    }
}
