//! The text of an assembly statement, cut into instructions and operands.
//!
//! Whatever is not surely understood makes the whole text not understood: a directive that may put bytes among the
//! instructions, alternatives of dialects, code that goes on in another section.

/// One instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TemplateInstruction {
    pub(super) mnemonic: String,
    /// In the order of the text: sources first, as AT&T writes them.
    pub(super) operands: Vec<TemplateOperand>,
}

/// What an instruction names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TemplateOperand {
    /// An operand of the statement: `%1`, `%[name]`, and the bytes that a letter between asks for (`%b1`).
    Named { index: usize, bytes: Option<u64> },
    /// `$1`.
    Constant(i128),
    /// A register of the machine, by the letter of its constraint or its name: `%%eax` is `a`.
    Register(String),
    /// A place in the code: `%l1`, `1f`.
    Label,
    /// Something else: memory by its address, a symbol.
    Other,
}

/// The instructions of a template whose operands have these names; `None` if it is not understood.
pub(super) fn parse(template: &str, names: &[Option<String>]) -> Option<Vec<TemplateInstruction>> {
    let mut found = Vec::new();
    let mut elsewhere = 0usize;
    let (mut traps, mut has_table) = (false, false);
    for line in without_comments(template).lines() {
        let line = line.split('#').next().unwrap_or("");
        for part in line.split(';') {
            let part = without_labels(part.trim());
            if part.starts_with(".pushsection") || part.starts_with(".section") {
                elsewhere += 1;
                has_table = true;
            } else if part.starts_with(".popsection") || part.starts_with(".previous") {
                elsewhere = elsewhere.checked_sub(1)?;
            } else if elsewhere == 0 && is_trap(part) {
                traps = true;
            } else if elsewhere == 0 && !is_silent(part) {
                found.push(instruction(part, names)?);
            }
        }
    }
    // What comes next in the function would go elsewhere too. A trap is the end, unless a table says how to go on.
    (elsewhere == 0 && (!traps || has_table)).then_some(found)
}

/// Whether a text outside of functions puts nothing where the program looks: directives alone, and sections for tools.
pub(super) fn places_no_code(template: &str) -> bool {
    const REMARKS: [&str; 4] = [".ident", ".file", ".symver", ".weak"];
    const SECTIONS: [&str; 5] = [".discard", ".export_symbol", ".modinfo", ".note", ".comment"];
    let mut elsewhere = 0usize;
    for line in without_comments(template).lines() {
        for part in line.split('#').next().unwrap_or("").split(';').map(str::trim) {
            if let Some(section) = part.strip_prefix(".pushsection").or_else(|| part.strip_prefix(".section")) {
                let name = section.trim().trim_start_matches('"');
                if !SECTIONS.iter().any(|known| name.starts_with(known)) {
                    return false;
                }
                elsewhere += 1;
            } else if part.starts_with(".popsection") || part.starts_with(".previous") {
                let Some(outer) = elsewhere.checked_sub(1) else { return false };
                elsewhere = outer;
            } else if elsewhere == 0 && !part.is_empty() && !REMARKS.iter().any(|remark| part.starts_with(remark)) {
                return false;
            }
        }
    }
    elsewhere == 0
}

fn without_comments(template: &str) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some(start) = rest.find("/*") {
        text.push_str(&rest[..start]);
        text.push(' ');
        rest = rest[start..].find("*/").map_or("", |end| &rest[start + end + 2..]);
    }
    text.push_str(rest);
    text
}

fn without_labels(mut part: &str) -> &str {
    while let Some((label, after)) = part.split_once(':')
        && !label.is_empty()
        && label.chars().all(|character| character.is_ascii_alphanumeric() || "_.$%=".contains(character))
    {
        part = after.trim();
    }
    part
}

/// Whether a part is the instruction that traps. Linux' `WARN` returns from it, by a table in another section.
fn is_trap(part: &str) -> bool {
    let compact: String = part.chars().filter(|character| !character.is_whitespace()).collect();
    compact == "ud2" || compact == ".byte0x0f,0x0b"
}

