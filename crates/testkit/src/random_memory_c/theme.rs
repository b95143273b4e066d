//! What a program is about. One that has everything in it is decided by nobody, so each has only some of it.

use crate::random_c::random::Random;

/// A part of C that a program uses or leaves alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Theme {
    /// Arrays of integers, as locals and as members.
    Arrays,
    Unions,
    /// Arrays of records.
    Tables,
    /// `malloc(n * sizeof(int))`.
    Buffers,
    /// `memcpy`, `memset`, casts.
    Bytes,
    /// Addresses of locals and members.
    Addresses,
    /// Chains of records.
    Lists,
    /// Functions with bodies of their own.
    Workers,
    /// Loops, jumps and switches.
    Flow,
    /// Functions that call themselves.
    Recursion,
    /// String literals.
    Literals,
    /// Arrays of links.
    Slots,
    /// Pointers by detours, the library, early ends.
    Pointers,
}

/// The themes of a program.
#[derive(Clone, Debug)]
pub(super) struct Themes(Vec<Theme>);

/// Of so many programs, one or more have the theme.
const FREQUENCIES: [(Theme, usize, usize); 13] = [
    (Theme::Arrays, 1, 5),
    (Theme::Unions, 1, 6),
    (Theme::Tables, 1, 10),
    (Theme::Buffers, 1, 5),
    (Theme::Bytes, 3, 5),
    (Theme::Addresses, 3, 4),
    (Theme::Lists, 2, 3),
    (Theme::Workers, 2, 5),
    (Theme::Flow, 1, 2),
    (Theme::Recursion, 1, 5),
    (Theme::Literals, 1, 12),
    (Theme::Slots, 1, 6),
    (Theme::Pointers, 1, 3),
];

impl Themes {
    pub(super) fn any(random: &mut Random) -> Themes {
        let mut chosen = Vec::new();
        for (theme, part, whole) in FREQUENCIES {
            if random.chance(part, whole) {
                chosen.push(theme);
            }
        }
        Themes(chosen)
    }

    pub(super) fn has(&self, theme: Theme) -> bool {
        self.0.contains(&theme)
    }
}
