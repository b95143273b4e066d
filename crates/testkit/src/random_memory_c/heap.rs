//! Lists, single cells and links between them.

use super::Generator;
use super::function::Function;
use super::record::Member;
use super::scope::{Readiness, Role, Scope, Type};
use super::theme::Theme;

impl Generator {
    /// A statement about linked records; false where there is nothing to say it about.
    pub(super) fn heap_statement(&mut self, scope: &mut Scope) -> bool {
        let list = self.variable(scope, |ty| matches!(ty, Type::Cell(_, Role::List)));
        let owner = self.variable(scope, |ty| matches!(ty, Type::Cell(_, Role::Owner)));
        let cell = self.variable(scope, |ty| matches!(ty, Type::Cell(..)));
        match (self.random.below(14), list, owner, cell) {
            (0..=4, Some(list), ..) => {
                let Type::Cell(record, _) = list.ty else { return false };
                self.list_statement(scope, &list.name, record);
            }
            (5, Some(list), Some(owner), _) if kind(&list.ty) == kind(&owner.ty) => {
                let (h, c) = (list.name, owner.name);
                let forget = if self.slips() { "" } else { &format!(" {c} = 0;") };
                self.line(&format!("if ({c}) {{ {c}->next = {h}; {h} = {c};{forget} }}"));
            }
            (6 | 7, _, Some(owner), _) => {
                let c = owner.name;
                self.line(&format!("free({c});"));
                if !self.slips() {
                    self.line(&format!("{c} = 0;"));
                }
                scope.forget_borrowed();
            }
            (8, _, Some(owner), _) => {
                let c = owner.name;
                let grow = self.random.pick(&["sizeof *{c}", "sizeof *{c} + 8", "2 * sizeof *{c}"]).replace("{c}", &c);
                let grown = self.fresh("n");
                let Some(record) = kind(&owner.ty) else { return false };
                let spelling = self.record_name(record);
                if self.slips() {
                    self.line(&format!("{c} = realloc({c}, {grow});"));
                } else {
                    self.line(&format!("if ({c}) {{"));
                    self.line(&format!("    struct {spelling} *{grown} = realloc({c}, {grow});"));
                    self.line(&format!("    if ({grown}) {c} = {grown};"));
                    self.line("}");
                }
                scope.forget_borrowed();
            }
            (9 | 10, _, _, Some(cell)) => self.links(scope, &cell.name, &cell.ty),
            (11 | 12, _, _, Some(cell)) => return self.borrow(scope, &cell.name, &cell.ty, cell.points_into),
            (13, _, _, Some(cell)) if self.themes.has(Theme::Recursion) => {
                let Some(record) = kind(&cell.ty) else { return false };
                let count = self.function(Function::Count(record));
                let acyclic = matches!(cell.ty, Type::Cell(_, Role::List));
                let c = cell.name;
                if acyclic {
                    let limit = if self.slips() { "> 2" } else { "< 0" };
                    self.line(&format!("if ({count}({c}) {limit}) *(int *)0 = 1;"));
                    return true;
                }
                let look = self.function(Function::Look(record));
                let pointer = self.fresh("f");
                let spelling = self.record_name(record);
                self.line(&format!("int (*{pointer})(struct {spelling}) = {look};"));
                self.guarded(Some(&c), &format!("{pointer}(*{c});"));
            }
            _ => return false,
        }
        true
    }

    /// Cells are put in front, or behind the last one.
    pub(super) fn fill_list(&mut self, list: &str, record: usize) {
        let value = self.random.below(4);
        let bounded = self.random.chance(2, 3);
        let counter = self.fresh("k");
        let head = if bounded {
            let most = self.random.between(1, 3);
            format!("for (int {counter} = 0; {counter} < {most}; {counter}++) {{")
        } else {
            "while (__VERIFIER_nondet_int()) {".to_owned()
        };
        let value = if bounded { counter } else { value.to_string() };
        if self.random.chance(2, 3) {
            let push = self.function(Function::Push(record));
            self.block_of_lines(&head, &[format!("{push}(&{list}, {value});")]);
        } else {
            let make = self.function(Function::Make(record));
            let (cell, tail) = (self.fresh("n"), self.fresh("z"));
            let spelling = self.record_name(record);
            self.line(&format!("struct {spelling} **{tail} = &{list};"));
            let mut lines = vec![
                format!("while (*{tail}) {tail} = &(*{tail})->next;"),
                format!("struct {spelling} *{cell} = {make}({value});"),
            ];
            if !self.slips() {
                lines.push(format!("if (!{cell}) break;"));
            }
            lines.push(format!("*{tail} = {cell};"));
            if self.random.chance(1, 3) {
                lines.push(format!("{tail} = &{cell}->next;"));
            }
            self.block_of_lines(&head, &lines);
        }
    }

