//! What statements do to states, as examples. Statements are separated by semicolons: `x = EXPRESSION`, `assume COMPARISON`,
//! `forget x`, `rename x y`, `widen STATE`, `join STATE`, `ask COMPARISON`; see the page of `text.rs`.

use expect_test::{Expect, expect};
use heapwise_numbers::{ParseError, State, parse_comparison, parse_expression, parse_state};

fn name(name: &str) -> Option<String> {
    Some(name.to_owned())
}

fn run(script: &str) -> Result<String, ParseError> {
    let mut steps = script.split(';').map(str::trim);
    let mut state = parse_state(steps.next().unwrap_or_default(), name)?;
    let mut answers = String::new();
    for step in steps {
        let (verb, rest) = step.split_once(' ').unwrap_or((step, ""));
        match verb {
            "assume" => state.assume(&parse_comparison(rest, name)?),
            "ask" => answers.push_str(&format!("\n{rest}: {:?}", state.entails(&parse_comparison(rest, name)?))),
            "forget" => state.forget(&rest.to_owned()),
            "rename" => {
                let (from, to) = rest.split_once(' ').unwrap_or((rest, rest));
                state.rename(&from.to_owned(), to.to_owned());
            }
            "join" => state = state.join(&parse_state(rest, name)?),
            "widen" => state = state.widen(&parse_state(rest, name)?, &[100]),
            variable => {
                let expression = parse_expression(rest.trim_start_matches('=').trim_start(), name)?;
                answers.push_str(match state.is_defined(&expression) {
                    heapwise_numbers::Truth::Yes => "",
                    heapwise_numbers::Truth::No => "\nnever defined",
                    heapwise_numbers::Truth::Unknown => "\nmay be undefined",
                });
                state.assign(variable.to_owned(), &expression);
            }
        }
    }
    Ok(format!("{state}{answers}"))
}

fn check(script: &str, expected: Expect) {
    expected.assert_eq(&run(script).unwrap_or_else(|error| error.to_string()));
}

#[test]
fn comparisons_refine_both_sides() {
    check("x in 0..10; assume x < 5 : i32", expect!["x in 0..4"]);
    check("x in 0..10, y in 3..20; assume y < x : i32", expect!["x in 4..10, y in 3..9, x != y"]);
    check("x in 0..10, y in 3..20; assume x == y : i32", expect!["x in 3..10, y in 3..10, y = x"]);
    check("x in 0..10; assume x != 0 : i32; assume x != 5 : i32", expect!["x in 1..10, x != 5"]);
    check("x in 0..10; assume x > 10 : i32", expect!["false"]);
}

#[test]
fn the_order_of_unsigned_numbers_starts_at_zero() {
    check("true; assume x < 5 : u32", expect!["x in 0..4"]);
    check("true; assume x < 5 : i32", expect!["x in -2147483648..4"]);
    check("true; assume x < 0 : u32", expect!["false"]);
}

