//! Prints the random C program of a seed: `cargo run -p heapwise-testkit --example random_c 7`.

fn main() {
    let seed = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or_default();
    print!("{}", heapwise_testkit::random_c::program(seed));
}
