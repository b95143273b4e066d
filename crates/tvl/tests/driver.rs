//! What a run says: verdicts, warnings, explanations, drawings.

#![allow(clippy::unwrap_used)]

use expect_test::{Expect, expect};
use heapwise_engine::{ArrowStyle, NodeStyle};
use heapwise_tvl::tvla::{File, TvlaOptions, TvlaReport, TvlaVerdict, run};
use heapwise_tvl::tvp::preprocess::{Files, NoFiles};

fn analyse(program: &str, input: Option<&str>) -> TvlaReport {
    let input = input.map(|text| File { path: "in.tvs", text });
    run(File { path: "p.tvp", text: program }, input, &NoFiles, &TvlaOptions::default()).unwrap()
}

fn check(program: &str, input: Option<&str>, expected: &Expect) {
    expected.assert_eq(&analyse(program, input).summary());
}

const WALK: &str = r#"
#define DEREF(q, w) (E(u) q(u) & nx(u, w))
%s Vars {a, b}
foreach (z in Vars) { %p z(v) unique pointer }
%p nx(v, w) function
%i sh(v) = E(u, w) (u != w & nx(u, v) & nx(w, v))
foreach (z in Vars) { %i reach[nx,z](v) = E(u) (z(u) & nx*(u, v)) }
%i some[a]() = |/{ E(v) z(v) : z in {a} } nonabs
%r E(u) (a(u) & b(u) & !reach[nx,a](v)) ==> !reach[nx,b](v)
%%
%action Step(to, from) {
  %t to + " = " + from + "->nx"
  %f { E(u) from(u) & nx(u, v) }
  %message (!E(v) from(v)) -> "null dereference of " + from
  { to(v) = DEREF(from, v) }
}
%action NonNull(q) { %t q + " != NULL" %f { q(v) } %p E(v) q(v) }
%action Null(q)    { %t q + " == NULL" %f { q(v) } %p !E(v) q(v) }
%action Copy(to, from) { %f { from(v) } { to(v) = from(v) } }
%%
start Copy(b, a)   loop
loop  NonNull(b)   body
body  Step(b, b)   loop
loop  Null(b)      "done"
"done" Step(b, a)  bad
%%
start, loop, "done"
"#;

const WALK_INPUT: &str = "
%n = {hd, tl}           // list of two or more cells
%p = { sm = {tl:1/2}  a = {hd}  nx = {hd->tl:1/2, tl->tl:1/2}  reach[nx,a] = {hd, tl}  some[a] = 1 }
%n = {}                 // empty list
%p = { }
";

