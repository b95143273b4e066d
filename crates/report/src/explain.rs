//! What each kind of finding means, with an example and the way out: `heapwise explain` and the rules of SARIF.

use heapwise_engine::Kind;
use std::fmt::Write as _;

/// What is to be said about a kind of finding.
#[derive(Clone, Copy, Debug)]
pub struct Explanation {
    /// A title, without full stop.
    pub title: &'static str,
    /// A few words to stand beside the failing statement.
    pub label: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// A C function that shows it; the failing line carries a comment.
    pub example: &'static str,
    /// What to do about it.
    pub fix: &'static str,
}

/// What is to be said about `kind`. (Long: it is a table.)
pub fn explanation(kind: Kind) -> Explanation {
    match kind {
        Kind::NullDereference => Explanation {
            title: "Null pointer dereference",
            label: "dereferences null",
            meaning: "The program reads or writes through a null pointer (or through a small integer cast to a pointer). \
                      C leaves the behaviour undefined; on most systems the process dies. Unless \
                      --assume-malloc-succeeds is given, every allocation may return null.",
            example: "\
struct node *make(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;           /* null-deref: malloc may have failed */
    return n;
}",
            fix: "Test the pointer on every path before the access, or make sure that no caller passes null. If running out of \
                  memory is of no interest, pass --assume-malloc-succeeds; the report then names that assumption.",
        },
        Kind::UseAfterFree => Explanation {
            title: "Use after free",
            label: "uses storage that has ended",
            meaning: "The program reads or writes storage after it was freed, or a local variable after its block was left. \
                      The bytes may already belong to something else.",
            example: "\
void drop_all(struct node *n) {
    while (n) {
        free(n);
        n = n->next;            /* use-after-free: n was just freed */
    }
}",
            fix: "Read what is still needed before the free (keep `next` in a local), and drop or overwrite every other pointer to \
                  the object.",
        },
        Kind::DoubleFree => Explanation {
            title: "Double free",
            label: "frees a second time",
            meaning: "The same heap object is freed a second time. The allocator's own records are damaged; this is a common \
                      way into a program for attackers.",
            example: "\
void close_both(struct pair *p) {
    free(p->left);
    free(p->right);             /* double-free if left == right */
}",
            fix: "Give each object one owner that frees it. Where several paths may free, set the pointer to NULL after the free: \
                  free(NULL) does nothing.",
        },
        Kind::InvalidFree => Explanation {
            title: "Invalid free",
            label: "frees what the allocator did not return",
            meaning: "What is passed to free (or realloc) is not the start of a heap object: a local, a global, a string literal, \
                      or a pointer into the middle of an object.",
            example: "\
void skip_and_free(char *text) {
    while (*text == ' ')
        text++;
    free(text);                 /* invalid-free: no longer the start */
}",
            fix: "Keep the pointer that the allocator returned and free that one. Do not free what was not allocated.",
        },
        Kind::Leak => Explanation {
            title: "Memory leak",
            label: "the last reference is lost",
            meaning: "A heap object is still allocated, but no pointer to it is left: it can never be freed. The finding stands \
                      at the statement that loses the last reference: an assignment that overwrites it, a free of the only object \
                      that pointed to it, or the return (or closing brace) where a local held it.",
            example: "\
struct node *reset(struct node *list) {
    list = NULL;                /* leak: the whole list is lost */
    return list;
}",
            fix: "Free the object, or hand it to an owner, before the last pointer to it goes away. On error paths, free what was \
                  already built.",
        },
        Kind::LeakAtExit => Explanation {
            title: "Memory still allocated at exit",
            label: "the program ends here",
            meaning: "The program ends while a heap object is still allocated and still reachable. The system takes the memory \
                      back, so this is off by default; ask for it with --property leak-at-exit.",
            example: "\
static struct node *cache;
int main(void) {
    cache = malloc(sizeof *cache);
    return 0;                   /* leak-at-exit: cache still holds it */
}",
            fix: "Free global structures before main returns, or leave the property off.",
        },
        Kind::OutOfBounds => Explanation {
            title: "Access outside an object",
            label: "outside the object",
            meaning: "The program reads or writes bytes before the start or past the end of the object that the pointer came from.",
            example: "\
int sum(int n) {
    int *a = calloc(n, sizeof *a), s = 0;
    for (int i = 0; a && i <= n; i++)
        s += a[i];              /* out-of-bounds: i == n */
    free(a);
    return s;
}",
            fix: "Check indices against the allocated size, and allocate with sizeof *pointer so that the size follows the type.",
        },
        Kind::Uninitialised => Explanation {
            title: "Use of an uninitialised value",
            label: "was never written",
            meaning: "The program branches on, computes with or dereferences a value that was never written: a local without \
                      initialiser, or a field of a fresh malloc.",
            example: "\
struct node *first(void) {
    struct node *n = malloc(sizeof *n);
    if (n && n->next)           /* uninitialised: next was never set */
        n = n->next;
    return n;
}",
            fix: "Initialise at the declaration; allocate with calloc, or assign every field right after malloc.",
        },
        Kind::DanglingReturn => Explanation {
            title: "Address of a local is returned",
            label: "the local ends here",
            meaning: "A function returns the address of one of its own locals, whose storage ends with the function: the caller \
                      gets a pointer that must not be used.",
            example: "\
int *counter(void) {
    int n = 0;
    return &n;                  /* dangling-return */
}",
            fix: "Return the value, let the caller pass storage in, allocate it, or make the local static.",
        },
        Kind::DivisionByZero => Explanation {
            title: "Division by zero",
            label: "the divisor is zero",
            meaning: "An integer is divided by zero, or the remainder of such a division is asked for. C leaves the behaviour \
                      undefined; on most machines the process dies. (Floating-point numbers may be divided by zero.)",
            example: "\
int average(int sum, int n) {
    return sum / n;             /* division-by-zero: nothing was counted */
}",
            fix: "Test the divisor before the division, and say what the result is where there is nothing to divide by.",
        },
        Kind::Overflow => Explanation {
            title: "Overflow of signed arithmetic",
            label: "does not fit its type",
            meaning: "The result of +, -, * or / on signed integers does not fit their type: C leaves the behaviour undefined. It \
                      counts only when asked for (--property overflow); otherwise arithmetic wraps around, as with \
                      gcc's -fwrapv. Unsigned arithmetic and conversions to a smaller type are no overflow.",
            example: "\
int middle(int low, int high) {
    return (low + high) / 2;    /* overflow: the sum may be above INT_MAX */
}",
            fix: "Compare with the limits before computing, compute in a wider or an unsigned type, or turn the formula round \
                  (low + (high - low) / 2).",
        },
        Kind::Assertion => Explanation {
            title: "Assertion can fail",
            label: "does not hold",
            meaning: "A C assert, reach_error() or __VERIFIER_error() is reached with a false condition.",
            example: "\
int half(int n) {
    assert(n % 2 == 0);         /* assert: n may be odd */
    return n / 2;
}",
            fix: "Follow the trace: either a caller breaks the condition, or the condition asks for too much.",
        },
        Kind::Shape => Explanation {
            title: "Shape assertion can fail",
            label: "the shape does not hold",
            meaning: "A statement of heapwise.h about the shape of a data structure (hw_assert_acyclic, hw_assert_dll, \
                      hw_assert_tree and others) is false: a list runs into itself, a back pointer does not match, two \
                      structures share a cell.",
            example: "\
void append(struct node *list, struct node *more) {
    struct node *last = list;
    while (last->next)
        last = last->next;
    last->next = more;
    hw_assert_acyclic(list);    /* shape: fails if more == list */
}",
            fix: "Follow the trace to the store that breaks the shape. If the shape is only broken for a moment, move the \
                  assertion behind the repair.",
        },
    }
}

