//! What a run says: verdicts, warnings, explanations, drawings.

#![allow(clippy::unwrap_used)]

use expect_test::{Expect, expect};
use heapwise_engine::{ArrowStyle, NodeStyle};
use heapwise_tvl::join::Join;
use heapwise_tvl::tvla::{File, OnContradiction, TvlaOptions, TvlaReport, TvlaVerdict, run};
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

/// These are TVLA's numbers for this specification (19 structures, at most 7): its default join is the partial one.
#[test]
fn structures_and_messages_are_listed_by_location() {
    check(
        WALK,
        Some(WALK_INPUT),
        &expect![[r#"
        start: 2 structures
        loop: 7 structures
        done: 2 structures
        total: 19 structures in 5 locations, at most 7 in one; 26 produced
        message at done, b = a->nx: null dereference of a (1 structure)
        violated
    "#]],
    );
}

/// One structure for each position of b (first, second, third, later; with and without cells behind it), and for the end
/// of a list of two, of more, and of none.
#[test]
fn the_relational_join_keeps_lengths_apart() {
    let options = TvlaOptions { join: Join::Relational, ..TvlaOptions::default() };
    let input = File { path: "in.tvs", text: WALK_INPUT };
    let report = run(File { path: "p.tvp", text: WALK }, Some(input), &NoFiles, &options).unwrap();
    let counts: Vec<usize> = report.locations.iter().map(|l| l.structures.len()).collect();
    assert_eq!((report.locations[1].name.as_str(), counts), ("loop", vec![2, 10, 7, 3, 3]));
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
        %action NewForEach() { %new x(v) { n(v, w) = n(v, w) | instance(w, v) } }
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

/// `instance` goes from the copy to what it was made of: `y` is the copy of `x`, and what happens where `y` is set is seen.
#[test]
fn a_copy_is_found_by_its_original() {
    let specification = |message: &str| {
        format!(
            "%p x(v) unique\n%p y(v) unique\n%p n(v, w) function\n%%
            %action Clone() {{ %clone x(v) {{
                x(v) = x(v) & !isNew(v)
                y(v) = E(w) (x(w) & instance(v, w))
            }} }}
            %action Some(y) {{ %p E(v) y(v) }}
            %action PredicateStyle() {{ {message} }}
            %%\na Clone() b\nb Some(y) c\nc PredicateStyle() d\n"
        )
    };
    let input = "%n = {u, t}\n%p = { x = {u} n = {u->t} }";
    let right = analyse(&specification("%message (E(v, w) (x(v) & y(v))) -> \"one and the same\""), Some(input));
    assert_eq!((right.verdict(), right.locations[3].structures.len()), (TvlaVerdict::Verified, 1));
    let text = "%message (E(v, w, t) (x(v) & y(w) & n(v, t) & n(w, t))) -> \"the copy leads where the original does\"";
    let wrong = analyse(&specification(text), Some(input));
    assert_eq!(wrong.verdict(), TvlaVerdict::Violated);
}

/// The copies of a list are as many as its cells, and each is the instance of one of them only: nothing that would have to
/// hold for all of them is claimed.
#[test]
fn a_copied_list_is_linked_as_its_original() {
    let specification = |message: &str| {
        format!(
            "%p x(v) unique\n%p y(v) unique\n%p n(v, w) function\n%p of_all(v)
            %i r[x](v) = E(u) (x(u) & n*(u, v))\n%i r[y](v) = E(u) (y(u) & n*(u, v))\n%%
            %action Clone() {{ %clone r[x](v) {{
                x(v) = x(v) & !isNew(v)
                y(v) = E(w) (x(w) & instance(v, w))
                n(v, w) = n(v, w) & !isNew(v) & !isNew(w) | E(a, b) (instance(v, a) & instance(w, b) & n(a, b))
                of_all(v) = isNew(v) & A(w) (isNew(w) | instance(v, w))
            }} }}
            %action PredicateStyle() {{ {message} }}
            %%\na Clone() b\nb PredicateStyle() c\n"
        )
    };
    let input = "%n = {h, t}\n%p = { sm = {t:1/2} x = {h} n = {h->t:1/2, t->t:1/2} r[x] = {h, t} }";
    let verdict = |condition: &str| {
        let report = analyse(&specification(&format!("%message ({condition}) -> \"seen\"")), Some(input));
        assert_eq!(report.locations[2].structures.len(), 1, "{}", report.summary());
        report.verdict()
    };
    for never in ["E(v) (x(v) & r[y](v))", "!E(v) y(v)"] {
        assert_eq!(verdict(never), TvlaVerdict::Verified, "{never}");
    }
    for perhaps in ["E(v, w) (y(v) & n(v, w))", "!E(v) of_all(v)"] {
        assert_eq!(verdict(perhaps), TvlaVerdict::Violated, "{perhaps}");
    }
}

/// What a message says behind an action that makes individuals for those of `x`, the head of a list of two with a mark on it.
/// The action is passed and the message asked in any case: nothing is verified on empty ground.
fn told_after(creation: &str, updates: &str, message: &str) -> TvlaVerdict {
    let program = format!(
        "%p x(v) unique\n%p y(v) unique\n%p n(v, w) function\n%p mark(v)\n%p seen(v)\n%p of(v, w)\n%%
        %action Make() {{ {creation} {{\n{updates}\n}} }}
        %action Ask() {{ %message ({message}) -> \"told\" }}
        %%\na Make() b\nb Ask() c\n"
    );
    let report = analyse(&program, Some("%n = {h, t}\n%p = { x = {h} n = {h->t} mark = {h} }"));
    assert!(!report.locations[1].structures.is_empty(), "{}", report.summary());
    report.verdict()
}

/// Each pair is a claim that never fails, and one that always does: with `instance` the other way round, or never true, the
/// second is "verified".
fn check_told(creation: &str, updates: &str, never: &[&str], always: &[&str]) {
    for message in never {
        assert_eq!(told_after(creation, updates, message), TvlaVerdict::Verified, "{message}");
    }
    for message in always {
        assert_eq!(told_after(creation, updates, message), TvlaVerdict::Violated, "{message}");
    }
}

#[test]
fn an_original_is_no_instance() {
    let never = ["E(v, w) (x(v) & of(v, w))", "E(v, w) (of(v, w) & of(w, v))", "E(v) of(v, v)"];
    let always = ["E(v, w) (x(w) & of(v, w))"];
    check_told("%new x(v)", "of(v, w) = instance(v, w)", &never, &always);
}

#[test]
fn an_original_leads_to_its_shadow() {
    let updates = "of(v, w) = of(v, w) | instance(w, v)\nseen(v) = isNew(v)";
    check_told("%new x(v)", updates, &["E(v) (x(v) & A(w) !of(v, w))"], &["E(v, w) (x(v) & of(v, w))"]);
}

#[test]
fn individuals_that_nothing_was_made_for_have_no_instance() {
    let never = ["E(v) (seen(v) & !x(v))", "E(v) (x(v) & !seen(v))"];
    check_told("%new x(v)", "seen(v) = E(w) instance(w, v)", &never, &["E(v) (x(v) & seen(v))"]);
}

#[test]
fn a_shadow_takes_the_mark_of_what_it_was_made_for() {
    let updates = "y(v) = E(w) (x(w) & instance(v, w))\nseen(v) = E(w) (instance(v, w) & mark(w))";
    let never = ["E(v) (y(v) & !seen(v))", "E(v) (x(v) & seen(v))", "!E(v) y(v)"];
    check_told("%new x(v)", updates, &never, &["E(v) (y(v) & seen(v))"]);
}

#[test]
fn a_new_cell_is_put_before_its_original() {
    let updates = "y(v) = E(w) (x(w) & instance(v, w))\nn(v, w) = n(v, w) & !isNew(v) & !isNew(w) | instance(v, w)";
    let never = ["E(v, w) (x(v) & y(w) & n(v, w))", "E(v) (y(v) & A(w) !n(v, w))"];
    check_told("%new x(v)", updates, &never, &["E(v, w) (y(v) & x(w) & n(v, w))"]);
}

#[test]
fn of_every_individual_there_is_one_instance() {
    // The copies are told apart by the mark, as the originals are.
    let updates = "of(v, w) = instance(v, w)\nseen(v) = isNew(v)\nmark(v) = mark(v) | E(w) (instance(v, w) & mark(w))";
    let never = [
        "E(w) (!seen(w) & A(v) !of(v, w))",
        "E(v) (seen(v) & A(w) !of(v, w))",
        "E(v, w) (of(v, w) & (seen(w) | !seen(v)))",
        "E(v, w, u) (of(v, w) & of(u, w) & !(v == u))",
    ];
    check_told("%new 1", updates, &never, &["E(v, w, u, t) (of(v, w) & of(u, t) & n(w, t))"]);
}

/// The individuals that a message after the action speaks of are those of the precondition, whichever left meanwhile.
#[test]
fn a_message_after_individuals_left_speaks_of_the_same_ones() {
    let program = "%p x(v) unique\n%p p(v)\n%p q(v)\n%%
        %action Drop() { %p p(u) %retain !x(v) %message q(u) -> \"marked\" }\n%%\na Drop() b\n";
    let marked = |values: &str| analyse(program, Some(&format!("%n = {{a, b, c}}\n%p = {{ x = {{a}} {values} }}")));
    assert_eq!(marked("p = {b} q = {b}").verdict(), TvlaVerdict::Violated);
    assert_eq!(marked("p = {c} q = {c}").verdict(), TvlaVerdict::Violated);
    assert_eq!(marked("p = {b} q = {c}").verdict(), TvlaVerdict::Verified);
    assert_eq!(marked("p = {a} q = {b, c}").verdict(), TvlaVerdict::Violated, "of one that left, anything may be true");
}

/// Where a structure has no room for one individual more, a summary is not divided, and nothing of what it stands for is lost.
#[test]
fn focus_loses_nothing_in_a_full_structure() {
    let program = "%s Bits {b0, b1, b2, b3, b4, b5}\nforeach (b in Bits) { %p b(v) }\n%p p(v)\n%p q(v)\n%%
        %action PredicateStyle() { %f { p(v) } %message (E(v, w) (q(v) & q(w) & p(v) & !p(w))) -> \"both\" }\n%%\na PredicateStyle() b\n";
    for singles in [3, 63] {
        // Each has a name of its own: its number, in bits.
        let numbered = |mask: u32| -> String {
            let names: Vec<String> = (1..=singles).filter(|i| i & mask != 0).map(|i| format!("u{i}")).collect();
            names.join(", ")
        };
        let bits: String = (0..6).map(|bit| format!("b{bit} = {{{}}} ", numbered(1 << bit))).collect();
        let input = format!("%n = {{{}, s}}\n%p = {{ sm = {{s:1/2}} q = {{s}} p = {{s:1/2}} {bits}}}", numbered(!0));
        let report = analyse(program, Some(&input));
        assert_eq!(report.locations[0].structures[0].size(), singles as usize + 1);
        assert_eq!(report.verdict(), TvlaVerdict::Violated, "beside {singles} individuals");
    }
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

/// The structures of a location as text.
fn shown(report: &TvlaReport, location: usize) -> String {
    let vocabulary = &report.specification.vocabulary;
    report.locations[location].structures.iter().map(|s| heapwise_tvl::tvp::tvs::print(s, vocabulary)).collect()
}

fn warnings_of(report: &TvlaReport) -> String {
    report.warnings.iter().map(|w| format!("{w}\n")).collect()
}

#[test]
fn what_is_said_twice_is_read_as_tvla_reads_it() {
    let program = "%s S {x} %s S S + {y} foreach (z in S) { %p z(v) }
        %%
        %action Set(p, q) { { p(v) = 1 q(v) = 0 } }
        %action Skip() { %p 0 }
        %action Skip() { }
        %%
        a Set(x, x) b
        b Skip() c";
    let report = analyse(program, Some("%n = {u} %p = { x = {u} y = {u} }"));
    expect![[r#"
        p.tvp:5: the action `Skip` is declared before: this declaration replaces the earlier one
        p.tvp:3: `x` is updated twice in one action: the last update counts
    "#]]
    .assert_eq(&warnings_of(&report));
    assert_eq!(shown(&report, 2), "%n = {_0}\n%p = {\n  y = {_0}\n}\n");
}

#[test]
fn rules_may_have_variables_of_their_own() {
    let program =
        "%p x(v) unique\n%i some[x]() = E(v) x(v) nonabs\n%p m(v)\n%r !some[x]() ==> !m(v)\n%r x(v) & m(w) ==> m(v)
        %%
        %action Skip() { }
        %%
        a Skip() b";
    let input = "%n = {u}\n%p = { m = {u:1/2} }\n%n = {u, w}\n%p = { x = {u} m = {u:1/2, w} some[x] = 1 }";
    expect![[r#"
        %n = {_0}
        %p = {
        }
        %n = {_0, _1}
        %p = {
          x = {_1}
          some[x] = 1
          m = {_0, _1}
        }
    "#]]
    .assert_eq(&shown(&analyse(program, Some(input)), 1));
}

#[test]
fn an_action_with_param_happens_for_every_element() {
    let program = "%s Threads {t1, t2}\nforeach (t in Threads) { %p t(v) unique }\n%p at(v)
        %%
        %action Go() {
          %param t in Threads
          %t \"go \" + t
          %f { t(v) }
          %p E(v) t(v) & !at(v)
          { at(v) = at(v) | t(v) }
        }
        %%
        a Go() b";
    let report = analyse(program, Some("%n = {u, w}\n%p = { t1 = {u} t2 = {w} }"));
    assert_eq!((report.specification.edges.len(), report.locations[1].structures.len()), (2, 2));
    let none = analyse("%s None {}\n%%\n%action Go() { %param t in None }\n%%\na Go() b\n", None);
    assert_eq!(warnings_of(&none), "p.tvp:5: `%param` of the action `Go` ranges over an empty set: it never happens\n");
}

#[test]
fn built_in_predicates_need_no_declaration_in_structures_either() {
    let program = "%p x(v)\n%%\n%action Skip() { }\n%%\na Skip() b";
    let report = analyse(program, Some("%n = {u}\n%p = { x = {u} ready = {u} }"));
    assert_eq!(warnings_of(&report), "in.tvs:2: `ready` occurs nowhere in the specification: without effect\n");
}

/// `%retain` reads the state before the action, like every update.
#[test]
fn what_is_retained_is_decided_before_the_update() {
    let program = "%p top(v) unique\n%p caller(v) unique
        %%
        %action Pop() { { top(v) = caller(v) caller(v) = 0 } %retain !top(v) }
        %%
        a Pop() b";
    let report = analyse(program, Some("%n = {u, w}\n%p = { top = {u} caller = {w} }"));
    assert_eq!(shown(&report, 1), "%n = {_0}\n%p = {\n  top = {_0}\n}\n");
}

#[test]
fn what_is_dropped_on_request_is_no_proof() {
    let program = "%p x(v) unique\n%p n(v, w) function acyclic
        %%
        %action Loop(x) { { n(v, w) = n(v, w) | x(v) & x(w) } }
        %%
        a Loop(x) b";
    let options = TvlaOptions { on_contradiction: OnContradiction::Drop, ..TvlaOptions::default() };
    let input = File { path: "in.tvs", text: "%n = {u}\n%p = { x = {u} }" };
    let report = run(File { path: "p.tvp", text: program }, Some(input), &NoFiles, &options).unwrap();
    assert_eq!(report.verdict(), TvlaVerdict::Unknown);
    assert!(report.summary().contains("1 structure that broke a rule was dropped: this is no proof\n"));
}

/// An update of an instrumentation predicate that its definition contradicts shows in the rules, whichever rule it is.
#[test]
fn a_contradicted_contrapositive_is_told_like_any_rule() {
    let program = "%p x(v) unique\n%p y(v) unique\n%r E(v) (x(v) & y(v)) ==> 0
        %%
        %action Copy() { { y(v) = x(v) } }
        %%
        a Copy() b";
    let report = analyse(program, Some("%n = {u}\n%p = { x = {u} }"));
    assert_eq!(report.verdict(), TvlaVerdict::Unknown);
    assert!(report.summary().contains("stopped: after the action `Copy()`"));
}

/// Whether cells that are not a's have edges: a relation between summaries, which no end of splitting makes definite. `assume` divides
/// the structures instead, so that the condition is known behind it.
#[test]
fn a_focus_that_would_not_terminate_falls_back_to_assume() {
    let program = |focus: &str| {
        format!(
            r#"
            %p a(v) unique pointer
            %p nx(v, w) function
            %%
            %action No_Edges() {{ {focus} %p !(E(v, w) !a(v) & !a(w) & nx(v, w)) }}
            %action PredicateStyle() {{ %message (E(v, w) !a(v) & !a(w) & nx(v, w)) -> "an edge" }}
            %%
            start No_Edges() middle  middle PredicateStyle() end"#
        )
    };
    let input = Some("%n = {hd, tl} %p = { sm = {tl:1/2} a = {hd} nx = {hd->tl:1/2, tl->tl:1/2} }");
    let expected = expect![[r#"
        start: 1 structure
        middle: 1 structure
        end: 1 structure
        total: 3 structures in 3 locations, at most 1 in one; 5 produced
        verified
    "#]];
    check(&program("%f { E(v, w) !a(v) & !a(w) & nx(v, w) }"), input, &expected);
    // Without focus the condition is forgotten.
    let unfocused = analyse(&program(""), input);
    assert_eq!(unfocused.verdict(), TvlaVerdict::Violated);
}

const RING: &str = r#"
%s Vars {x, q, t}
foreach (z in Vars) { %p z(v) unique pointer }
%p n(v, w) function
%i is[n](v) = E(u, w) (u != w & n(u, v) & n(w, v))
%i c[n](v) = n+(v, v)
foreach (z in Vars) { %i r[n,z](v) = E(u) (z(u) & n*(u, v)) }
%%
%action Get_Next(x, y) { %f { E(u) y(u) & n(u, v) } { x(v) = E(u) y(u) & n(u, v) } }
%action Set_Next(x, y) { %f { x(v), y(v) } { n(v, w) = n(v, w) | x(v) & y(w) } }
%action Different(x, y) { %f { x(v), y(v) } %p !A(v) (x(v) <-> y(v)) }
%action Remove(x) { %f { x(v) } %retain !x(v) }
%action Forget(x) { { x(v) = 0 } }
%action Assert_Ring() {
  %message (E(v) !r[n,x](v)) -> "a cell may be lost"
  %message (E(v) !c[n](v)) -> "the ring may have an end"
  %message (E(v) is[n](v)) -> "a cell may be shared"
}
%%
"#;

const RING_INPUT: &str = "%n = {u, w}
%p = { sm = {w:1/2} x = {u} n = {u->w:1/2, w->w:1/2, w->u:1/2} r[n,x] = {u, w} c[n] = {u, w} }";

/// `q->n = t` does to q and t what `t->n = x` does to t and x: what is derived for the one, with other names, says the same as what is
/// derived for the other alone.
#[test]
fn what_is_derived_for_an_action_serves_those_that_differ_in_names() {
    let steps = "b Different(q, x) c\nc Get_Next(t, q) d\nd Remove(q) e\ne Set_Next(x, t) f\nf Get_Next(q, t) g";
    let alone = analyse(&format!("{RING}a Get_Next(q, x) b\n{steps}"), Some(RING_INPUT));
    // Steps that are never taken come first, so the others are their images.
    let others = "y Remove(t) z\ny Set_Next(t, x) z\ny Get_Next(x, q) z\n";
    let renamed = analyse(&format!("{RING}a Get_Next(q, x) b\n{others}{steps}"), Some(RING_INPUT));
    let shown = |report: &TvlaReport| {
        let reached = report.locations.iter().filter(|location| !location.structures.is_empty());
        reached.map(|location| (location.name.clone(), location.structures.clone())).collect::<Vec<_>>()
    };
    assert_eq!(shown(&alone).len(), 7);
    assert_eq!(shown(&renamed), shown(&alone));
}

/// The cell q of a ring goes, with the links to it and from it: what comes after it is still reached from its successor, because a
/// path from there never leaves q again. So the new link closes the ring.
#[test]
fn paths_that_leave_no_removed_individual_stay() {
    let steps = "a Get_Next(q, x) b\nb Different(q, x) c\nc Get_Next(t, q) d\nd Remove(q) e\n";
    let program = format!("{RING}{steps}e Set_Next(x, t) f\nf Forget(t) g\ng Assert_Ring() h\n");
    assert_eq!(analyse(&program, Some(RING_INPUT)).verdict(), TvlaVerdict::Verified);
}

/// Without the new link, what comes after the removed cell is not reached from x, and there is no cycle.
#[test]
fn paths_through_a_removed_individual_do_not_stay() {
    let program = format!("{RING}a Get_Next(q, x) b\nb Different(q, x) c\nc Remove(q) d\nd Assert_Ring() e\n");
    let report = analyse(&program, Some(RING_INPUT));
    let texts: Vec<&str> = report.messages.iter().map(|message| message.text.as_str()).collect();
    assert_eq!(texts, ["a cell may be lost", "the ring may have an end"]);
}

/// One file of properties.
struct PropertyFile(&'static str);

impl Files for PropertyFile {
    fn read(&self, path: &str, _: &str) -> Option<(String, String)> {
        (path == "engine.properties").then(|| (self.0.to_owned(), path.to_owned()))
    }
}

fn with_properties(text: &'static str, program: &str) -> Result<TvlaReport, String> {
    let program = format!("// @properties \"engine.properties\"\n{program}");
    let input = Some(File { path: "in.tvs", text: "%n = {u}\n%p = { x = {u} has = 1 }" });
    run(File { path: "p.tvp", text: &program }, input, &PropertyFile(text), &TvlaOptions::default())
        .map_err(|error| error.to_string())
}

/// `has` says whether there is a cell of x; the action takes it away and gives no update of `has`.
const NO_UPDATE: &str = "%p x(v)\n%i has() = E(v) x(v)\n%%\n\
    %action Clear() { { x(v) = 0 } }\n\
    %action Assert() { %message has() -> \"there is a cell\" }\n%%\na Clear() b\nb Assert() c\n";

#[test]
fn the_property_difference_is_honoured() {
    let derived = with_properties("tvla.differencing.difference = true", NO_UPDATE).unwrap();
    assert_eq!(derived.verdict(), TvlaVerdict::Verified);
    // Without differencing the value stays, which the rules then contradict.
    let given = with_properties("# as written\ntvla.differencing.difference = \\\n  false\n", NO_UPDATE).unwrap();
    assert_eq!(given.verdict(), TvlaVerdict::Unknown);
    let error = with_properties("\ntvla.differencing.difference = maybe", NO_UPDATE).unwrap_err();
    assert_eq!(error, "engine.properties:2: `tvla.differencing.difference` is `true` or `false`, found `maybe`");
}

#[test]
fn the_property_action_order_is_honoured_or_refused() {
    let program = "%p x(v)\n%p y(v)\n%i has() = E(v) x(v)\n%%\n\
        %action Guess() { { y(v) = 1/2 } }\n%action Split() { %f { y(v) } }\n%%\na Guess() b\nb Split() c\n";
    let structures = |order| with_properties(order, program).map(|report| report.locations[2].structures.len());
    assert_eq!(structures("tvla.engine.actionOrder = fcpucb"), Ok(2));
    assert_eq!(structures("tvla.engine.actionOrder = cpucb"), Ok(1));
    assert_eq!(structures("tvla.engine.actionOrder = pucb"), Ok(1));
    let error = structures("tvla.engine.actionOrder = fpub").unwrap_err();
    assert!(error.starts_with("engine.properties:1: the order `fpub` of an action"), "{error}");
}

#[test]
fn properties_without_effect_are_named() {
    let report = with_properties("tvla.dot.rotate = true", NO_UPDATE).unwrap();
    assert_eq!(report.warnings.len(), 1);
    assert_eq!(report.warnings[0].message, "the property `tvla.dot.rotate` has no effect here");
    let missing = "// @properties \"other.properties\"\n%%\n%%\n";
    let error = run(File { path: "p.tvp", text: missing }, None, &PropertyFile(""), &TvlaOptions::default());
    assert_eq!(error.unwrap_err().to_string(), "p.tvp:1: the file of properties \"other.properties\" is not found");
}
