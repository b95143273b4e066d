//! The front end lays records out as gcc does: tricky ones by hand, then random ones.

use heapwise_bench::compiler;
use heapwise_bench::corpus::SourceUnit;
use heapwise_bench::frontend;
use heapwise_bench::layout::{Comparison, compare_unit};
use heapwise_ir::RecordKind;
use heapwise_models::Models;
use heapwise_report::words::unsupported;
use proptest::prelude::*;
use std::fmt::Write;
use std::path::Path;

/// Every shape of record that has tripped a compiler; each is used by a global, so that it is lowered.
const TRICKY: &str = r"
enum small { SMALL_A, SMALL_B };
enum wide { WIDE_A = 0x100000000LL };
enum signed_one { MINUS = -1, PLUS = 1 };
enum __attribute__((packed)) tiny { TINY_A, TINY_B };

struct padded { char a; long b; char c; };
struct nested { struct padded p; char d; struct { int x; char y; } in; };
struct booleans { _Bool a; _Bool b : 1; _Bool c : 1; char d; };
struct extended { char a; long double b; char c; };
struct complex_part { char a; double _Complex b; float _Complex c; };
struct wide_int { char a; __int128 b; unsigned __int128 c; };
struct enums { enum small a; enum wide b; enum signed_one c; enum tiny d; char e; };
struct enum_bits { enum small a : 3; enum signed_one b : 4; enum tiny c : 2; };

struct bits_cross { unsigned a : 20; unsigned b : 20; unsigned c : 20; };
struct bits_types { char a : 3; short b : 9; int c : 17; long d : 33; };
struct bits_zero { unsigned a : 3; unsigned : 0; unsigned b : 3; char : 0; char c; };
struct bits_unnamed { unsigned a : 3; unsigned : 7; unsigned b : 12; int : 30; unsigned d : 1; };
struct bits_after_char { char a; unsigned b : 24; unsigned c : 1; };
struct bits_before_char { unsigned a : 5; char b; unsigned c : 30; };
struct bits_long { unsigned long long a : 40; unsigned long long b : 40; int c; };
struct bits_full { int a : 32; long b : 64; char c : 8; };
struct bits_signed { signed a : 2; signed b : 31; signed c : 2; };

struct __attribute__((packed)) packed { char a; long b; short c; };
struct __attribute__((packed)) packed_bits { char a : 3; int b : 30; long c : 61; char d; };
struct packed_member { char a; long b __attribute__((packed)); int c; };
struct packed_bit_member { char a; int b : 20 __attribute__((packed)); int c : 20; };
struct __attribute__((packed, aligned(4))) packed_aligned { char a; long b; short c; };
struct holds_packed { char a; struct packed b; struct packed_bits c; long d; };
#pragma pack(push, 2)
struct pragma_two { char a; long b; int c : 5; struct padded d; };
#pragma pack(push, 1)
struct pragma_one { char a; double b; union { int i; long l; } u; };
#pragma pack(pop)
struct pragma_two_again { char a; int b; };
#pragma pack(pop)
struct no_pragma { char a; int b; };

struct __attribute__((aligned(32))) aligned { char a; int b; };
struct aligned_member { char a; int b __attribute__((aligned(16))); char c; };
struct alignas_member { char a; _Alignas(8) char b; _Alignas(double) int c; };
struct aligned_bits { char a; int b : 3 __attribute__((aligned(16))); int c : 3; };
typedef int int_aligned_16 __attribute__((aligned(16)));
typedef long long_aligned_2 __attribute__((aligned(2)));
struct aligned_types { char a; int_aligned_16 b; char c; long_aligned_2 d; };
struct array_of_aligned { char a; struct aligned b[3]; };

union simple { char a; long b; int c[5]; };
union with_bits { unsigned a : 3; unsigned b : 29; unsigned long c : 35; };
union __attribute__((packed)) packed_union { char a; long b; short c[5]; };
union odd { char a[3]; short b; };
struct anonymous { char a; union { int b; struct { char c; long d; }; }; struct { short e; }; };
struct anonymous_bits { char a; struct { unsigned b : 3; unsigned c : 5; }; union { unsigned d : 9; }; };
struct anonymous_packed { char a; struct __attribute__((packed)) { char b; long c; }; };

