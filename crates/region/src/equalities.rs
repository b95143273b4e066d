//! Which registers and expressions surely hold the same value at a location.
//!
//! This does not depend on the tracked cell, so it is computed once for each procedure and not kept in configurations: with
//! it, `t = x; x = x->n` is as good as `t = x; x = t->n` (Hackett and Rugina, section 6, "robustness").
//!
//! What is said of an expression `p->n` is said for the case that `p` is not null: who looks at it fails otherwise. So where `p`
//! is null, `p->n` equals whatever it equals on the other ways that lead to the location.

use crate::expressions::{Base, ExpressionId};
use crate::first_run::FirstRun;
use crate::memory::Memory;
use crate::procedure::{Operation, Procedure};
use crate::world::CellsOfCall;
use heapwise_dataflow::{Analysis, Direction, Flow, JoinSemiLattice};
use heapwise_ir::{Automaton, EdgeId, LocationId, RegisterId};

/// A register or an expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Term {
    /// A register.
    Register(RegisterId),
    /// An expression of the procedure.
    Expression(ExpressionId),
}

/// Classes of equal terms, of two or more each: term and the least term of its class, in order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Equalities {
    entries: Vec<(Term, Term)>,
    /// Expressions over registers that are null, in order.
    vacuous: Vec<ExpressionId>,
    /// Registers whose objects may have been freed since they were last accessed, in order (strict reading only).
    freed: Vec<RegisterId>,
}

impl JoinSemiLattice for Equalities {
    fn join(&mut self, other: &Equalities) -> bool {
        let mut both: Vec<(Term, (Term, Term))> = Vec::new();
        for (term, class) in &self.entries {
            if let Some(in_other) = other.class(*term).filter(|_| !other.is_vacuous(*term)) {
                both.push((*term, (*class, in_other)));
            }
        }
        // What is vacuous on one side goes with one term that it equals on the other.
        for (one, two) in [(&*self, other), (other, &*self)] {
            for expression in &one.vacuous {
                let term = Term::Expression(*expression);
                if two.is_vacuous(term) {
                    continue;
                }
                let known = two.equal_to(term).find_map(|equal| {
                    both.iter().find(|(known, _)| *known == equal).map(|(_, pair)| *pair).or_else(|| {
                        let in_one = one.class(equal).unwrap_or(equal);
                        let in_two = two.class(equal)?;
                        let is_self = std::ptr::eq(one, &*self);
                        let pair = if is_self { (in_one, in_two) } else { (in_two, in_one) };
                        (!one.is_vacuous(equal)).then_some(pair)
                    })
                });
                if let Some(pair) = known {
                    both.push((term, pair));
                    let with = two.equal_to(term).filter(|equal| !one.is_vacuous(*equal)).find(|equal| {
                        let in_one = one.class(*equal).unwrap_or(*equal);
                        in_one == if std::ptr::eq(one, &*self) { pair.0 } else { pair.1 }
                    });
                    if let Some(with) = with
                        && !both.iter().any(|(known, _)| *known == with)
                    {
                        both.push((with, pair));
                    }
                }
            }
        }
        both.sort_unstable();
        both.dedup_by_key(|(term, _)| *term);
        let mut joined = Equalities::default();
        for (term, pair) in &both {
            let Some((least, _)) = both.iter().find(|(_, other)| other == pair) else { continue };
            joined.entries.push((*term, *least));
        }
        joined.drop_singles();
        joined.vacuous = self.vacuous.iter().copied().filter(|id| other.vacuous.contains(id)).collect();
        joined.freed = self.freed.iter().chain(&other.freed).copied().collect();
        joined.freed.sort_unstable();
        joined.freed.dedup();
        let changed = joined != *self;
        *self = joined;
        changed
    }
}

impl Equalities {
    fn class(&self, term: Term) -> Option<Term> {
        self.entries.binary_search_by_key(&term, |(term, _)| *term).ok().map(|at| self.entries[at].1)
    }