#[test]
fn what_a_test_for_null_says_about_a_copy() {
    check(
        "true; t = r : i32; assume t != 0 : i32; ask r == 0 : i32",
        expect![[r#"
            r in i32, r != 0, t in i32, t != 0, t = r
            r == 0 : i32: No"#]],
    );
    check(
        "true; t = r : i32; assume t == 0 : i32; ask r == 0 : i32",
        expect![[r#"
        r = 0, t = 0
        r == 0 : i32: Yes"#]],
    );
}

#[test]
fn a_counter_moves_with_what_it_counts() {
    check("i = 0, n = 0; i = i + 1 : i32; n = n + 1 : i32; join i = 0, n = 0", expect!["i in 0..1, n in 0..1, n = i"]);
    // However far it goes: both wrap around together.
    check(
        "i in i32, n = i mod 2^32; i = i + 1 : i32; n = n + 1 : i32; ask i == n : i32",
        expect![[r#"
            i in i32, n in i32, n = i mod 2^32
            i == n : i32: Yes"#]],
    );
}

#[test]
fn additions_wrap_around() {
    check("x in 250..255; y = x + 5 : u8", expect!["x in 250..255, y in u8, y = x + 5 mod 2^8"]);
    check("x = 127; x = x + 1 : i8", expect!["x = -128"]);
    // It is not known which is the lesser, since x may be the greatest; but they differ.
    check(
        "true; y = x + 1 : i32; ask x < y : i32; ask x != y : i32",
        expect![[r#"
            x in i32, y in i32, y = x + 1 mod 2^32
            x < y : i32: Unknown
            x != y : i32: Yes"#]],
    );
    check(
        "true; assume x < n : i32; y = x + 1 : i32; ask x < y : i32; ask y <= n : i32",
        expect![[r#"
            n in -2147483647..2147483647, x in -2147483648..2147483646, y in -2147483647..2147483647, y = x + 1, n != x
            x < y : i32: Yes
            y <= n : i32: Unknown"#]],
    );
    // The one case in which y is the lesser of the two.
    check("true; y = x + 1 : u8; assume y < x : u8", expect!["x = 255, y = 0"]);
}

#[test]
fn conversions_keep_what_fits() {
    check("x in 0..100; y = x : i32 -> u64; assume y < 10 : u64", expect!["x in 0..9, y in 0..9, y = x"]);
    check("x in -1..1; y = x : i32 -> u8", expect!["x in -1..1, y in u8, y = x mod 2^8"]);
    check("x in 5..9; y = x : i32 -> bool", expect!["x in 5..9, y = 1"]);
}

#[test]
fn an_expression_may_have_no_value() {
    check(
        "x in -1..5; y = 10 / x : i32",
        expect![[r#"
        x in -1..5, y in -10..10, y != 0
        may be undefined"#]],
    );
    check("x in 1..5; y = 10 / x : i32", expect!["x in 1..5, y in 2..10"]);
    check(
        "x = 0; y = 10 / x : i32",
        expect![[r#"
        false
        never defined"#]],
    );
    check(
        "x in 30..40; y = 1 << x : i32",
        expect![[r#"
            x in 30..40, y in i32
            may be undefined"#]],
    );
}

#[test]
fn differences_are_known_whatever_the_values() {
    check("true; y = x + 3 : i64; d = y - x : i64", expect!["d = 3, x in i64, y in i64, y = x + 3"]);
    check(
        "true; y = x + 3 : i64; z = y - 5 : i64; forget y; ask z == x : i64; ask z != x : i64",
        expect![[r#"
        x in i64, z in i64, z = x - 2
        z == x : i64: No
        z != x : i64: Yes"#]],
    );
}

#[test]
fn distinct_variables_stay_distinct_under_other_names() {
    check(
        "true; assume x != y : i32; z = x : i32; forget x; ask z != y : i32",
        expect![[r#"
            y in i32, z in i32, y != z
            z != y : i32: Yes"#]],
    );
    check(
        "true; assume x != y : i32; rename x a; ask a == y : i32",
        expect![[r#"
            a in i32, y in i32, a != y
            a == y : i32: No"#]],
    );
    check(
        "true; assume x != y : i32; y = 3 : i32; ask x == 3 : i32",
        expect![[r#"
            x in i32, y = 3
            x == 3 : i32: Unknown"#]],
    );
    check(
        "y in 1..3; assume x != y : i32; assume y == 3 : i32; ask x == 3 : i32",
        expect![[r#"
            x in i32, x != 3, y = 3
            x == 3 : i32: No"#]],
    );
}

#[test]
fn a_join_keeps_what_both_say() {
    check(
        "r = -1; join r = 1; ask r == 0 : i32",
        expect![[r#"
        r in -1..1, r != 0
        r == 0 : i32: No"#]],
    );
    check("x = 1, y = 2; join x = 5, y = 6", expect!["x in 1..5, y in 2..6, y = x + 1"]);
    check("x in 0..3; join true", expect!["true"]);
    check("false; join x in 0..3", expect!["x in 0..3"]);
}

#[test]
fn a_widening_goes_to_thresholds_then_to_limits_of_types() {
    check("x in 0..1; widen x in 0..2", expect!["x in 0..100"]);
    check("x in 0..100; widen x in 0..101", expect!["x in 0..2147483647"]);
    check("x in 5..9; widen x in 4..9", expect!["x in 1..9"]);
    check("x in 0..9; widen x in -1..9", expect!["x in -2147483648..9"]);
}

#[test]
fn texts_that_are_none_are_told() {
    check("x in 1", expect!["column 7: expected `..`"]);
    check("x = y + mod", expect!["column 9: expected a number"]);
    check("true; assume x < y", expect!["column 6: expected `:` and a type"]);
    check("true; x = y ? 3 : i32", expect!["column 3: expected an operator or `:`"]);
    check("x = y mod 2^99", expect!["column 15: expected 1 to 64"]);
    assert_eq!(parse_state("x = 1", |_| None::<u32>).map_err(|error| error.expected), Err("a variable"));
    assert_eq!(State::<u32>::top().to_string(), "true");
}
