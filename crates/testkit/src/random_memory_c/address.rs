//! Addresses: of locals that end, of members, of elements; and comparisons of them.

use super::Generator;
use super::function::Function;
use super::record::Integer;
use super::scope::{Readiness, Role, Scope, Type, Variable};
use super::theme::Theme;

impl Generator {
    /// A statement about addresses; false where there is nothing to say it about.
    pub(super) fn address_statement(&mut self, scope: &mut Scope) -> bool {
        match self.random.below(16) {
            0..=2 => self.retarget(scope),
            3 | 4 => self.call_with_address(scope),
            5 | 6 => self.inner_local(scope),
            7 => self.local_of_an_iteration(scope),
            8 => self.compare_addresses(scope),
            9 | 10 => self.cursor(scope),
            11 => self.walk_array(scope),
            12 => self.local_link(scope),
            13 => self.member_pointer(scope),
            14 if self.themes.has(Theme::Literals) => self.literals(),
            14 => self.retarget(scope),
            _ => self.returned_address(scope),
        }
    }

    /// `p = &place;`
    fn retarget(&mut self, scope: &mut Scope) -> bool {
        let Some(p) = self.target(scope, |ty| *ty == Type::IntPointer) else { return false };
        let Some(place) = self.int_place(scope) else { return false };
        match &place.guard {
            Some(guard) => self.line(&format!("{} = {guard} ? &{} : 0;", p.name, place.text)),
            None => self.line(&format!("{} = &{};", p.name, place.text)),
        }
        // What outlives the pointer, or not.
        scope.points_into(&p.name, place.depth, Readiness::Ready);
        true
    }

    fn call_with_address(&mut self, scope: &mut Scope) -> bool {
        let Some(place) = self.int_place(scope) else { return false };
        let text = &place.text;
        let statement = match self.random.below(5) {
            0 | 1 => {
                let set = self.function(Function::Set);
                format!("{set}(&{text}, {});", self.random.below(4))
            }
            2 => {
                let get = self.function(Function::Get);
                format!("if ({get}(&{text}) == 77) *(int *)0 = 1;")
            }
            3 if self.themes.has(Theme::Recursion) => {
                let descend = self.function(Function::Descend);
                let depth = if self.slips() { "__VERIFIER_nondet_int() & 3".to_owned() } else { "2".to_owned() };
                format!("{descend}({depth}, &{text});")
            }
            _ if scope.get("kept").is_some() => {
                let keep = self.function(Function::Keep);
                scope.points_into("kept", place.depth, Readiness::Ready);
                format!("{keep}(&{text});")
            }
            _ => format!("memset(&{text}, 0, 4);"),
        };
        self.guarded(place.guard.as_deref(), &statement);
        true
    }

    /// A block whose local is pointed to from outside.
    fn inner_local(&mut self, scope: &mut Scope) -> bool {
        let Some(p) =
            self.target(scope, |ty| matches!(ty, Type::IntPointer | Type::Cell(_, Role::Borrowed) | Type::Cursor(_)))
        else {
            return false;
        };
        let p_name = p.name.clone();
        let local = self.fresh("y");
        let mut lines = Vec::new();
        match p.ty {
            Type::Cell(record, _) => {
                lines.push(format!("struct {} {local} = {{ .v = 1 }};", self.record_name(record)));
                lines.push(format!("{p_name} = &{local};"));
                lines.push(format!("{p_name}->v = 2;"));
            }
            Type::Cursor(record) => {
                let clear = self.function(Function::Clear(record));
                lines.push(format!("struct {} *{local} = 0;", self.record_name(record)));
                lines.push(format!("{p_name} = &{local};"));
                lines.push(format!("{clear}({p_name});"));
            }
            _ => {
                lines.push(format!("int {local} = {};", self.random.below(4)));
                lines.push(format!("{p_name} = &{local};"));
                lines.push(format!("*{p_name} += 1;"));
            }
        }
        let forgets = self.random.chance(1, 2);
        if forgets && !self.slips() {
            lines.push(format!("{p_name} = 0;"));
            scope.points_into(&p_name, 0, Readiness::Ready);
        } else {
            scope.points_into(&p_name, scope.depth + 1, Readiness::Unfit);
        }
        let head = match self.random.below(3) {
            0 => format!("if ({}) {{", self.condition(scope)),
            _ => "{".to_owned(),
        };
        if head != "{" && p.readiness == Readiness::Unfit {
            scope.set_readiness(&p_name, Readiness::Unfit);
        }
        self.block_of_lines(&head, &lines);
        true
    }