/// Whether a part of a template is no instruction, or one that nothing can see: nothing, a prefix, a directive that places
/// no bytes.
fn is_silent(part: &str) -> bool {
    const DIRECTIVES: [&str; 11] =
        [".align", ".balign", ".p2align", ".cfi_", ".file", ".globl", ".global", ".ident", ".loc", ".size", ".type"];
    let compact: String = part.chars().filter(|character| !character.is_whitespace()).collect();
    match compact.as_str() {
        "" | "lock" | "nop" | "pause" | "repnop" => true,
        ".byte0x0f,0x1f,0x44,0x00,0x00" | ".byte0x90" => true,
        _ => DIRECTIVES.iter().any(|directive| compact.starts_with(directive)),
    }
}

fn instruction(part: &str, names: &[Option<String>]) -> Option<TemplateInstruction> {
    // Alternatives of two dialects.
    if part.contains(['{', '|', '}']) {
        return None;
    }
    let part =
        ["lock ", "rep "].iter().fold(part, |part, prefix| part.strip_prefix(prefix).map_or(part, str::trim_start));
    let (mnemonic, rest) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
    if !mnemonic.chars().all(|character| character.is_ascii_alphanumeric()) {
        return None;
    }
    let operands = match rest.trim() {
        "" => Vec::new(),
        // A list within parentheses is an address: what it falls into is `Other` as well.
        rest => rest.split(',').map(|text| operand(text.trim(), names)).collect(),
    };
    Some(TemplateInstruction { mnemonic: mnemonic.to_ascii_lowercase(), operands })
}

fn operand(text: &str, names: &[Option<String>]) -> TemplateOperand {
    if let Some(number) = text.strip_prefix('$') {
        return constant(number).map_or(TemplateOperand::Other, TemplateOperand::Constant);
    }
    if let Some(register) = text.strip_prefix("%%") {
        return register_name(register).map_or(TemplateOperand::Other, TemplateOperand::Register);
    }
    if let Some(number) = text.strip_suffix(['f', 'b'])
        && !number.is_empty()
        && number.chars().all(|digit| digit.is_ascii_digit())
    {
        return TemplateOperand::Label;
    }
    let Some(text) = text.strip_prefix('%') else { return TemplateOperand::Other };
    if text
        .strip_prefix('l')
        .is_some_and(|label| label.starts_with(|first: char| first == '[' || first.is_ascii_digit()))
    {
        return TemplateOperand::Label;
    }
    let (bytes, text) = match text.chars().next() {
        Some('b') => (Some(1), &text[1..]),
        Some('w') => (Some(2), &text[1..]),
        Some('k') => (Some(4), &text[1..]),
        Some('q') => (Some(8), &text[1..]),
        _ => (None, text),
    };
    let index = match text.strip_prefix('[') {
        Some(name) => {
            let name = name.strip_suffix(']');
            names.iter().position(|known| known.is_some() && known.as_deref() == name)
        }
        None => text.parse().ok().filter(|index| *index < names.len()),
    };
    index.map_or(TemplateOperand::Other, |index| TemplateOperand::Named { index, bytes })
}

fn constant(text: &str) -> Option<i128> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let number = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => i128::from_str_radix(digits, 16).ok()?,
        // An octal number would be another one.
        None if digits.len() > 1 && digits.starts_with('0') => return None,
        None => digits.parse().ok()?,
    };
    Some(if is_negative { -number } else { number })
}

/// One name for all parts of a register that a program may use freely.
pub(super) fn register_name(text: &str) -> Option<String> {
    let family = match text {
        "al" | "ah" | "ax" | "eax" | "rax" => "a",
        "bl" | "bh" | "bx" | "ebx" | "rbx" => "b",
        "cl" | "ch" | "cx" | "ecx" | "rcx" => "c",
        "dl" | "dh" | "dx" | "edx" | "rdx" => "d",
        "sil" | "si" | "esi" | "rsi" => "S",
        "dil" | "di" | "edi" | "rdi" => "D",
        _ => {
            let number = text.strip_prefix('r')?.trim_end_matches(['b', 'w', 'd']);
            return (8..16).contains(&number.parse::<u32>().ok()?).then(|| format!("r{number}"));
        }
    };
    Some(family.to_owned())
}
