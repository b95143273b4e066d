//! A malformed file gets its file, its line and what was expected, for every production of the grammar.

#![allow(clippy::unwrap_used)]

use expect_test::expect;
use heapwise_tvl::tvla::{File, TvlaOptions, run};
use heapwise_tvl::tvp::preprocess::NoFiles;
use std::fmt::Write;

const TAIL: &str = "%%\n%action Act() { }\n%%\na Act() b\n";

fn error_of(program: &str, input: Option<&str>) -> String {
    let input = input.map(|text| File { path: "in.tvs", text });
    match run(File { path: "p.tvp", text: program }, input, &NoFiles, &TvlaOptions::default()) {
        Ok(_) => "accepted".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn table(cases: impl Iterator<Item = (String, String)>) -> String {
    let mut out = String::new();
    for (case, error) in cases {
        let _ = writeln!(out, "{case}\n    {error}");
    }
    out
}

#[test]
fn declarations() {
    let cases = [
        "%s",
        "%s S",
        "%s S {a b}",
        "%s S {a, }",
        "%s S {f[z] : z on {a}}",
        "%s S {f[z] : z in T}",
        "%s S ({a}",
        "%pset S",
        "%p",
        "%p p",
        "%p p(v",
        "%p p(v,)",
        "%p p[q(v)",
        "%p p(v, w, u)",
        "%p p(v) %p p(v)",
        "%p p(v) function",
        "%p p(v, w) unique",
        "%p p(v, w) abs",
        "%p p(v) uniquePerCC q",
        "%p p(v) uniquePerCC(q)",
        "%p p(v) wrong",
        "%p p(v) {2}",
        "%p p(v) {1 0}",
        "%i q(v)",
        "%i q(v) =",
        "%i q(v) = p(v)",
        "%p p(v) %i q(v) = p(w)",
        "%p p(v) %i q(v, w) = p(v)",
        "%r",
        "%p p(v) %r p(v)",
        "%p p(v) %r p(v) ==> E(w) p(w)",
        "%f p(v)",
        "%f { }",
        "%p p(v) %f { p(v), }",
        "%message 1",
        "%message 1 ->",
        "%message [1 1 -> \"t\"",
        "%dname",
        "%closecycle",
        "%p n(v, w) %closecycle n 1",
        "foreach",
        "foreach (z) { }",
        "foreach (z in {a}",
        "foreach (z in {a}) %p z(v)",
        "foreach (z in {}) { %p }",
        "foreach (z in {a}) { %p z(v)",
        "%wrong",
        "p(v)",
    ];
    let errors = table(cases.iter().map(|c| ((*c).to_owned(), error_of(&format!("\n{c}\n{TAIL}"), None))));
    expect![[r#"
        %s
            p.tvp:3: expected the name of a set, found `%%`
        %s S
            p.tvp:3: expected a set: a name, `{…}` or `(…)`, found `%%`
        %s S {a b}
            p.tvp:2: expected `}` or `,` in a set, found `b`
        %s S {a, }
            p.tvp:2: expected a name in a set, found `}`
        %s S {f[z] : z on {a}}
            p.tvp:2: expected `in`, found `on`
        %s S {f[z] : z in T}
            p.tvp:2: the set `T` is not declared
        %s S ({a}
            p.tvp:3: expected `)` after a set expression, found `%%`
        %pset S
            p.tvp:3: expected a set: a name, `{…}` or `(…)`, found `%%`
        %p
            p.tvp:3: expected the name of a predicate, found `%%`
        %p p
            p.tvp:3: expected `(` after the name of a predicate, found `%%`
        %p p(v
            p.tvp:3: expected `)` or `,` after a variable, found `%%`
        %p p(v,)
            p.tvp:2: expected a variable, found `)`
        %p p[q(v)
            p.tvp:2: expected `]` or `,` after a name in brackets, found `(`
        %p p(v, w, u)
            p.tvp:2: `p` has 3 arguments: predicates have at most two
        %p p(v) %p p(v)
            p.tvp:2: the predicate `p` is declared twice
        %p p(v) function
            p.tvp:2: `function` is for predicates with 2 argument(s)
        %p p(v, w) unique
            p.tvp:2: `unique` is for predicates with 1 argument(s)
        %p p(v, w) abs
            p.tvp:2: `abs` is for predicates with at most one argument
        %p p(v) uniquePerCC q
            p.tvp:2: expected `(` after `uniquePerCC`, found `q`
        %p p(v) uniquePerCC(q)
            p.tvp:2: the predicate `q` is not declared
        %p p(v) wrong
            p.tvp:2: expected a property (`unique`, `pointer`, `box`, `uniquePerCC`, `function`, `invfunction`, `symmetric`, `antisymmetric`, `reflexive`, `antireflexive`, `transitive`, `acyclic`, `abs`, `nonabs`) or a declaration, found `wrong`
        %p p(v) {2}
            accepted
        %p p(v) {1 0}
            p.tvp:2: expected `}` or `,` in a display filter, found `0`
        %i q(v)
            p.tvp:3: expected `=` and a formula after the arguments of an `%i` predicate, found `%%`
        %i q(v) =
            p.tvp:3: expected a formula, found `%%`
        %i q(v) = p(v)
            p.tvp:2: the predicate `p` is not declared
        %p p(v) %i q(v) = p(w)
            p.tvp:2: the definition of `q` has the free variable `w`, not a parameter
        %p p(v) %i q(v, w) = p(v)
            p.tvp:2: the definition of `q` does not use its parameter `w`
        %r
            p.tvp:3: expected a formula, found `%%`
        %p p(v) %r p(v)
            p.tvp:3: expected `==>` after the body of a rule, found `%%`
        %p p(v) %r p(v) ==> E(w) p(w)
            p.tvp:2: the head of a rule is a predicate, an equality, one of them negated, or `0`
        %f p(v)
            p.tvp:2: expected `{` after `%f`, found `p`
        %f { }
            p.tvp:2: expected a formula, found `}`
        %p p(v) %f { p(v), }
            p.tvp:2: expected a formula, found `}`
        %message 1
            p.tvp:3: expected `->` and a text after the condition of a message, found `%%`
        %message 1 ->
            p.tvp:3: expected a string or a name in a text, found `%%`
        %message [1 1 -> "t"
            p.tvp:2: expected `]` after the composition formula of a message, found `1`
        %dname
            p.tvp:3: expected a formula, found `%%`
        %closecycle
            p.tvp:3: expected a predicate after `%closecycle`, found `%%`
        %p n(v, w) %closecycle n 1
            p.tvp:2: expected `->` after the predicate of `%closecycle`, found `1`
        foreach
            p.tvp:3: expected `(` after `foreach`, found `%%`
        foreach (z) { }
            p.tvp:2: expected `in`, found `)`
        foreach (z in {a}
            p.tvp:3: expected `)` after the set of `foreach`, found `%%`
        foreach (z in {a}) %p z(v)
            p.tvp:2: expected `{` before the body of `foreach`, found `%p`
        foreach (z in {}) { %p }
            p.tvp:2: expected the name of a predicate, found `}`
        foreach (z in {a}) { %p z(v)
            p.tvp:3: expected a declaration (`%s`, `%pset`, `%p`, `%i`, `%r`, `%f`, `%message`, `%dname`, `%closecycle` or `foreach`) or `}`, found `%%`
        %wrong
            p.tvp:2: expected a declaration or `%%`, found `%wrong`
        p(v)
            p.tvp:2: expected a declaration (`%s`, `%pset`, `%p`, `%i`, `%r`, `%f`, `%message`, `%dname`, `%closecycle` or `foreach`) or `%%`, found `p`
    "#]].assert_eq(&errors);
}

#[test]
fn formulas() {
    let cases = [
        "E v p(v)",
        "E(v p(v)",
        "E(v)",
        "A(v,) p(v)",
        "TC p(v)",
        "TC(v) (a, b) n(a, b)",
        "TC(v, w) n(v, w)",
        "TC(v, w)(a) n(a, a)",
        "p(v) &",
        "p(v) |",
        "p(v) ->",
        "p(v) <->",
        "!",
        "(p(v)",
        "(p(v) ? p(v))",
        "(p(v) ? p(v) : p(v)",
        "v ==",
        "v !=",
        "v",
        "p",
        "p(v, w)",
        "q(v)",
        "p*(v)",
        "n+(v)",
        "|/ p(v)",
        "|/{ p(v) }",
        "|/{ z(v) : z }",
        "&/{ z(v) : z in {p} ",
        "&/{ z(v) : z in {q} }",
        "3",
        "\"text\"",
        "/* never closed",
        "\"never closed",
    ];
    let errors = table(
        cases.iter().map(|c| ((*c).to_owned(), error_of(&format!("%p p(v) %p n(v, w)\n%r\n{c} ==> 0\n{TAIL}"), None))),
    );
    expect![[r#"
        E v p(v)
            p.tvp:3: expected `(` after `E`, found `v`
        E(v p(v)
            p.tvp:3: expected `)` or `,` after a variable, found `p`
        E(v)
            p.tvp:3: expected a formula, found `==>`
        A(v,) p(v)
            p.tvp:3: expected a variable, found `)`
        TC p(v)
            p.tvp:3: expected `(` after `TC`, found `p`
        TC(v) (a, b) n(a, b)
            p.tvp:3: expected `,` between two variables, found `)`
        TC(v, w) n(v, w)
            p.tvp:3: expected `(` with the two variables of one step, after `TC(l, r)`, found `n`
        TC(v, w)(a) n(a, a)
            p.tvp:3: expected `,` between two variables, found `)`
        p(v) &
            p.tvp:3: expected a formula, found `==>`
        p(v) |
            p.tvp:3: expected a formula, found `==>`
        p(v) ->
            p.tvp:3: expected a formula, found `==>`
        p(v) <->
            p.tvp:3: expected a formula, found `==>`
        !
            p.tvp:3: expected a formula, found `==>`
        (p(v)
            p.tvp:3: expected `)` or an operator, found `==>`
        (p(v) ? p(v))
            p.tvp:3: expected `:` between the branches of `? :`, found `)`
        (p(v) ? p(v) : p(v)
            p.tvp:3: expected `)` after an if-then-else, found `==>`
        v ==
            p.tvp:3: expected a variable after `==`, found `==>`
        v !=
            p.tvp:3: expected a variable after `!=`, found `==>`
        v
            p.tvp:3: expected `(`, `==` or `!=` after `v` in a formula, found `==>`
        p
            p.tvp:3: expected `(`, `==` or `!=` after `p` in a formula, found `==>`
        p(v, w)
            p.tvp:3: `p` takes 1 argument(s), here it has 2
        q(v)
            p.tvp:3: the predicate `q` is not declared
        p*(v)
            p.tvp:3: expected two variables after the closure of `p`
        n+(v)
            p.tvp:3: expected two variables after the closure of `n`
        |/ p(v)
            p.tvp:3: expected `{` after `|/` or `&/`, found `p`
        |/{ p(v) }
            p.tvp:3: expected `:` after the body of `|/{…}` or `&/{…}`, found `}`
        |/{ z(v) : z }
            p.tvp:3: expected `in`, found `}`
        &/{ z(v) : z in {p} 
            p.tvp:3: expected `}` after the set of `|/{…}` or `&/{…}`, found `==>`
        &/{ z(v) : z in {q} }
            p.tvp:3: the predicate `q` is not declared
        3
            p.tvp:3: expected a formula, found `==>`
        "text"
            p.tvp:3: expected a formula, found the string "text"
        /* never closed
            p.tvp:3: this comment is never closed: expected `*/`
        "never closed
            p.tvp:3: this string is never closed: expected `"`
    "#]]
    .assert_eq(&errors);
}

#[test]
fn actions_and_edges() {
    let cases = [
        "%action",
        "%action A",
        "%action Act",
        "%action Act(x",
        "%action Act(x,) { }",
        "%action Act()",
        "%action Act() {",
        "%action Act() { %param x }",
        "%action Act() { %t }",
        "%action Act() { %t \"a\" + }",
        "%action Act() { %frame_pre }",
        "%action Act() { %compose }",
        "%action Act() { %frame }",
        "%action Act() { %f p(v) }",
        "%action Act() { %p }",
        "%action Act() { %p 1 %t \"late\" }",
        "%action Act() { %message p(v) }",
        "%action Act() { %new ) }",
        "%action Act() { %clone ( }",
        "%action Act() { { p(v) } }",
        "%action Act() { { p = 1 } }",
        "%action Act() { { p(v) 1 } }",
        "%action Act() { { (p(v) = 1 } }",
        "%action Act() { { p(v) = 1",
        "%action Act() { { foreach (z in {p}) { z(v) = } } }",
        "%action Act() { %retain }",
        "%action Act() { %decompose ( }",
        "%action Act() { } \na Act() b %% a,",
        "%%",
        "%action Act() { }\n%%",
        "%action Act() { }\n%%\na",
        "%action Act() { }\n%%\na Act b",
        "%action Act() { }\n%%\na Act(",
        "%action Act() { }\n%%\na Act()",
        "%action Act() { }\n%%\na Other() b",
        "%action Act() { }\n%%\na Act(x) b",
        "%action Act() { { p(w, w) = 1 } }\n%%\na Act() b",
        "%action Act() { { n(w, w) = 1 } }\n%%\na Act() b",
        "%action Act() { { p(v) = p(w) } }\n%%\na Act() b",
        "%action Act() { { q(v) = 1 } }\n%%\na Act() b",
        "%action Act() { %message p(v) -> \"m\" }\n%%\na Act() b",
        "%action Act() { %retain n(v, w) }\n%%\na Act() b",
        "%action Act() { }\n%%\na Act() b\n%%",
        "%action Act() { }\n%%\na Act() b\n%%\na b",
        "%action Act() { }\n%%\na Act() b\n%%\na, (",
    ];
    let errors =
        table(cases.iter().map(|c| (c.replace('\n', " "), error_of(&format!("%p p(v) %p n(v, w)\n%%\n{c}\n"), None))));
    expect![[r#"
        %action
            p.tvp:3: expected the name of an action, found the end of the file
        %action A
            p.tvp:3: expected the name of an action, found the reserved word `A`
        %action Act
            p.tvp:3: expected `(` after the name of an action, found the end of the file
        %action Act(x
            p.tvp:3: expected `)` or `,` after a parameter of the action, found the end of the file
        %action Act(x,) { }
            p.tvp:3: expected a parameter of the action, found `)`
        %action Act()
            p.tvp:3: expected `{` before the body of the action `Act`, found the end of the file
        %action Act() {
            p.tvp:3: expected `}` or the next clause; clauses come in the order `%param %t %frame_pre %compose %frame %f %p %message %new %clone {updates} %retain %message %decompose`, found the end of the file
        %action Act() { %param x }
            p.tvp:3: expected `in`, found `}`
        %action Act() { %t }
            p.tvp:3: expected a string or a name in a text, found `}`
        %action Act() { %t "a" + }
            p.tvp:3: expected a string or a name in a text, found `}`
        %action Act() { %frame_pre }
            p.tvp:3: expected a formula, found `}`
        %action Act() { %compose }
            p.tvp:3: expected a formula, found `}`
        %action Act() { %frame }
            p.tvp:3: expected a formula, found `}`
        %action Act() { %f p(v) }
            p.tvp:3: expected `{` after `%f`, found `p`
        %action Act() { %p }
            p.tvp:3: expected a formula, found `}`
        %action Act() { %p 1 %t "late" }
            p.tvp:3: expected `}` or the next clause; clauses come in the order `%param %t %frame_pre %compose %frame %f %p %message %new %clone {updates} %retain %message %decompose`, found `%t`
        %action Act() { %message p(v) }
            p.tvp:3: expected `->` and a text after the condition of a message, found `}`
        %action Act() { %new ) }
            p.tvp:3: expected a formula, found `)`
        %action Act() { %clone ( }
            p.tvp:3: expected a formula, found `}`
        %action Act() { { p(v) } }
            p.tvp:3: expected `=` and a formula after the predicate of an update, found `}`
        %action Act() { { p = 1 } }
            p.tvp:3: expected `(` after the predicate of an update, found `=`
        %action Act() { { p(v) 1 } }
            p.tvp:3: expected `=` and a formula after the predicate of an update, found `1`
        %action Act() { { (p(v) = 1 } }
            p.tvp:3: expected `)` after the predicate of an update, found `=`
        %action Act() { { p(v) = 1
            p.tvp:3: expected `}` or an update `p(v) = …` in the updates of an action, found the end of the file
        %action Act() { { foreach (z in {p}) { z(v) = } } }
            p.tvp:3: expected a formula, found `}`
        %action Act() { %retain }
            p.tvp:3: expected a formula after `%retain`
        %action Act() { %decompose ( }
            p.tvp:3: expected a formula, found `}`
        %action Act() { }  a Act() b %% a,
            p.tvp:4: expected `%action` or `%%`, found `a`
        %%
            p.tvp:3: expected an edge: location, action, location, found the end of the file
        %action Act() { } %%
            p.tvp:4: expected an edge: location, action, location, found the end of the file
        %action Act() { } %% a
            p.tvp:5: expected the action of an edge, found the end of the file
        %action Act() { } %% a Act b
            p.tvp:5: expected `(` after the action of an edge, found `b`
        %action Act() { } %% a Act(
            p.tvp:5: expected an argument of the action, found the end of the file
        %action Act() { } %% a Act()
            p.tvp:5: expected the location that an edge enters, found the end of the file
        %action Act() { } %% a Other() b
            p.tvp:5: the action `Other` is not declared
        %action Act() { } %% a Act(x) b
            p.tvp:5: the action `Act` takes 0 argument(s), here it has 1
        %action Act() { { p(w, w) = 1 } } %% a Act() b
            p.tvp:3: `p` takes 1 argument(s), here it has 2
        %action Act() { { n(w, w) = 1 } } %% a Act() b
            p.tvp:3: the arguments of an update are different variables
        %action Act() { { p(v) = p(w) } } %% a Act() b
            p.tvp:3: superfluous free variable `w`: it is free neither in `%p` nor an argument here
        %action Act() { { q(v) = 1 } } %% a Act() b
            p.tvp:3: the predicate `q` is not declared
        %action Act() { %message p(v) -> "m" } %% a Act() b
            p.tvp:3: superfluous free variable `v`: it is free neither in `%p` nor an argument here
        %action Act() { %retain n(v, w) } %% a Act() b
            p.tvp:3: expected one free variable, found `v` and `w`
        %action Act() { } %% a Act() b %%
            p.tvp:6: expected a location to print, found the end of the file
        %action Act() { } %% a Act() b %% a b
            p.tvp:7: expected `,` or the end of the file after the locations to print, found `b`
        %action Act() { } %% a Act() b %% a, (
            p.tvp:7: expected a location to print, found `(`
    "#]]
    .assert_eq(&errors);
}

#[test]
fn structures() {
    let cases = [
        "x",
        "%n",
        "%n = u",
        "%n = {u,}",
        "%n = {u w}",
        "%n = {[u, w}",
        "%n = {u}",
        "%n = {u} %p",
        "%n = {u} %p = p",
        "%n = {u} %p = { p }",
        "%n = {u} %p = { q = {u} }",
        "%n = {u} %p = { p = u }",
        "%n = {u} %p = { p = {w} }",
        "%n = {u} %p = { p = {u:} }",
        "%n = {u} %p = { p = {u:2} }",
        "%n = {u} %p = { p = {u->u} }",
        "%n = {u} %p = { p = {(u} }",
        "%n = {u} %p = { n = {u->} }",
        "%n = {u} %p = { p = 1 }",
        "%n = {u} %p = { p = {u}",
        "%n = {u} %p = { p = {u} } %a",
        "%message %n = {} %p = {}",
        "%d = {u} %n = {} %p = {}",
        "%t = u %n = {} %p = {}",
        "%t = {m} %n = {} %p = {}",
        "%t = {m(t,} %n = {} %p = {}",
        "%location = {}",
        "%location a {}",
        "%location a = { %n = {} %p = {}",
    ];
    let program = format!("%p p(v) %p n(v, w)\n{TAIL}");
    let errors = table(cases.iter().map(|c| ((*c).to_owned(), error_of(&program, Some(&format!("\n{c}\n"))))));
    expect![[r#"
        x
            in.tvs:2: expected a structure: `%n = {…} %p = {…}`, found `x`
        %n
            in.tvs:2: expected `=` after `%n`, found the end of the file
        %n = u
            in.tvs:2: expected `{` before the nodes, found `u`
        %n = {u,}
            in.tvs:2: expected a node, found `}`
        %n = {u w}
            in.tvs:2: expected `}` or `,` after a node, found `w`
        %n = {[u, w}
            in.tvs:2: expected `]` or `,` in a merged node's name, found `}`
        %n = {u}
            in.tvs:2: expected `%p = {…}` after the nodes of a structure, found the end of the file
        %n = {u} %p
            in.tvs:2: expected `=` after `%p`, found the end of the file
        %n = {u} %p = p
            in.tvs:2: expected `{` before the predicate values, found `p`
        %n = {u} %p = { p }
            in.tvs:2: expected `=` after a predicate, found `}`
        %n = {u} %p = { q = {u} }
            in.tvs:2: the predicate `q` is not declared
        %n = {u} %p = { p = u }
            in.tvs:2: expected `{` or a value after `=`, found `u`
        %n = {u} %p = { p = {w} }
            in.tvs:2: the node `w` is not among the nodes of this structure
        %n = {u} %p = { p = {u:} }
            in.tvs:2: expected `0`, `1` or `1/2` after `:`, found `}`
        %n = {u} %p = { p = {u:2} }
            in.tvs:2: expected `0`, `1` or `1/2` after `:`, found `}`
        %n = {u} %p = { p = {u->u} }
            in.tvs:2: `p` takes 1 argument(s), here it has 2
        %n = {u} %p = { p = {(u} }
            in.tvs:2: expected `)` or `,` in a tuple of nodes, found `}`
        %n = {u} %p = { n = {u->} }
            in.tvs:2: expected a node, found `}`
        %n = {u} %p = { p = 1 }
            in.tvs:2: `p` takes 1 argument(s), here it has 0
        %n = {u} %p = { p = {u}
            in.tvs:2: expected a predicate or `}`, found the end of the file
        %n = {u} %p = { p = {u} } %a
            in.tvs:2: expected `=` after `%a`, found the end of the file
        %message %n = {} %p = {}
            in.tvs:2: expected a string after `%message`, found `%n`
        %d = {u} %n = {} %p = {}
            in.tvs:2: expected a string in `%d = {…}`, found `u`
        %t = u %n = {} %p = {}
            in.tvs:2: expected `{` before the threads, found `u`
        %t = {m} %n = {} %p = {}
            in.tvs:2: expected `(` after a thread, found `}`
        %t = {m(t,} %n = {} %p = {}
            in.tvs:2: expected the entry label of a thread, found `}`
        %location = {}
            in.tvs:2: expected the name of a location, found `=`
        %location a {}
            in.tvs:2: expected `=` after `%location` and its name, found `{`
        %location a = { %n = {} %p = {}
            in.tvs:2: expected a structure or `}` in a location, found the end of the file
    "#]]
    .assert_eq(&errors);
}

#[test]
fn preprocessor() {
    let cases = [
        "#include list",
        "#include \"missing.tvp\"",
        "#define",
        "#define F(a",
        "#define F(a) a\nF(1, 2)",
        "#define F G\n#define G F\nF",
        "#if",
        "#if 1 +",
        "#ifdef X",
        "#else",
        "#elif 1",
        "#endif",
        "#wrong",
    ];
    let errors = table(cases.iter().map(|c| (c.replace('\n', " "), error_of(&format!("{c}\n{TAIL}"), None))));
    expect![[r##"
        #include list
            p.tvp:1: expected `#include "file"`, found `#include list`
        #include "missing.tvp"
            p.tvp:1: the included file `missing.tvp` is not found
        #define
            p.tvp:1: expected a name after `#define`
        #define F(a
            p.tvp:1: expected `)` after the parameters of the macro `F`
        #define F(a) a F(1, 2)
            p.tvp:2: the macro `F` takes 1 argument(s), here it has 2
        #define F G #define G F F
            p.tvp:3: expected a declaration (`%s`, `%pset`, `%p`, `%i`, `%r`, `%f`, `%message`, `%dname`, `%closecycle` or `foreach`) or `%%`, found `F`
        #if
            p.tvp:1: expected a condition after `#if`, found ``
        #if 1 +
            p.tvp:1: expected a condition after `#if`, found `1 +`
        #ifdef X
            p.tvp:1: expected `#endif` for this condition, found the end of the file
        #else
            p.tvp:1: expected `#if` before `#else`
        #elif 1
            p.tvp:1: expected `#if` before `#elif`
        #endif
            p.tvp:1: expected `#if` before `#endif`
        #wrong
            p.tvp:1: expected `#include`, `#define`, `#undef`, `#if`, `#ifdef`, `#ifndef`, `#elif`, `#else` or `#endif`, found `#wrong`
    "##]].assert_eq(&errors);
}
