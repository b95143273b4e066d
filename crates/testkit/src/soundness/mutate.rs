//! Mutants of C tests: one statement or one operator is changed, as a tired programmer would.
//!
//! The text is changed by lines: the C tests have one statement a line. A mutant need not compile; whoever uses it looks.

use crate::random_c::random::Random;

/// A change to a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    Delete,
    SwapWithNext,
    Duplicate,
    /// `p->next` becomes `p->prev`, or `p`.
    Member,
    DropFree,
    DuplicateFree,
    Constant,
    NegateCondition,
    Operator,
    /// A name becomes another name of the text.
    Name,
}

const CHANGES: [Change; 10] = [
    Change::Delete,
    Change::SwapWithNext,
    Change::Duplicate,
    Change::Member,
    Change::DropFree,
    Change::DuplicateFree,
    Change::Constant,
    Change::NegateCondition,
    Change::Operator,
    Change::Name,
];

/// The mutant of this number; nothing where the change that it stands for finds nothing to change.
pub fn mutant(text: &str, seed: u64) -> Option<String> {
    let mut random = Random::new(seed);
    let lines: Vec<&str> = text.lines().collect();
    let change = *random.pick(&CHANGES);
    let fits: Vec<usize> =
        (0..lines.len()).filter(|line| is_code(lines[*line]) && applies(change, &lines, *line)).collect();
    if fits.is_empty() {
        return None;
    }
    let at = *random.pick(&fits);
    let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    match change {
        Change::Delete | Change::DropFree => {
            changed.remove(at);
        }
        Change::Duplicate | Change::DuplicateFree => changed.insert(at, lines[at].to_owned()),
        Change::SwapWithNext => changed.swap(at, at + 1),
        Change::Member => changed[at] = other_member(text, lines[at], &mut random)?,
        Change::Constant => changed[at] = other_constant(lines[at], &mut random)?,
        Change::NegateCondition => changed[at] = negated(lines[at])?,
        Change::Operator => changed[at] = other_operator(lines[at], &mut random)?,
        Change::Name => changed[at] = other_name(&lines, lines[at], &mut random)?,
    }
    let mutated: String = changed.iter().map(|line| format!("{line}\n")).collect();
    (mutated != text).then_some(mutated)
}

/// Inside a function, and no comment.
fn is_code(line: &str) -> bool {
    let text = line.trim_start();
    line.starts_with([' ', '\t']) && !text.starts_with("//") && !text.starts_with("/*") && !text.starts_with('*')
}

/// The part of a line before its comment.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or(line).trim_end()
}

fn is_statement(line: &str) -> bool {
    is_code(line) && code(line).ends_with(';')
}

fn applies(change: Change, lines: &[&str], at: usize) -> bool {
    let line = lines[at];
    match change {
        Change::Delete | Change::Duplicate => is_statement(line),
        Change::SwapWithNext => is_statement(line) && lines.get(at + 1).is_some_and(|next| is_statement(next)),
        Change::Member => code(line).contains("->"),
        Change::DropFree | Change::DuplicateFree => is_statement(line) && line.contains("free"),
        Change::Constant => !numbers(line).is_empty(),
        Change::NegateCondition => negated(line).is_some(),
        Change::Operator => OPERATORS.iter().any(|(from, _)| code(line).contains(from)),
        Change::Name => !names(line).is_empty(),
    }
}

const OPERATORS: [(&str, &str); 11] = [
    (" == ", " != "),
    (" != ", " == "),
    (" < ", " <= "),
    (" <= ", " < "),
    (" > ", " >= "),
    (" >= ", " > "),
    (" && ", " || "),
    (" || ", " && "),
    (" + ", " - "),
    (" - ", " + "),
    ("!", ""),
];

fn other_operator(line: &str, random: &mut Random) -> Option<String> {
    let fits: Vec<_> = OPERATORS.iter().filter(|(from, _)| code(line).contains(from)).collect();
    if fits.is_empty() {
        return None;
    }
    let (from, to) = *random.pick(&fits);
    Some(line.replacen(from, to, 1))
}

/// `if (x)` and `while (x)` with the condition turned round.
fn negated(line: &str) -> Option<String> {
    let start = ["if (", "while ("].iter().find_map(|head| line.find(head).map(|at| at + head.len()))?;
    let mut depth = 1;
    for (index, character) in line[start..].char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let end = start + index;
            return Some(format!("{}!({}){}", &line[..start], &line[start..end], &line[end..]));
        }
    }
    None
}

