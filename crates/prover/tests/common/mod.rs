//! Random theories over a small vocabulary, and all structures of a size.

#![allow(dead_code, clippy::unwrap_used)]

use heapwise_logic::{Arity, Formula, Predicate, Steps, Variable};
use heapwise_prover::{Model, Signature};

/// The predicates of the tests: `a`, `b` unary, `n`, `e` binary, `k` nullary.
pub const A: usize = 0;
pub const B: usize = 1;
pub const N: usize = 2;
pub const E: usize = 3;
pub const K: usize = 4;
pub const IS: usize = 5;

pub fn p(index: usize) -> Predicate {
    Predicate::new(index)
}

pub fn v(name: &str) -> Variable {
    Variable::new(name)
}

pub fn atom(index: usize, args: &[&str]) -> Formula {
    Formula::atom(p(index), &args.iter().map(|name| v(name)).collect::<Vec<_>>())
}

pub fn equal(a: &str, b: &str) -> Formula {
    Formula::equal(&v(a), &v(b))
}

pub fn all(names: &[&str], body: Formula) -> Formula {
    Formula::forall(names.iter().map(|name| v(name)).collect(), body)
}

pub fn some(names: &[&str], body: Formula) -> Formula {
    Formula::exists(names.iter().map(|name| v(name)).collect(), body)
}

pub fn implies(a: Formula, b: Formula) -> Formula {
    Formula::implies(a, b)
}

pub fn conj(parts: Vec<Formula>) -> Formula {
    Formula::And(parts)
}

pub fn path(a: &str, b: &str, steps: Steps) -> Formula {
    Formula::path(p(N), steps, &v(a), &v(b))
}

/// A signature of some of the predicates.
pub fn signature(predicates: &[usize]) -> Signature {
    let mut signature = Signature::new();
    for index in predicates {
        let (name, arity) = match *index {
            A => ("a", Arity::Unary),
            B => ("b", Arity::Unary),
            N => ("n", Arity::Binary),
            E => ("e", Arity::Binary),
            K => ("k", Arity::Nullary),
            _ => ("is", Arity::Unary),
        };
        signature.declare(p(*index), name, arity);
    }
    signature
}

/// `n` is a partial function.
pub fn functional() -> Formula {
    all(&["u", "v", "w"], implies(conj(vec![atom(N, &["u", "v"]), atom(N, &["u", "w"])]), equal("v", "w")))
}

/// At most one edge leads to an element.
pub fn injective() -> Formula {
    all(&["u", "v", "w"], implies(conj(vec![atom(N, &["u", "v"]), atom(N, &["w", "v"])]), equal("u", "w")))
}

/// `is` means: two distinct elements lead here.
pub fn sharing() -> Formula {
    let two = some(&["u", "w"], conj(vec![!equal("u", "w"), atom(N, &["u", "v"]), atom(N, &["w", "v"])]));
    all(&["v"], Formula::iff(atom(IS, &["v"]), two))
}

/// `name` holds of one element at most.
pub fn unique(index: usize) -> Formula {
    all(&["v", "w"], implies(conj(vec![atom(index, &["v"]), atom(index, &["w"])]), equal("v", "w")))
}

/// Calls `see` with every structure of that size until it gives true; gives whether it did.
pub fn any_structure(signature: &Signature, size: usize, see: &mut impl FnMut(&Model) -> bool) -> bool {
    let mut cells: Vec<(Predicate, Vec<usize>)> = Vec::new();
    for (predicate, arity) in signature.predicates() {
        match arity {
            Arity::Nullary => cells.push((predicate, vec![])),
            Arity::Unary => cells.extend((0..size).map(|v| (predicate, vec![v]))),
            Arity::Binary => cells.extend((0..size * size).map(|i| (predicate, vec![i / size, i % size]))),
        }
    }
    let mut model = Model::new(signature, size);
    for bits in 0u64..1 << cells.len() {
        for (i, (predicate, tuple)) in cells.iter().enumerate() {
            model.set(*predicate, tuple, bits >> i & 1 != 0);
        }
        if see(&model) {
            return true;
        }
    }
    false
}

/// A small deterministic source of choices.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }
}

/// What a random formula is made of.
pub struct Recipe {
    pub unary: Vec<usize>,
    pub binary: Vec<usize>,
    pub nullary: Vec<usize>,
    pub closure: bool,
}