    /// Something that is done with a list. (Long: one case for each.)
    fn list_statement(&mut self, scope: &mut Scope, h: &str, record: usize) {
        let spelling = self.record_name(record);
        let q = self.fresh("q");
        let value = self.random.below(4);
        if self.records[record].has("prev") && self.random.chance(2, 3) {
            return self.double_list(scope, h, record);
        }
        match self.random.below(9) {
            0 => self.fill_list(h, record),
            1 => {
                let paths = self.records[record].integers();
                let path = self.random.pick(&paths).path.clone();
                let written = self.value(scope);
                self.line(&format!(
                    "for (struct {spelling} *{q} = {h}; {q}; {q} = {q}->next) {q}->{path} = {written};"
                ));
            }
            2 => {
                // Reverse.
                let (n, r) = (self.fresh("n"), self.fresh("n"));
                self.line(&format!("struct {spelling} *{r} = 0;"));
                let mut lines = vec![
                    format!("struct {spelling} *{n} = {h}->next;"),
                    format!("{h}->next = {r};"),
                    format!("{r} = {h};"),
                    format!("{h} = {n};"),
                ];
                if self.slips() {
                    let at = self.random.below(3);
                    lines.swap(at, at + 1);
                }
                self.block_of_lines(&format!("while ({h}) {{"), &lines);
                self.line(&format!("{h} = {r};"));
            }
            3 | 4 => {
                // Remove what has a value, by a cursor.
                let z = self.fresh("z");
                let test = *self.random.pick(&["==", "!=", "<"]);
                self.line(&format!("struct {spelling} **{z} = &{h};"));
                let mut lines = vec![
                    format!("struct {spelling} *{q} = *{z};"),
                    format!("if ({q}->v {test} {value}) {{ *{z} = {q}->next; free({q}); }}"),
                    format!("else {z} = &{q}->next;"),
                ];
                if self.slips() {
                    lines[1] = format!("if ({q}->v {test} {value}) {{ free({q}); *{z} = {q}->next; }}");
                } else if self.slips() {
                    lines[1] = format!("if ({q}->v {test} {value}) free({q});");
                }
                self.block_of_lines(&format!("while (*{z}) {{"), &lines);
                scope.forget_borrowed();
            }
            5 => {
                // Pop.
                let keep = if self.slips() { "" } else { &format!("free({q}); ") };
                self.line(&format!("if ({h}) {{ struct {spelling} *{q} = {h}; {h} = {h}->next; {keep}}}"));
                scope.forget_borrowed();
            }
            6 => {
                // The place of a value, and what is there.
                let find = self.function(Function::Find(record));
                let z = self.fresh("z");
                self.line(&format!("struct {spelling} **{z} = {find}(&{h}, {value});"));
                let text = format!("(*{z})->v = {};", self.random.below(4));
                self.guarded(Some(&format!("*{z}")), &text);
            }
            7 => {
                // A local record in the list, for a while.
                let r = self.fresh("r");
                self.line("{");
                self.indent += 1;
                self.line(&format!("struct {spelling} {r} = {{ 0 }};"));
                self.line(&format!("{r}.next = {h};"));
                self.line(&format!("{h} = &{r};"));
                self.line(&format!("for (struct {spelling} *{q} = {h}; {q}; {q} = {q}->next) {q}->v++;"));
                if !self.slips() {
                    self.line(&format!("{h} = {r}.next;"));
                }
                self.indent -= 1;
                self.line("}");
            }
            _ => {
                // Insert behind the head.
                let make = self.function(Function::Make(record));
                self.line(&format!("if ({h}) {{"));
                self.indent += 1;
                self.line(&format!("struct {spelling} *{q} = {make}({value});"));
                let mut lines = vec![format!("{q}->next = {h}->next;"), format!("{h}->next = {q};")];
                if self.slips() {
                    lines.remove(self.random.below(2));
                }
                self.guarded(Some(&q), &format!("{{ {} }}", lines.join(" ")));
                self.indent -= 1;
                self.line("}");
            }
        }
    }