struct flexible { int n; char rest[]; };
struct flexible_wide { char n; long rest[]; };
struct zero_length { int n; long rest[0]; char after; };
struct empty { };
struct holds_empty { char a; struct empty b; int c; };
struct one_char { char a; };
struct arrays { char a[3]; short b[2][3]; struct padded c[2]; int *d[2]; void (*e[2])(int); };
struct self { struct self *next, *prev; int value; };
typedef int four_ints __attribute__((vector_size(16)));
struct vectors { char a; four_ints b; char c; };
typedef int wide_mode __attribute__((mode(DI)));
struct modes { char a; wide_mode b; char c; };
struct atomics { char a; _Atomic long b; _Atomic char c; };
struct volatile_members { char a; volatile long b; const short c; int *restrict d; };
typedef struct { char a; double b; } named_by_typedef;
typedef union { char a; struct { named_by_typedef b; char c; } d[2]; } union_by_typedef;

";

/// The tags that a text defines, with their kinds, and a global of each appended to the text.
fn with_uses(text: &str) -> String {
    let mut program = text.to_owned();
    for (index, line) in text.lines().enumerate() {
        let Some((kind, name)) = defined_tag(line) else { continue };
        let kind = if kind == RecordKind::Struct { "struct" } else { "union" };
        writeln!(program, "{kind} {name} use_{index};").expect("memory does not fail");
    }
    for name in ["named_by_typedef", "union_by_typedef"].iter().filter(|name| text.contains(*name)) {
        writeln!(program, "{name} use_{name};").expect("memory does not fail");
    }
    program
}

/// The tag that a line of the form `struct [attributes] name {` defines.
fn defined_tag(line: &str) -> Option<(RecordKind, &str)> {
    let (kind, rest) = match (line.strip_prefix("struct "), line.strip_prefix("union ")) {
        (Some(rest), _) => (RecordKind::Struct, rest),
        (None, Some(rest)) => (RecordKind::Union, rest),
        (None, None) => return None,
    };
    let head = rest.split_once('{')?.0;
    let name = head.rsplit(')').next()?.trim();
    (!name.is_empty()).then_some((kind, name))
}

fn unit_of(directory: &Path, text: &str) -> SourceUnit {
    unit_with(directory, text, &[])
}

fn unit_with(directory: &Path, text: &str, options: &[&str]) -> SourceUnit {
    let path = directory.join("records.c");
    std::fs::write(&path, text).expect("written");
    let arguments = ["-std=gnu11"].iter().chain(options).map(|&option| option.to_owned()).collect();
    SourceUnit { shown: "records.c".to_owned(), directory: directory.to_owned(), arguments, path }
}

/// Compares all records of a text, offsets and sizes through debug information.
fn comparison(text: &str) -> Comparison {
    comparison_with(text, &[])
}

fn comparison_with(text: &str, options: &[&str]) -> Comparison {
    let directory = tempfile::tempdir().expect("a directory");
    let unit = unit_with(directory.path(), text, options);
    let (accepted, _) = compiler::syntax_only(&unit).expect("gcc runs");
    assert!(accepted, "gcc refuses\n{text}");
    compare_unit(&unit, &Models::shipped()).expect("gcc's answer is readable").expect("the front end takes it")
}

/// What gcc says to static assertions about the size, the alignment and the offsets of each record with a tag.
fn failed_assertions(text: &str, options: &[&str]) -> String {
    let directory = tempfile::tempdir().expect("a directory");
    let unit = unit_with(directory.path(), text, options);
    let loaded = frontend::load(&unit, &Models::shipped()).expect("the front end takes it");
    let mut checked = text.to_owned();
    let mut n_checked = 0;
    for (kind, name) in text.lines().filter_map(defined_tag) {
        let record = loaded.program.records.values().find(|record| record.kind == kind && record.name == name);
        let record = record.unwrap_or_else(|| panic!("{name} is not lowered"));
        let kind = if kind == RecordKind::Struct { "struct" } else { "union" };
        let mut holds = |what: String, value: u64| {
            writeln!(checked, "_Static_assert({what} == {value}, \"{name}\");").expect("memory does not fail");
            n_checked += 1;
        };
        holds(format!("_Alignof({kind} {name})"), record.align);
        holds(format!("sizeof({kind} {name})"), record.size);
        for field in record.fields().iter().filter(|field| field.bits.is_none() && !field.name.starts_with('$')) {
            holds(format!("__builtin_offsetof({kind} {name}, {})", field.name), field.offset);
        }
    }
    assert!(n_checked > 0);
    let unit = unit_of(directory.path(), &checked);
    let output = std::process::Command::new("gcc")
        .args(["-std=gnu11", "-w", "-fsyntax-only"])
        .args(options)
        .arg(&unit.path)
        .output();
    let said = String::from_utf8(output.expect("gcc runs").stderr).expect("text");
    said.lines().filter(|line| line.contains("error:")).collect::<Vec<_>>().join("\n")
}

