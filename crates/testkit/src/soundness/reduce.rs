//! Smaller C texts, by lines: a program in the house style has one statement a line, and blocks that open at the end of one.

use std::time::{Duration, Instant};

/// How many texts are tried.
const MOST_TRIALS: usize = 600;
/// How long.
const MOST_TIME: Duration = Duration::from_secs(180);

/// The smallest text that still fails, as far as the trials go. A text that does not compile must not count as failing.
pub fn smallest(text: &str, fails: impl Fn(&str) -> bool) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut trials = 0;
    let begun = Instant::now();
    let mut try_lines = |lines: &[String]| {
        trials += 1;
        trials <= MOST_TRIALS && begun.elapsed() < MOST_TIME && fails(&join(lines))
    };
    loop {
        let before = lines.len();
        let mut size = 16;
        while size > 0 {
            let mut at = 0;
            // Candidates are taken from the end: what comes last needs what comes first.
            while let Some(smaller) = without_pieces(&lines, size, at) {
                if try_lines(&smaller) {
                    lines = smaller;
                } else {
                    at += 1;
                }
            }
            size /= 2;
        }
        let mut at = 0;
        while let Some(smaller) = simpler(&lines, at) {
            if try_lines(&smaller) {
                lines = smaller;
            } else {
                at += 1;
            }
        }
        if lines.len() == before {
            return join(&lines);
        }
    }
}

fn join(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A statement or a definition: from its first line to its last.
#[derive(Clone, Copy, Debug)]
struct Piece {
    first: usize,
    last: usize,
}

/// The pieces of every block, block after block.
fn blocks(lines: &[String]) -> Vec<Vec<Piece>> {
    let mut done = Vec::new();
    let mut open: Vec<(Vec<Piece>, usize)> = vec![(Vec::new(), 0)];
    for (number, line) in lines.iter().enumerate() {
        let text = line.trim();
        let closes = text.starts_with('}');
        let opens = text.ends_with('{');
        if closes && open.len() > 1 {
            let Some((pieces, first)) = open.pop() else { continue };
            done.push(pieces);
            if opens {
                open.push((Vec::new(), first));
            } else if let Some((outer, _)) = open.last_mut() {
                outer.push(Piece { first, last: number });
            }
        } else if opens {
            open.push((Vec::new(), number));
        } else if let Some((pieces, _)) = open.last_mut() {
            pieces.push(Piece { first: number, last: number });
        }
    }
    done.extend(open.into_iter().map(|(pieces, _)| pieces));
    done
}

/// The `at`-th text without `size` neighbouring pieces of a block, counted from the end.
fn without_pieces(lines: &[String], size: usize, at: usize) -> Option<Vec<String>> {
    let mut ranges: Vec<Piece> = blocks(lines)
        .iter()
        .flat_map(|pieces| pieces.windows(size).map(|it| Piece { first: it[0].first, last: it[size - 1].last }))
        .collect();
    ranges.sort_by_key(|range| std::cmp::Reverse((range.first, range.last)));
    let range = ranges.get(at)?;
    Some([&lines[..range.first], &lines[range.last + 1..]].concat())
}

/// The `at`-th text with a block opened up, or a statement without its test.
fn simpler(lines: &[String], at: usize) -> Option<Vec<String>> {
    let mut found = 0;
    for (number, line) in lines.iter().enumerate() {
        let text = line.trim();
        let indented = line.len() - line.trim_start().len();
        let replacement = if text.ends_with('{') && !text.starts_with('}') && indented > 0 {
            blocks_from(lines, number).map(|last| {
                let inner = lines[number + 1..last].to_vec();
                [&lines[..number], &inner, &lines[last + 1..]].concat()
            })
        } else if let Some(rest) = without_test(text) {
            let mut changed = lines.to_vec();
            changed[number] = format!("{:indented$}{rest}", "");
            Some(changed)
        } else {
            None
        };
        if let Some(replacement) = replacement {
            if found == at {
                return Some(replacement);
            }
            found += 1;
        }
    }
    None
}

/// The line that closes the block which opens on this one, if it has no `else`.
fn blocks_from(lines: &[String], first: usize) -> Option<usize> {
    let mut depth = 0;
    for (number, line) in lines.iter().enumerate().skip(first) {
        let text = line.trim();
        if text.starts_with('}') {
            depth -= 1;
            if depth == 0 {
                return if text.ends_with('{') { None } else { Some(number) };
            }
        }
        if text.ends_with('{') {
            depth += 1;
        }
    }
    None
}

/// `if (test) statement` without `if (test)`.
fn without_test(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("if (")?;
    let mut depth = 1;
    for (index, character) in rest.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let statement = rest[index + 1..].trim();
            return if statement.is_empty() || statement == "{" { None } else { Some(statement) };
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::smallest;
    use expect_test::expect;

    #[test]
    fn what_is_not_needed_goes() {
        let text = "int g;\nint f(void) {\n    return 1;\n}\nint main(void) {\n    if (g) {\n        g = 1;\n        g = 2;\n    } else {\n        g = 3;\n    }\n    if (g) g = 4;\n    return 0;\n}\n";
        let balanced = |text: &str| text.matches('{').count() == text.matches('}').count();
        let small = smallest(text, |text| balanced(text) && text.contains("g = 4") && text.contains("main"));
        expect![[r"
            int main(void) {
                g = 4;
            }
        "]]
        .assert_eq(&small);
    }
}
