//! Programs of any size: lists ordered by different keys over the same nodes, and lists over nodes of their own.

use std::fmt::Write as _;

/// Which program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Series {
    /// Nodes that are on all lists at once, each list ordered by a key of its own.
    ManyKeys,
    /// Nodes that are on one list each, by links of its own.
    ManyLists,
}

impl Series {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Series::ManyKeys => "many-keys",
            Series::ManyLists => "many-lists",
        }
    }

    /// The program with so many lists.
    pub fn program(self, n: usize) -> String {
        match self {
            Series::ManyKeys => many_keys(n),
            Series::ManyLists => many_lists(n),
        }
    }
}

const INPUT: &str = "extern int __VERIFIER_nondet_int(void);\n";

/// For each list: what unlinks a node.
fn unlink(text: &mut String, k: usize) {
    let _ = write!(
        text,
        "
static void unlink{k}(struct node *x)
{{
    struct node *p = x->prev{k}, *q = x->next{k};
    if (p)
        p->next{k} = q;
    else
        list{k} = q;
    if (q)
        q->prev{k} = p;
}}
"
    );
}

fn heads(text: &mut String, n: usize) {
    let names: Vec<String> = (1..=n).map(|k| format!("*list{k}")).collect();
    let _ = writeln!(text, "\nstatic struct node {};", names.join(", "));
}

fn many_keys(n: usize) -> String {
    let mut text = format!(
        "// Nodes on {n} doubly linked lists at once, each ordered by a key of its own.\n#include <stdlib.h>\n\n"
    );
    text.push_str(INPUT);
    text.push_str("\nstruct node {\n");
    for k in 1..=n {
        let _ = writeln!(text, "    struct node *next{k}, *prev{k};\n    int key{k};");
    }
    text.push_str("};\n");
    heads(&mut text, n);
    for k in 1..=n {
        let _ = write!(
            text,
            "
static void insert{k}(struct node *x)
{{
    struct node *p = 0, *q = list{k};
    while (q && q->key{k} < x->key{k}) {{
        p = q;
        q = q->next{k};
    }}
    x->prev{k} = p;
    x->next{k} = q;
    if (p)
        p->next{k} = x;
    else
        list{k} = x;
    if (q)
        q->prev{k} = x;
}}
"
        );
        unlink(&mut text, k);
    }
    text.push_str(
        "\nstatic void insert(void)\n{\n    struct node *x = malloc(sizeof *x);\n    if (!x)\n        abort();\n",
    );
    for k in 1..=n {
        let _ = writeln!(text, "    x->key{k} = __VERIFIER_nondet_int();");
    }
    for k in 1..=n {
        let _ = writeln!(text, "    insert{k}(x);");
    }
    text.push_str("}\n\nstatic void delete(int key)\n{\n    struct node *x = list1;\n    while (x && x->key1 != key)\n        x = x->next1;\n    if (!x)\n        return;\n");
    for k in 1..=n {
        let _ = writeln!(text, "    unlink{k}(x);");
    }
    text.push_str("    free(x);\n}\n\nint main(void)\n{\n    while (__VERIFIER_nondet_int()) {\n        if (__VERIFIER_nondet_int())\n            insert();\n        else\n            delete(__VERIFIER_nondet_int());\n    }\n    return 0;\n}\n");
    text
}

fn many_lists(n: usize) -> String {
    let mut text = format!(
        "// {n} doubly linked lists, each by links of its own; no node is on two of them.\n#include <stdlib.h>\n\n"
    );
    text.push_str(INPUT);
    text.push_str("\nstruct node {\n");
    for k in 1..=n {
        let _ = writeln!(text, "    struct node *next{k}, *prev{k};");
    }
    text.push_str("};\n");
    heads(&mut text, n);
    for k in 1..=n {
        let _ = write!(
            text,
            "
static void push{k}(struct node *x)
{{
    struct node *q = list{k};
    x->prev{k} = 0;
    x->next{k} = q;
    if (q)
        q->prev{k} = x;
    list{k} = x;
}}
"
        );
        unlink(&mut text, k);
        let _ = write!(
            text,
            "
// A node somewhere in the list comes to its front.
static void touch{k}(void)
{{
    struct node *x = list{k};
    while (x && __VERIFIER_nondet_int())
        x = x->next{k};
    if (x) {{
        unlink{k}(x);
        push{k}(x);
    }}
}}

static void add{k}(void)
{{
    struct node *x = malloc(sizeof *x);
    if (!x)
        abort();
    push{k}(x);
}}
"
        );
    }
    text.push_str("\nstatic void drop1(void)\n{\n    struct node *x = list1;\n    if (x) {\n        unlink1(x);\n        free(x);\n    }\n}\n\nint main(void)\n{\n    while (__VERIFIER_nondet_int()) {\n        switch (__VERIFIER_nondet_int()) {\n        case 0:\n            drop1();\n            break;\n");
    for k in 1..=n {
        let _ = write!(
            text,
            "        case {}:\n            add{k}();\n            break;\n        case {}:\n            touch{k}();\n            break;\n",
            2 * k - 1,
            2 * k
        );
    }
    text.push_str("        default:\n            break;\n        }\n    }\n    return 0;\n}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect_file;

    #[test]
    fn the_programs_of_the_table_are_those_of_the_series() {
        expect_file!["../../../../benchmarks/overlay/many-keys-3.c"].assert_eq(&Series::ManyKeys.program(3));
        expect_file!["../../../../benchmarks/overlay/many-keys-4.c"].assert_eq(&Series::ManyKeys.program(4));
        expect_file!["../../../../benchmarks/overlay/many-lists-3.c"].assert_eq(&Series::ManyLists.program(3));
        expect_file!["../../../../benchmarks/overlay/many-lists-4.c"].assert_eq(&Series::ManyLists.program(4));
    }
}
