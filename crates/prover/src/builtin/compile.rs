//! Formulas made ready for grounding: negation normal form over numbered variables, quantifiers narrowed, closures
//! replaced by relation symbols.

use crate::Signature;
use heapwise_logic::{Arity, Formula, Kleene, Steps, Variable};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A bound variable of one formula.
pub type BoundVariable = u8;

/// The most bound variables of one formula: sets of them are machine words.
const MOST_SLOTS: u8 = 64;

/// An atom over bound variables. Numbers count within the arity; relations of closures come after the binary
/// predicates of the signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Atom {
    Nullary(usize),
    Unary(usize, BoundVariable),
    Binary(usize, BoundVariable, BoundVariable),
    Equal(BoundVariable, BoundVariable),
}

impl Atom {
    fn slots(self) -> u64 {
        match self {
            Atom::Nullary(_) => 0,
            Atom::Unary(_, a) => 1 << a,
            Atom::Binary(_, a, b) | Atom::Equal(a, b) => 1 << a | 1 << b,
        }
    }
}

/// A formula in negation normal form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    True,
    False,
    Literal(Sign, Atom),
    And(Vec<Part>),
    Or(Vec<Part>),
    Forall(Vec<BoundVariable>, Part),
    Exists(Vec<BoundVariable>, Part),
}

/// Whether an atom is asserted or denied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    Positive,
    Negative,
}

impl Sign {
    fn flipped(self) -> Sign {
        match self {
            Sign::Positive => Sign::Negative,
            Sign::Negative => Sign::Positive,
        }
    }
}

/// A subformula with the set of its free slots, and whether an existential quantifier stands in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    pub kind: Kind,
    pub free: u64,
    pub has_exists: bool,
}

/// A shared subformula.
pub type Part = Rc<Node>;

fn node(kind: Kind) -> Part {
    let (free, has_exists) = match &kind {
        Kind::True | Kind::False => (0, false),
        Kind::Literal(_, atom) => (atom.slots(), false),
        Kind::And(parts) | Kind::Or(parts) => {
            (parts.iter().fold(0, |free, p| free | p.free), parts.iter().any(|p| p.has_exists))
        }
        Kind::Forall(slots, body) => (body.free & !mask(slots), body.has_exists),
        Kind::Exists(slots, body) => (body.free & !mask(slots), true),
    };
    Rc::new(Node { kind, free, has_exists })
}

fn mask(slots: &[BoundVariable]) -> u64 {
    slots.iter().fold(0, |mask, slot| mask | 1 << slot)
}

/// `atom`, or its negation.
pub fn literal(sign: Sign, atom: Atom) -> Part {
    match atom {
        Atom::Equal(a, b) if a == b => node(if sign == Sign::Positive { Kind::True } else { Kind::False }),
        _ => node(Kind::Literal(sign, atom)),
    }
}

/// The conjunction, flat.
pub fn and(parts: Vec<Part>) -> Part {
    let mut flat = Vec::with_capacity(parts.len());
    for part in parts {
        match &part.kind {
            Kind::True => {}
            Kind::False => return part,
            Kind::And(inner) => flat.extend(inner.iter().cloned()),
            _ => flat.push(part),
        }
    }
    if flat.len() == 1 { flat.remove(0) } else { node(if flat.is_empty() { Kind::True } else { Kind::And(flat) }) }
}

/// The disjunction, flat, literals first.
pub fn or(parts: Vec<Part>) -> Part {
    let mut flat: Vec<Part> = Vec::with_capacity(parts.len());
    for part in parts {
        match &part.kind {
            Kind::False => {}
            Kind::True => return part,
            Kind::Or(inner) => flat.extend(inner.iter().cloned()),
            _ => flat.push(part),
        }
    }
    flat.sort_by_key(|part| !matches!(part.kind, Kind::Literal(..)));
    if flat.len() == 1 { flat.remove(0) } else { node(if flat.is_empty() { Kind::False } else { Kind::Or(flat) }) }
}

/// `A(slots) body`, the quantifier as narrow as it can be. A quantifier never disappears altogether: in the empty
/// universe it makes its body true.
pub fn forall(slots: &[BoundVariable], body: Part) -> Part {
    match &body.kind {
        Kind::True => body,
        Kind::And(parts) => and(parts.iter().map(|part| forall(slots, part.clone())).collect()),
        Kind::Or(parts) => {
            let (inside, mut outside): (Vec<Part>, Vec<Part>) =
                parts.iter().cloned().partition(|part| part.free & mask(slots) != 0);
            if outside.is_empty() {
                return forall_cases(slots, &inside);
            }
            if inside.is_empty() {
                return node(Kind::Forall(used(slots, 0), body));
            }
            outside.push(forall(slots, or(inside)));
            or(outside)
        }
        Kind::Forall(inner, innermost) => {
            let all: Vec<BoundVariable> =
                used(slots, innermost.free).into_iter().chain(inner.iter().copied()).collect();
            node(Kind::Forall(used(&all, innermost.free), innermost.clone()))
        }
        Kind::False | Kind::Literal(..) | Kind::Exists(..) => node(Kind::Forall(used(slots, body.free), body)),
    }
}

