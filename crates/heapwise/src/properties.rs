//! Names for what can be asked: each kind of finding, and groups of them.

use heapwise_engine::Kind;

/// The groups, beside the kinds themselves.
pub const GROUPS: [&str; 4] = ["memory", "heap", "shape", "all"];

/// The kinds behind a name: a kind's own, `memory` (every memory error but leaks at exit), `heap` (leaks and frees: what
/// the engine `region` looks for), `shape` (shape assertions) or `all`.
pub fn named(name: &str) -> Option<Vec<Kind>> {
    match name {
        "all" => Some(Kind::ALL.to_vec()),
        "heap" => Some(vec![Kind::UseAfterFree, Kind::DoubleFree, Kind::InvalidFree, Kind::Leak]),
        "memory" => Some(Kind::ALL.into_iter().filter(|kind| is_memory(*kind)).collect()),
        other => Kind::from_name(other).map(|kind| vec![kind]),
    }
}

/// What a group stands for, in one line; `None` for what is no group.
pub fn group_title(name: &str) -> Option<&'static str> {
    match name {
        "memory" => Some("every memory error but leaks at exit"),
        "heap" => Some("leaks and frees: what the engine region looks for"),
        "all" => Some("all kinds"),
        _ => None,
    }
}

/// All names that [`named`] knows.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
    names.extend(GROUPS.iter().filter(|group| Kind::from_name(group).is_none()));
    names
}

fn is_memory(kind: Kind) -> bool {
    match kind {
        Kind::NullDereference
        | Kind::UseAfterFree
        | Kind::DoubleFree
        | Kind::InvalidFree
        | Kind::Leak
        | Kind::OutOfBounds
        | Kind::Uninitialised
        | Kind::DanglingReturn => true,
        Kind::LeakAtExit | Kind::DivisionByZero | Kind::Overflow | Kind::Assertion | Kind::Shape => false,
    }
}
