//! What an instruction of x86 reads and writes.

use super::template::{TemplateInstruction, TemplateOperand};

/// What an instruction does to its operands, and to registers that it does not name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Effect {
    /// The operands that it writes, by position.
    pub(super) written: Vec<usize>,
    /// The registers that it writes without naming them, by the letter of their constraint.
    pub(super) registers: Vec<&'static str>,
    /// What it does to operands in memory.
    pub(super) memory: MemoryAccess,
}

/// What an instruction does to operands in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MemoryAccess {
    /// It takes their address.
    None,
    /// So many bytes.
    Bytes(u64),
    /// As many as it takes; the text does not say how many.
    Unknown,
    /// The word that holds a bit: the first operand counts bits from the last, in words of this many bytes.
    Bit(u64),
}

/// Which of its operands an instruction writes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Destinations {
    None,
    Last,
    /// It swaps them.
    Both,
    /// The last two (`mulx`).
    LastTwo,
}

/// Instructions whose name may be followed by a size.
const SIZED: [(&[&str], Destinations, &[&str]); 7] = [
    (&["test", "cmp", "bt", "push", "pushf", "popf"], Destinations::None, &[]),
    (
        &[
            "mov", "lea", "bsf", "bsr", "tzcnt", "lzcnt", "popcnt", "bswap", "rol", "ror", "rcl", "rcr", "shl", "shr",
            "sal", "sar", "shld", "shrd", "not", "neg", "adc", "sbb", "add", "sub", "inc", "dec", "and", "or", "xor",
            "adcx", "adox", "rorx", "sarx", "shlx", "shrx", "andn", "bextr", "blsi", "blsr", "blsmsk", "bzhi", "pdep",
            "pext", "crc32", "movbe", "rdrand", "rdseed", "bts", "btr", "btc", "pop",
        ],
        Destinations::Last,
        &[],
    ),
    (&["xchg", "xadd"], Destinations::Both, &[]),
    (&["cmpxchg"], Destinations::Last, &["a"]),
    (&["mul", "div", "idiv"], Destinations::None, &["a", "d"]),
    (&["mulx"], Destinations::LastTwo, &[]),
    (&["imul"], Destinations::Last, &[]),
];

/// Instructions that have no size.
const WHOLE: [(&[&str], &[&str]); 5] = [
    (
        &[
            "mfence",
            "lfence",
            "sfence",
            "cli",
            "sti",
            "stc",
            "clc",
            "cmc",
            "cld",
            "prefetcht0",
            "prefetcht1",
            "prefetcht2",
            "prefetchnta",
            "prefetchw",
        ],
        &[],
    ),
    (&["rdtsc", "rdpmc", "xgetbv"], &["a", "d"]),
    (&["rdtscp"], &["a", "c", "d"]),
    (&["cpuid"], &["a", "b", "c", "d"]),
    (&["cltd", "cqto", "cdq", "cqo"], &["d"]),
];

/// What a text does to the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StackUse {
    /// It leaves it alone.
    None,
    /// It takes off what it put there: only bytes below the stack pointer have changed.
    Balanced,
    /// The stack pointer is another one behind it.
    Unbalanced,
}

/// What instructions do to the stack.
pub(super) fn stack_use(instructions: &[TemplateInstruction]) -> StackUse {
    let mut depth: i32 = 0;
    let mut used = StackUse::None;
    for instruction in instructions {
        let is = |base: &str| size_of(&instruction.mnemonic, base).is_some();
        match (is("push") || is("pushf"), is("pop") || is("popf")) {
            (true, _) => depth += 1,
            (_, true) => depth -= 1,
            (false, false) => continue,
        }
        used = StackUse::Balanced;
        if depth < 0 {
            return StackUse::Unbalanced;
        }
    }
    if depth == 0 { used } else { StackUse::Unbalanced }
}

/// Instructions that look at no memory.
const ADDRESSES: [&str; 9] =
    ["lea", "leaw", "leal", "leaq", "prefetcht0", "prefetcht1", "prefetcht2", "prefetchnta", "prefetchw"];

/// Moves from so many bytes to a wider register.
const EXTENDING: [(&str, u64); 11] = [
    ("movzbw", 1),
    ("movzbl", 1),
    ("movzbq", 1),
    ("movzwl", 2),
    ("movzwq", 2),
    ("movsbw", 1),
    ("movsbl", 1),
    ("movsbq", 1),
    ("movswl", 2),
    ("movswq", 2),
    ("movslq", 4),
];