/// `A(slots) cases…` where each case depends on the slots: a universal case joins its quantifier (there is an
/// individual when there is an instance), unless a witness of another case would then depend on more than it does.
fn forall_cases(slots: &[BoundVariable], cases: &[Part]) -> Part {
    let mut all = slots.to_vec();
    let universal = |case: &Part| matches!(case.kind, Kind::Forall(..));
    let one =
        cases.iter().filter(|c| universal(c)).count() == 1 && !cases.iter().any(|c| !universal(c) && c.has_exists);
    let opened = cases.iter().map(|case| match &case.kind {
        Kind::Forall(inner, body) if one => {
            all.extend(inner.iter().copied());
            body.clone()
        }
        _ => case.clone(),
    });
    let body = or(opened.collect());
    node(Kind::Forall(used(&all, body.free), body))
}

/// `E(slots) body`, the quantifier as narrow as it can be. A quantifier never disappears altogether: in the empty
/// universe it makes its body false.
pub fn exists(slots: &[BoundVariable], body: Part) -> Part {
    match &body.kind {
        Kind::False => body,
        Kind::And(parts) => {
            let (inside, mut outside): (Vec<Part>, Vec<Part>) =
                parts.iter().cloned().partition(|part| part.free & mask(slots) != 0);
            if inside.is_empty() || outside.is_empty() {
                return node(Kind::Exists(used(slots, body.free), body));
            }
            outside.push(exists(slots, and(inside)));
            and(outside)
        }
        Kind::Exists(inner, innermost) => {
            let all: Vec<BoundVariable> =
                used(slots, innermost.free).into_iter().chain(inner.iter().copied()).collect();
            node(Kind::Exists(used(&all, innermost.free), innermost.clone()))
        }
        Kind::True | Kind::Literal(..) | Kind::Or(_) | Kind::Forall(..) => {
            node(Kind::Exists(used(slots, body.free), body))
        }
    }
}

/// The slots that occur in `free`; the first one when none does.
fn used(slots: &[BoundVariable], free: u64) -> Vec<BoundVariable> {
    let used: Vec<BoundVariable> = slots.iter().copied().filter(|slot| free >> slot & 1 != 0).collect();
    if used.is_empty() { slots.iter().copied().take(1).collect() } else { used }
}

/// A compiled closed formula.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub root: Part,
    /// How many slots it uses.
    pub slots: usize,
}

/// Where a predicate of the signature is found: its number among those of its arity.
#[derive(Clone, Debug)]
pub struct Symbols {
    pub numbers: Vec<(heapwise_logic::Predicate, Arity, usize)>,
    pub nullary: usize,
    pub unary: usize,
    pub binary: usize,
}

impl Symbols {
    pub fn new(signature: &Signature) -> Symbols {
        let mut symbols = Symbols { numbers: Vec::new(), nullary: 0, unary: 0, binary: 0 };
        for (predicate, arity) in signature.predicates() {
            let counter = match arity {
                Arity::Nullary => &mut symbols.nullary,
                Arity::Unary => &mut symbols.unary,
                Arity::Binary => &mut symbols.binary,
            };
            symbols.numbers.push((predicate, arity, *counter));
            *counter += 1;
        }
        symbols
    }
}

/// Turns formulas into [`Compiled`] ones and collects the closures that they speak of.
#[derive(Debug)]
pub struct Compiler {
    signature: Signature,
    pub symbols: Symbols,
    /// The steps, over `$l` and `$r`; the relation of the i-th is the binary symbol `symbols.binary + i`.
    pub closures: Vec<Formula>,
    closure_numbers: BTreeMap<Formula, usize>,
}

impl Compiler {
    pub fn new(signature: &Signature) -> Compiler {
        let symbols = Symbols::new(signature);
        Compiler { signature: signature.clone(), symbols, closures: Vec::new(), closure_numbers: BTreeMap::new() }
    }

    /// The formula, ready for grounding, or what is in the way.
    pub fn compile(&mut self, formula: &Formula) -> Result<Compiled, String> {
        if let Some(objection) = self.signature.objection(formula) {
            return Err(objection);
        }
        let mut scope = Scope { bound: Vec::new(), slots: 0 };
        let root = self.part(formula, Sign::Positive, &mut scope)?;
        Ok(Compiled { root, slots: usize::from(scope.slots) })
    }

