//! Statements: the plain ones, and blocks.

use super::Generator;
use super::record::Integer;
use super::scope::{Readiness, Scope, Type, Variable};
use super::theme::Theme;

impl Generator {
    /// One statement (or a few that belong together); `nesting` bounds the blocks in it.
    pub(super) fn statement(&mut self, scope: &mut Scope, nesting: usize) {
        if self.random.chance(1, 2) && self.slips() && self.trap(scope) {
            return;
        }
        // What has nothing to speak about is tried again as something else.
        for _ in 0..8 {
            let done = match self.random.below(if nesting == 0 { 18 } else { 25 }) {
                0..=2 if self.themes.has(Theme::Slots) => self.slot_statement(scope),
                3 | 4 if self.themes.has(Theme::Pointers) => self.pointer_statement(scope),
                13 | 14 if self.themes.has(Theme::Pointers) => self.pointer_statement(scope),
                0..=4 => self.heap_statement(scope),
                5..=8 if self.themes.has(Theme::Bytes) => self.byte_statement(scope),
                9..=12 if self.themes.has(Theme::Addresses) => {
                    self.use_of_what_is_gone(scope) || self.address_statement(scope)
                }
                16 | 17 if self.themes.has(Theme::Workers) => self.call_worker(scope),
                5..=14 | 16 | 17 => self.assignment(scope),
                15 => self.probe(scope) || self.use_of_what_is_gone(scope),
                18 | 19 => self.branch(scope, nesting),
                20..=23 if !self.themes.has(Theme::Flow) => self.branch(scope, nesting),
                20 | 21 => self.repetition(scope, nesting),
                22 => self.switch(scope, nesting),
                23 => self.jump(scope, nesting),
                _ => {
                    self.declaration(scope);
                    true
                }
            };
            if done {
                return;
            }
        }
        self.declaration(scope);
    }

    fn assignment(&mut self, scope: &mut Scope) -> bool {
        let Some(variable) = self.target(scope, |ty| !matches!(ty, Type::Part | Type::Word)) else { return false };
        if variable.readiness == Readiness::Unfit && !matches!(variable.ty, Type::Integer(_)) {
            return false;
        }
        let place = self.place_in(scope, &variable);
        let value = self.value(scope);
        self.guarded(place.guard.as_deref(), &format!("{} = {value};", place.text));
        if matches!(variable.ty, Type::Integer(_)) {
            scope.set_readiness(&variable.name, Readiness::Ready);
        }
        true
    }

    /// An error where a value is as it should not be; seldom, since nobody knows here whether it is.
    fn probe(&mut self, scope: &mut Scope) -> bool {
        let Some(place) = self.place(scope) else { return false };
        self.probe_place(scope, &place);
        true
    }

    pub(super) fn probe_variable(&mut self, scope: &Scope, variable: &Variable) {
        let place = self.place_in(scope, variable);
        self.probe_place(scope, &place);
    }

    fn probe_place(&mut self, scope: &Scope, place: &super::place::Place) {
        let text = self.read(place);
        let condition = match self.random.below(4) {
            0 if self.slips() => format!("{text} == {}", self.random.below(4)),
            1 => {
                let other = self.place(scope).map_or("__VERIFIER_nondet_int()".to_owned(), |place| self.read(&place));
                format!("{text} == 77 && {other} == 1")
            }
            // Never true, if the value is one.
            _ => {
                let copy = self.fresh("y");
                self.line(&format!("long {copy} = {text};"));
                format!("{copy} != {text}")
            }
        };
        self.line(&format!("if ({condition}) *(int *)0 = 1;"));
    }

    /// A block of its own, with what its locals own freed at the end.
    pub(super) fn block(&mut self, scope: &mut Scope, head: &str, nesting: usize) {
        self.line(head);
        let start = self.text.len();
        let mut inner = scope.clone();
        inner.depth += 1;
        self.indent += 1;
        if self.random.chance(1, 2) {
            self.declaration(&mut inner);
        }
        for _ in 0..self.random.between(1, 2) {
            self.statement(&mut inner, nesting - 1);
        }
        self.release(&mut inner);
        // A compiler leaves out what a block without effect depends on, with the errors in it.
        if !self.text[start..].contains(['=', '(']) {
            self.line("nothing();");
        }
        self.indent -= 1;
        scope.leave(&inner);
    }