/// What an instruction does; `None` where that is not known. `register_bytes` gives the size of the register that an
/// operand is in, if it is surely in one.
pub(super) fn effect(
    instruction: &TemplateInstruction,
    register_bytes: impl Fn(&TemplateOperand) -> Option<u64>,
) -> Option<Effect> {
    let TemplateInstruction { mnemonic, operands } = instruction;
    let mnemonic = mnemonic.as_str();
    let none = Effect { written: Vec::new(), registers: Vec::new(), memory: MemoryAccess::None };
    if mnemonic.starts_with('j') {
        return (*operands == [TemplateOperand::Label]).then_some(none);
    }
    if operands.contains(&TemplateOperand::Other) && !ADDRESSES.contains(&mnemonic) {
        return None;
    }
    if let Some((_, registers)) = WHOLE.iter().find(|(names, _)| names.contains(&mnemonic)) {
        return Some(Effect { registers: registers.to_vec(), ..none });
    }
    if mnemonic.starts_with("set") && operands.len() == 1 {
        return Some(Effect { written: vec![0], memory: MemoryAccess::Bytes(1), ..none });
    }
    if let Some((_, bytes)) = EXTENDING.iter().find(|(name, _)| *name == mnemonic) {
        return (operands.len() == 2).then(|| Effect { written: vec![1], memory: MemoryAccess::Bytes(*bytes), ..none });
    }
    if mnemonic.starts_with("cmov") {
        let memory = |bytes: Option<u64>| bytes.map_or(MemoryAccess::Unknown, MemoryAccess::Bytes);
        return match operands.as_slice() {
            [_, target] => Some(Effect { written: vec![1], memory: memory(register_bytes(target)), ..none }),
            _ => None,
        };
    }
    sized(mnemonic, operands, register_bytes)
}

/// An instruction whose name may be followed by its size.
fn sized(
    mnemonic: &str,
    operands: &[TemplateOperand],
    register_bytes: impl Fn(&TemplateOperand) -> Option<u64>,
) -> Option<Effect> {
    let last = operands.len().checked_sub(1);
    let (base, size, destinations, registers) = SIZED.iter().find_map(|(bases, destinations, registers)| {
        bases.iter().find_map(|base| Some((*base, size_of(mnemonic, base)?, *destinations, *registers)))
    })?;
    // The form with one operand multiplies what the accumulator holds.
    let multiplies_accumulator = base == "imul" && operands.len() == 1;
    let registers = if multiplies_accumulator { vec!["a", "d"] } else { registers.to_vec() };
    let written = match (destinations, last) {
        (Destinations::None, _) => Vec::new(),
        (Destinations::Last, _) if multiplies_accumulator => Vec::new(),
        (Destinations::Last, Some(last)) => vec![last],
        (Destinations::Both, Some(1)) => vec![0, 1],
        (Destinations::LastTwo, Some(2)) => vec![1, 2],
        (Destinations::Last | Destinations::Both | Destinations::LastTwo, _) => return None,
    };
    // Where the name does not say it, a register among the operands does; counts of shifts are their own.
    let is_shift = ["rol", "ror", "rcl", "rcr", "shl", "shr", "sal", "sar", "shld", "shrd"].contains(&base);
    let told = || match is_shift {
        true => last.and_then(|last| register_bytes(&operands[last])),
        false => operands.iter().find_map(&register_bytes),
    };
    let memory = match (base, size.or_else(told)) {
        ("lea", _) => MemoryAccess::None,
        (_, None) => MemoryAccess::Unknown,
        ("bt" | "bts" | "btr" | "btc", Some(bytes)) => MemoryAccess::Bit(bytes),
        (_, Some(bytes)) => MemoryAccess::Bytes(bytes),
    };
    Some(Effect { written, registers, memory })
}

/// `Some` if a mnemonic is `base` with or without its size; within, the size.
fn size_of(mnemonic: &str, base: &str) -> Option<Option<u64>> {
    match mnemonic.strip_prefix(base)? {
        "" => Some(None),
        "b" => Some(Some(1)),
        "w" => Some(Some(2)),
        "l" => Some(Some(4)),
        "q" => Some(Some(8)),
        _ => None,
    }
}