#[test]
fn structures_and_messages_are_listed_by_location() {
    check(
        WALK,
        Some(WALK_INPUT),
        &expect![[r#"
        start: 2 structures
        loop: 10 structures
        done: 3 structures
        total: 25 structures in 5 locations, at most 10 in one; 27 produced
        message at done, b = a->nx: null dereference of a (1 structure)
        violated
    "#]],
    );
}

#[test]
fn an_input_that_breaks_a_rule_is_dropped_with_a_warning() {
    let program = "%p x(v) unique\n%%\n%action Skip() { }\n%%\na Skip() b\n";
    check(
        program,
        Some("%n = {u, w}\n%p = { x = {u, w} }\n%n = {u}\n%p = { x = {u} }"),
        &expect![[r#"
        warning: in.tvs:1: this input structure is dropped: it breaks the rule x(a) & x(b) ==> a == b  (from a property of `x`)
        a: 1 structure
        b: 1 structure
        total: 2 structures in 2 locations, at most 1 in one; 1 produced
        verified
    "#]],
    );
    let all_dropped = analyse(program, Some("%n = {u, w}\n%p = { x = {u, w} }"));
    assert_eq!(all_dropped.verdict(), TvlaVerdict::Unknown);
}

#[test]
fn a_contradiction_after_an_update_is_explained() {
    let program = "%p x(v) unique\n%p n(v, w) function acyclic\n%%
        %action Loop(x) { %t x + \"->n = \" + x { n(v, w) = n(v, w) | x(v) & x(w) } }\n%%\na Loop(x) b\n";
    check(
        program,
        Some("%n = {u}\n%p = { x = {u} }"),
        &expect![[r#"
        a: 1 structure
        b: 0 structures
        total: 1 structures in 2 locations, at most 1 in one; 0 produced
        stopped: after the action `x->n = x` (p.tvp:6) a structure breaks the rule
          n(v, v) ==> 0  (from a property of `n`)
          Either the action's updates lead out of what the rules allow, or the structure before it stands for no concrete one.
          Before the update it was
            %n = {_0}
            %p = {
              x = {_0}
            }
        unknown
    "#]],
    );
}

#[test]
fn individuals_come_and_go() {
    let program =
        "%p x(v) unique\n%p n(v, w) function\n%i r(v) = E(u) (x(u) & n*(u, v))\n%i lone(v) = A(w) !n(v, w)\n%%
        %action New() { %new { x(v) = isNew(v) } }
        %action NewForEach() { %new x(v) { n(v, w) = n(v, w) | instance(v, w) } }
        %action Clone() { %clone x(v) { x(v) = x(v) & !isNew(v) } }
        %action Free() { %retain !x(v) }
        %%\na New() b\nb NewForEach() c\nc Clone() d\nd Free() e\n";
    let report = analyse(program, None);
    expect![[r#"
        %location "a" = {
        %n = {}
        %p = {
        }
        }

        %location "b" = {
        %n = {_0}
        %p = {
          x = {_0}
          r = {_0}
          lone = {_0}
        }
        }

        %location "c" = {
        %n = {_0, _1}
        %p = {
          x = {_1}
          n = {_1->_0}
          r = {_0, _1}
          lone = {_0}
        }
        }

        %location "d" = {
        %n = {_0, _1, _2}
        %p = {
          x = {_2}
          n = {_0->_1, _2->_1}
          r = {_1, _2}
          lone = {_1}
        }
        }

        %location "e" = {
        %n = {_0, _1}
        %p = {
          n = {_0->_1}
          lone = {_1}
        }
        }

    "#]]
    .assert_eq(&report.structures_text());
}

#[test]
fn a_precondition_with_free_variables_gives_a_successor_for_each_assignment() {
    let program = "%p x(v) unique\n%p p(v)\n%%
        %action Pick() { %p p(u) { x(v) = v == u } }\n%%\na Pick() b\n";
    let report = analyse(program, Some("%n = {u, w, z}\n%p = { p = {u, w} x = {z} }"));
    assert_eq!(report.locations[1].structures.len(), 1, "the two successors are the same up to names");
    let marked = analyse(program, Some("%n = {u, w}\n%p = { p = {u, w} x = {w} }"));
    assert_eq!(marked.locations[1].structures.len(), 1);
}

#[test]
fn drawings_double_summaries_and_dot_what_is_unknown() {
    let report = analyse(WALK, Some(WALK_INPUT));
    let drawings = report.drawings();
    let list = drawings.iter().find(|d| d.title == "start 2/2: some[a]").unwrap();
    assert!(list.nodes.iter().any(|n| n.style == NodeStyle::Summary && n.lines.contains(&"reach[nx,a]".to_owned())));
    assert!(list.nodes.iter().any(|n| n.style == NodeStyle::Variable && n.lines == ["a"]));
    assert!(list.arrows.iter().any(|a| a.label == "nx" && a.style == ArrowStyle::Dotted));
    assert!(list.arrows.iter().any(|a| a.label.is_empty() && a.style == ArrowStyle::Solid));
}

struct One;

impl Files for One {
    fn read(&self, path: &str, _from: &str) -> Option<(String, String)> {
        (path == "inc.tvp")
            .then(|| ("#ifndef SEEN\n#define SEEN\n%p x(v) unique\n#endif\n".to_owned(), path.to_owned()))
    }
}

#[test]
fn the_preprocessor_includes_pastes_and_chooses() {
    let program = "#include \"inc.tvp\"\n#include \"inc.tvp\"\n#define VAR(a, b) \\\n  %p a##b(v)\nVAR(p,\n  q)\n\
        #if defined(WIDE) && !defined(NARROW)\n%p wide(v)\n#else\n%p narrow(v)\n#endif\n#undef VAR\n%p VAR(v)\n\
        %%\n%action Skip() { }\n%%\na Skip() b\n";
    let options = TvlaOptions { defines: vec!["WIDE".to_owned()], ..TvlaOptions::default() };
    let report = run(File { path: "p.tvp", text: program }, None, &One, &options).unwrap();
    let vocabulary = report.specification.vocabulary;
    let names: Vec<&str> = vocabulary.predicates().skip(3).map(|p| vocabulary.name(p)).collect();
    assert_eq!(names, ["x", "pq", "wide", "VAR"]);
}