impl Recipe {
    /// A quantifier-free formula over these variables.
    pub fn matrix(&self, dice: &mut Dice, variables: &[String], depth: usize) -> Formula {
        let pick = |dice: &mut Dice| v(&variables[dice.roll(variables.len())]);
        if depth == 0 || dice.roll(4) == 0 {
            let sides = if self.closure { 8 } else { 7 };
            let literal = match dice.roll(sides) {
                0 => Formula::equal(&pick(dice), &pick(dice)),
                1 if !self.nullary.is_empty() => Formula::atom(p(self.nullary[dice.roll(self.nullary.len())]), &[]),
                1..=3 => Formula::atom(p(self.unary[dice.roll(self.unary.len())]), &[pick(dice)]),
                4..=6 => Formula::atom(p(self.binary[dice.roll(self.binary.len())]), &[pick(dice), pick(dice)]),
                _ => {
                    let steps = [Steps::OneOrMore, Steps::ZeroOrMore][dice.roll(2)];
                    Formula::path(p(N), steps, &pick(dice), &pick(dice))
                }
            };
            return if dice.roll(2) == 0 { literal } else { !literal };
        }
        let parts = (0..2 + dice.roll(2)).map(|_| self.matrix(dice, variables, depth - 1)).collect();
        match dice.roll(5) {
            0 | 1 => Formula::And(parts),
            2 | 3 => Formula::Or(parts),
            _ => {
                let mut parts: Vec<Formula> = parts;
                let (b, a) = (parts.pop().unwrap(), parts.pop().unwrap());
                Formula::iff(a, b)
            }
        }
    }

    /// `E(x…) A(y…) matrix`.
    pub fn exists_forall(&self, dice: &mut Dice, existential: usize, universal: usize) -> Formula {
        let xs: Vec<String> = (0..existential).map(|i| format!("x{i}")).collect();
        let ys: Vec<String> = (0..universal).map(|i| format!("y{i}")).collect();
        let both: Vec<String> = xs.iter().chain(&ys).cloned().collect();
        let matrix = self.matrix(dice, &both, 3);
        let vs = |names: &[String]| names.iter().map(|name| v(name)).collect();
        Formula::exists(vs(&xs), Formula::forall(vs(&ys), matrix))
    }
}

/// The formulas that say "this bounded structure represents the heap": one per canonical name, value and summary node. Nodes
/// are named by the values of `a`, `b` and `is`; edges are 0, 1, 1/2 or 1/2 for sure.
pub fn characteristic(dice: &mut Dice) -> Vec<Formula> {
    let nodes = 1 + dice.roll(4);
    let mut names: Vec<usize> = (0..8).collect();
    (0..8).for_each(|i| names.swap(i, dice.roll(8)));
    let mut taken = 0;
    names.retain(|name| {
        // `a` and `b` hold of one element at most.
        let fine = name & 3 & taken == 0;
        taken |= if fine { name & 3 } else { 0 };
        fine
    });
    names.truncate(nodes);
    let is_node = |u: usize, v: &str| {
        let signed = |bit: usize, index| if names[u] >> bit & 1 != 0 { atom(index, &[v]) } else { !atom(index, &[v]) };
        conj(vec![signed(0, A), signed(1, B), signed(2, IS)])
    };
    let mut formulas: Vec<Formula> = (0..names.len()).map(|u| some(&["v"], is_node(u, "v"))).collect();
    formulas.push(all(&["v"], Formula::Or((0..names.len()).map(|u| is_node(u, "v")).collect())));
    for u in 0..names.len() {
        let two = conj(vec![is_node(u, "v"), is_node(u, "w")]);
        match dice.roll(3) {
            0 => formulas.push(all(&["v", "w"], implies(two, equal("v", "w")))),
            1 => formulas.push(some(&["v", "w"], conj(vec![two, !equal("v", "w")]))),
            _ => {}
        }
        for w in 0..names.len() {
            let ends = |a: &str, b: &str| conj(vec![is_node(u, a), is_node(w, b)]);
            let edge = atom(N, &["v", "w"]);
            match dice.roll(7) {
                0..=2 => formulas.push(all(&["v", "w"], implies(ends("v", "w"), !edge))),
                3 => formulas.push(all(&["v", "w"], implies(ends("v", "w"), edge))),
                4 => {
                    let other = conj(vec![ends("c", "d"), !atom(N, &["c", "d"])]);
                    let different = !conj(vec![equal("v", "c"), equal("w", "d")]);
                    formulas.push(some(&["v", "w", "c", "d"], conj(vec![ends("v", "w"), edge, other, different])));
                }
                _ => {}
            }
        }
    }
    formulas
}

/// Calls `see` with every structure of that size in which `a` and `b` hold of one element at most and `n` is a partial
/// function, after `define` has set what follows from them.
pub fn all_lists(signature: &Signature, size: usize, define: &dyn Fn(&mut Model), see: &mut dyn FnMut(&Model)) {
    let choices = size + 1;
    for code in 0..choices.pow(size as u32 + 2) {
        let digit = |i: usize| code / choices.pow(i as u32) % choices;
        let mut model = Model::new(signature, size);
        model.set(p(A), &[digit(0)], true);
        model.set(p(B), &[digit(1)], true);
        (0..size).for_each(|v| model.set(p(N), &[v, digit(v + 2)], true));
        define(&mut model);
        see(&model);
    }
}
