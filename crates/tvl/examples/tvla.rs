//! Runs a specification from disk: `cargo run --example tvla -- PROGRAM.tvp [INPUT.tvs]`.

use heapwise_tvl::tvla::{File, TvlaOptions, run};
use heapwise_tvl::tvp::preprocess::DiskFiles;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (Some(program), input) = (arguments.first(), arguments.get(1)) else {
        return Err("expected a TVP file".into());
    };
    let program_text = std::fs::read_to_string(program)?;
    let input_text = input.map(std::fs::read_to_string).transpose()?;
    let input = input.zip(input_text.as_ref()).map(|(path, text)| File { path, text });
    let program = File { path: program, text: &program_text };
    let report = run(program, input, &DiskFiles::default(), &TvlaOptions::default())?;
    print!("{}", report.summary());
    if arguments.get(2).is_some_and(|a| a == "updates") {
        print!("{}", report.updates_text());
    } else if arguments.get(2).is_some() {
        print!("{}", report.structures_text());
    }
    std::process::exit(report.verdict().exit_status().into())
}