    /// A loop whose local of one round may be used in the next.
    fn local_of_an_iteration(&mut self, scope: &mut Scope) -> bool {
        let (p, x) = (self.fresh("p"), self.fresh("y"));
        let counter = self.fresh("k");
        self.line(&format!("int *{p} = 0;"));
        let head = match self.random.below(3) {
            0 => "while (__VERIFIER_nondet_int()) {".to_owned(),
            _ => format!("for (int {counter} = 0; {counter} < {}; {counter}++) {{", self.random.between(1, 3)),
        };
        let mut lines = vec![format!("int {x} = 1;"), format!("if ({p}) *{p} = 0;"), format!("{p} = &{x};")];
        if self.random.chance(1, 2) {
            lines.push(format!("if (*{p} != 1) *(int *)0 = 1;"));
        }
        let ends_well = !self.slips();
        if ends_well {
            lines.push(format!("{p} = 0;"));
        }
        self.block_of_lines(&head, &lines);
        let readiness = if ends_well { Readiness::Ready } else { Readiness::Unfit };
        scope.declare(&p, Type::IntPointer, readiness);
        true
    }

    /// Two addresses that may or may not be one.
    fn compare_addresses(&mut self, scope: &mut Scope) -> bool {
        let crash = "*(int *)0 = 1;";
        let bold = self.slips();
        let arrays: Vec<Variable> =
            scope.variables.iter().filter(|it| matches!(it.ty, Type::Array(Integer::Int, _))).cloned().collect();
        match (self.random.below(4), &arrays[..]) {
            (0, [array, ..]) => {
                let Type::Array(_, length) = array.ty else { return false };
                let name = &array.name;
                let end = self.fresh("p");
                self.line(&format!("int *{end} = {name} + {length};"));
                let other =
                    self.int_place(scope).filter(|it| it.guard.is_none() && !it.text.starts_with(name.as_str()));
                match other {
                    // One past the end may be the start of another object.
                    Some(place) if bold => self.line(&format!("if ({end} == &{}) {crash}", place.text)),
                    _ => self.line(&format!("if ({end} - {name} != {length}) {crash}")),
                }
            }
            (1, _) => {
                let Some(one) = self.int_place(scope).filter(|it| it.guard.is_none()) else { return false };
                let Some(two) = self.int_place(scope).filter(|it| it.guard.is_none()) else { return false };
                if one.text == two.text || one.text.contains(['[', '.']) || two.text.contains(['[', '.', '*']) {
                    return false;
                }
                self.line(&format!("if (&{} == &{}) {crash}", one.text, two.text));
            }
            _ => {
                let Some(p) = self.target(scope, |ty| *ty == Type::IntPointer) else { return false };
                if p.readiness == Readiness::Unfit && !bold {
                    return false;
                }
                let local = self.fresh("y");
                let lines = [format!("int {local} = 0;"), format!("if ({} == &{local}) {crash}", p.name)];
                // A pointer to what is gone may equal the new local.
                self.block_of_lines("{", &lines);
            }
        }
        true
    }

    /// `**` cursors: moved, written through, passed on.
    fn cursor(&mut self, scope: &mut Scope) -> bool {
        let Some(z) = self.variable(scope, |ty| matches!(ty, Type::Cursor(_))) else { return false };
        let Type::Cursor(record) = z.ty else { return false };
        let name = &z.name;
        match self.random.below(4) {
            0 => {
                // Behind a link of an owner anything may stand; a list's links are followed.
                let list = self.variable(scope, |ty| *ty == Type::Cell(record, Role::List));
                let Some(list) = list else { return false };
                self.line(&format!("{name} = &{};", list.name));
                scope.points_into(name, list.depth, Readiness::Ready);
                self.line(&format!("while (*{name}) {name} = &(*{name})->next;"));
                // The last link may be that of a cell that is freed later.
            }
            1 => {
                let push = self.function(Function::Push(record));
                let list = self.variable(scope, |ty| *ty == Type::Cell(record, Role::List));
                let Some(list) = list else { return false };
                self.line(&format!("{name} = &{};", list.name));
                scope.points_into(name, list.depth, Readiness::Ready);
                let text = format!("{push}({name}, {});", self.random.below(4));
                self.line(&text);
            }
            2 => {
                let Some(local) = self.variable(scope, |ty| *ty == Type::Record(record)) else { return false };
                self.line(&format!("{name} = &{}.next;", local.name));
                self.line(&format!("*{name} = &{};", local.name));
                let text = format!("(*{name})->v = {};", self.random.below(4));
                self.line(&text);
                scope.points_into(name, local.depth, Readiness::Ready);
                if !self.slips() {
                    self.line(&format!("*{name} = 0;"));
                }
            }
            _ => {
                let value = self.random.below(4);
                self.guarded(Some(&format!("{name} && *{name}")), &format!("(*{name})->v = {value};"));
            }
        }
        true
    }