    /// The terms that equal this one, itself not counted.
    pub fn equal_to(&self, term: Term) -> impl Iterator<Item = Term> + '_ {
        let class = self.class(term);
        let others = self.entries.iter().filter(move |(other, of)| Some(*of) == class && *other != term);
        others.map(|(other, _)| *other)
    }

    /// Whether both surely hold the same value.
    pub fn are_equal(&self, left: Term, right: Term) -> bool {
        left == right || self.class(left).is_some_and(|class| self.class(right) == Some(class))
    }

    fn is_vacuous(&self, term: Term) -> bool {
        match term {
            Term::Register(_) => false,
            Term::Expression(expression) => self.vacuous.binary_search(&expression).is_ok(),
        }
    }

    /// A register is null, or may not be any more.
    fn set_null(&mut self, procedure: &Procedure, register: RegisterId, is_null: bool) {
        for expression in procedure.expressions.from(Base::Register(register)) {
            match (self.vacuous.binary_search(expression), is_null) {
                (Err(at), true) => self.vacuous.insert(at, *expression),
                (Ok(at), false) => {
                    self.vacuous.remove(at);
                }
                (Ok(_), true) | (Err(_), false) => {}
            }
        }
    }

    fn drop_singles(&mut self) {
        let counted = self.entries.clone();
        self.entries.retain(|(_, class)| counted.iter().filter(|(_, other)| other == class).count() > 1);
    }

    fn kill(&mut self, is_killed: impl Fn(Term) -> bool) {
        if !self.entries.iter().any(|(term, _)| is_killed(*term)) {
            return;
        }
        self.entries.retain(|(term, _)| !is_killed(*term));
        let old = self.entries.clone();
        for (_, class) in &mut self.entries {
            // The least one that is left.
            if let Some((least, _)) = old.iter().find(|(_, other)| other == class) {
                *class = *least;
            }
        }
        self.drop_singles();
    }

    fn unite(&mut self, left: Term, right: Term) {
        if self.are_equal(left, right) {
            return;
        }
        for term in [left, right] {
            if self.class(term).is_none() {
                let at = self.entries.partition_point(|(other, _)| *other < term);
                self.entries.insert(at, (term, term));
            }
        }
        if let (Some(one), Some(two)) = (self.class(left), self.class(right)) {
            let (keep, drop) = (one.min(two), one.max(two));
            for (_, class) in &mut self.entries {
                if *class == drop {
                    *class = keep;
                }
            }
        }
    }

    /// Fields of equal pointers are equal.
    fn close(&mut self, procedure: &Procedure, register: RegisterId) {
        let others: Vec<Term> = self.equal_to(Term::Register(register)).collect();
        for expression in procedure.expressions.from(Base::Register(register)) {
            let offset = procedure.expressions.all[*expression].offset;
            for other in &others {
                if let Term::Register(other) = other
                    && let Some(same) = procedure.expressions.find(Base::Register(*other), offset)
                {
                    self.unite(Term::Expression(*expression), Term::Expression(same));
                }
            }
        }
    }
}

/// The dataflow analysis of one procedure.
pub struct EqualTerms<'m> {
    /// The procedure.
    pub procedure: &'m Procedure,
    /// The cells that calls change, by edge; none for a call that may change anything.
    pub changed: &'m dyn Fn(EdgeId) -> Option<CellsOfCall>,
    /// The regions.
    pub memory: &'m Memory<'m>,
    /// What a first run has shown.
    pub first_run: &'m FirstRun,
    /// When equalities hold.
    pub reading: Reading,
}

/// When what is said of an expression holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// Unless its base is null or freed: then whoever looks at it fails.
    UnlessNull,
    /// Always; and what it says of objects that may be freed is forgotten with the next store.
    Strict,
}

