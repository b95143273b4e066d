//! Recognising stored knowledge in a formula: a subformula that is the definition of an instrumentation predicate is
//! replaced by the predicate, whose stored value is more definite than evaluating the definition again.

use crate::rules::{closure_of, field_of};
use crate::vocabulary::{Definition, Property, Vocabulary};
use heapwise_logic::matching::match_definition;
use heapwise_logic::simplify::simplify;
use heapwise_logic::{Formula, Predicate, Steps, Variable};

/// What was folded is folded again at most so often: a definition may be found in what its own quantifiers make of it, without end.
const MOST_AGAIN: u32 = 12;

/// The definitions of a vocabulary, ready for matching.
#[derive(Clone, Debug)]
pub struct Folder<'a> {
    vocabulary: &'a Vocabulary,
    /// Each definition with the definitions before it folded in.
    definitions: Vec<(Predicate, Definition)>,
}

impl<'a> Folder<'a> {
    /// Prepares the definitions.
    #[must_use]
    pub fn new(vocabulary: &'a Vocabulary) -> Folder<'a> {
        let mut folder = Folder { vocabulary, definitions: Vec::new() };
        for p in vocabulary.predicates() {
            if let Some(definition) = &vocabulary.declaration(p).definition {
                let formula = folder.fold(&definition.formula);
                if !matches!(formula, Formula::Literal(_) | Formula::Atom(..)) {
                    folder.definitions.push((p, Definition { params: definition.params.clone(), formula }));
                }
            }
        }
        folder
    }

    /// The vocabulary whose definitions are recognised.
    #[must_use]
    pub fn vocabulary(&self) -> &'a Vocabulary {
        self.vocabulary
    }

    /// `formula` with definitions folded, from the inside out.
    #[must_use]
    pub fn fold(&self, formula: &Formula) -> Formula {
        self.fold_again(formula, MOST_AGAIN)
    }

    /// Folds what folding has made; as it stands, where that has been done often enough.
    fn fold_again(&self, formula: &Formula, again: u32) -> Formula {
        let simple = simplify(&formula.rename_apart("f", &mut 0));
        match again.checked_sub(1) {
            Some(again) => self.fold_simple(&simple, again),
            None => simple,
        }
    }

    fn fold_simple(&self, formula: &Formula, again: u32) -> Formula {
        let rewritten = match formula {
            Formula::Exists(vs, body) => self.exists(vs, body, again),
            Formula::Closure { steps: Steps::OneOrMore, from, to, .. } if from == to => self.cycle(formula, again),
            _ => formula.map_parts(&mut |f| self.fold_simple(f, again)),
        };
        self.fold_top(rewritten)
    }

    fn fold_top(&self, formula: Formula) -> Formula {
        for (p, definition) in &self.definitions {
            if let Some(args) = match_definition(&definition.formula, &definition.params, &formula) {
                return Formula::Atom(*p, args);
            }
        }
        match formula {
            // A negated definition, as the simplifier leaves `A(v) φ`.
            Formula::Not(inner) => !self.fold_inner_once(*inner),
            other => other,
        }
    }

    fn fold_inner_once(&self, formula: Formula) -> Formula {
        for (p, definition) in &self.definitions {
            if let Some(args) = match_definition(&definition.formula, &definition.params, &formula) {
                return Formula::Atom(*p, args);
            }
        }
        formula
    }

    /// A cycle of an acyclic field does not exist.
    fn cycle(&self, formula: &Formula, again: u32) -> Formula {
        match field_of(formula) {
            Some(f) if self.vocabulary.declaration(f).has(Property::Acyclic) => Formula::FALSE,
            _ => formula.map_parts(&mut |f| self.fold_simple(f, again)),
        }
    }

