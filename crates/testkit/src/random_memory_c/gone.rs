//! Slips of their own: what is gone, or was never set, is used after all, in one of many ways; and records of two kinds meet.

use super::Generator;
use super::function::Function;
use super::record::MemberType;
use super::scope::{Readiness, Role, Scope, Type, Variable};

impl Generator {
    /// A pointer to what may be gone is used. Only a slip does so; false otherwise.
    pub(super) fn use_of_what_is_gone(&mut self, scope: &mut Scope) -> bool {
        let unfit: Vec<Variable> = scope
            .variables
            .iter()
            .filter(|it| it.readiness == Readiness::Unfit)
            .filter(|it| matches!(it.ty, Type::IntPointer | Type::Cell(..) | Type::Cursor(_)))
            .cloned()
            .collect();
        if unfit.is_empty() || !self.slips() {
            return false;
        }
        let variable = self.random.pick(&unfit).clone();
        let p = &variable.name;
        let statement = match variable.ty {
            Type::IntPointer => self.use_of_int(p),
            Type::Cursor(record) => match self.random.below(4) {
                0 => format!("{}({p});", self.function(Function::Clear(record))),
                1 => format!("{}({p}, 1);", self.function(Function::Find(record))),
                2 => format!("if (*{p}) (*{p})->v = 1;"),
                _ => format!("*{p} = 0;"),
            },
            Type::Cell(record, _) => self.use_of_record(scope, p, record),
            _ => return false,
        };
        // Many a program tests for null, which a dangling pointer is not.
        let guard = if self.random.chance(2, 3) { Some(p.as_str()) } else { None };
        match guard {
            Some(guard) => self.line(&format!("if ({guard}) {statement}")),
            None => self.line(&statement),
        }
        true
    }

    fn use_of_int(&mut self, p: &str) -> String {
        match self.random.below(8) {
            0 => format!("{}({p}, 1);", self.function(Function::Set)),
            1 => format!("if ({}({p}) == 77) *(int *)0 = 1;", self.function(Function::Get)),
            2 => format!("memset({p}, 0, {});", self.random.pick(&[1, 2, 4])),
            3 => format!("{}(1, {p});", self.function(Function::Descend)),
            4 => format!("{{ int y; memcpy(&y, {p}, sizeof y); }}"),
            5 => format!("*(char *){p} = 1;"),
            6 => format!("{{ int y = 0; if ({p} == &y) *(int *)0 = 1; }}"),
            _ => format!("*{p} = 2;"),
        }
    }

    fn use_of_record(&mut self, scope: &Scope, q: &str, record: usize) -> String {
        let local = self.variable(scope, |ty| *ty == Type::Record(record));
        match (self.random.below(8), local) {
            (0 | 1, Some(local)) => format!("{} = *{q};", local.name),
            (2, Some(local)) => format!("*{q} = {};", local.name),
            (3, Some(local)) => format!("memcpy(&{}, {q}, sizeof *{q});", local.name),
            (4, _) => format!("{}(*{q});", self.function(Function::Look(record))),
            (5, _) => format!("*{}({q}) = 1;", self.function(Function::Member(record))),
            (6, _) => format!("free({q});"),
            (7, _) => format!("memset({q}, 0, sizeof *{q});"),
            _ => format!("{q}->v = 1;"),
        }
    }

    /// A record of which one member was never set is copied around; a slip looks at that member.
    pub(super) fn copy_unset(&mut self, scope: &mut Scope) -> bool {
        let record = self.random.below(self.records.len());
        let spelling = self.record_name(record);
        let (one, two) = (self.fresh("r"), self.fresh("r"));
        let mut members = self.records[record].set_members(&format!("{one}."), "1");
        let unset = members.remove(self.random.below(members.len()));
        let Some(path) = unset.split([' ']).next().and_then(|place| place.split_once('.')).map(|it| it.1.to_owned())
        else {
            return false;
        };
        self.line(&format!("struct {spelling} {one}, {two};"));
        self.lines(&members);
        let owner = self.variable(scope, |ty| *ty == Type::Cell(record, Role::Owner));
        let looks = self.slips();
        let path = if looks { path } else { "v".to_owned() };
        let is_set = looks || unset.split('.').nth(1).is_none_or(|it| !it.starts_with("v "));
        let (copy, read, guard) = match (self.random.below(4), owner) {
            (0, Some(owner)) => {
                let c = owner.name;
                (format!("if ({c}) *{c} = {one};"), format!("{c}->{path}"), Some(c))
            }
            (1, _) => {
                let changed = self.function(Function::Changed(record));
                (format!("{two} = {changed}({one}, 2);"), format!("{two}.{path}"), None)
            }
            (2, _) => (format!("memcpy(&{two}, &{one}, sizeof {two});"), format!("{two}.{path}"), None),
            _ => (format!("{two} = {one};"), format!("{two}.{path}"), None),
        };
        self.line(&copy);
        if is_set {
            let test = guard.map_or(String::new(), |guard| format!("{guard} && "));
            self.line(&format!("if ({test}{read} == 0) {one}.v = 3;"));
        }
        true
    }

    /// A cell of one kind in a list of the other, where their links lie at the same place.
    pub(super) fn two_kinds(&mut self, scope: &mut Scope) -> bool {
        if self.records.len() < 2 {
            return false;
        }
        let next = |index: usize| {
            let own = self.records[index].members.iter().find(|it| it.ty == MemberType::Link(index));
            own.map(|it| it.offset)
        };
        let (short, long) = if self.records[0].bytes <= self.records[1].bytes { (0, 1) } else { (1, 0) };
        if next(short) != next(long) {
            return false;
        }
        let Some(list) = self.variable(scope, |ty| *ty == Type::Cell(short, Role::List)) else { return false };
        let (h, small, large) = (list.name, self.record_name(short), self.record_name(long));
        let (c, q) = (self.fresh("n"), self.fresh("q"));
        let path = self.records[long].members.last().map_or("v", |member| member.name);
        let is_number =
            self.records[long].members.last().is_some_and(|member| matches!(member.ty, MemberType::Integer(_)));
        self.line(&format!("struct {large} *{c} = calloc(1, sizeof *{c});"));
        self.line(&format!("if ({c}) {{ {c}->next = (struct {large} *){h}; {h} = (struct {small} *){c}; }}"));
        // The short ones have no such member.
        if is_number && self.slips() {
            let walk = format!("for (struct {large} *{q} = (struct {large} *){h}; {q}; {q} = {q}->next)");
            self.line(&format!("{walk} {q}->{path} = 1;"));
        } else {
            self.line(&format!("for (struct {small} *{q} = {h}; {q}; {q} = {q}->next) {q}->next = {q}->next;"));
        }
        true
    }
}