impl EqualTerms<'_> {
    fn is_from(&self, term: Term, register: RegisterId) -> bool {
        match term {
            Term::Register(other) => other == register,
            Term::Expression(expression) => self.procedure.expressions.all[expression].base == Base::Register(register),
        }
    }

    fn is_private(&self, edge: EdgeId, base: RegisterId) -> bool {
        self.first_run.private((self.procedure.function, edge)).contains(&base)
    }

    fn set_null(&self, state: &mut Equalities, register: RegisterId, is_null: bool) {
        match self.reading {
            Reading::UnlessNull => state.set_null(self.procedure, register, is_null),
            Reading::Strict => {}
        }
    }

    /// An object is freed: whichever register refers to its region may be to it.
    fn free(&self, state: &mut Equalities, pointer: RegisterId) {
        if self.reading == Reading::UnlessNull {
            return;
        }
        let region = |register| {
            let function = self.procedure.function;
            self.memory.operand(function, heapwise_ir::Operand::Register(register)).region
        };
        let bases = self.procedure.expressions.all.values().filter_map(|expression| match expression.base {
            Base::Register(base) => Some(base),
            Base::Global(_) => None,
        });
        let freed = region(pointer);
        state.freed.extend(bases.filter(|base| region(*base) == freed));
        state.freed.sort_unstable();
        state.freed.dedup();
    }

    /// An object is accessed: it is not freed.
    fn access(state: &mut Equalities, base: Option<RegisterId>) {
        let Some(base) = base.filter(|_| !state.freed.is_empty()) else { return };
        let mut freed = std::mem::take(&mut state.freed);
        freed.retain(|other| !state.are_equal(Term::Register(base), Term::Register(*other)));
        state.freed = freed;
    }

    /// Memory is written: what a freed object held says nothing any more of what leads where.
    fn forget_freed(&self, state: &mut Equalities) {
        let freed = std::mem::take(&mut state.freed);
        state.kill(|term| match term {
            Term::Expression(expression) => {
                let base = self.procedure.expressions.all[expression].base;
                matches!(base, Base::Register(base) if freed.contains(&base))
            }
            Term::Register(_) => false,
        });
        state.freed = freed;
    }

    fn assign(&self, state: &mut Equalities, target: RegisterId, equal: Option<Term>) {
        let mut same: Vec<Term> = Vec::new();
        if let Some(term) = equal {
            same.push(term);
            same.extend(state.equal_to(term));
        }
        state.kill(|term| self.is_from(term, target));
        self.set_null(state, target, false);
        state.freed.retain(|register| *register != target);
        if let Some(term) = same.into_iter().find(|term| !self.is_from(*term, target)) {
            state.unite(Term::Register(target), term);
            state.close(self.procedure, target);
        }
    }
}

