//! Runs C programs both ways and says where they differ: `cargo run -p heapwise-testkit --example differential FILE…`
//! (`seed:7` stands for the random program of that seed).

use heapwise_testkit::{differential, random_c};
use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    for argument in std::env::args().skip(1) {
        let directory = tempfile::tempdir()?;
        let path = match argument.strip_prefix("seed:").and_then(|seed| seed.parse().ok()) {
            Some(seed) => {
                let path = directory.path().join("random.c");
                std::fs::write(&path, random_c::program(seed))?;
                path
            }
            None => PathBuf::from(&argument),
        };
        let started = std::time::Instant::now();
        let result = differential::compare(directory.path(), &[path]);
        println!("{argument} {:.2} s: {}", started.elapsed().as_secs_f64(), result.err().unwrap_or("same".into()));
    }
    Ok(())
}