    fn walk_array(&mut self, scope: &mut Scope) -> bool {
        let Some(array) = self.variable(scope, |ty| matches!(ty, Type::Array(..) | Type::Buffer(_))) else {
            return false;
        };
        let (element, length, guard) = match array.ty {
            Type::Array(element, length) => (element, length, None),
            Type::Buffer(length) => (Integer::Int, length, Some(array.name.clone())),
            _ => return false,
        };
        let (name, ty) = (&array.name, element.name());
        let e = self.fresh("p");
        let compare = if self.slips() { "<=" } else { "<" };
        let what = match self.random.below(3) {
            0 => format!("*{e} += 1;"),
            1 => format!("*{e} = {};", self.random.below(4)),
            _ => format!("if (*{e} == 99) break;"),
        };
        let text = format!("for ({ty} *{e} = {name}; {e} {compare} {name} + {length}; {e}++) {what}");
        self.guarded(guard.as_deref(), &text);
        true
    }

    /// A member of a cell holds the address of a local.
    fn member_pointer(&mut self, scope: &mut Scope) -> bool {
        let records = &self.records;
        let has_at = |ty: &Type| match ty {
            Type::Cell(record, Role::Owner) | Type::Record(record) => records[*record].has("at"),
            _ => false,
        };
        let holders: Vec<Variable> =
            scope.variables.iter().filter(|it| has_at(&it.ty) && it.readiness == Readiness::Ready).cloned().collect();
        if holders.is_empty() {
            return false;
        }
        let holder = self.random.pick(&holders).clone();
        let (member, guard) = match holder.ty {
            Type::Cell(..) => (format!("{}->at", holder.name), Some(holder.name.clone())),
            _ => (format!("{}.at", holder.name), None),
        };
        if self.slips() {
            self.guarded(guard.as_deref(), &format!("if ({member}) *{member} = 2;"));
            return true;
        }
        let local = self.fresh("y");
        self.line("{");
        self.indent += 1;
        self.line(&format!("int {local} = 3;"));
        self.guarded(
            guard.as_deref(),
            &format!("{{ {member} = &{local}; *{member} = 1; if ({local} != 1) *(int *)0 = 1; }}"),
        );
        if self.random.chance(2, 3) {
            self.guarded(guard.as_deref(), &format!("{member} = 0;"));
        }
        self.indent -= 1;
        self.line("}");
        true
    }

    /// A record of a block is linked into what outlives it.
    fn local_link(&mut self, scope: &mut Scope) -> bool {
        let Some(r) = self.variable(scope, |ty| matches!(ty, Type::Record(_))) else { return false };
        let Type::Record(record) = r.ty else { return false };
        let (name, spelling, local) = (r.name, self.record_name(record), self.fresh("y"));
        self.line("{");
        self.indent += 1;
        let text = format!("struct {spelling} {local} = {{ .v = {} }};", self.random.below(4));
        self.line(&text);
        self.line(&format!("{name}.next = &{local};"));
        self.line(&format!("{name}.next->v += 1;"));
        let cut = !self.slips();
        if cut {
            self.line(&format!("{name}.next = 0;"));
        }
        self.indent -= 1;
        self.line("}");
        if !cut {
            self.line(&format!("if ({name}.next) {name}.next->v = 0;"));
        }
        true
    }

    /// Two literals with the same bytes may be one object.
    fn literals(&mut self) -> bool {
        let (one, two) = (self.fresh("w"), self.fresh("w"));
        let text = *self.random.pick(&["\"ab\"", "\"b\"", "\"\""]);
        self.line(&format!("const char *{one} = \"ab\", *{two} = {text};"));
        if self.slips() {
            let shift = if text == "\"b\"" { " + 1" } else { "" };
            self.line(&format!("if ({one}{shift} == {two}) *(int *)0 = 1;"));
        } else {
            self.line(&format!("if ({one} == {two}) {{ if (*{one} != *{two}) *(int *)0 = 1; }}"));
        }
        true
    }

    /// Functions that give an address back.
    fn returned_address(&mut self, scope: &mut Scope) -> bool {
        let Some(p) = self.target(scope, |ty| *ty == Type::IntPointer) else { return false };
        let name = p.name;
        match self.random.below(3) {
            0 => {
                let slot = self.function(Function::Slot);
                self.line(&format!("{name} = {slot}();"));
            }
            1 => {
                let local = self.function(Function::Local);
                let text = format!("{name} = {local}({});", self.random.below(4));
                self.line(&text);
            }
            _ => {
                let Some(cell) = self.variable(scope, |ty| matches!(ty, Type::Cell(..))) else { return false };
                let Type::Cell(record, _) = cell.ty else { return false };
                let member = self.function(Function::Member(record));
                let c = &cell.name;
                self.line(&format!("{name} = {c} ? {member}({c}) : 0;"));
                scope.points_into(&name, cell.points_into, Readiness::Ready);
                return true;
            }
        }
        scope.points_into(&name, 0, Readiness::Ready);
        true
    }
}