    /// The step of a closure between two slots, asserted or denied. Slots from `first_own` are its own.
    pub fn step(
        &mut self,
        closure: usize,
        sign: Sign,
        ends: (BoundVariable, BoundVariable),
        first_own: BoundVariable,
    ) -> Result<Part, String> {
        let step = self.closures[closure].clone();
        let (left, right) = closure_variables();
        let mut scope = Scope { bound: vec![(left, ends.0), (right, ends.1)], slots: first_own };
        self.part(&step, sign, &mut scope)
    }

    fn part(&mut self, formula: &Formula, sign: Sign, scope: &mut Scope) -> Result<Part, String> {
        let positive = sign == Sign::Positive;
        Ok(match formula {
            Formula::Literal(value) => {
                node(if (*value == Kleene::True) == positive { Kind::True } else { Kind::False })
            }
            Formula::Atom(predicate, args) => {
                let position = self.signature.position(*predicate).ok_or("an undeclared predicate")?;
                let (_, _, number) = self.symbols.numbers[position];
                let slots = args.iter().map(|v| scope.slot(v)).collect::<Result<Vec<BoundVariable>, String>>()?;
                literal(
                    sign,
                    match *slots.as_slice() {
                        [] => Atom::Nullary(number),
                        [a] => Atom::Unary(number, a),
                        [a, b] => Atom::Binary(number, a, b),
                        _ => return Err("a predicate of more than two arguments".to_owned()),
                    },
                )
            }
            Formula::Equal(a, b) => literal(sign, Atom::Equal(scope.slot(a)?, scope.slot(b)?)),
            Formula::Not(inner) => self.part(inner, sign.flipped(), scope)?,
            Formula::And(parts) | Formula::Or(parts) => {
                let parts = parts.iter().map(|p| self.part(p, sign, scope)).collect::<Result<Vec<Part>, String>>()?;
                if matches!(formula, Formula::And(_)) == positive { and(parts) } else { or(parts) }
            }
            Formula::IfThenElse(c, a, b) => {
                let then = or(vec![self.part(c, Sign::Negative, scope)?, self.part(a, sign, scope)?]);
                let otherwise = or(vec![self.part(c, Sign::Positive, scope)?, self.part(b, sign, scope)?]);
                and(vec![then, otherwise])
            }
            Formula::Exists(vs, body) | Formula::Forall(vs, body) => {
                let depth = scope.bound.len();
                let slots = vs.iter().map(|v| scope.bind(v)).collect::<Result<Vec<BoundVariable>, String>>()?;
                let body = self.part(body, sign, scope)?;
                scope.bound.truncate(depth);
                if vs.is_empty() {
                    body
                } else if matches!(formula, Formula::Exists(..)) == positive {
                    exists(&slots, body)
                } else {
                    forall(&slots, body)
                }
            }
            Formula::Closure { steps, from, to, left, right, step } => {
                let relation = self.symbols.binary + self.closure(left, right, step)?;
                let (from, to) = (scope.slot(from)?, scope.slot(to)?);
                let path = literal(sign, Atom::Binary(relation, from, to));
                match (steps, sign) {
                    (Steps::OneOrMore, _) => path,
                    (Steps::ZeroOrMore, Sign::Positive) => or(vec![literal(sign, Atom::Equal(from, to)), path]),
                    (Steps::ZeroOrMore, Sign::Negative) => and(vec![literal(sign, Atom::Equal(from, to)), path]),
                }
            }
        })
    }

    fn closure(&mut self, left: &Variable, right: &Variable, step: &Formula) -> Result<usize, String> {
        let (new_left, new_right) = closure_variables();
        let step = step.instantiate(&[left.clone(), right.clone()], &[new_left.clone(), new_right.clone()]);
        if let Some(v) = step.free_variables().into_iter().find(|v| *v != new_left && *v != new_right) {
            return Err(format!("a closure whose step has the parameter `{}`", v.name()));
        }
        // Bound names must not tell two closures apart.
        let step = step.rename_apart("$b", &mut 0);
        Ok(*self.closure_numbers.entry(step.clone()).or_insert_with(|| {
            self.closures.push(step);
            self.closures.len() - 1
        }))
    }
}

/// The variables of the two ends of a step.
pub fn closure_variables() -> (Variable, Variable) {
    (Variable::new("$l"), Variable::new("$r"))
}

struct Scope {
    bound: Vec<(Variable, BoundVariable)>,
    slots: u8,
}

impl Scope {
    fn slot(&self, v: &Variable) -> Result<BoundVariable, String> {
        let found = self.bound.iter().rev().find(|(name, _)| name == v);
        found.map(|(_, slot)| *slot).ok_or_else(|| format!("the variable `{}` is free", v.name()))
    }

    fn bind(&mut self, v: &Variable) -> Result<BoundVariable, String> {
        if self.slots == MOST_SLOTS {
            return Err(format!("a formula of more than {MOST_SLOTS} quantified variables"));
        }
        self.bound.push((v.clone(), self.slots));
        self.slots += 1;
        Ok(self.slots - 1)
    }
}