#[test]
fn tricky_records_are_laid_out_as_by_gcc() {
    let text = with_uses(TRICKY);
    let found = comparison(&text);
    assert_eq!(found.differences, Vec::<String>::new());
    assert_eq!(found.without_counterpart, Vec::<String>::new());
    assert_eq!(found.unseen, 0);
    assert!(found.names.len() >= TRICKY.lines().filter_map(defined_tag).count());
    assert!(found.bit_fields > 40, "{} bit-fields", found.bit_fields);
}

#[test]
fn tricky_records_pass_assertions_of_gcc() {
    assert_eq!(failed_assertions(&with_uses(TRICKY), &[]), "");
}

/// The comparison can fail: gcc is asked about a text whose members are in another order.
#[test]
fn a_difference_is_found() {
    let directory = tempfile::tempdir().expect("a directory");
    let text = "struct s { char a; int b : 3; long c; } use;\n";
    let unit = unit_of(directory.path(), text);
    let loaded = frontend::load(&unit, &Models::shipped()).expect("the front end takes it");
    let other = unit_of(directory.path(), "struct s { char a; short c; int b : 4; } use;\n");
    let object = directory.path().join("other.o");
    assert!(compiler::compile_with_types(&other, &object).expect("gcc runs"));
    let bytes = std::fs::read(&object).expect("an object file");
    let types = heapwise_bench::debuginfo::DebugTypes::read(&bytes, &other.path).expect("readable");
    let found = heapwise_bench::layout::compare(&loaded.program, &types);
    assert!(found.differences.len() >= 3, "{:?}", found.differences);
}

/// Attributes that the checker passes over make the layout wrong: the file then says that it is not understood.
#[test]
fn members_whose_attributes_are_passed_over_are_a_gap() {
    for member in ["int b __attribute__((vector_size(16)))", "__attribute__((__mode__(DI))) int b"] {
        let directory = tempfile::tempdir().expect("a directory");
        let text = format!("struct __attribute__((aligned(8))) s {{ int mode; {member}; }} use;\n");
        let loaded =
            frontend::load(&unit_of(directory.path(), &text), &Models::shipped()).expect("the front end takes it");
        let reasons: Vec<String> = loaded.program.gaps.iter().map(|(_, reason)| unsupported(reason)).collect();
        assert!(reasons.iter().any(|reason| reason.contains("layout")), "{member}: {reasons:?}");
    }
    let directory = tempfile::tempdir().expect("a directory");
    let text =
        "typedef int wide __attribute__((mode(DI)));\nstruct s { int mode; wide b __attribute__((packed)); } use;\n";
    let loaded = frontend::load(&unit_of(directory.path(), text), &Models::shipped()).expect("the front end takes it");
    assert!(loaded.program.gaps.is_empty());
}

/// gcc and the checker disagree on these records, and the checker is silent: the front end says it.
#[test]
fn records_that_the_checker_lays_out_differently_are_a_gap() {
    let twice = "#pragma pack(push, 4)\nstruct __attribute__((packed)) s { int a : 1; } use;\n#pragma pack(pop)\n";
    let behind = "#pragma pack(2)\nstruct s { int a : 1; int b; } __attribute__((packed)) use;\n";
    let member =
        "#pragma pack(push, id, 2)\nstruct s { int a : 1 __attribute__((__packed__)); } use;\n#pragma pack(pop, id)\n";
    let outer = "#pragma pack(push, x, 2)\n#pragma pack(push, y, 4)\n#pragma pack(pop, x)\nstruct s { int a; } use;\n";
    let lowered = "struct s { char a; long b : 2 __attribute__((aligned(4))); } use;\n";
    let microsoft = "struct __attribute__((ms_struct)) s { char a : 1; int b : 2; } use;\n";
    for text in [twice, behind, member, outer, lowered, microsoft] {
        assert!(says_that_a_layout_is_unknown(text), "{text}");
    }
    let without_bits = twice.replace(" : 1", "");
    let after = "#pragma pack(4)\n#pragma pack()\nstruct __attribute__((packed)) s { int a : 1; } use;\n";
    let once = "#pragma pack(4)\nstruct s { int a : 1; } use;\n";
    for text in [&without_bits, after, once] {
        assert!(!says_that_a_layout_is_unknown(text), "{text}");
        assert_eq!(comparison(text).differences, Vec::<String>::new(), "{text}");
    }
}

