//! The machine that a file is checked for.

use crate::flags::{Flags, PlainChar};
use rucc_target::{Choices, Feature, Isa, TargetInfo, Triple};

/// Whether the macros that `-march=name` defines are known.
pub(crate) fn knows_architecture(name: &str) -> bool {
    Isa::level(name).is_some_and(|isa| isa.features().all(Feature::honoured))
}

/// Whether the macros that `-mname` defines, or takes away, are known.
pub(crate) fn knows_instruction_set(name: &str) -> bool {
    match name.strip_prefix("no-") {
        Some(name) => Feature::named_off(name).is_some(),
        None => Feature::named(name).is_some_and(|feature| Isa::with(feature).features().all(Feature::honoured)),
    }
}

/// What the target decides: sizes, alignments, the sign of `char`.
pub(super) fn target(flags: &Flags) -> TargetInfo {
    let triple = if flags.target.pointer_bytes == 4 { "i686-unknown-linux-gnu" } else { "x86_64-unknown-linux-gnu" };
    let triple: Triple = triple.parse().expect("a triple of the front end's own table");
    let mut target = TargetInfo::new(triple);
    target.char_is_signed = flags.plain_char == PlainChar::Signed;
    if flags.short_wchar {
        target.wchar_width = 16;
        target.wchar_is_signed = false;
    }
    target
}

/// The instruction sets that the text may ask for.
pub(super) fn instruction_sets(flags: &Flags) -> Isa {
    let base = flags.architecture.as_deref().and_then(Isa::level).unwrap_or_else(Isa::baseline);
    let mut choices = Choices::new();
    for name in &flags.instruction_sets {
        // Only known ones are kept in the flags.
        let _ = choices.read(name);
    }
    choices.over(base)
}
