//! Statements: every kind that C has, in blocks that end.

use super::scalar::Scalar;
use super::scope::{Scope, Variable, VariableType};
use super::{FUNCTIONS, Generator};

impl Generator {
    /// So many statements in a row; `depth` bounds their nesting.
    pub(super) fn statements(&mut self, scope: &Scope, count: usize, depth: usize) {
        let mut scope = scope.clone();
        for _ in 0..count {
            self.statement(&mut scope, depth);
        }
    }

    fn statement(&mut self, scope: &mut Scope, depth: usize) {
        match self.random.below(if depth == 0 { 10 } else { 17 }) {
            0..=2 => self.assignment(scope),
            3 => self.compound_assignment(scope),
            4 => self.step(scope),
            5 => self.call(scope),
            6 => self.copy(scope),
            7 => self.retarget(scope),
            8 => self.heap(scope),
            9 => self.print(scope),
            10 | 11 => self.branch(scope, depth),
            12 | 13 => self.counted_loop(scope, depth),
            14 => self.switch(scope, depth),
            15 => self.jump(scope, depth),
            _ => self.block(scope, depth),
        }
    }

    fn assignment(&mut self, scope: &Scope) {
        let place = self.place(scope, 1);
        let value = self.expression(scope, 3);
        self.line(&format!("{} = {};", place.text, value.text));
    }

    /// Only where the operation cannot overflow: unsigned, or narrower than `int`.
    fn compound_assignment(&mut self, scope: &Scope) {
        let place = self.place(scope, 1);
        let value = self.expression(scope, 2);
        let operators: &[&str] = match place.ty {
            Scalar::U32 | Scalar::U64 => &["+=", "-=", "*=", "&=", "|=", "^="],
            Scalar::I8 | Scalar::U8 | Scalar::I16 | Scalar::U16 => &["+=", "-=", "&=", "|="],
            Scalar::Bool | Scalar::I32 | Scalar::I64 => &["&=", "|=", "^="],
        };
        let operator = *self.random.pick(operators);
        self.line(&format!("{} {operator} ({})({});", place.text, place.ty.name(), value.text));
    }

    fn step(&mut self, scope: &Scope) {
        let place = self.place(scope, 1);
        let text = match place.ty {
            Scalar::I32 | Scalar::I64 => format!("{} >>= 1", place.text),
            Scalar::Bool => format!("{} = !{}", place.text, place.text),
            _ => match self.random.below(4) {
                0 => format!("{}++", place.text),
                1 => format!("--{}", place.text),
                2 => format!("++{}", place.text),
                _ => format!("{}--", place.text),
            },
        };
        self.line(&format!("{text};"));
    }

    /// The result goes to a fresh local: its place must not depend on what the call changes.
    fn call(&mut self, scope: &mut Scope) {
        let name = self.fresh("r");
        let first = self.expression(scope, 2).text;
        let second = self.expression(scope, 2).text;
        let pointer = scope.address_of(&mut self.random, Scalar::I64);
        let text = match (self.random.below(4), pointer) {
            (0, Some(pointer)) => {
                let index = self.expression(scope, 1).text;
                format!("table[{index} & {}]({first}, (int)({second}), {pointer})", FUNCTIONS - 1)
            }
            (1 | 2, Some(pointer)) => {
                let index = self.random.below(FUNCTIONS);
                format!("f{index}((unsigned)({first}), {second}, {pointer})")
            }
            _ => format!("collect(\"iul\", (int)({first}), (unsigned)({second}), (long)({first}))"),
        };
        self.line(&format!("unsigned {name} = {text};"));
        scope.variables.push(Variable { name, ty: VariableType::Scalar(Scalar::U32) });
    }

    /// An aggregate as a whole: assignment, `memcpy`, or a compound literal.
    fn copy(&mut self, scope: &Scope) {
        let wholes: Vec<(String, usize)> = scope
            .variables
            .iter()
            .filter_map(|variable| match variable.ty {
                VariableType::Aggregate(index) => Some((variable.name.clone(), index)),
                _ => None,
            })
            .collect();
        if wholes.is_empty() {
            return self.assignment(scope);
        }
        let (to, index) = self.random.pick(&wholes).clone();
        let sources: Vec<&String> =
            wholes.iter().filter(|(name, other)| *other == index && *name != to).map(|(name, _)| name).collect();
        if sources.is_empty() || self.random.chance(1, 3) {
            let initialiser = self.initialiser(&VariableType::Aggregate(index));
            let spelling = self.aggregates[index].spelling.clone();
            return self.line(&format!("{to} = ({spelling}){initialiser};"));
        }
        let from = (*self.random.pick(&sources)).clone();
        match self.random.below(3) {
            0 => self.line(&format!("memcpy(&{to}, &{from}, sizeof {to});")),
            1 => self.line(&format!("{to} = *&{from};")),
            _ => self.line(&format!("{to} = {from};")),
        }
    }

