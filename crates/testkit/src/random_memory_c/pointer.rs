//! Pointers that come by other ways than assignment: through integers, unions, bytes, conditions, members and copies.

use super::Generator;
use super::function::Function;
use super::record::MemberType;
use super::scope::{Readiness, Role, Scope, Type};
use super::theme::Theme;

const CRASH: &str = "*(int *)0 = 1;";

impl Generator {
    pub(super) fn pointer_statement(&mut self, scope: &mut Scope) -> bool {
        match self.random.below(9) {
            0 | 1 => self.pointer_by_detour(scope),
            2 => self.container(scope),
            3 => self.self_link(scope),
            4 => self.one_or_the_other(scope),
            5 => self.through_the_library(scope),
            6 => self.leave_early(scope),
            7 => self.grow_buffer(scope),
            _ => self.table_of_functions(scope),
        }
    }

    /// A copy of a pointer to a cell is made by a detour, and used.
    fn pointer_by_detour(&mut self, scope: &mut Scope) -> bool {
        let Some(cell) = self.variable(scope, |ty| matches!(ty, Type::Cell(_, Role::Owner | Role::Borrowed))) else {
            return false;
        };
        let Type::Cell(record, _) = cell.ty else { return false };
        let (c, q, spelling) = (cell.name, self.fresh("q"), self.record_name(record));
        match self.random.below(5) {
            0 => self.line(&format!("struct {spelling} *{q} = (struct {spelling} *)(long){c};")),
            1 => {
                self.line(&format!("struct {spelling} *{q};"));
                self.line(&format!("memcpy(&{q}, &{c}, sizeof {q});"));
            }
            2 => {
                self.line(&format!("struct {spelling} *{q} = 0;"));
                self.line(&format!("for (int k = 0; k < 8; k++) ((char *)&{q})[k] = ((char *)&{c})[k];"));
            }
            3 if self.themes.has(Theme::Unions) => {
                let u = self.fresh("u");
                self.line(&format!("union word {u} = {{ .p = {c} }};"));
                self.line(&format!("struct {spelling} *{q} = {u}.p;"));
            }
            _ => {
                let r = self.fresh("r");
                self.line(&format!("struct {spelling} {r} = {{ .next = {c} }}, *{q} = {r}.next;"));
            }
        }
        scope.declare(&q, Type::Cell(record, Role::Borrowed), Readiness::Ready);
        scope.points_into(&q, cell.points_into, Readiness::Ready);
        self.line(&format!("if ({q} != {c}) {CRASH}"));
        let text = format!("{q}->v = {};", self.random.below(4));
        self.guarded(Some(&q), &text);
        true
    }

    /// From a member back to its record.
    fn container(&mut self, scope: &mut Scope) -> bool {
        let Some(cell) = self.variable(scope, |ty| matches!(ty, Type::Cell(_, Role::Owner) | Type::Record(_))) else {
            return false;
        };
        let (record, address, guard) = match cell.ty {
            Type::Cell(record, _) => (record, cell.name.clone(), Some(cell.name.clone())),
            Type::Record(record) => (record, format!("(&{})", cell.name), None),
            _ => return false,
        };
        let (p, spelling) = (self.fresh("p"), self.record_name(record));
        let wrong = self.slips();
        let found = self.records[record].members.iter().filter(|it| !wrong || it.name != "v");
        let members: Vec<&'static str> =
            found.filter(|it| matches!(it.ty, MemberType::Integer(_))).map(|it| it.name).collect();
        if members.is_empty() {
            return false;
        }
        // A slip goes back by the distance of another member.
        let member = if wrong { *self.random.pick(&members) } else { "v" };
        let back = format!("(struct {spelling} *)((char *){p} - offsetof(struct {spelling}, {member}))");
        let use_of = *self.random.pick(&["->v = 1;", "->next = 0;"]);
        self.guarded(guard.as_deref(), &format!("{{ int *{p} = &{address}->v; ({back}){use_of} }}"));
        true
    }

    /// A record that points to itself is copied: the copy points to the original.
    fn self_link(&mut self, scope: &mut Scope) -> bool {
        let record = self.random.below(self.records.len());
        let (r, s, spelling) = (self.fresh("r"), self.fresh("r"), self.record_name(record));
        self.line(&format!("struct {spelling} {r} = {{ .v = 1 }};"));
        self.line(&format!("{r}.next = &{r};"));
        self.line(&format!("struct {spelling} {s} = {r};"));
        self.line(&format!("{s}.next->v = 2;"));
        let (left, right) = if self.slips() { (&s, "1") } else { (&r, "1") };
        self.line(&format!("if ({left}.v == {right}) {CRASH}"));
        self.line(&format!("{s}.next = 0;"));
        self.line(&format!("{r}.next = 0;"));
        scope.declare(&r, Type::Record(record), Readiness::Ready);
        scope.declare(&s, Type::Record(record), Readiness::Ready);
        true
    }

