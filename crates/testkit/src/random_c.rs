//! Random C programs that have one meaning: the same seed gives the same text, and the text has no undefined and no
//! unspecified behaviour, so what it prints can be compared with gcc's word for word.
//!
//! By construction: everything is initialised; signed sums, differences and products are computed unsigned; divisors and
//! shift counts are guarded; indices are masked; expressions have no side effects, and a call is a statement of its own;
//! pointers point to globals, to outer locals of the same function or to what the caller passed; every call burns fuel
//! and every loop counts to a constant, so the program ends.

mod expression;
pub(crate) mod random;
mod scalar;
mod scope;
mod statement;

use random::Random;
use scalar::Scalar;
use scope::{Aggregate, Member, MemberType, Scope, Variable, VariableType};
use std::fmt::Write as _;

/// The text of the program of this seed.
pub fn program(seed: u64) -> String {
    Generator::new(seed).program()
}

/// How many functions a program has besides `main`; all have the same signature, so that tables of them are possible.
const FUNCTIONS: usize = 4;

/// What is known while the text is written.
struct Generator {
    random: Random,
    aggregates: Vec<Aggregate>,
    globals: Scope,
    text: String,
    indent: usize,
    /// Counts fresh names.
    names: usize,
}

impl Generator {
    fn new(seed: u64) -> Generator {
        Generator {
            random: Random::new(seed),
            aggregates: Vec::new(),
            globals: Scope::default(),
            text: String::new(),
            indent: 0,
            names: 0,
        }
    }

    fn program(mut self) -> String {
        self.text.push_str(include_str!("random_c/prelude.c"));
        for index in 0..self.random.between(1, 3) {
            self.aggregate(index);
        }
        for _ in 0..self.random.between(4, 8) {
            self.global();
        }
        for index in 0..FUNCTIONS {
            self.line(&format!("static unsigned f{index}(unsigned a, int b, long *p);"));
        }
        let table = (0..FUNCTIONS).map(|index| format!("f{index}")).collect::<Vec<_>>().join(", ");
        self.line(&format!("static unsigned (*const table[{FUNCTIONS}])(unsigned, int, long *) = {{ {table} }};"));
        for index in 0..FUNCTIONS {
            self.function(index);
        }
        self.main();
        self.text
    }

    /// A record type of two to five members; the first of a union is its widest.
    fn aggregate(&mut self, index: usize) {
        let mut members = Vec::new();
        let is_union = index > 0 && self.random.chance(1, 3);
        let count = self.random.between(2, 5);
        for member in 0..count {
            let ty = if is_union && member == 0 {
                MemberType::Scalar(Scalar::U64)
            } else {
                self.member_type(index, is_union)
            };
            members.push(Member { name: format!("m{member}"), ty });
        }
        let keyword = if is_union { "union" } else { "struct" };
        self.line(&format!("{keyword} t{index} {{"));
        self.indent += 1;
        for member in &members {
            let declaration = match member.ty {
                MemberType::Scalar(scalar) => format!("{} {};", scalar.name(), member.name),
                MemberType::Bits(scalar, width) => format!("{} {} : {width};", scalar.name(), member.name),
                MemberType::Array(scalar, length) => format!("{} {}[{length}];", scalar.name(), member.name),
                MemberType::Aggregate(inner) => format!("{} {};", self.aggregates[inner].spelling, member.name),
            };
            self.line(&declaration);
        }
        self.indent -= 1;
        self.line("};");
        self.aggregates.push(Aggregate { spelling: format!("{keyword} t{index}"), is_union, members });
    }

    fn member_type(&mut self, index: usize, in_union: bool) -> MemberType {
        // A byte that is neither 0 nor 1 is no value of `_Bool`, so unions have none, not even inside.
        let plain = |random: &mut Random| if in_union { Scalar::not_bool(random) } else { Scalar::any(random) };
        match self.random.below(6) {
            0 if !in_union => {
                let scalar = *self.random.pick(&[Scalar::I32, Scalar::U32, Scalar::U8, Scalar::I16]);
                MemberType::Bits(scalar, self.random.between(1, scalar.bits() as usize) as u32)
            }
            1 if index > 0 && !in_union => MemberType::Aggregate(self.random.below(index)),
            2 => {
                let scalar = if in_union { Scalar::U8 } else { plain(&mut self.random) };
                MemberType::Array(scalar, 1 << self.random.between(1, 3))
            }
            _ => MemberType::Scalar(plain(&mut self.random)),
        }
    }

    fn global(&mut self) {
        let ty = match self.random.below(6) {
            0 => VariableType::Array(Scalar::any(&mut self.random), 1 << self.random.between(1, 3)),
            1 | 2 => VariableType::Aggregate(self.random.below(self.aggregates.len())),
            _ => VariableType::Scalar(Scalar::any(&mut self.random)),
        };
        let name = self.fresh("g");
        let declaration = self.declaration(&name, &ty);
        let initialiser = self.initialiser(&ty);
        self.line(&format!("static {declaration} = {initialiser};"));
        self.globals.variables.push(Variable { name, ty });
    }