/// The page that `heapwise explain` prints.
pub fn page(kind: Kind) -> String {
    let explanation = explanation(kind);
    let mut text = format!("{}: {}\n\n{}\n\nExample:\n\n", kind.name(), explanation.title, wrap(explanation.meaning));
    for line in explanation.example.lines() {
        let _ = writeln!(text, "    {line}");
    }
    let _ = writeln!(text, "\nWhat to do:\n\n{}", wrap(explanation.fix));
    text
}

/// Breaks at 80 columns.
fn wrap(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if lines[last].is_empty() {
            lines[last].push_str(word);
        } else if lines[last].len() + 1 + word.len() <= 80 {
            lines[last].push(' ');
            lines[last].push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_page_has_meaning_example_and_fix() {
        expect![[r#"
            dangling-return: Address of a local is returned

            A function returns the address of one of its own locals, whose storage ends with
            the function: the caller gets a pointer that must not be used.

            Example:

                int *counter(void) {
                    int n = 0;
                    return &n;                  /* dangling-return */
                }

            What to do:

            Return the value, let the caller pass storage in, allocate it, or make the local
            static.
        "#]]
        .assert_eq(&page(Kind::DanglingReturn));
    }

    #[test]
    fn each_example_marks_its_failing_line() {
        for kind in Kind::ALL {
            let marker = format!("/* {}", kind.name());
            assert_eq!(explanation(kind).example.matches(&marker).count(), 1, "{}", kind.name());
        }
    }
}
