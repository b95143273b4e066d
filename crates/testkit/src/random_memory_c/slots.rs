//! Short arrays of links, and lists that are linked both ways.

use super::Generator;
use super::function::Function;
use super::scope::{Readiness, Role, Scope, Type};

impl Generator {
    pub(super) fn declare_slots(&mut self, scope: &mut Scope, record: usize) {
        let name = self.fresh("s");
        let spelling = self.record_name(record);
        let length = self.random.between(2, 3);
        let make = self.function(Function::Make(record));
        match self.random.below(3) {
            0 => self.line(&format!("struct {spelling} *{name}[{length}] = {{ {make}(1) }};")),
            1 => {
                self.line(&format!("struct {spelling} *{name}[{length}];"));
                let limit = if self.slips() { length - 1 } else { length };
                self.line(&format!("for (int k = 0; k < {limit}; k++) {name}[k] = {make}(k);"));
            }
            _ => self.line(&format!("struct {spelling} *{name}[{length}] = {{ 0 }};")),
        }
        scope.declare(&name, Type::Slots(record, length), Readiness::Ready);
    }

    /// A statement about an array of links, each of which owns its record.
    pub(super) fn slot_statement(&mut self, scope: &mut Scope) -> bool {
        let Some(slots) = self.variable(scope, |ty| matches!(ty, Type::Slots(..))) else { return false };
        let Type::Slots(record, length) = slots.ty else { return false };
        let name = slots.name;
        let make = self.function(Function::Make(record));
        let (one, two) = (self.index(scope, length), self.index(scope, length));
        match self.random.below(6) {
            0 => {
                let test = if self.slips() { String::new() } else { format!("if (!{name}[{one}]) ") };
                self.line(&format!("{test}{name}[{one}] = {make}(2);"));
            }
            1 => {
                self.line(&format!("free({name}[{one}]);"));
                if !self.slips() {
                    self.line(&format!("{name}[{one}] = 0;"));
                }
                scope.forget_borrowed();
            }
            2 => {
                let (keep, spelling) = (self.fresh("q"), self.record_name(record));
                self.line(&format!("struct {spelling} *{keep} = {name}[{one}];"));
                self.line(&format!("{name}[{one}] = {name}[{two}];"));
                if !self.slips() {
                    self.line(&format!("{name}[{two}] = {keep};"));
                }
            }
            3 => {
                let list = self.variable(scope, |ty| *ty == Type::Cell(record, Role::List));
                let Some(list) = list else { return false };
                let h = list.name;
                let forget = if self.slips() { String::new() } else { format!(" {name}[{one}] = 0;") };
                self.line(&format!("if ({name}[{one}]) {{ {name}[{one}]->next = {h}; {h} = {name}[{one}];{forget} }}"));
            }
            4 => {
                let text = format!("{name}[{one}]->v = {};", self.random.below(4));
                self.guarded(Some(&format!("{name}[{one}]")), &text);
            }
            _ => {
                let compare = format!("{name}[0] && {name}[0] == {name}[{}]", length - 1);
                self.line(&format!("if ({compare}) *(int *)0 = 1;"));
            }
        }
        true
    }

    /// A statement about a list whose records know their predecessor.
    pub(super) fn double_list(&mut self, scope: &mut Scope, h: &str, record: usize) {
        let spelling = self.record_name(record);
        let (q, n) = (self.fresh("q"), self.fresh("n"));
        match self.random.below(4) {
            0 => {
                let make = self.function(Function::Make(record));
                self.line(&format!("struct {spelling} *{n} = {make}(1);"));
                let mut lines = vec![format!("{n}->next = {h};")];
                if !self.slips() {
                    lines.push(format!("if ({h}) {h}->prev = {n};"));
                }
                lines.push(format!("{h} = {n};"));
                self.block_of_lines(&format!("if ({n}) {{"), &lines);
            }
            1 => {
                // Every record's predecessor is set again.
                self.line(&format!("struct {spelling} *{n} = 0;"));
                self.line(&format!(
                    "for (struct {spelling} *{q} = {h}; {q}; {q} = {q}->next) {{ {q}->prev = {n}; {n} = {q}; }}"
                ));
                let first = if self.slips() { "> 0" } else { "< 0" };
                self.line(&format!("while ({n} && {n}->prev) {n} = {n}->prev;"));
                self.line(&format!("if ({n} != {h} || ({n} && {n}->prev && {n}->v {first})) *(int *)0 = 1;"));
            }
            2 => {
                // The second one goes.
                self.line(&format!("if ({h} && {h}->next) {{"));
                self.indent += 1;
                self.line(&format!("struct {spelling} *{q} = {h}->next;"));
                self.line(&format!("{h}->next = {q}->next;"));
                if !self.slips() {
                    self.line(&format!("if ({q}->next) {q}->next->prev = {h};"));
                }
                self.line(&format!("free({q});"));
                if self.random.chance(1, 2) {
                    self.line(&format!("if ({h}->next) {h}->next->prev = {h};"));
                }
                self.indent -= 1;
                self.line("}");
                scope.forget_borrowed();
            }
            _ => {
                let keep = if self.slips() { "" } else { "->next" };
                self.line(&format!("for (struct {spelling} *{q} = {h}; {q} && {q}->next; {q} = {q}->next)"));
                self.line(&format!("    {q}{keep}->prev = {q};"));
                self.line(&format!("if ({h} && {h}->next && {h}->next->prev != {h}) *(int *)0 = 1;"));
            }
        }
    }
}
