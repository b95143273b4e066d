//! Declarations of locals, and what frees them.

use super::Generator;
use super::function::Function;
use super::record::Integer;
use super::scope::{Readiness, Role, Scope, Type};
use super::theme::Theme;

impl Generator {
    pub(super) fn declaration(&mut self, scope: &mut Scope) {
        let record = self.random.below(self.records.len());
        match self.random.below(20) {
            3..=5 if self.themes.has(Theme::Lists) => self.declare_list(scope, record),
            0..=5 => self.declare_owner(scope, record),
            6..=9 if self.themes.has(Theme::Slots) && self.random.chance(1, 2) => self.declare_slots(scope, record),
            6 | 7 => self.declare_record(scope, record),
            8 | 9 => self.declare_integer(scope),
            10 if self.themes.has(Theme::Arrays) => self.declare_array(scope),
            11 | 12 => {
                let name = self.fresh("p");
                match self.int_place(scope).filter(|place| place.guard.is_none()) {
                    Some(place) => {
                        self.line(&format!("int *{name} = &{};", place.text));
                        scope.declare(&name, Type::IntPointer, Readiness::Ready);
                        scope.points_into(&name, place.depth, Readiness::Ready);
                    }
                    None => {
                        self.line(&format!("int *{name} = 0;"));
                        scope.declare(&name, Type::IntPointer, Readiness::Ready);
                    }
                }
            }
            13 | 14 => self.declare_cursor(scope, record),
            15 if self.themes.has(Theme::Buffers) => self.declare_buffer(scope),
            16 if self.themes.has(Theme::Unions) => {
                let name = self.fresh("u");
                let set = *self.random.pick(&[".l = 0", ".i = -1", ".u = 3", ".p = 0"]);
                // An initialiser of a narrow member leaves the other bytes open.
                let whole = matches!(set, ".l = 0" | ".p = 0");
                self.line(&format!("union word {name} = {{ {set} }};"));
                scope.declare(&name, Type::Word, if whole { Readiness::Ready } else { Readiness::Unfit });
            }
            17 => {
                let name = self.fresh("e");
                let text = format!("struct part {name} = {{ 1, {} }};", self.random.below(3));
                self.line(&text);
                scope.declare(&name, Type::Part, Readiness::Ready);
            }
            18 => {
                let name = self.fresh("q");
                let spelling = self.record_name(record);
                self.line(&format!("struct {spelling} *{name} = 0;"));
                scope.declare(&name, Type::Cell(record, Role::Borrowed), Readiness::Ready);
            }
            19 if self.themes.has(Theme::Tables) => self.declare_table(scope, record),
            _ => self.declare_integer(scope),
        }
    }

    fn declare_owner(&mut self, scope: &mut Scope, record: usize) {
        let name = self.fresh("c");
        let spelling = self.record_name(record);
        match self.random.below(4) {
            0 | 1 => {
                let make = self.function(Function::Make(record));
                let text = format!("struct {spelling} *{name} = {make}({});", self.random.below(4));
                self.line(&text);
            }
            2 => self.line(&format!("struct {spelling} *{name} = calloc(1, sizeof *{name});")),
            _ => {
                self.line(&format!("struct {spelling} *{name} = malloc(sizeof *{name});"));
                let mut lines = self.records[record].set_members(&format!("{name}->"), "2");
                if self.slips() {
                    lines.remove(self.random.below(lines.len()));
                }
                self.block_of_lines(&format!("if ({name}) {{"), &lines);
            }
        }
        scope.declare(&name, Type::Cell(record, Role::Owner), Readiness::Ready);
    }

    pub(super) fn declare_list(&mut self, scope: &mut Scope, record: usize) {
        let name = self.fresh("h");
        let spelling = self.record_name(record);
        self.line(&format!("struct {spelling} *{name} = 0;"));
        scope.declare(&name, Type::Cell(record, Role::List), Readiness::Ready);
        self.fill_list(&name, record);
    }

    pub(super) fn declare_record(&mut self, scope: &mut Scope, record: usize) {
        let name = self.fresh("r");
        let spelling = self.record_name(record);
        match self.random.below(4) {
            0 => self.line(&format!("struct {spelling} {name} = {{ 0 }};")),
            1 => {
                let text = format!("struct {spelling} {name} = {{ .v = {} }};", self.random.below(4));
                self.line(&text);
            }
            2 => {
                self.line(&format!("struct {spelling} {name};"));
                self.line(&format!("memset(&{name}, 0, sizeof {name});"));
            }
            _ => {
                self.line(&format!("struct {spelling} {name};"));
                let mut lines = self.records[record].set_members(&format!("{name}."), "1");
                if self.slips() {
                    lines.remove(self.random.below(lines.len()));
                }
                self.lines(&lines);
            }
        }
        scope.declare(&name, Type::Record(record), Readiness::Ready);
    }

