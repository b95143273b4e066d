//! Whole little stories that end badly on some run, each a way in which memory of C differs from what it looks like. They are told
//! only by programs that slip.

use super::Generator;
use super::function::Function;
use super::record::Integer;
use super::scope::{Readiness, Role, Scope, Type};
use super::theme::Theme;

const CRASH: &str = "*(int *)0 = 1;";

impl Generator {
    /// A story; false where the program has nothing to tell it with.
    pub(super) fn trap(&mut self, scope: &mut Scope) -> bool {
        match self.random.below(12) {
            0 | 1 => self.ended_local_into_a_call(),
            2 => self.previous_activation(),
            3 => self.address_used_again(),
            4 => self.bytes_of_another_type(scope),
            5 | 6 => self.copy_with_a_cell(scope),
            7 => self.compared_as_two_types(scope),
            8 => self.padding(scope),
            9 => self.unset_member(scope),
            10 if self.themes.has(Theme::Arrays) => self.past_the_end(scope),
            10 => self.two_kinds(scope),
            _ => self.one_of_many(),
        }
    }

    fn ended_local_into_a_call(&mut self) -> bool {
        let record = self.random.below(self.records.len());
        let spelling = self.record_name(record);
        let (p, x) = (self.fresh("p"), self.fresh("y"));
        let (declaration, local, used) = match self.random.below(6) {
            0 => {
                let set = self.function(Function::Set);
                (format!("int *{p};"), format!("int {x} = 1;"), format!("{set}({p}, 2);"))
            }
            1 => {
                let clear = self.function(Function::Clear(record));
                (format!("struct {spelling} **{p};"), format!("struct {spelling} *{x} = 0;"), format!("{clear}({p});"))
            }
            2 => {
                let look = self.function(Function::Look(record));
                (
                    format!("struct {spelling} *{p};"),
                    format!("struct {spelling} {x} = {{ 0 }};"),
                    format!("{look}(*{p});"),
                )
            }
            3 => {
                let copy = self.function(Function::Copy);
                let y = self.fresh("y");
                (
                    format!("struct {spelling} *{p}, {y};"),
                    format!("struct {spelling} {x} = {{ 0 }};"),
                    format!("{copy}(&{y}, {p}, {});", self.random.pick(&[1, 4, 8])),
                )
            }
            4 => {
                let member = self.function(Function::Member(record));
                (
                    format!("struct {spelling} *{p};"),
                    format!("struct {spelling} {x} = {{ 0 }};"),
                    format!("*{member}({p}) = 1;"),
                )
            }
            _ => {
                let find = self.function(Function::Find(record));
                (
                    format!("struct {spelling} **{p};"),
                    format!("struct {spelling} *{x} = 0;"),
                    format!("*{find}({p}, 1) = 0;"),
                )
            }
        };
        self.line(&declaration);
        self.block_of_lines("{", &[local, format!("{p} = &{x};")]);
        self.line(&used);
        true
    }

    fn previous_activation(&mut self) -> bool {
        let visit = self.function(Function::Visit);
        let counter = self.fresh("k");
        match self.random.below(3) {
            0 => self.line(&format!("while (__VERIFIER_nondet_int()) {visit}(1);")),
            1 => self.line(&format!("for (int {counter} = 0; {counter} < 2; {counter}++) {visit}({counter});")),
            _ => {
                self.line(&format!("{visit}(0);"));
                self.line(&format!("if (__VERIFIER_nondet_int()) {visit}(1);"));
            }
        }
        true
    }

    fn address_used_again(&mut self) -> bool {
        let (p, x, y) = (self.fresh("p"), self.fresh("y"), self.fresh("y"));
        self.line(&format!("int *{p};"));
        self.block_of_lines("{", &[format!("int {x} = 1;"), format!("{p} = &{x};")]);
        let compare = *self.random.pick(&["==", "!="]);
        self.block_of_lines("{", &[format!("int {y} = 2;"), format!("if ({p} {compare} &{y}) {CRASH}")]);
        true
    }