    fn function(&mut self, index: usize) {
        self.line(&format!("static unsigned f{index}(unsigned a, int b, long *p)"));
        self.line("{");
        self.indent += 1;
        self.line("if (fuel-- <= 0)");
        self.line("    return a ^ (unsigned)b;");
        let mut scope = self.globals.clone();
        for (name, ty) in [
            ("a", VariableType::Scalar(Scalar::U32)),
            ("b", VariableType::Scalar(Scalar::I32)),
            ("p", VariableType::Pointer(Scalar::I64)),
        ] {
            scope.variables.push(Variable { name: name.into(), ty });
        }
        self.locals(&mut scope);
        let count = self.random.between(4, 9);
        self.statements(&scope, count, 2);
        let result = self.expression(&scope, 3).text;
        let at = self.random.below(FUNCTIONS);
        self.line(&format!("static unsigned calls{at};"));
        self.line(&format!("return (unsigned)({result}) + ++calls{at};"));
        self.indent -= 1;
        self.line("}");
    }

    /// Locals at the top of a function, and pointers to what is above them.
    fn locals(&mut self, scope: &mut Scope) {
        for _ in 0..self.random.between(2, 5) {
            let ty = match self.random.below(6) {
                0 => VariableType::Array(Scalar::any(&mut self.random), 1 << self.random.between(1, 2)),
                1 => VariableType::Aggregate(self.random.below(self.aggregates.len())),
                2 => match scope.addressable(&mut self.random) {
                    Some((_, scalar)) => VariableType::Pointer(scalar),
                    None => VariableType::Scalar(Scalar::I64),
                },
                _ => VariableType::Scalar(Scalar::any(&mut self.random)),
            };
            let name = self.fresh("v");
            let initialiser = match &ty {
                VariableType::Scalar(scalar) => {
                    let value = self.expression(scope, 2).text;
                    format!("({})({value})", scalar.name())
                }
                VariableType::Pointer(scalar) => match scope.address_of(&mut self.random, *scalar) {
                    Some(address) => address,
                    None => continue,
                },
                VariableType::Array(..) | VariableType::Aggregate(_) => self.initialiser(&ty),
            };
            let declaration = self.declaration(&name, &ty);
            self.line(&format!("{declaration} = {initialiser};"));
            scope.variables.push(Variable { name, ty });
        }
    }

    fn main(&mut self) {
        self.line("int main(void)");
        self.line("{");
        self.indent += 1;
        self.line("long cell = 17;");
        self.line("unsigned sum = 0;");
        for round in 0..4 {
            let index = self.random.below(FUNCTIONS);
            let a = self.random.below(100_000);
            let b = self.random.below(1000) as i64 - 500;
            self.line(&format!("sum = sum * 31 + f{index}({a}u, {b}, &cell);"));
            self.line(&format!("printf(\"{round} %u %ld\\n\", sum, cell);"));
        }
        let globals = self.globals.clone();
        for (text, _) in globals.scalars(&self.aggregates) {
            self.line(&format!("printf(\"%lld \", (long long){text});"));
        }
        self.line("printf(\"| %u %d\\n\", drain(), fuel);");
        self.line("return (int)(sum % 64);");
        self.indent -= 1;
        self.line("}");
    }

    /// `T name`, `T name[n]` or `T *name`.
    fn declaration(&self, name: &str, ty: &VariableType) -> String {
        match ty {
            VariableType::Scalar(scalar) => format!("{} {name}", scalar.name()),
            VariableType::Array(scalar, length) => format!("{} {name}[{length}]", scalar.name()),
            VariableType::Aggregate(index) => format!("{} {name}", self.aggregates[*index].spelling),
            VariableType::Pointer(scalar) => format!("{} *{name}", scalar.name()),
        }
    }

    /// A constant initialiser, with braces where the type has members.
    fn initialiser(&mut self, ty: &VariableType) -> String {
        match *ty {
            VariableType::Scalar(scalar) => scalar.constant(&mut self.random),
            VariableType::Pointer(_) => "0".into(),
            VariableType::Array(scalar, length) => self.array_initialiser(scalar, length),
            VariableType::Aggregate(index) => {
                let aggregate = self.aggregates[index].clone();
                let shown = if aggregate.is_union { 1 } else { aggregate.members.len() };
                let mut items = Vec::new();
                for member in &aggregate.members[..shown] {
                    let value = match member.ty {
                        MemberType::Scalar(scalar) | MemberType::Bits(scalar, _) => scalar.constant(&mut self.random),
                        MemberType::Array(scalar, length) => self.array_initialiser(scalar, length),
                        MemberType::Aggregate(inner) => self.initialiser(&VariableType::Aggregate(inner)),
                    };
                    let designator =
                        if self.random.chance(1, 4) { format!(".{} = ", member.name) } else { String::new() };
                    items.push(format!("{designator}{value}"));
                }
                format!("{{ {} }}", items.join(", "))
            }
        }
    }

    fn array_initialiser(&mut self, scalar: Scalar, length: usize) -> String {
        let shown = self.random.between(1, length);
        let items: Vec<String> = (0..shown).map(|_| scalar.constant(&mut self.random)).collect();
        format!("{{ {} }}", items.join(", "))
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 4 * self.indent);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_same_seed_gives_the_same_program() {
        assert_eq!(super::program(7), super::program(7));
        assert_ne!(super::program(7), super::program(8));
    }
}
