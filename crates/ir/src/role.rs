//! What the name of a link says it is for: the one list of such names. A guess, of whole words: it chooses among links where
//! the program does not say it (by what it stores, by a claim), and nothing rests on it.

/// What a link is for, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LinkRole {
    /// To the next cell.
    Forward,
    /// To the one before.
    Backward,
    /// To the parent.
    Parent,
    /// To the end of a structure, or to what owns it.
    End,
}

/// Each word, and what a link of that name is for.
const WORDS: [(&str, LinkRole); 20] = [
    ("next", LinkRole::Forward),
    ("forward", LinkRole::Forward),
    ("fwd", LinkRole::Forward),
    ("after", LinkRole::Forward),
    ("succ", LinkRole::Forward),
    ("flink", LinkRole::Forward),
    ("prev", LinkRole::Backward),
    ("previous", LinkRole::Backward),
    ("back", LinkRole::Backward),
    ("backward", LinkRole::Backward),
    ("before", LinkRole::Backward),
    ("pred", LinkRole::Backward),
    ("blink", LinkRole::Backward),
    ("parent", LinkRole::Parent),
    ("up", LinkRole::Parent),
    ("father", LinkRole::Parent),
    ("tail", LinkRole::End),
    ("last", LinkRole::End),
    ("end", LinkRole::End),
    ("owner", LinkRole::End),
];

impl LinkRole {
    /// What a field is for that has just this name.
    pub fn of_word(word: &str) -> Option<LinkRole> {
        WORDS.iter().find(|(known, _)| *known == word).map(|(_, role)| *role)
    }

    /// What a field is for by the words of its name or path: `list.prev`, `le_prev`, `prevNode`. The last that says something
    /// counts: `parent.next` is a way on.
    pub fn of_name(name: &str) -> Option<LinkRole> {
        let field = name.rsplit('.').next().unwrap_or(name);
        // Textbooks write p for the parent (Cormen, Leiserson, Rivest and Stein, chapter 12).
        if field == "p" {
            return Some(LinkRole::Parent);
        }
        words(name).iter().rev().find_map(|word| LinkRole::of_word(word))
    }
}

/// The words of a name, in lower case: parted by what is no letter, and before capitals that follow a small letter.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for letter in name.chars() {
        if letter.is_alphabetic() {
            let is_new = !before.is_alphabetic() || (letter.is_uppercase() && before.is_lowercase());
            match words.last_mut() {
                Some(word) if !is_new => word.extend(letter.to_lowercase()),
                _ => words.push(letter.to_lowercase().collect()),
            }
        }
        before = letter;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_count_by_whole_words() {
        let cases = [
            ("prev", Some(LinkRole::Backward)),
            ("list.prev", Some(LinkRole::Backward)),
            ("le_prev", Some(LinkRole::Backward)),
            ("prevNode", Some(LinkRole::Backward)),
            ("PREV", Some(LinkRole::Backward)),
            ("prev2", Some(LinkRole::Backward)),
            ("parent.next", Some(LinkRole::Forward)),
            ("p", Some(LinkRole::Parent)),
            ("rb.p", Some(LinkRole::Parent)),
            ("group", None),
            ("update", None),
            ("spread", None),
            ("attend", None),
            ("left", None),
            ("", None),
        ];
        for (name, role) in cases {
            assert_eq!(LinkRole::of_name(name), role, "{name}");
        }
        assert_eq!(LinkRole::of_word("le_prev"), None);
    }
}