    fn one_or_the_other(&mut self, scope: &mut Scope) -> bool {
        let Some(one) = self.int_place(scope).filter(|it| it.guard.is_none()) else { return false };
        let Some(two) = self.int_place(scope).filter(|it| it.guard.is_none()) else { return false };
        // A compiler leaves out a condition on which nothing depends, with the errors in it.
        if one.text == two.text {
            return false;
        }
        let p = self.fresh("p");
        let condition = self.condition(scope);
        self.line(&format!("int *{p} = {condition} ? &{} : &{};", one.text, two.text));
        self.line(&format!("*{p} = 3;"));
        scope.declare(&p, Type::IntPointer, Readiness::Ready);
        scope.points_into(&p, one.depth.max(two.depth), Readiness::Ready);
        let (left, operator) = if self.slips() { (&one.text, "==") } else { (&two.text, "==") };
        self.line(&format!("if (*{p} != 3 || ({left} {operator} 3 && *{p} == 4)) {CRASH}"));
        true
    }

    /// Functions of the library that write through pointers or read what is behind them.
    fn through_the_library(&mut self, scope: &mut Scope) -> bool {
        let w = self.fresh("w");
        match self.random.below(5) {
            0 => {
                let bytes = if self.slips() { 2 } else { 3 };
                self.line(&format!("char *{w} = malloc({bytes});"));
                self.line(&format!("if ({w}) strcpy({w}, \"ab\");"));
                self.line(&format!("free({w});"));
            }
            1 => {
                self.line(&format!("char *{w} = strdup(\"ab\");"));
                let index = if self.slips() { 3 } else { 2 };
                self.line(&format!("if ({w} && {w}[{index}] != 0) {CRASH}"));
                self.line(&format!("free({w});"));
            }
            2 => {
                let x = self.fresh("y");
                self.line(&format!("long *{w} = 0;"));
                let escapes = self.slips();
                if escapes {
                    self.block_of_lines("{", &[format!("long {x} = 1;"), format!("{w} = &{x};")]);
                }
                // What time it is, a compiled run does not ask us.
                self.line(&format!("time({w});"));
            }
            3 => {
                let Some(cell) = self.variable(scope, |ty| matches!(ty, Type::Cell(_, Role::Owner))) else {
                    return false;
                };
                let Type::Cell(record, _) = cell.ty else { return false };
                let (c, bytes) = (cell.name, self.records[record].bytes);
                let count = if self.slips() { bytes + 1 } else { bytes };
                self.line(&format!("static char {w}[80];"));
                self.line(&format!("if ({c} && memcmp({c}, {w}, {}) == 77) {CRASH}", count.min(8)));
                self.line(&format!("if ({c}) memcpy({w}, {c}, {count});"));
            }
            _ => {
                self.line(&format!("char {w}[4] = \"ab\";"));
                let text = if self.slips() { "\"cdef\"" } else { "\"cde\"" };
                self.line(&format!("strcpy({w}, {text});"));
                self.line(&format!("if (strlen({w}) != 3) {CRASH}"));
            }
        }
        true
    }

    /// The program ends in the middle: what nothing points to then is lost.
    fn leave_early(&mut self, scope: &mut Scope) -> bool {
        let condition = self.condition(scope);
        let owns = scope
            .variables
            .iter()
            .any(|it| matches!(it.ty, Type::Cell(_, Role::Owner | Role::List) | Type::Buffer(_) | Type::Slots(..)));
        let by = if owns && !self.slips() { "abort()" } else { "exit(1)" };
        self.line(&format!("if ({condition}) {by};"));
        true
    }

    fn grow_buffer(&mut self, scope: &mut Scope) -> bool {
        let Some(buffer) = self.variable(scope, |ty| matches!(ty, Type::Buffer(_))) else { return false };
        let Type::Buffer(length) = buffer.ty else { return false };
        let (m, n) = (buffer.name, self.fresh("n"));
        let longer = self.random.between(1, length + 2);
        self.line(&format!("int *{n} = realloc({m}, {longer} * sizeof *{n});"));
        let what = if self.random.chance(1, 2) { format!(" {n}[{}] = 1;", longer - 1) } else { String::new() };
        self.line(&format!("if ({n}) {{ {m} = {n};{what} }}"));
        let reads = if self.slips() { longer } else { longer.min(length) - 1 };
        self.line(&format!("if ({m} && {m}[{reads}] == 77) {CRASH}"));
        // What is there now is not what the declaration says.
        if longer < length {
            self.line(&format!("free({m});"));
            self.line(&format!("{m} = 0;"));
        }
        scope.forget_borrowed();
        true
    }

    fn table_of_functions(&mut self, scope: &mut Scope) -> bool {
        let record = self.random.below(self.records.len());
        let Some(cell) = self.variable(scope, |ty| matches!(ty, Type::Cell(of, _) if *of == record)) else {
            return false;
        };
        let (find, clear) = (self.function(Function::Member(record)), self.fresh("f"));
        let (spelling, c) = (self.record_name(record), cell.name);
        let other = self.function(Function::OtherMember(record));
        self.line(&format!("int *(*{clear}[2])(struct {spelling} *) = {{ {find}, {other} }};"));
        let index = self.index(scope, 2);
        self.guarded(Some(&c), &format!("*{clear}[{index}]({c}) = 2;"));
        true
    }
}
