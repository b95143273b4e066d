//! The command line `heapwise`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