/// The places of the words of a line that `fits` accepts.
fn words(line: &str, fits: impl Fn(&str) -> bool) -> Vec<std::ops::Range<usize>> {
    let text = code(line);
    let mut found = Vec::new();
    let mut start = None;
    for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
        let is_word = character.is_ascii_alphanumeric() || character == '_';
        match (is_word, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                if fits(&text[from..at]) {
                    found.push(from..at);
                }
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    found
}

fn numbers(line: &str) -> Vec<std::ops::Range<usize>> {
    words(line, |word| word.chars().all(|character| character.is_ascii_digit()))
}

fn other_constant(line: &str, random: &mut Random) -> Option<String> {
    let places = numbers(line);
    if places.is_empty() {
        return None;
    }
    let place = random.pick(&places).clone();
    let number: u64 = line[place.clone()].parse().ok()?;
    let other = match random.below(3) {
        0 => number + 1,
        1 => number.saturating_sub(1),
        _ => u64::from(number == 0),
    };
    Some(format!("{}{other}{}", &line[..place.start], &line[place.end..]))
}

const KEYWORDS: [&str; 22] = [
    "if", "else", "while", "for", "do", "return", "break", "continue", "goto", "switch", "case", "default", "sizeof",
    "struct", "union", "int", "char", "unsigned", "long", "void", "static", "const",
];

fn names(line: &str) -> Vec<std::ops::Range<usize>> {
    words(line, |word| !word.starts_with(|it: char| it.is_ascii_digit()) && !KEYWORDS.contains(&word))
}

fn other_name(lines: &[&str], line: &str, random: &mut Random) -> Option<String> {
    let places = names(line);
    if places.is_empty() {
        return None;
    }
    let place = random.pick(&places).clone();
    // From nearby, or it will hardly be in scope.
    let donors: Vec<&&str> = lines.iter().filter(|other| is_code(other)).collect();
    let donor = **random.pick(&donors);
    let others = names(donor);
    if others.is_empty() {
        return None;
    }
    let other = &donor[random.pick(&others).clone()];
    Some(format!("{}{other}{}", &line[..place.start], &line[place.end..]))
}

fn other_member(text: &str, line: &str, random: &mut Random) -> Option<String> {
    let uses: Vec<usize> = code(line).match_indices("->").map(|(at, _)| at).collect();
    if uses.is_empty() {
        return None;
    }
    let start = *random.pick(&uses);
    let name = |from: usize, text: &str| {
        let rest = &text[from + 2..];
        rest[..rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '_').unwrap_or(rest.len())].to_owned()
    };
    let own = name(start, line);
    let mut others: Vec<String> = text.match_indices("->").map(|(at, _)| name(at, text)).collect();
    others.sort();
    others.dedup();
    others.retain(|other| *other != own);
    let end = start + 2 + own.len();
    if others.is_empty() || random.chance(1, 2) {
        return Some(format!("{}{}", &line[..start], &line[end..]));
    }
    Some(format!("{}->{}{}", &line[..start], random.pick(&others), &line[end..]))
}

#[cfg(test)]
mod tests {
    use super::mutant;

    #[test]
    fn mutants_differ_and_are_the_same_every_time() {
        let text = "int f(struct n *p)\n{\n    if (p == 0)\n        return 1;\n    p = p->next;\n    free(p);\n    p->v = 3;\n}\n";
        let mutants: Vec<Option<String>> = (0..200).map(|seed| mutant(text, seed)).collect();
        assert_eq!(mutants, (0..200).map(|seed| mutant(text, seed)).collect::<Vec<_>>());
        let mut found: Vec<&String> = mutants.iter().flatten().collect();
        found.sort();
        found.dedup();
        assert!(found.len() > 25, "only {} different mutants", found.len());
        assert!(found.iter().all(|mutant| *mutant != text));
        for part in ["if (!(p == 0))", "p != 0", "p = p;", "free(p);\n    free(p);", "p->v = 4;", "p->v;"] {
            assert!(found.iter().any(|mutant| mutant.contains(part)), "no mutant has `{part}`");
        }
        assert!(found.iter().any(|mutant| !mutant.contains("free")));
    }
}