impl Analysis<Automaton> for EqualTerms<'_> {
    type Domain = Equalities;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, graph: &Automaton, node: LocationId) -> Option<Equalities> {
        (node == graph.entry).then(Equalities::default)
    }

    // Long: one case for each operation.
    fn apply(&self, _graph: &Automaton, edge: EdgeId, state: &mut Equalities) -> Flow {
        let expressions = &self.procedure.expressions;
        match &self.procedure.operations[edge] {
            Operation::Skip | Operation::End { .. } | Operation::AssumeNoBytes { .. } => {}
            Operation::Free { pointer, .. } => self.free(state, *pointer),
            Operation::AssumeNumber { register, operator, constant } => match operator {
                heapwise_ir::CompareOperator::Equal => self.set_null(state, *register, *constant == 0),
                heapwise_ir::CompareOperator::NotEqual if *constant == 0 => {
                    let fields = self.procedure.expressions.from(Base::Register(*register));
                    let is_null = |id: &ExpressionId| state.is_vacuous(Term::Expression(*id));
                    if !fields.is_empty() && fields.iter().all(is_null) {
                        return Flow::Ends;
                    }
                }
                _ => {}
            },
            Operation::Stop | Operation::Unsupported => return Flow::Ends,
            Operation::Copy { target, source, shift, number } => {
                let equal = source.filter(|_| *shift == Some(0)).map(Term::Register);
                self.assign(state, *target, equal);
                if source.is_none() && *number == crate::number::Number::ZERO {
                    self.set_null(state, *target, true);
                }
            }
            Operation::Add { target, .. } | Operation::Blend { target, .. } | Operation::Alloc { target, .. } => {
                self.assign(state, *target, None);
            }
            Operation::Load { target, place } => {
                Self::access(state, place.base);
                self.assign(state, *target, place.expression.map(Term::Expression));
                // Where the link leads nowhere, it does not lead back.
                let read = match self.reading {
                    Reading::UnlessNull => self.first_run.link((self.procedure.function, edge)),
                    Reading::Strict => None,
                };
                for pair in read.into_iter().flat_map(|read| &read.inverses) {
                    let back = expressions.find(Base::Register(*target), pair.offset_of_forth(self.memory));
                    if let (Some(back), Some(base)) = (back, place.base.filter(|base| base != target)) {
                        state.unite(Term::Expression(back), Term::Register(base));
                    }
                }
            }
            Operation::Store { place, value } => {
                Self::access(state, place.base);
                self.forget_freed(state);
                let value = value.register();
                let known = place.expression.map(|expression| expressions.all[expression]);
                let is_sibling = |base: Base| match (known.map(|known| known.base), base) {
                    (Some(one), two) if one == two => true,
                    (Some(Base::Register(one)), Base::Register(two)) => {
                        state.are_equal(Term::Register(one), Term::Register(two))
                    }
                    _ => false,
                };
                let written: Vec<ExpressionId> = expressions
                    .all
                    .iter()
                    .filter(|(_, other)| place.target.unknown || place.target.cells.contains(&other.cell))
                    .filter(|(_, other)| {
                        !(is_sibling(other.base) && known.is_some_and(|known| known.offset != other.offset))
                    })
                    .filter(|(_, other)| {
                        let place = (self.procedure.function, edge);
                        !matches!(other.base, Base::Register(base) if self.first_run.is_apart(place, base))
                    })
                    // What held the value before holds it now, written or not.
                    .filter(|(id, _)| {
                        let holds = |value: RegisterId| state.are_equal(Term::Expression(*id), Term::Register(value));
                        place.target.in_pieces || !value.is_some_and(holds)
                    })
                    .map(|(id, _)| id)
                    .collect();
                let same: Vec<ExpressionId> = expressions
                    .all
                    .iter()
                    .filter(|(_, other)| {
                        is_sibling(other.base) && known.is_some_and(|known| known.offset == other.offset)
                    })
                    .map(|(id, _)| id)
                    .collect();
                state.kill(|term| matches!(term, Term::Expression(expression) if written.contains(&expression)));
                for expression in &same {
                    match value {
                        Some(value) => state.unite(Term::Expression(*expression), Term::Register(value)),
                        None => state.unite(Term::Expression(same[0]), Term::Expression(*expression)),
                    }
                }
            }
            Operation::CopyCells { written, .. } => {
                self.forget_freed(state);
                state.kill(|term| {
                    matches!(term, Term::Expression(expression)
                        if written.contains(&expressions.all[expression].cell))
                });
            }
            Operation::AssumePointers { left, right, equal, by_cell } => {
                // Where a dangling pointer is compared there is a gap.
                if *equal && *by_cell {
                    state.unite(Term::Register(*left), Term::Register(*right));
                    state.close(self.procedure, *left);
                }
            }
            Operation::Call(call) => {
                self.forget_freed(state);
                let written = (self.changed)(edge);
                state.kill(|term| match term {
                    Term::Register(_) => false,
                    Term::Expression(expression) => {
                        let known = expressions.all[expression];
                        let is_private = matches!(known.base, Base::Register(base) if self.is_private(edge, base));
                        !is_private && written.as_ref().is_none_or(|cells| cells.contains(known.cell))
                    }
                });
                if let Some(target) = call.target {
                    self.assign(state, target, None);
                }
            }
        }
        Flow::Continues
    }

    fn weight(&self, state: &Equalities) -> usize {
        state.entries.len()
    }
}

/// Never more than so many terms in one procedure: larger ones go without.
pub const MOST_EXPRESSIONS: usize = 2_000;