    /// Integers become a pointer, or a pointer integers.
    fn bytes_of_another_type(&mut self, scope: &mut Scope) -> bool {
        let Some(r) =
            self.variable(scope, |ty| matches!(ty, Type::Record(_) | Type::Part | Type::Cell(_, Role::Owner)))
        else {
            return false;
        };
        let (address, bytes) = match r.ty {
            Type::Record(record) => (format!("&{}", r.name), self.records[record].bytes),
            Type::Cell(record, _) => (r.name.clone(), self.records[record].bytes),
            _ => (format!("&{}", r.name), 8),
        };
        let w = self.fresh("w");
        let shift = 4 * self.random.below(bytes / 4 - 1);
        let guard = if address == r.name { format!("if ({address}) ") } else { String::new() };
        match self.random.below(3) {
            0 => {
                self.line(&format!("void *{w} = 0;"));
                self.line(&format!("{guard}memcpy(&{w}, (char *){address} + {shift}, 8);"));
                self.line(&format!("if ({w}) {CRASH}"));
            }
            1 => {
                self.line(&format!("long {w} = 0;"));
                let text = format!("{guard}memcpy(&{w}, (char *){address} + {shift}, {});", self.random.between(5, 8));
                self.line(&text);
                self.line(&format!("if ({w} != 0) {CRASH}"));
            }
            _ => {
                self.line(&format!("int {w} = 0;"));
                self.line(&format!("{guard}memcpy(&{w}, (char *){address} + {shift}, 4);"));
                self.line(&format!("if ({w} > 0) {CRASH}"));
            }
        }
        true
    }

    /// Copies from and to a cell, of a part or beyond its end.
    fn copy_with_a_cell(&mut self, scope: &mut Scope) -> bool {
        let Some(cell) = self.variable(scope, |ty| matches!(ty, Type::Cell(_, Role::Owner))) else { return false };
        let Type::Cell(record, _) = cell.ty else { return false };
        let (c, bytes, spelling) = (cell.name, self.records[record].bytes, self.record_name(record));
        let w = self.fresh("w");
        match self.random.below(5) {
            0 => {
                self.line(&format!("char {w}[64];"));
                let text = format!("if ({c}) memcpy({w}, {c}, {});", self.random.between(bytes + 1, 64.max(bytes + 1)));
                self.line(&text);
            }
            1 => {
                self.line(&format!("static char {w}[64];"));
                let text = format!("if ({c}) memcpy({c}, {w}, {});", self.random.between(bytes + 1, 64.max(bytes + 1)));
                self.line(&text);
            }
            2 => {
                // Part of a pointer.
                self.line(&format!("struct {spelling} *{w} = {c};"));
                let text = format!("if ({c}) memcpy(&{w}, {c}, {});", self.random.between(1, 7));
                self.line(&text);
                self.line(&format!("if ({w}) {w}->v = 1;"));
            }
            3 => {
                self.line(&format!("struct part {w} = {{ 1, 2 }};"));
                self.line(&format!("if ({c}) memcpy({c}, &{w}, sizeof {w});"));
                self.line(&format!("if ({c} && {c}->v == 2) {CRASH}"));
            }
            _ => {
                self.line(&format!("struct {spelling} {w};"));
                self.line(&format!("{w}.v = 1;"));
                let part = self.random.between(1, bytes);
                self.line(&format!("if ({c}) memcpy({c}, &{w}, {part});"));
                let paths = self.records[record].integers();
                let path = self.random.pick(&paths).path.clone();
                self.line(&format!("if ({c} && {c}->{path} == 3) {c}->v = 2;"));
            }
        }
        true
    }

