//! Functions with a body of their own: they get addresses of their caller's locals, and may call themselves.

use super::Generator;
use super::record::Integer;
use super::scope::{Readiness, Role, Scope, Type};
use super::theme::Theme;

/// More would make programs long.
const MOST_WORKERS: usize = 2;

/// A function with a random body.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    pub(super) name: String,
    pub(super) record: usize,
    /// Records go in and out by value.
    pub(super) by_value: bool,
}

impl Generator {
    pub(super) fn call_worker(&mut self, scope: &mut Scope) -> bool {
        // A worker does not write another one.
        if self.in_worker {
            return false;
        }
        if self.workers.len() < MOST_WORKERS && (self.workers.is_empty() || self.random.chance(1, 3)) {
            self.write_worker();
        }
        let worker = self.random.pick(&self.workers.clone()).clone();
        let record = worker.record;
        let cell = self.variable(scope, |ty| matches!(ty, Type::Cell(of, _) if *of == record));
        let local = self.variable(scope, |ty| *ty == Type::Record(record));
        let place = self.int_place(scope).filter(|place| place.guard.is_none());
        let p = match (&cell, &local) {
            (Some(cell), _) if self.random.chance(2, 3) => cell.name.clone(),
            (_, Some(local)) => format!("&{}", local.name),
            (Some(cell), None) => cell.name.clone(),
            (None, None) => "0".to_owned(),
        };
        let n = self.value(scope);
        if worker.by_value {
            let Some(local) = local else { return false };
            let to = self.target(scope, |ty| *ty == Type::Record(record)).map_or(local.name.clone(), |it| it.name);
            self.line(&format!("{to} = {}({}, {n});", worker.name, local.name));
            return true;
        }
        let out = place.map_or("0".to_owned(), |place| format!("&{}", place.text));
        let list = self.variable(scope, |ty| *ty == Type::Cell(record, Role::List));
        let z = list.map_or("0".to_owned(), |it| format!("&{}", it.name));
        self.line(&format!("{}({p}, {z}, {n}, {out});", worker.name));
        scope.forget_borrowed();
        true
    }

    fn write_worker(&mut self) {
        let record = self.random.below(self.records.len());
        let spelling = self.record_name(record);
        let name = format!("work{}", self.workers.len());
        let by_value = self.random.chance(1, 3);
        let outer = std::mem::take(&mut self.text);
        let indent = std::mem::replace(&mut self.indent, 1);
        self.in_worker = true;
        let mut scope: Scope = self.globals.clone();
        scope.depth = 1;
        // The pointers come from the caller, so what they point to outlives every block here.
        scope.declare("n", Type::Integer(Integer::Int), Readiness::Ready);
        let (head, tail) = if by_value {
            scope.declare("r", Type::Record(record), Readiness::Ready);
            (format!("static struct {spelling} {name}(struct {spelling} r, int n) {{\n"), "return r;")
        } else {
            scope.declare("p", Type::Cell(record, Role::Borrowed), Readiness::Ready);
            scope.declare("z", Type::Cursor(record), Readiness::Ready);
            scope.declare("out", Type::IntPointer, Readiness::Ready);
            let parameters = format!("struct {spelling} *p, struct {spelling} **z, int n, int *out");
            (format!("static void {name}({parameters}) {{\n"), "return;")
        };
        if self.random.chance(1, 2) {
            self.declaration(&mut scope);
        }
        for _ in 0..self.random.between(1, 3) {
            self.statement(&mut scope, 1);
        }
        if !by_value && self.themes.has(Theme::Recursion) && self.random.chance(1, 2) {
            let local = self.fresh("y");
            self.line(&format!("int {local} = n;"));
            let out = if self.random.chance(1, 2) { format!("&{local}") } else { "out".to_owned() };
            self.line(&format!("if (n > 0 && n < 4) {name}(p, z, n - 1, {out});"));
        }
        self.release(&mut scope);
        self.line(tail);
        let body = std::mem::replace(&mut self.text, outer);
        self.indent = indent;
        self.in_worker = false;
        self.finished += &format!("{head}{body}}}\n");
        self.workers.push(Worker { name, record, by_value });
    }
}