    fn branch(&mut self, scope: &mut Scope, nesting: usize) -> bool {
        let condition = self.condition(scope);
        self.block(scope, &format!("if ({condition}) {{"), nesting);
        if self.random.chance(1, 3) {
            self.block(scope, "} else {", nesting);
        }
        self.line("}");
        true
    }

    fn repetition(&mut self, scope: &mut Scope, nesting: usize) -> bool {
        let counter = self.fresh("k");
        let limit = self.random.between(1, 3);
        let head = match self.random.below(4) {
            0 => "while (__VERIFIER_nondet_int()) {".to_owned(),
            1 => "do {".to_owned(),
            _ => format!("for (int {counter} = 0; {counter} < {limit}; {counter}++) {{"),
        };
        // What one round makes unfit, the next may not use; so a first look tells.
        let before = scope.clone();
        let (text, random) = (self.text.len(), self.random.clone());
        let (names, functions, finished) = (self.names, self.functions.len(), self.finished.len());
        let workers = self.workers.len();
        self.block(scope, &head, nesting);
        let is_fit = |scope: &Scope, name: &str| scope.get(name).is_some_and(|it| it.readiness == Readiness::Ready);
        let spoilt: Vec<String> = before
            .variables
            .iter()
            .filter(|it| it.readiness == Readiness::Ready && !is_fit(scope, &it.name))
            .map(|it| it.name.clone())
            .collect();
        if !spoilt.is_empty() && !self.slips() {
            self.text.truncate(text);
            self.finished.truncate(finished);
            self.functions.truncate(functions);
            self.workers.truncate(workers);
            self.names = names;
            *scope = before;
            for name in &spoilt {
                scope.set_readiness(name, Readiness::Unfit);
            }
            // Other choices: the same ones would speak of the same variables.
            self.random = random;
            self.random.next();
            self.block(scope, &head, nesting);
        }
        match head.as_str() {
            "do {" => self.line("} while (__VERIFIER_nondet_int());"),
            _ => self.line("}"),
        }
        true
    }

    fn switch(&mut self, scope: &mut Scope, nesting: usize) -> bool {
        let value = self.value(scope);
        self.line(&format!("switch ({value}) {{"));
        self.block(scope, "case 0: {", nesting);
        if self.random.chance(2, 3) {
            self.line("    break;");
        }
        self.line("}");
        self.block(scope, "case 1: {", nesting);
        self.line("}");
        self.line("default: break;");
        self.line("}");
        true
    }

    /// A jump over statements, or back a few times.
    fn jump(&mut self, scope: &mut Scope, nesting: usize) -> bool {
        let label = self.fresh("l");
        let condition = self.condition(scope);
        if self.random.chance(1, 2) {
            self.line(&format!("if ({condition}) goto {label};"));
            self.block(scope, "{", nesting);
            self.line("}");
            self.line(&format!("{label}:;"));
        } else {
            let count = self.fresh("i");
            self.line(&format!("int {count} = 0;"));
            self.line(&format!("{label}:;"));
            let before = scope.clone();
            self.block(scope, "{", nesting);
            self.line("}");
            let is_fit = |name: &str| scope.get(name).is_some_and(|it| it.readiness == Readiness::Ready);
            let spoilt = before.variables.iter().any(|it| it.readiness == Readiness::Ready && !is_fit(&it.name));
            // Back only to where everything is as it was.
            if !spoilt || self.slips() {
                self.line(&format!("if (++{count} < 3 && {condition}) goto {label};"));
            }
            scope.declare(&count, Type::Integer(Integer::Int), Readiness::Ready);
        }
        true
    }
}
