//! The random C programs are what they claim to be: gcc accepts them, and its undefined-behaviour sanitizer finds nothing.

use heapwise_testkit::compiled::{self, Choices, Instrumentation, Warnings};
use heapwise_testkit::{parallel, random_c};

#[test]
fn random_programs_have_one_meaning() {
    let seeds: Vec<u64> = (1000..1012).collect();
    let failures: Vec<String> = parallel::map(2, &seeds, |seed| check(*seed).err()).into_iter().flatten().collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn check(seed: u64) -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = directory.path().join("random.c");
    std::fs::write(&source, random_c::program(seed)).map_err(|error| error.to_string())?;
    let units = [source];
    let mut outputs = Vec::new();
    for (name, instrumentation) in [("plain", Instrumentation::None), ("checked", Instrumentation::Sanitizers)] {
        let executable = compiled::compile(directory.path(), name, &units, instrumentation, Warnings::Off)?;
        let run = executable.run(&Choices::Listed(Vec::new()))?;
        if run.went_wrong() {
            return Err(format!("seed {seed}: {}", run.stderr));
        }
        outputs.push((run.status, run.stdout));
    }
    if outputs[0] == outputs[1] { Ok(()) } else { Err(format!("seed {seed}: {outputs:?}")) }
}