    /// Two records are linked with each other, looked at through the links, and taken apart.
    fn links(&mut self, scope: &mut Scope, c: &str, ty: &Type) {
        let Some(record) = kind(ty) else { return };
        if matches!(ty, Type::Cell(_, Role::List)) {
            return self.list_statement(scope, c, record);
        }
        let other = self.random.below(self.records.len());
        let Some(link) = self.records[record].link_to(other).map(|Member { name, .. }| *name) else {
            return self.list_statement_or_nothing(scope);
        };
        let partner =
            self.variable(scope, |ty| matches!(ty, Type::Cell(of, Role::Owner) | Type::Record(of) if *of == other));
        let (address, guard) = match partner {
            Some(it) if it.ty == Type::Record(other) => (format!("&{}", it.name), c.to_owned()),
            Some(it) => (it.name.clone(), format!("{c} && {}", it.name)),
            None if other == record => (c.to_owned(), c.to_owned()),
            None => return,
        };
        let place = self.fresh("s");
        let mut lines = vec![format!("{c}->{link} = {address};")];
        let look = match self.random.below(3) {
            0 => format!("{c}->{link}->v = {};", self.random.below(4)),
            1 => format!("int {place} = {c}->{link}->v; if ({place} == 2) {c}->v = 3;"),
            _ => match self.records[other].link_to(record) {
                Some(back) => {
                    let back = back.name;
                    format!("{c}->{link}->{back} = {c}; {c}->{link}->{back}->v++; {c}->{link}->{back} = 0;")
                }
                None => format!("if ({c}->{link} != {address}) *(int *)0 = 1;"),
            },
        };
        lines.push(look);
        if !self.slips() {
            lines.push(format!("{c}->{link} = 0;"));
        }
        self.block_of_lines(&format!("if ({guard}) {{"), &lines);
    }

    fn list_statement_or_nothing(&mut self, scope: &mut Scope) {
        if let Some(list) = self.variable(scope, |ty| matches!(ty, Type::Cell(_, Role::List)))
            && let Some(record) = kind(&list.ty)
        {
            self.list_statement(scope, &list.name, record);
        }
    }

    /// A borrowed pointer gets another target.
    fn borrow(&mut self, scope: &mut Scope, c: &str, ty: &Type, into: usize) -> bool {
        let Some(record) = kind(ty) else { return false };
        let Some(q) = self.target(scope, |ty| *ty == Type::Cell(record, Role::Borrowed)) else { return false };
        let q = q.name;
        match self.random.below(4) {
            0 => self.line(&format!("{q} = {c};")),
            1 if matches!(ty, Type::Cell(_, Role::List)) => {
                self.line(&format!("{q} = {c} ? {c}->next : 0;"));
            }
            2 => {
                let last = self.function(Function::Last(record));
                self.line(&format!("{q} = {last}({c});"));
                scope.points_into(&q, into, Readiness::Unfit);
                return true;
            }
            _ => {
                if let Some(local) = self.variable(scope, |ty| *ty == Type::Record(record)) {
                    self.line(&format!("{q} = &{};", local.name));
                    scope.points_into(&q, local.depth, Readiness::Ready);
                    return true;
                }
                self.line(&format!("{q} = {c};"));
            }
        }
        scope.points_into(&q, into, Readiness::Ready);
        true
    }
}

/// The record that a pointer points to.
fn kind(ty: &Type) -> Option<usize> {
    match ty {
        Type::Cell(record, _) => Some(*record),
        Type::Integer(_)
        | Type::Record(_)
        | Type::Cursor(_)
        | Type::IntPointer
        | Type::Array(..)
        | Type::Table(..)
        | Type::Buffer(_)
        | Type::Word
        | Type::Slots(..)
        | Type::Part => None,
    }
}
