//! The command line `heapwise`.

fn main() -> std::process::ExitCode {
    heapwise_cli::run(heapwise::Engines::ALL)
}
