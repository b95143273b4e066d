//! What a user can do about what kept an engine from a proof.

use heapwise_engine::{Exhausted, Gap, Stopped};

/// Words of a reason, and what helps there. The first that fits counts.
const HINTS: &[(&str, &str)] = &[
    (
        "has no body",
        "give the file that defines it, or say what it does in a file of models (--models, docs/models.md)",
    ),
    (
        "function without a body",
        "give the file that defines it, or a model of what it writes (--models, docs/models.md)",
    ),
    ("calls itself", "state a contract of the function (docs/contracts.md), or ask --engine tvl"),
    ("contract", "docs/contracts.md says what contracts can say, and which engines read them"),
    (
        "too large once calls are inlined",
        "check one function at a time with --entry, or state contracts (docs/contracts.md)",
    ),
    ("function pointer", "call the function by its name where only one is meant"),
    ("is called through a pointer", "call the function by its name where only one is meant"),
    ("compiler option", "leave the option out if the program does not depend on it"),
    ("runs are tried", "bound the loop or the input with __VERIFIER_assume, or give more time with --time"),
    ("they part here", "bound the loop or the input with hw_assume or __VERIFIER_assume, or check less with --entry"),
    ("steps that nothing outside", "make the loop or the array smaller: a macro for its size can be set with -D"),
    ("array", "elements of long arrays are not told apart: try with a small one (-D of its size)"),
];

/// What helps against a gap, or a budget that ran out.
pub(crate) fn hint(gap: &Gap, stopped: Option<&Stopped>) -> Option<String> {
    match stopped.map(|stopped| stopped.why) {
        Some(why) => budget_hint(why).map(str::to_owned),
        None => HINTS.iter().find(|(words, _)| gap.reason.contains(words)).map(|(_, hint)| (*hint).to_owned()),
    }
}

/// What helps where a budget ran out.
pub fn budget_hint(why: Exhausted) -> Option<&'static str> {
    match why {
        Exhausted::Time => Some("give more time with --time SECONDS, or check one function at a time with --entry"),
        Exhausted::Memory => Some("give more memory with --memory SIZE, or check one function at a time with --entry"),
        Exhausted::Elements => Some("check one function at a time with --entry"),
        Exhausted::Cancelled => None,
    }
}