fn says_that_a_layout_is_unknown(text: &str) -> bool {
    let directory = tempfile::tempdir().expect("a directory");
    let loaded = frontend::load(&unit_of(directory.path(), text), &Models::shipped()).expect("the front end takes it");
    loaded.program.gaps.iter().any(|(_, reason)| unsupported(reason).contains("layout"))
}

/// A random member: its C text with `NAME` for the name.
fn member(n_before: usize) -> impl Strategy<Value = String> {
    let scalar = prop::sample::select(vec![
        "char NAME",
        "unsigned char NAME",
        "short NAME",
        "int NAME",
        "unsigned NAME",
        "long NAME",
        "float NAME",
        "double NAME",
        "long double NAME",
        "_Bool NAME",
        "__int128 NAME",
        "void *NAME",
        "int (*NAME)(void)",
        "enum letter NAME",
        "char NAME[3]",
        "int NAME[2][2]",
        "double NAME[1]",
        "long long NAME",
        "wchar_t NAME",
        "enum wide NAME",
        "enum negative NAME",
        "enum tiny NAME",
        "int NAME[0]",
        "overaligned NAME",
        "underaligned NAME",
        "_Alignas(8) char NAME",
        "_Alignas(16) int NAME",
        "_Atomic long NAME",
    ])
    .prop_map(str::to_owned);
    let bits = prop::sample::select(vec![
        ("char", 8u32),
        ("short", 16),
        ("int", 32),
        ("unsigned", 32),
        ("long", 32),
        ("unsigned long long", 64),
        ("_Bool", 1),
        ("enum letter", 8),
        ("enum negative", 8),
        ("enum tiny", 8),
    ])
    .prop_flat_map(|(ty, most)| {
        let attribute = prop::sample::select(vec![
            "",
            "",
            "",
            "",
            " __attribute__((packed))",
            " __attribute__((aligned(16)))",
            " __attribute__((aligned))",
        ]);
        // What fits the smallest values of the type, so that an enumeration is not cut off.
        (2.min(most)..=most, prop::bool::weighted(0.15), attribute).prop_map(move |(width, unnamed, attribute)| {
            if unnamed { format!("{ty} : {width}") } else { format!("{ty} NAME : {width}{attribute}") }
        })
    });
    let barrier = prop::sample::select(vec!["int : 0", "char : 0", "long : 0"]).prop_map(str::to_owned);
    let record = (0..n_before.max(1)).prop_map(move |index| {
        if n_before == 0 { "struct { char x; int y; } NAME".to_owned() } else { format!("struct r{index} NAME") }
    });
    let anonymous = prop::sample::select(vec![
        "struct { char NAMEx; unsigned NAMEy : 5; long NAMEz; }",
        "union { char NAMEx; long NAMEy; unsigned NAMEz : 9; }",
        "struct __attribute__((packed)) { char NAMEx; int NAMEy; }",
        "struct { union { char NAMEx; short NAMEy[3]; }; struct { int NAMEz : 7; int : 0; }; } __attribute__((aligned(8)))",
    ])
    .prop_map(str::to_owned);
    let attribute =
        prop::sample::select(vec!["", "", "", "", " __attribute__((packed))", " __attribute__((aligned(8)))"]);
    prop_oneof![
        4 => (scalar, attribute.clone()).prop_map(|(text, attribute)| text + attribute),
        5 => bits,
        1 => barrier,
        1 => record,
        1 => anonymous,
    ]
}

/// What the members of random records may be of.
const PREAMBLE: &str = "enum letter { A, B, C };
enum wide { W = 0x100000000LL };
enum negative { M = -1, N = 1 };
enum __attribute__((packed)) tiny { T, U };
typedef int overaligned __attribute__((aligned(16)));
typedef long underaligned __attribute__((aligned(2)));
typedef __WCHAR_TYPE__ wchar_t;
";