    fn compared_as_two_types(&mut self, scope: &mut Scope) -> bool {
        let Some(place) = self.int_place(scope) else { return false };
        let text = &place.text;
        let limit = self.random.between(1, 5);
        let ty = *self.random.pick(&["unsigned", "unsigned char", "short", "char"]);
        let inner = match self.random.below(3) {
            0 => format!("if ({text} < {limit}) {{ if (*({ty} *)&{text} >= {limit}u) {CRASH} }}"),
            1 => format!("if (*({ty} *)&{text} > {limit}u) {{ if ({text} <= {limit}) {CRASH} }}"),
            _ => format!("if ({text} != {limit}) {{ if (*({ty} *)&{text} == {limit}) {CRASH} }}"),
        };
        if self.random.chance(1, 2) {
            let input = "__VERIFIER_nondet_int()";
            match &place.guard {
                Some(guard) => self.line(&format!("if ({guard}) {text} = {input};")),
                None => self.line(&format!("{text} = {input};")),
            }
        }
        match &place.guard {
            Some(guard) => self.line(&format!("if ({guard}) {inner}")),
            None => self.line(&inner),
        }
        true
    }

    /// Bytes between members.
    fn padding(&mut self, scope: &mut Scope) -> bool {
        let e = self.fresh("e");
        let heap = self.random.chance(1, 2);
        if heap {
            self.line(&format!("struct part *{e} = malloc(sizeof *{e});"));
            self.line(&format!("if ({e}) {{ {e}->k = 1; {e}->n = 2; }}"));
        } else {
            self.line(&format!("struct part {e};"));
            self.line(&format!("{e}.k = 1; {e}.n = 2;"));
        }
        let address = if heap { e.clone() } else { format!("&{e}") };
        let look = match self.random.below(3) {
            0 => format!("if (*(int *){address} == 77) {CRASH}"),
            1 => format!("if (((char *){address})[2] == 77) {CRASH}"),
            _ => {
                let w = self.fresh("w");
                format!("{{ short {w}; memcpy(&{w}, (char *){address} + 2, 2); if ({w} == 77) {CRASH} }}")
            }
        };
        if heap {
            self.line(&format!("if ({e}) {look}"));
            self.line(&format!("free({e});"));
        } else {
            self.line(&look);
            scope.declare(&e, Type::Part, Readiness::Ready);
        }
        true
    }

    /// A member that nobody set, looked at after copies.
    fn unset_member(&mut self, scope: &mut Scope) -> bool {
        let record = self.random.below(self.records.len());
        let Some(owner) = self.variable(scope, |ty| *ty == Type::Cell(record, Role::Owner)) else { return false };
        let (c, spelling, r) = (owner.name, self.record_name(record), self.fresh("r"));
        self.line(&format!("struct {spelling} {r};"));
        self.line(&format!("{r}.next = 0;"));
        let copy = match self.random.below(3) {
            0 => format!("memcpy({c}, &{r}, sizeof {r});"),
            1 => {
                let copy = self.function(Function::Copy);
                format!("{copy}({c}, &{r}, sizeof {r});")
            }
            _ => format!("*{c} = {r};"),
        };
        self.line(&format!("if ({c}) {copy}"));
        let paths = self.records[record].integers();
        let path = self.random.pick(&paths).path.clone();
        self.line(&format!("if ({c} && {c}->{path} == 1) {c}->v = 2;"));
        true
    }

    /// One past the end of an array may be the start of another object.
    fn past_the_end(&mut self, scope: &mut Scope) -> bool {
        let (one, two) = (self.fresh("x"), self.fresh("x"));
        let storage = *self.random.pick(&["static ", ""]);
        self.line(&format!("{storage}int {one}[2] = {{ 1, 2 }}, {two}[2] = {{ 3, 4 }};"));
        self.line(&format!("if ({one} + 2 == {two} || {two} + 2 == {one}) {CRASH}"));
        scope.declare(&one, Type::Array(Integer::Int, 2), Readiness::Ready);
        true
    }

    /// More addresses than anybody counts, and one of them is that of a local.
    fn one_of_many(&mut self) -> bool {
        let many = self.function(Function::Many);
        let p = self.fresh("p");
        self.line(&format!("int *{p} = {many}(__VERIFIER_nondet_int());"));
        self.line(&format!("*{p} = 1;"));
        true
    }
}
