//! What the reader of debug information sees of a small C file.

use expect_test::expect;
use heapwise_bench::compiler;
use heapwise_bench::corpus::SourceUnit;
use heapwise_bench::debuginfo::DebugTypes;
use std::fmt::Write;

const PROGRAM: &str = "
typedef struct { char tag; union { long wide; struct { short low, high; }; }; } cell;
struct flags { unsigned ready : 1; int : 3; int level : 5; unsigned long long big : 40; };
struct tail { struct tail *next; _Bool on; double grid[2][3]; char rest[]; };
struct opaque;
";

#[test]
fn records_are_read_with_their_layout() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("types.c");
    let object = directory.path().join("types.o");
    std::fs::write(&path, PROGRAM).expect("written");
    let unit = SourceUnit {
        shown: "types.c".to_owned(),
        directory: directory.path().to_owned(),
        arguments: Vec::new(),
        path: path.clone(),
    };
    assert!(compiler::compile_with_types(&unit, &object).expect("gcc runs"));
    let types = DebugTypes::read(&std::fs::read(&object).expect("an object file"), &path).expect("readable");
    let mut shown = String::new();
    for (_, record) in types.records() {
        writeln!(shown, "{:?} {:?} {:?}", record.kind, record.name, record.size).expect("memory does not fail");
        for member in &record.members {
            let size = member.ty.and_then(|ty| types.size_of(ty));
            writeln!(
                shown,
                "  {:?} at bit {} width {:?} size {size:?}",
                member.name, member.bit_offset, member.bit_width
            )
            .expect("memory does not fail");
        }
    }
    expect![[r#"
        Struct None Some(4)
          Some("low") at bit 0 width None size Some(2)
          Some("high") at bit 16 width None size Some(2)
        Union None Some(8)
          Some("wide") at bit 0 width None size Some(8)
          None at bit 0 width None size Some(4)
        Struct None Some(16)
          Some("tag") at bit 0 width None size Some(1)
          None at bit 64 width None size Some(8)
        Struct Some("flags") Some(8)
          Some("ready") at bit 0 width Some(1) size Some(4)
          Some("level") at bit 4 width Some(5) size Some(4)
          Some("big") at bit 9 width Some(40) size Some(8)
        Struct Some("tail") Some(64)
          Some("next") at bit 0 width None size Some(8)
          Some("on") at bit 64 width None size Some(1)
          Some("grid") at bit 128 width None size Some(48)
          Some("rest") at bit 512 width None size None
    "#]]
    .assert_eq(&shown);
    assert_eq!(types.named(heapwise_ir::RecordKind::Struct, "cell").len(), 1);
    assert_eq!(types.named(heapwise_ir::RecordKind::Struct, "opaque").len(), 0);
}
