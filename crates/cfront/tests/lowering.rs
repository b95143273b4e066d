//! What C constructs become: each test lowers a small file and compares the text form. The verifier runs on all of them.

use expect_test::{Expect, expect};
use heapwise_cfront::{Flags, FrontOptions, Unit, load};
use heapwise_ir::text::{Spans, print};
use heapwise_models::Models;

/// The functions that `text` becomes (records, globals and extern functions are left out).
fn check(text: &str, expected: Expect) {
    let printed = lower(text);
    let functions: Vec<&str> = printed.split("\n\n").filter(|part| part.trim_start().starts_with("fn ")).collect();
    expected.assert_eq(&(functions.join("\n\n").trim().to_owned() + "\n"));
}

fn lower(text: &str) -> String {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("test.c");
    std::fs::write(&path, text).expect("written");
    let unit = Unit { path, flags: Flags::default() };
    let loaded = load(&[unit], &FrontOptions::default(), &Models::shipped()).expect("lowers");
    let problems: Vec<String> =
        heapwise_ir::verify(&loaded.program).iter().map(|problem| problem.describe(&loaded.program)).collect();
    assert_eq!(problems, Vec::<String>::new());
    print(&loaded.program, Spans::Hidden)
}

#[test]
fn a_list_is_built_and_freed() {
    check(
        "#include <stdlib.h>
        struct node { int data; struct node *next; };
        struct node *push(struct node *head, int data) {
            struct node *n = malloc(sizeof *n);
            if (!n) return head;
            n->data = data;
            n->next = head;
            return n;
        }
        void destroy(struct node *p) { while (p) { struct node *next = p->next; free(p); p = next; } }",
        expect![[r#"
            fn push(head, data) -> temp $result : ptr node {
              var head : ptr node
              var data : i32
              var n : ptr node
              L0 -> L2: n = alloc heap 16 as node
              L2 -> L3: assume n != 0
              L2 -> L4: assume n == 0
              L3 -> L5: store n->data = data : i32
              L5 -> L6: store n->next = head : ptr node
              L6 -> L1: $result = n
              L4 -> L1: $result = head
            }

            fn destroy(p : ptr node) {
              var next : ptr node
              L0 -> L2: assume p != 0
              L0 -> L3: assume p == 0
              L2 -> L4: next = load p->next : ptr node
              L4 -> L5: free p
              L5 -> L6: p = next
              L6 -> L0: next = uninitialised
              L3 -> L1: skip
            }
        "#]],
    );
}

#[test]
fn container_of_takes_a_path_away() {
    check(
        "#include <stddef.h>
        struct list { struct list *next, *prev; };
        struct item { int key; struct list link; };
        struct item *of(struct list *l) { return (struct item *)((char *)l - offsetof(struct item, link)); }
        struct list *to(struct item *i) { return &i->link; }",
        expect![[r#"
            fn of(l) -> temp $result : ptr item {
              var l : ptr list
              L0 -> L1: $result = container_of(l, item, link)
            }

            fn to(i) -> temp $result : ptr list {
              var i : ptr item
              L0 -> L1: $result = &i->link
            }
        "#]],
    );
}

#[test]
fn a_switch_is_a_chain_and_enters_the_scopes_of_its_cases() {
    check(
        "int f(int x) { switch (x) { case 1: x = 5; case 2 ... 4: { int y; int *p = &y; *p = x; return y; } default: return 0; } }",
        expect![[r#"
            fn f(x) -> temp $result : i32 {
              var x : i32
              temp $2 : i32
              addr y : ptr i32
              var p : ptr i32
              L0 -> L2: $2 = x
              L2 -> L3: assume $2 == 1
              L2 -> L4: assume $2 != 1
              L3 -> L5: x = 5
              L5 -> L6: y = alloc auto 4 nofail as i32
              L6 -> L7: p = y
              L7 -> L8: store *p = x : i32
              L8 -> L9: $result = load *y : i32
              L9 -> L1: end y
              L4 -> L10: assume $2 >= 2
              L4 -> L11: assume $2 < 2
              L10 -> L5: assume $2 <= 4
              L10 -> L11: assume $2 > 4
              L11 -> L1: $result = 0
            }
        "#]],
    );
}

#[test]
fn a_jump_ends_the_storage_it_leaves() {
    check(
        "void g(int *); void f(int n) { again: { int x = n; g(&x); if (x) goto again; } }",
        expect![[r#"
        fn f(n : i32) {
          addr x : ptr i32
          temp $2 : i32
          L0 -> L2: x = alloc auto 4 nofail as i32
          L2 -> L3: store *x = n : i32
          L3 -> L4: call g(x)
          L4 -> L5: $2 = load *x : i32
          L5 -> L6: assume $2 != 0
          L5 -> L7: assume $2 == 0
          L6 -> L0: end x
          L7 -> L1: end x
        }
    "#]],
    );
}

#[test]
fn short_circuits_and_conditionals_are_control_flow() {
    check(
        "int f(int a, int b, int *p) { int c = a && b || !p; return c ? *p : a ?: b; }",
        expect![[r#"
        fn f(a, b, p) -> temp $result : i32 {
          var a : i32
          var b : i32
          var p : ptr i32
          var c : i32
          L0 -> L2: assume a != 0
          L0 -> L3: assume a == 0
          L2 -> L4: assume b != 0
          L2 -> L3: assume b == 0
          L4 -> L5: c = 1
          L5 -> L6: assume c != 0
          L5 -> L7: assume c == 0
          L6 -> L1: $result = load *p : i32
          L7 -> L8: assume a != 0
          L7 -> L9: assume a == 0
          L8 -> L1: $result = a
          L9 -> L1: $result = b
          L3 -> L10: assume p != 0
          L3 -> L4: assume p == 0
          L10 -> L5: c = 0
        }
    "#]],
    );
}

#[test]
fn records_by_value_go_through_hidden_pointers() {
    check(
        "struct pair { int a; long b; }; struct pair make(int a) { return (struct pair){ .b = 2, .a = a }; } long use(struct pair p) { return p.b; } long f(void) { struct pair q; q = make(1); return use(q) + make(3).a; }",
        expect![[r#"
            fn make(temp $result : ptr pair, a : i32) {
              addr $literal : ptr pair
              L0 -> L2: $literal = alloc auto 16 nofail as pair
              L2 -> L3: copy *$literal : pair = members
              L3 -> L4: store $literal->b = 2 : i64
              L4 -> L5: store $literal->a = a : i32
              L5 -> L6: copy *$result : pair = *$literal : pair
              L6 -> L1: end $literal
            }

            fn use(p) -> temp $result : i64 {
              addr p : ptr pair
              L0 -> L1: $result = load p->b : i64
            }

            fn f() -> temp $result : i64 {
              addr q : ptr pair
              temp $2 : ptr pair
              temp $3 : ptr pair
              temp $4 : i64
              temp $5 : ptr pair
              temp $6 : i32
              temp $7 : i64
              L0 -> L2: q = alloc auto 16 nofail as pair
              L2 -> L3: $2 = alloc auto 16 nofail as pair
              L3 -> L4: call make($2, 1)
              L4 -> L5: copy *q : pair = *$2 : pair
              L5 -> L6: end $2
              L6 -> L7: $3 = alloc auto 16 nofail as pair
              L7 -> L8: copy *$3 : pair = *q : pair
              L8 -> L9: $4 = call use($3)
              L9 -> L10: end $3
              L10 -> L11: $5 = alloc auto 16 nofail as pair
              L11 -> L12: call make($5, 3)
              L12 -> L13: $6 = load $5->a : i32
              L13 -> L14: $7 = convert $6 : i32 to i64
              L14 -> L15: $result = $4 + $7
              L15 -> L16: end $5
              L16 -> L1: end q
            }
        "#]],
    );
}

#[test]
fn bit_fields_keep_their_bits() {
    check(
        "struct flags { unsigned a : 3; int b : 5; }; int f(struct flags *p, int x) { p->b = x; p->a++; return p->b; }",
        expect![[r#"
            fn f(p, x) -> temp $result : i32 {
              var p : ptr flags
              var x : i32
              temp $3 : u32
              temp $4 : u32
              L0 -> L2: store p->b = x : i32
              L2 -> L3: $3 = load p->a : u32
              L3 -> L4: $4 = $3 + 1
              L4 -> L5: store p->a = $4 : u32
              L5 -> L1: $result = load p->b : i32
            }
        "#]],
    );
}

#[test]
fn variable_arguments_are_slots() {
    check(
        "#include <stdarg.h>\nint sum(int n, ...) { va_list ap; va_start(ap, n); int s = va_arg(ap, int); va_end(ap); return s; } int f(void) { return sum(1, 7, 2.0); }",
        expect![[r#"
            fn sum(n, $arguments, ...) -> temp $result : i32 {
              var n : i32
              temp $arguments : ptr void
              addr ap : ptr [__va_list_tag; 1]
              var s : i32
              temp $5 : ptr void
              temp $6 : ptr void
              L0 -> L2: ap = alloc auto 24 nofail as [__va_list_tag; 1]
              L2 -> L3: store (ap as __va_list_tag)->overflow_arg_area = $arguments : ptr void
              L3 -> L4: $5 = load (ap as __va_list_tag)->overflow_arg_area : ptr void
              L4 -> L5: $6 = bytes $5 + 8
              L5 -> L6: store (ap as __va_list_tag)->overflow_arg_area = $6 : ptr void
              L6 -> L7: s = load *($5 as i32) : i32
              L7 -> L8: $result = s
              L8 -> L1: end ap
            }

            fn f() -> temp $result : i32 {
              temp $1 : ptr $arguments0
              L0 -> L2: $1 = alloc auto 16 nofail as $arguments0
              L2 -> L3: store $1->$0 = 7 : i32
              L3 -> L4: store $1->$1 = 2.0 : f64
              L4 -> L5: $result = call sum(1, $1)
              L5 -> L1: end $1
            }
        "#]],
    );
}

#[test]
fn a_variable_length_array_ends_with_its_block() {
    check(
        "int f(int n) { { int a[n]; a[0] = n; if (a[n - 1]) return 1; } return 0; }",
        expect![[r#"
        fn f(n) -> temp $result : i32 {
          var n : i32
          temp $2 : i32
          addr a : ptr [i32]
          temp $4 : u64
          temp $5 : u64
          temp $6 : i32
          temp $7 : i32
          L0 -> L2: $2 = n
          L2 -> L3: $4 = convert $2 : i32 to u64
          L3 -> L4: $5 = $4 * 4
          L4 -> L5: a = alloc auto $5 nofail as i32 * $4
          L5 -> L6: store a->[0] = n : i32
          L6 -> L7: $6 = n - 1
          L7 -> L8: $7 = load a->[$6] : i32
          L8 -> L9: assume $7 != 0
          L8 -> L10: assume $7 == 0
          L9 -> L11: $result = 1
          L11 -> L1: end a
          L10 -> L12: end a
          L12 -> L1: $result = 0
        }
    "#]],
    );
}

#[test]
fn a_statement_expression_gives_a_copy() {
    check(
        "int f(int x) { return ({ int y = x; y++; y; }) + x; }",
        expect![[r#"
        fn f(x) -> temp $result : i32 {
          var x : i32
          var y : i32
          temp $3 : i32
          L0 -> L2: y = x
          L2 -> L3: y = y + 1
          L3 -> L4: $3 = y
          L4 -> L1: $result = $3 + x
        }
    "#]],
    );
}

#[test]
fn a_computed_goto_tries_the_labels_whose_address_is_taken() {
    check(
        "int f(int i) { static void *to[] = { &&one, &&two }; goto *to[i]; one: return 1; two: return 2; }",
        expect![[r#"
            fn f(i) -> temp $result : i32 {
              var i : i32
              temp $2 : ptr void
              L0 -> L2: $2 = load (&to)->[i] : ptr void
              L2 -> L3: assume $2 == &$label_one_1
              L2 -> L4: assume $2 != &$label_one_1
              L3 -> L1: $result = 1
              L4 -> L5: assume $2 == &$label_two_2
              L4 -> L6: assume $2 != &$label_two_2
              L5 -> L1: $result = 2
              L6 -> L7: unsupported computed_goto
            }
        "#]],
    );
}

#[test]
fn realloc_has_both_outcomes() {
    check(
        "#include <stdlib.h>\nint *f(int *p, unsigned long n) { int *q = realloc(p, n * sizeof(int)); return q; }",
        expect![[r#"
            fn f(p, n) -> temp $result : ptr i32 {
              var p : ptr i32
              var n : u64
              var q : ptr i32
              temp $4 : u64
              temp $5 : ptr void
              L0 -> L2: $4 = n * 4
              L2 -> L3: assume $4 == 0
              L2 -> L4: assume $4 != 0
              L3 -> L5: assume p != 0 : ptr void
              L3 -> L4: assume p == 0 : ptr void
              L5 -> L6: free p
              L6 -> L7: $5 = 0
              L7 -> L8: q = $5
              L8 -> L1: $result = q
              L4 -> L9: $5 = alloc heap $4 as i32 * n
              L9 -> L10: assume $5 != 0
              L9 -> L7: assume $5 == 0
              L10 -> L11: assume p != 0 : ptr void
              L10 -> L7: assume p == 0 : ptr void
              L11 -> L12: copy *($5 as i32) : i32 = *p : i32 common
              L12 -> L7: free p
            }
        "#]],
    );
}

#[test]
fn a_library_function_behind_a_pointer_has_a_body() {
    check(
        "#include <stdlib.h>\nvoid (*release)(void *) = free;",
        expect![[r#"
        fn `free@pointer`(temp $0 : ptr void) taken {
          L0 -> L1: free $0
        }
    "#]],
    );
}

#[test]
fn heapwise_h_names_the_links() {
    check(
        "#include <heapwise.h>\nstruct node { struct node *next, *prev; }; void f(struct node *x) { hw_assert_dll(x); hw_assume_acyclic_by(x, next); }",
        expect![[r#"
            fn f(x : ptr node) {
              L0 -> L2: assert dll(x) over node via next, prev
              L2 -> L3: assume acyclic(x) over node via next
              L3 -> L1: skip
            }
        "#]],
    );
}

#[test]
fn an_error_in_a_function_makes_that_function_unsupported() {
    check(
        "int good(void) { return 1; } int bad(void) { return undeclared_name; }",
        expect![[r#"
        fn good() -> temp $result : i32 {
          L0 -> L1: $result = 1
        }

        fn bad() -> temp $result : i32 {
          L0 -> L1: unsupported front_end "'undeclared_name' undeclared (first use in this function)"
        }
    "#]],
    );
}

#[test]
fn what_cannot_be_lowered_says_so() {
    check(
        "#include <setjmp.h>\njmp_buf b; int f(double _Complex z) { __asm__ volatile (\"movq %0, (%1)\" : : \"r\"(1), \"r\"(2) : \"memory\"); return setjmp(b); }",
        expect![[r#"
            fn f(z) -> temp $result : i32 {
              addr z : ptr [f64; 2]
              temp $2 : i32
              L0 -> L2: unsupported inline_assembly
              L2 -> L3: unsupported non_local_jump
              L3 -> L4: $2 = nondet : i32
              L4 -> L1: $result = $2
            }
        "#]],
    );
}

#[test]
fn pointer_flag_bits_stay_integers() {
    check(
        "struct rb { unsigned long parent_color; }; struct rb *parent(struct rb *r) { return (struct rb *)(r->parent_color & ~3UL); }",
        expect![[r#"
            fn parent(r) -> temp $result : ptr rb {
              var r : ptr rb
              temp $2 : u64
              temp $3 : u64
              L0 -> L2: $2 = load r->parent_color : u64
              L2 -> L3: $3 = $2 & 18446744073709551612
              L3 -> L1: $result = convert $3 : u64 to ptr rb
            }
        "#]],
    );
}

#[test]
fn narrow_integers_wrap_by_conversion() {
    check(
        "unsigned char f(unsigned char c, int i) { c++; c += i; return c; }",
        expect![[r#"
        fn f(c, i) -> temp $result : u8 {
          var c : u8
          var i : i32
          temp $3 : i32
          temp $4 : i32
          temp $5 : i32
          temp $6 : i32
          L0 -> L2: $3 = convert c : u8 to i32
          L2 -> L3: $4 = $3 + 1
          L3 -> L4: c = convert $4 : i32 to u8
          L4 -> L5: $5 = convert c : u8 to i32
          L5 -> L6: $6 = $5 + i
          L6 -> L7: c = convert $6 : i32 to u8
          L7 -> L1: $result = c
        }
    "#]],
    );
}

#[test]
fn an_overflow_check_is_exact_arithmetic() {
    check(
        "_Bool f(int a, int b, int *r) { return __builtin_add_overflow(a, b, r); }",
        expect![[r#"
        fn f(a, b, r) -> temp $result : bool {
          var a : i32
          var b : i32
          var r : ptr i32
          temp $4 : i128
          temp $5 : i128
          temp $6 : i128
          temp $7 : i32
          temp $8 : i128
          temp $9 : i32
          temp $10 : bool
          L0 -> L2: $4 = convert a : i32 to i128
          L2 -> L3: $5 = convert b : i32 to i128
          L3 -> L4: $6 = $4 + $5
          L4 -> L5: $7 = convert $6 : i128 to i32
          L5 -> L6: store *r = $7 : i32
          L6 -> L7: $8 = convert $7 : i32 to i128
          L7 -> L8: assume $6 != $8
          L7 -> L9: assume $6 == $8
          L8 -> L10: $9 = 1
          L10 -> L11: $10 = convert $9 : i32 to bool
          L11 -> L1: $result = $10
          L9 -> L10: $9 = 0
        }
    "#]],
    );
}

#[test]
fn a_callee_behind_a_comma_is_called_by_name() {
    check(
        "void prepare(void); int g(int, ...); int f(int x) { return (prepare(), g)(x, 1); }",
        expect![[r#"
        fn f(x) -> temp $result : i32 {
          var x : i32
          L0 -> L2: call prepare()
          L2 -> L1: $result = call g(x, 1)
        }
    "#]],
    );
}

#[test]
fn files_are_linked_by_name() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).expect("written");
        Unit { path, flags: Flags::default() }
    };
    let units = [
        file(
            "a.c",
            "struct s; int shared; static int local(void) { return 1; } int b(struct s *); int a(struct s *p) { return local() + b(p); }",
        ),
        file(
            "b.c",
            "struct s { int x; }; int shared = 3; static int local(void) { return 2; } int b(struct s *p) { return local() + shared + p->x; }",
        ),
    ];
    let options = FrontOptions { entries: vec!["a".to_owned()], ..FrontOptions::default() };
    let loaded = load(&units, &options, &Models::shipped()).expect("lowers");
    assert!(heapwise_ir::verify(&loaded.program).is_empty());
    expect![[r#"
        target lp64

        struct s size 4 align 4 {
          x : i32 @ 0
        }

        global shared : i32 = { 0 : i32 = 3 }

        fn a(p) -> temp $result : i32 {
          var p : ptr s
          temp $2 : i32
          temp $3 : i32
          L0 -> L2: $2 = call local()
          L2 -> L3: $3 = call b(p)
          L3 -> L1: $result = $2 + $3
        }

        fn local() -> temp $result : i32 {
          L0 -> L1: $result = 1
        }

        fn b(p) -> temp $result : i32 {
          var p : ptr s
          temp $2 : i32
          temp $3 : i32
          temp $4 : i32
          temp $5 : i32
          L0 -> L2: $2 = call `local@b.c`()
          L2 -> L3: $3 = load *(&shared) : i32
          L3 -> L4: $4 = $2 + $3
          L4 -> L5: $5 = load p->x : i32
          L5 -> L1: $result = $4 + $5
        }

        fn `local@b.c`() -> temp $result : i32 {
          L0 -> L1: $result = 2
        }
    "#]]
    .assert_eq(&print(&loaded.program, Spans::Hidden));
}

#[test]
fn what_does_not_parse_is_an_error_with_its_place() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("test.c");
    std::fs::write(&path, "int f(void) {\n  int a = ;\n}\n").expect("written");
    let errors = load(&[Unit { path, flags: Flags::default() }], &FrontOptions::default(), &Models::shipped());
    let errors = errors.expect_err("does not parse");
    assert_eq!((errors[0].line, errors[0].column), (2, 11));
}