    fn exists(&self, vs: &[Variable], body: &Formula, again: u32) -> Formula {
        let mut vs = vs.to_vec();
        let mut parts = Vec::new();
        widen(body, &mut vs, &mut parts);
        if let Some((outside, rest)) = self.unique_elsewhere(&vs, &parts) {
            return simplify(&Formula::and(outside, self.fold_again(&Formula::exists(vs, Formula::And(rest)), again)));
        }
        compress_paths(&mut vs, &mut parts);
        if let [v] = vs.as_slice()
            && let Some(split) = self.unique_start(v, &parts, again)
        {
            return split;
        }
        let body = Formula::And(parts);
        let simple = simplify(&Formula::exists(vs, body));
        match simple {
            Formula::Exists(vs, body) => {
                let folded = self.fold_simple(&body, again);
                match (*body == folded, folded) {
                    (true, folded) => self.split_unique(&vs, folded),
                    (false, folded) => self.fold_again(&Formula::exists(vs, folded), again),
                }
            }
            other => other.map_parts(&mut |f| self.fold_simple(f, again)),
        }
    }

    /// `E(w) (y(w) & … & f+(w, v))` for a unique y: the path of zero or more steps, unless v is the start, which then
    /// lies on a cycle.
    fn unique_start(&self, w: &Variable, parts: &[Formula], again: u32) -> Option<Formula> {
        let y = self.unique_atom(w, parts)?;
        let at = parts.iter().position(
            |f| matches!(f, Formula::Closure { steps: Steps::OneOrMore, from, to, .. } if from == w && to != w),
        )?;
        let Formula::Closure { to, left, right, step, from, .. } = &parts[at] else { return None };
        if step.free_variables().contains(w) {
            return None;
        }
        let closure = |steps: Steps, from: &Variable| Formula::Closure {
            steps,
            from: from.clone(),
            to: to.clone(),
            left: left.clone(),
            right: right.clone(),
            step: step.clone(),
        };
        let mut relaxed = parts.to_vec();
        relaxed[at] = closure(Steps::ZeroOrMore, from);
        let reach = self.fold_again(&Formula::exists(vec![w.clone()], Formula::And(relaxed)), again);
        let cycle = self.fold_again(&closure(Steps::OneOrMore, to), again);
        let start = Formula::atom(y, std::slice::from_ref(to));
        Some(simplify(&Formula::and(reach, Formula::or(!start, cycle))))
    }

    /// `E(w) (y(w) & w != v & …)` for a unique y: `!y(v)`, and the rest without the inequality.
    fn unique_elsewhere(&self, vs: &[Variable], parts: &[Formula]) -> Option<(Formula, Vec<Formula>)> {
        for (i, part) in parts.iter().enumerate() {
            let Formula::Not(inner) = part else { continue };
            let Formula::Equal(a, b) = &**inner else { continue };
            for (w, v) in [(a, b), (b, a)] {
                if vs.contains(w)
                    && !vs.contains(v)
                    && let Some(y) = self.unique_atom(w, parts)
                {
                    let rest = parts.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, f)| f.clone()).collect();
                    return Some((!Formula::atom(y, std::slice::from_ref(v)), rest));
                }
            }
        }
        None
    }

    fn unique_atom(&self, w: &Variable, parts: &[Formula]) -> Option<Predicate> {
        parts.iter().find_map(|f| match f {
            Formula::Atom(p, args)
                if !p.is_primed() && *args == [w.clone()] && self.vocabulary.declaration(*p).has(Property::Unique) =>
            {
                Some(*p)
            }
            _ => None,
        })
    }

    /// `E(w) (y(w) & P & Q)` for a unique y is `E(w) (y(w) & P) & E(w) (y(w) & Q)`: taken apart where a part is a
    /// definition.
    fn split_unique(&self, vs: &[Variable], body: Formula) -> Formula {
        let whole = |parts: Vec<Formula>| Formula::exists(vs.to_vec(), simplify(&Formula::And(parts)));
        let ([w], Formula::And(parts)) = (vs, &body) else { return Formula::exists(vs.to_vec(), body) };
        let Some(y) = self.unique_atom(w, parts) else { return Formula::exists(vs.to_vec(), body) };
        let y = Formula::atom(y, std::slice::from_ref(w));
        let mut outside = Vec::new();
        let mut inside = vec![y.clone()];
        for part in parts.iter().filter(|f| **f != y) {
            let alone = whole(vec![y.clone(), part.clone()]);
            match self.fold_inner_once(alone.clone()) {
                folded if folded != alone => outside.push(folded),
                _ => inside.push(part.clone()),
            }
        }
        if outside.is_empty() || inside.len() + outside.len() == 2 && inside.len() == 1 && outside.len() == 1 {
            return outside.pop().unwrap_or_else(|| Formula::exists(vs.to_vec(), body));
        }
        if inside.len() > 1 {
            outside.push(self.fold_inner_once(whole(inside)));
        }
        simplify(&Formula::And(outside))
    }
}