    fn declare_integer(&mut self, scope: &mut Scope) {
        let name = self.fresh("i");
        let integer = Integer::any(&mut self.random);
        if self.random.chance(1, 8) {
            self.line(&format!("{} {name};", integer.name()));
            scope.declare(&name, Type::Integer(integer), Readiness::Unfit);
        } else {
            let value = self.value(scope);
            self.line(&format!("{} {name} = {value};", integer.name()));
            scope.declare(&name, Type::Integer(integer), Readiness::Ready);
        }
    }

    fn declare_array(&mut self, scope: &mut Scope) {
        let name = self.fresh("x");
        let element =
            *self.random.pick(&[Integer::Int, Integer::Int, Integer::Char, Integer::Short, Integer::Unsigned]);
        let length = self.random.between(2, 4);
        if self.random.chance(2, 3) {
            self.line(&format!("{} {name}[{length}] = {{ 1, 2 }};", element.name()));
        } else {
            self.line(&format!("{} {name}[{length}];", element.name()));
            let limit = if self.slips() { length - 1 } else { length };
            self.line(&format!("for (int k = 0; k < {limit}; k++) {name}[k] = k;"));
        }
        scope.declare(&name, Type::Array(element, length), Readiness::Ready);
    }

    fn declare_cursor(&mut self, scope: &mut Scope, record: usize) {
        let name = self.fresh("z");
        let spelling = self.record_name(record);
        let held = self.target(scope, |ty| matches!(ty, Type::Cell(of, Role::List | Role::Owner) if *of == record));
        let within = self.variable(scope, |ty| *ty == Type::Record(record));
        match (held, within) {
            (Some(held), _) => {
                self.line(&format!("struct {spelling} **{name} = &{};", held.name));
                scope.declare(&name, Type::Cursor(record), Readiness::Ready);
                scope.points_into(&name, held.depth, Readiness::Ready);
            }
            (None, Some(within)) => {
                self.line(&format!("struct {spelling} **{name} = &{}.next;", within.name));
                scope.declare(&name, Type::Cursor(record), Readiness::Ready);
                scope.points_into(&name, within.depth, Readiness::Ready);
            }
            (None, None) => {
                self.line(&format!("struct {spelling} **{name} = 0;"));
                scope.declare(&name, Type::Cursor(record), Readiness::Ready);
            }
        }
    }

    fn declare_buffer(&mut self, scope: &mut Scope) {
        let name = self.fresh("m");
        let length = self.random.between(2, 4);
        match self.random.below(3) {
            0 => self.line(&format!("int *{name} = calloc({length}, sizeof *{name});")),
            _ => {
                let short = if self.slips() { length - 1 } else { length };
                self.line(&format!("int *{name} = malloc({short} * sizeof *{name});"));
                let limit = if self.slips() { length - 1 } else { length };
                self.line(&format!("if ({name}) for (int k = 0; k < {limit}; k++) {name}[k] = k;"));
            }
        }
        scope.declare(&name, Type::Buffer(length), Readiness::Ready);
    }

    /// Records linked among themselves, on the stack.
    fn declare_table(&mut self, scope: &mut Scope, record: usize) {
        let name = self.fresh("t");
        let spelling = self.record_name(record);
        let length = self.random.between(2, 3);
        self.line(&format!("struct {spelling} {name}[{length}] = {{ 0 }};"));
        self.line(&format!("{name}[0].next = &{name}[1];"));
        if self.random.chance(1, 2) {
            self.line(&format!("{name}[1].next = &{name}[0];"));
        }
        scope.declare(&name, Type::Table(record, length), Readiness::Ready);
    }

    /// Frees what the locals of a block own, at its end.
    pub(super) fn release(&mut self, scope: &mut Scope) {
        let depth = scope.depth;
        for variable in scope.variables.clone().iter().filter(|variable| variable.depth == depth) {
            let name = &variable.name;
            let (times, frees) = match variable.ty {
                Type::Cell(record, Role::List) => {
                    let free = self.function(Function::FreeList(record));
                    (self.times(), format!("{free}({name});"))
                }
                Type::Slots(_, length) => {
                    let limit = if self.slips() { length - 1 } else { length };
                    (1, format!("for (int k = 0; k < {limit}; k++) free({name}[k]);"))
                }
                Type::Cell(_, Role::Owner) | Type::Buffer(_) => (self.times(), format!("free({name});")),
                Type::Integer(_)
                | Type::Record(_)
                | Type::Cell(_, Role::Borrowed)
                | Type::Cursor(_)
                | Type::IntPointer
                | Type::Array(..)
                | Type::Table(..)
                | Type::Word
                | Type::Part => continue,
            };
            for _ in 0..times {
                self.line(&frees);
            }
            scope.forget_borrowed();
        }
    }

    /// How often a thing is freed: once, unless a slip forgets it or does it again.
    fn times(&mut self) -> usize {
        if !self.slips() {
            1
        } else if self.random.chance(1, 2) {
            0
        } else {
            2
        }
    }

    pub(super) fn block_of_lines(&mut self, head: &str, lines: &[String]) {
        self.line(head);
        self.indent += 1;
        self.lines(lines);
        self.indent -= 1;
        self.line("}");
    }
}