/// How the records of a file are packed.
#[derive(Clone, Copy, Debug)]
enum Packing {
    Attributes,
    Pragmas,
    Both,
}

/// A random file of records, each perhaps holding earlier ones.
fn records() -> impl Strategy<Value = String> {
    let record = |index: usize| {
        let attribute = prop::sample::select(vec![
            "",
            "",
            "",
            "__attribute__((packed)) ",
            "__attribute__((aligned(16))) ",
            "__attribute__((packed, aligned(2))) ",
            "__attribute__((aligned)) ",
            "__attribute__((gcc_struct)) ",
        ]);
        let tail = prop::sample::select(vec!["", "", "", "", "", "char tail[]; ", "long tail[]; ", "int tail[0]; "]);
        let pack = prop::sample::select(vec!["", "", "", "", "", "", "", "", "1", "2", "4", "8", "16"]);
        let kind = prop::sample::select(vec!["struct", "struct", "struct", "union"]);
        (kind, attribute, pack, prop::collection::vec(member(index), 1..8), tail).prop_map(
            move |(kind, attribute, pack, members, tail)| {
                let mut text = String::new();
                // A union has no flexible member, and a record that ends in one is no member.
                let tail = if kind == "union" || index < 4 { "" } else { tail };
                let open = if pack.is_empty() { String::new() } else { format!("#pragma pack(push, {pack})\n") };
                let close = if pack.is_empty() { "" } else { "#pragma pack(pop)\n" };
                // A flexible member needs a named one before it.
                let lead = if tail.is_empty() { "" } else { "char lead; " };
                write!(text, "{open}{kind} {attribute}r{index} {{ {lead}").expect("memory does not fail");
                for (position, member) in members.iter().enumerate() {
                    write!(text, "{}; ", member.replace("NAME", &format!("m{position}")))
                        .expect("memory does not fail");
                }
                // A member that holds an earlier record says `struct`, whatever that was: unions are named the same way.
                writeln!(text, "{tail}}};\n{close}").expect("memory does not fail");
                (kind, text)
            },
        )
    };
    // Both ways of packing at once are where the front end differs, and says so: most files have one of them.
    let ways = prop::sample::select(vec![Packing::Attributes, Packing::Pragmas, Packing::Pragmas, Packing::Both]);
    (record(0), record(1), record(2), record(3), record(4), ways).prop_map(|(a, b, c, d, e, ways)| {
        let records = [a, b, c, d, e];
        let mut text = PREAMBLE.to_owned();
        let kinds: Vec<&str> = records.iter().map(|(kind, _)| *kind).collect();
        for (_, record) in &records {
            let mut record = record.clone();
            for (index, kind) in kinds.iter().enumerate() {
                record = record.replace(&format!("struct r{index} m"), &format!("{kind} r{index} m"));
            }
            let record = match ways {
                Packing::Both => record,
                Packing::Attributes => record
                    .lines()
                    .filter(|line| !line.starts_with('#'))
                    .fold(String::new(), |text, line| text + line + "\n"),
                Packing::Pragmas => {
                    record.replace("packed, aligned(2)", "aligned(2)").replace("__attribute__((packed))", "")
                }
            };
            text.push_str(&record);
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_records_are_laid_out_as_by_gcc(text in records(), options in options()) {
        let text = with_uses(&text);
        // A record that is not understood says so; nothing is claimed about it then.
        if !says_that_a_layout_is_unknown(&text) {
            let options = options.as_slice();
            let text = if options.contains(&"-m32") { text.replace("__int128", "long long") } else { text };
            // The debug information of the smaller machine is not read.
            if !options.contains(&"-m32") {
                let found = comparison_with(&text, options);
                prop_assert_eq!(&found.differences, &Vec::<String>::new(), "{:?} {}", options, text);
                prop_assert_eq!(&found.without_counterpart, &Vec::<String>::new(), "{:?} {}", options, text);
            }
            prop_assert_eq!(failed_assertions(&text, options), "", "{:?} {}", options, text);
        }
    }
}

/// Options that change layouts.
fn options() -> impl Strategy<Value = Vec<&'static str>> {
    prop::sample::select(vec![
        vec![],
        vec![],
        vec!["-m32"],
        vec!["-fshort-enums"],
        vec!["-fshort-wchar", "-funsigned-char"],
    ])
}
