//! Prints the random memory program of a seed: `cargo run -p heapwise-testkit --example random_memory_c -- 7`.

fn main() {
    let seed = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or_default();
    print!("{}", heapwise_testkit::random_memory_c::program(seed));
}