    /// A pointer moves to another place of its type.
    fn retarget(&mut self, scope: &Scope) {
        let pointers: Vec<(String, Scalar)> = scope
            .variables
            .iter()
            .filter_map(|variable| match variable.ty {
                VariableType::Pointer(scalar) => Some((variable.name.clone(), scalar)),
                _ => None,
            })
            .collect();
        if pointers.is_empty() {
            return self.assignment(scope);
        }
        let (name, scalar) = self.random.pick(&pointers).clone();
        // Only what lives as long as the function: globals, and what its pointers hold already.
        let lasting = Scope {
            variables: scope
                .variables
                .iter()
                .filter(|variable| variable.name.starts_with('g') || matches!(variable.ty, VariableType::Pointer(_)))
                .cloned()
                .collect(),
        };
        match lasting.address_of(&mut self.random, scalar) {
            Some(address) => self.line(&format!("{name} = {address};")),
            None => self.assignment(scope),
        }
    }

    /// The heap: a list that all functions share.
    fn heap(&mut self, scope: &Scope) {
        let value = self.expression(scope, 2).text;
        match self.random.below(4) {
            0 => {
                let place = self.place(scope, 0);
                self.line(&format!("{} = pop();", place.text));
            }
            1 => {
                let place = self.place(scope, 0);
                self.line(&format!("{} = total();", place.text));
            }
            _ => self.line(&format!("push((long)({value}));")),
        }
    }

    fn print(&mut self, scope: &Scope) {
        let value = self.expression(scope, 2);
        let text = match value.ty {
            Scalar::U64 => format!("printf(\"%lu\\n\", {});", value.text),
            Scalar::I64 => format!("printf(\"%lx\\n\", {});", value.text),
            Scalar::U32 => format!("printf(\"%u\\n\", {});", value.text),
            _ => format!("printf(\"%d\\n\", {});", value.text),
        };
        self.line(&text);
    }

    fn branch(&mut self, scope: &Scope, depth: usize) {
        let condition = self.expression(scope, 3).text;
        self.line(&format!("if ({condition}) {{"));
        self.body(scope, depth);
        if self.random.chance(1, 2) {
            self.line("} else {");
            self.body(scope, depth);
        }
        self.line("}");
    }

    fn counted_loop(&mut self, scope: &Scope, depth: usize) {
        let name = self.fresh("i");
        let limit = self.random.between(1, 4);
        let kind = self.random.below(3);
        match kind {
            0 => self.line(&format!("for (int {name} = 0; {name} < {limit}; {name}++) {{")),
            1 => self.line(&format!("for (unsigned char {name} = {limit}; {name}-- > 0;) {{")),
            _ => {
                self.line(&format!("int {name} = {limit};"));
                self.line("do {");
            }
        }
        self.body(scope, depth);
        self.indent += 1;
        if self.random.chance(1, 3) {
            let condition = self.expression(scope, 2).text;
            let leave = *self.random.pick(&["break", "continue"]);
            self.line(&format!("if ({condition})"));
            self.line(&format!("    {leave};"));
            self.assignment(scope);
        }
        self.indent -= 1;
        self.line(&if kind == 2 { format!("}} while (--{name} > 0);") } else { "}".into() });
    }

    fn switch(&mut self, scope: &Scope, depth: usize) {
        let value = self.expression(scope, 2).text;
        self.line(&format!("switch ({value} & 7) {{"));
        let default = self.random.below(5);
        let mut next = 0;
        for index in 0..4 {
            if index == default {
                self.line("default:");
            }
            let last = next + self.random.below(2);
            self.line(&if last > next { format!("case {next} ... {last}: {{") } else { format!("case {next}: {{") });
            next = last + 1;
            self.body(scope, depth.min(1));
            if self.random.chance(2, 3) {
                self.line("    break;");
            }
            self.line("}");
        }
        self.line("}");
    }

    /// A jump over statements, or back a bounded number of times.
    fn jump(&mut self, scope: &Scope, depth: usize) {
        let label = self.fresh("l");
        let condition = self.expression(scope, 2).text;
        if self.random.chance(1, 2) {
            self.line(&format!("if ({condition})"));
            self.line(&format!("    goto {label};"));
            self.line("{");
            self.body(scope, depth);
            self.line("}");
            self.line(&format!("{label}:;"));
        } else {
            let count = self.fresh("n");
            self.line(&format!("int {count} = 0;"));
            self.line(&format!("{label}:"));
            self.line("{");
            self.body(scope, depth);
            self.line("}");
            self.line(&format!("if (++{count} < 3 && {condition})"));
            self.line(&format!("    goto {label};"));
        }
    }

    /// A block with a local of its own.
    fn block(&mut self, scope: &Scope, depth: usize) {
        let mut scope = scope.clone();
        let name = self.fresh("w");
        let index = self.random.below(self.aggregates.len());
        let ty = VariableType::Aggregate(index);
        let declaration = self.declaration(&name, &ty);
        let initialiser = self.initialiser(&ty);
        self.line("{");
        self.indent += 1;
        self.line(&format!("{declaration} = {initialiser};"));
        self.indent -= 1;
        scope.variables.push(Variable { name, ty });
        self.body(&scope, depth);
        self.line("}");
    }

    fn body(&mut self, scope: &Scope, depth: usize) {
        self.indent += 1;
        let count = self.random.between(1, 3);
        self.statements(scope, count, depth.saturating_sub(1));
        self.indent -= 1;
    }
}
