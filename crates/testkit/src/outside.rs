//! Compiled programs that get their inputs from a list of choices: arguments, and a library that plays the outside
//! (`compiled/outside.c`). So a confirmed finding is shown by the real program.

use heapwise_engine::{Answer, Choice, ChoiceQuestion, InputSource, Writer};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// What a program is given.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Outside {
    /// Its arguments, its own name left out.
    pub arguments: Vec<Vec<u8>>,
    /// The records that `outside.c` reads.
    pub records: String,
    /// Whether each allocation succeeds, for `verifier.c`.
    pub allocations: String,
}

/// The functions that `outside.c` plays.
const PLAYED: [&str; 19] = [
    "clock",
    "time",
    "rand",
    "random",
    "drand48",
    "getchar",
    "fgetc",
    "getenv",
    "fgets",
    "fread",
    "read",
    "recv",
    "socket",
    "fopen",
    "opendir",
    "readdir",
    "closedir",
    "scanf",
    "__isoc99_scanf",
];

impl Outside {
    /// What makes a program choose so.
    pub fn new(choices: &[Choice]) -> Outside {
        let mut outside = Outside::default();
        let mut bytes: BTreeMap<(u32, u64), u8> = BTreeMap::new();
        let (mut count, mut number, mut line) = (1, None, false);
        let mut allocations = Vec::new();
        for choice in choices {
            let value = match &choice.answer {
                Answer::Integer(value) => *value,
                Answer::NotNull | Answer::Succeeds => 1,
                Answer::Null | Answer::Fails => 0,
                Answer::Float(_) | Answer::Same | Answer::Distinct | Answer::Below | Answer::Above => 0,
            };
            let records = &mut outside.records;
            let _ = match (&choice.question, &choice.answer) {
                (ChoiceQuestion::Allocation, _) => {
                    allocations.push(value.to_string());
                    Ok(())
                }
                (ChoiceQuestion::Input(InputSource::ArgumentCount), _) => {
                    count = value as usize;
                    Ok(())
                }
                (ChoiceQuestion::Input(InputSource::Result(name)), Answer::Float(bits)) => {
                    writeln!(records, "f {name} {:.17}", f64::from_bits(*bits))
                }
                // What a text says as a number: the line that was read last, or the argument.
                (ChoiceQuestion::Input(InputSource::Result(name)), _) if name == "atoi" => {
                    number = Some(value);
                    if line { writeln!(records, "t {value}") } else { Ok(()) }
                }
                (ChoiceQuestion::Input(InputSource::Result(name) | InputSource::Conversions(name)), _) => {
                    line |= name == "fgets";
                    let name = name.strip_prefix("__isoc99_").unwrap_or(name);
                    writeln!(records, "r {name} {value}")
                }
                (ChoiceQuestion::Input(InputSource::Bytes { writer: Writer::Argument(index), offset }), _) => {
                    bytes.insert((*index, *offset), value as u8);
                    Ok(())
                }
                (ChoiceQuestion::Input(InputSource::Bytes { writer: Writer::Function { call, .. }, offset }), _) => {
                    writeln!(records, "b {call} {offset} {value}")
                }
                (ChoiceQuestion::Input(_) | ChoiceQuestion::Address { .. } | ChoiceQuestion::Place { .. }, _) => Ok(()),
            };
        }
        outside.allocations = allocations.join(",");
        for index in 1..count as u32 {
            let known = |offset: u64| bytes.get(&(index, offset)).copied().filter(|byte| *byte != 0);
            let text: Vec<u8> = (0..).map_while(known).collect();
            outside.arguments.push(match number {
                Some(number) if text.is_empty() && !line => number.to_string().into_bytes(),
                _ => text,
            });
        }
        outside
    }

    /// Compiles a program with gcc's sanitizers and runs it so.
    pub fn run(&self, directory: &Path, file: &Path) -> Result<crate::compiled::Run, String> {
        let say = |error: std::io::Error| error.to_string();
        let (outside, verifier) = (directory.join("outside.c"), directory.join("choices.c"));
        std::fs::write(&outside, include_str!("compiled/outside.c")).map_err(say)?;
        std::fs::write(&verifier, include_str!("compiled/verifier.c")).map_err(say)?;
        let program = directory.join("program");
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=gnu17", "-g", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
        let wraps: Vec<String> = PLAYED.iter().map(|name| format!(",--wrap={name}")).collect();
        gcc.arg(file).arg(outside).arg(verifier).arg("-o").arg(&program);
        gcc.arg("-Wl,--defsym=__wrap___isoc99_scanf=__wrap_scanf");
        gcc.arg(format!("-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup{}", wraps.concat()));
        let built = gcc.output().map_err(say)?;
        if !built.status.success() {
            return Err(String::from_utf8_lossy(&built.stderr).into_owned());
        }
        let mut command = Command::new("timeout");
        command.arg("20").arg(&program);
        command.args(self.arguments.iter().map(|argument| {
            use std::os::unix::ffi::OsStrExt;
            std::ffi::OsStr::from_bytes(argument)
        }));
        command.env("HEAPWISE_OUTSIDE", &self.records).env("HEAPWISE_CHOICES", &self.allocations);
        crate::compiled::finish(command, crate::compiled::Places::Named)
    }
}