/// The conjuncts of `body`, with quantifiers inside it moved out where their names are free for it.
fn widen(body: &Formula, vs: &mut Vec<Variable>, parts: &mut Vec<Formula>) {
    match body {
        Formula::And(fs) => fs.iter().for_each(|f| widen(f, vs, parts)),
        Formula::Exists(inner, f) if inner.iter().all(|v| !vs.contains(v)) => {
            vs.extend(inner.iter().cloned());
            widen(f, vs, parts);
        }
        other => parts.push(other.clone()),
    }
}

/// Joins steps over a bound variable that occurs nowhere else: `f(w,u) & f*(u,v)` is `f+(w,v)`, and so on.
fn compress_paths(vs: &mut Vec<Variable>, parts: &mut Vec<Formula>) {
    let mut i = 0;
    while i < vs.len() {
        let u = vs[i].clone();
        let at: Vec<usize> = (0..parts.len()).filter(|j| parts[*j].mentions(&u)).collect();
        let joined = match at.as_slice() {
            [a, b] => join_steps(&parts[*a], &parts[*b], &u).or_else(|| join_steps(&parts[*b], &parts[*a], &u)),
            _ => None,
        };
        match joined {
            Some(path) => {
                parts[at[0]] = path;
                parts.remove(at[1]);
                vs.remove(i);
                i = 0;
            }
            None => i += 1,
        }
    }
}

/// A piece of a path along a field.
fn piece(formula: &Formula) -> Option<(Predicate, Piece, &Variable, &Variable)> {
    match formula {
        Formula::Atom(f, args) => match args.as_slice() {
            [a, b] => Some((*f, Piece::Edge, a, b)),
            _ => None,
        },
        Formula::Closure { steps, from, to, .. } => {
            let piece = match steps {
                Steps::ZeroOrMore => Piece::Star,
                Steps::OneOrMore => Piece::Plus,
            };
            Some((field_of(formula)?, piece, from, to))
        }
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    Edge,
    Star,
    Plus,
}

fn join_steps(first: &Formula, second: &Formula, u: &Variable) -> Option<Formula> {
    let (f, a, from, middle) = piece(first)?;
    let (g, b, again, to) = piece(second)?;
    if f != g || middle != u || again != u || from == u || to == u {
        return None;
    }
    let steps = match (a, b) {
        (Piece::Star, Piece::Star) => Steps::ZeroOrMore,
        (Piece::Star, _) | (_, Piece::Star) => Steps::OneOrMore,
        // Two steps or more: not a closure.
        (Piece::Edge | Piece::Plus, Piece::Edge | Piece::Plus) => return None,
    };
    Some(Formula::path(f, steps, from, to))
}

/// `formula` with predicates that are defined as closures of a field spelled out.
#[must_use]
pub fn expand_closures(vocabulary: &Vocabulary, formula: &Formula) -> Formula {
    formula.replace_atoms(&mut |p, args| {
        let definition = vocabulary.declaration(p).definition.as_ref()?;
        let simple = simplify(&definition.formula);
        closure_of(&simple, &definition.params)?;
        Some(simple.instantiate(&definition.params, args))
    })
}
