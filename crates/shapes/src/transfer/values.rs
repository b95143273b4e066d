//! What operands and fields hold, and how they change.

use super::{Change, Draft, Number, Origin, Problem, Scalar, Transfer, Updates, u, v, w};
use crate::abstraction::{ScalarPredicates, UNKNOWN};
use crate::memory::{FieldId, ScalarKind, ScalarVariable};
use crate::precision::NumberTest;
use heapwise_engine::reason::{PointerGap, RefineGap};
use heapwise_engine::{GapReason, Kind};
use heapwise_ir::{CompareOperator, EdgeId, FunctionId, IntType, Operand, RegisterId, TypeId, integer};
use heapwise_logic::{Formula, Predicate};
use heapwise_tvl::vocabulary::Definition;

impl Transfer<'_> {
    pub(super) fn variable_scalar(&self, variable: ScalarVariable) -> Scalar {
        let mut scalar = self.tracked_scalar(variable);
        if self.memory.written.contains(&variable) {
            scalar.bad = Formula::FALSE;
        }
        scalar
    }

    pub(super) fn tracked_scalar(&self, variable: ScalarVariable) -> Scalar {
        let kind = self.memory.variable_kind(variable);
        let int = self.memory.variable_int(variable);
        let origin = Origin::Variable(variable);
        match self.abstraction.variables.get(&variable) {
            Some(predicates) => Scalar {
                kind,
                points: predicates.points.map_or(Formula::FALSE, |points| Formula::atom(points, &[v()])),
                bad: Formula::atom(predicates.bad, &[]),
                int,
                number: Number::tracked(int, predicates, |predicate| Formula::atom(predicate, &[])),
                origin,
            },
            None => Scalar {
                kind,
                points: if kind == ScalarKind::Pointer { UNKNOWN } else { Formula::FALSE },
                bad: UNKNOWN,
                int,
                number: Number::any(int),
                origin,
            },
        }
    }

    /// A value that was computed.
    pub(super) fn computed(&self, kind: ScalarKind, int: Option<IntType>, number: Number) -> Scalar {
        Scalar { kind, points: Formula::FALSE, bad: Formula::FALSE, int, number, origin: Origin::Computed }
    }

    /// A value that was never written.
    pub(super) fn never_written(&self, kind: ScalarKind, int: Option<IntType>) -> Scalar {
        Scalar { bad: Formula::TRUE, ..self.computed(kind, int, Number::any(int)) }
    }

    /// An operand in a place for a scalar of that type.
    pub(super) fn operand(&self, function: FunctionId, operand: Operand, ty: TypeId) -> Result<Scalar, GapReason> {
        let kind = self.memory.kind(ty);
        let int = self.memory.int(ty);
        match operand {
            Operand::Register(register) => {
                let scalar = self.variable_scalar(ScalarVariable::Register(function, register));
                match (scalar.kind, kind) {
                    (ScalarKind::Pointer, ScalarKind::Number) => Err(PointerGap::BecomesInteger.into()),
                    (ScalarKind::Number, ScalarKind::Pointer) => Err(PointerGap::FromInteger.into()),
                    _ => Ok(scalar),
                }
            }
            // Constants take their type from where they stand, and wrap around there.
            Operand::Int(number) if kind == ScalarKind::Number => {
                let number = int.map_or_else(|| Number::any(None), |int| Number::constant(integer::wrap(number, int)));
                Ok(self.computed(kind, int, number))
            }
            Operand::Int(0) => Ok(self.computed(kind, None, Number::any(None))),
            Operand::Int(_) => Err(PointerGap::FromInteger.into()),
            Operand::Float(_) => Ok(self.computed(kind, int, Number::any(int))),
            Operand::Global(_) | Operand::Function(_) => Err(RefineGap::AddressOfVariable.into()),
        }
    }

    /// A pointer that is dereferenced or freed.
    pub(super) fn pointer(&self, function: FunctionId, operand: Operand) -> Result<Scalar, GapReason> {
        match operand {
            Operand::Register(register) => {
                self.operand(function, operand, self.type_of(function, register)).and_then(|scalar| {
                    if scalar.kind == ScalarKind::Pointer { Ok(scalar) } else { Err(PointerGap::FromInteger.into()) }
                })
            }
            Operand::Int(0) => Ok(self.computed(ScalarKind::Pointer, None, Number::any(None))),
            Operand::Int(_) | Operand::Float(_) => Err(PointerGap::FromInteger.into()),
            Operand::Global(_) | Operand::Function(_) => Err(RefineGap::AddressOfVariable.into()),
        }
    }

    pub(super) fn type_of(&self, function: FunctionId, register: RegisterId) -> TypeId {
        self.program().functions[function].registers[register].ty
    }

    pub(super) fn problem_of(&self, kind: Kind) -> Problem {
        if kind == Kind::Uninitialised && !self.options.asks_for(kind) {
            // The run would go on with any value.
            return Problem::Gap(RefineGap::AnyValue.into());
        }
        Problem::Error(kind)
    }

    pub(super) fn use_value(&self, draft: &mut Draft, scalar: &Scalar) {
        if scalar.bad != Formula::FALSE {
            draft.failing.push((self.problem_of(Kind::Uninitialised), scalar.bad.clone()));
        }
    }

    /// The base is dereferenced.
    pub(super) fn dereference(&self, draft: &mut Draft, base: &Scalar) {
        self.use_value(draft, base);
        let exists = Formula::exists(vec![v()], base.points.clone());
        draft.failing.push((Problem::Error(Kind::NullDereference), !exists));
        if self.abstraction.freed.is_some() {
            let freed = Formula::and(base.points.clone(), self.abstraction.is_freed(&v()));
            draft.failing.push((Problem::Error(Kind::UseAfterFree), Formula::exists(vec![v()], freed)));
        }
    }

    // Fields.

    /// `f(v, w)`.
    pub(super) fn edge(&self, field: FieldId) -> Formula {
        if self.memory.fields[field].kind == ScalarKind::Number {
            return Formula::FALSE;
        }
        match self.abstraction.fields.get(&field) {
            Some(ScalarPredicates { points: Some(points), .. }) => Formula::atom(*points, &[v(), w()]),
            _ => UNKNOWN,
        }
    }

    /// The field of the cell that `base` points to. If there is no such cell, nothing holds.
    pub(super) fn field_scalar(&self, base: &Scalar, field: FieldId) -> Scalar {
        let here = base.points.clone();
        let of_base = |formula: Formula| Formula::exists(vec![v()], Formula::and(here.clone(), formula));
        let kind = self.memory.fields[field].kind;
        let swap = |formula: Formula| formula.instantiate(&[v(), w()], &[u(), v()]);
        let behind = match base.origin {
            Origin::Variable(variable) => self.abstraction.behind.get(&(field, variable)),
            Origin::Field(..) | Origin::Computed => None,
        };
        let points = match (self.edge(field), behind) {
            (Formula::Literal(value), _) => Formula::Literal(value),
            // What is stored about paths from there is found by this name.
            (_, Some(behind)) => Formula::atom(*behind, &[v()]),
            (edge, None) => Formula::exists(vec![u()], Formula::and(here.instantiate(&[v()], &[u()]), swap(edge))),
        };
        let int = self.memory.field_int(field);
        let origin = Origin::Field(here.clone(), field);
        match self.abstraction.fields.get(&field) {
            Some(predicates) => Scalar {
                kind,
                points,
                bad: of_base(Formula::atom(predicates.bad, &[v()])),
                int,
                number: Number::tracked(int, predicates, |predicate| of_base(Formula::atom(predicate, &[v()]))),
                origin,
            },
            None => Scalar { kind, points, bad: UNKNOWN, int, number: Number::any(int), origin },
        }
    }

    /// Makes definite where the field of the cell that `base` points to leads.
    pub(super) fn focus_field(&self, draft: &mut Draft, base: &Scalar, field: FieldId) {
        let anonymous = Scalar { origin: Origin::Computed, ..base.clone() };
        draft.focus(self.field_scalar(&anonymous, field).points);
        draft.focus(self.field_scalar(base, field).points);
    }

    /// What is asked of a value, where it was read.
    pub(super) fn asked(&self, value: &Scalar) -> Vec<Formula> {
        let atoms = |predicates: &ScalarPredicates, of: &dyn Fn(Predicate) -> Formula| {
            predicates.tests.iter().map(|(_, predicate)| of(*predicate)).collect()
        };
        match &value.origin {
            Origin::Variable(variable) => {
                self.abstraction.variables.get(variable).map_or_else(Vec::new, |predicates| {
                    // Whether two variables hold the same is asked where they are compared.
                    let own = predicates.tests.iter().filter(|(test, _)| !matches!(test, NumberTest::Same(_)));
                    own.map(|(_, predicate)| Formula::atom(*predicate, &[])).collect()
                })
            }
            Origin::Field(here, field) => self.abstraction.fields.get(field).map_or_else(Vec::new, |predicates| {
                atoms(predicates, &|predicate| {
                    Formula::exists(vec![v()], Formula::and(here.clone(), Formula::atom(predicate, &[v()])))
                })
            }),
            Origin::Computed => Vec::new(),
        }
    }

    /// Whether two numbers are the same, as far as it is tracked where they were read; else by what they may be.
    pub(super) fn same(&self, one: &Scalar, other: &Scalar) -> Formula {
        if one.int.is_none() || other.int.is_none() {
            // A float need not be equal to itself.
            return UNKNOWN;
        }
        let tracked = match (&one.origin, &other.origin) {
            (Origin::Variable(a), Origin::Variable(b)) if a == b => Some(Formula::TRUE),
            (Origin::Variable(a), Origin::Variable(b)) => {
                self.same_variables(*a, *b).map(|predicate| Formula::atom(predicate, &[]))
            }
            (Origin::Field(here, field), Origin::Variable(variable))
            | (Origin::Variable(variable), Origin::Field(here, field)) => {
                self.same_field(*field, *variable).map(|predicate| {
                    Formula::exists(vec![v()], Formula::and(here.clone(), Formula::atom(predicate, &[v()])))
                })
            }
            _ => None,
        };
        let same = tracked.unwrap_or_else(|| self.may_be_equal(one, other));
        and_written(same, [&one.bad, &other.bad])
    }

    /// Whether two numbers are equal, by what each may be.
    fn may_be_equal(&self, one: &Scalar, other: &Scalar) -> Formula {
        match (one.int, other.int) {
            (Some(int), Some(second)) if int.bytes().max(second.bytes()) < 16 => {
                one.number.compare(CompareOperator::Equal, &other.number, Some(int))
            }
            _ => UNKNOWN,
        }
    }

    pub(super) fn same_variables(&self, one: ScalarVariable, other: ScalarVariable) -> Option<Predicate> {
        let of = |one, other| self.abstraction.variables.get(&one)?.test(NumberTest::Same(other));
        of(one, other).or_else(|| of(other, one))
    }

    fn same_field(&self, field: FieldId, variable: ScalarVariable) -> Option<Predicate> {
        self.abstraction.fields.get(&field)?.test(NumberTest::Same(variable))
    }

    /// Whether a value is what the field of the cell `v` holds.
    fn same_as_field(&self, value: &Scalar, field: FieldId, predicates: &ScalarPredicates) -> Formula {
        let int = self.memory.field_int(field);
        let bad = Formula::atom(predicates.bad, &[v()]);
        let own = Scalar {
            bad: bad.clone(),
            ..self.computed(
                ScalarKind::Number,
                int,
                Number::tracked(int, predicates, |predicate| Formula::atom(predicate, &[v()])),
            )
        };
        let otherwise = || self.may_be_equal(&own, value);
        let same = match &value.origin {
            Origin::Variable(variable) => {
                self.same_field(field, *variable).map_or_else(otherwise, |predicate| Formula::atom(predicate, &[v()]))
            }
            Origin::Field(here, read) if *read == field => {
                Formula::if_then_else(here.clone(), Formula::TRUE, otherwise())
            }
            Origin::Field(..) | Origin::Computed => otherwise(),
        };
        let same = and_written(same, [&value.bad, &bad]);
        match self.abstraction.is_freed(&v()) {
            Formula::Literal(_) => same,
            freed => Formula::and(same, !freed),
        }
    }

    /// Whether a value passes a test.
    pub(super) fn passes(&self, value: &Scalar, test: NumberTest) -> Formula {
        match test {
            NumberTest::Same(variable) => self.same(value, &self.tracked_scalar(variable)),
            NumberTest::Equals(_) | NumberTest::Below(_) => {
                and_written(value.number.passes(test, value.int), [&value.bad])
            }
        }
    }

    // Changes.

    pub(super) fn set_variable(&self, updates: &mut Updates, variable: ScalarVariable, value: &Scalar) {
        let Some(predicates) = self.abstraction.variables.get(&variable) else { return };
        if let Some(points) = predicates.points {
            updates.insert(points, Definition { params: vec![v()], formula: value.points.clone() });
        }
        updates.insert(predicates.bad, Definition { params: Vec::new(), formula: value.bad.clone() });
        for (test, predicate) in &predicates.tests {
            updates.insert(*predicate, Definition { params: Vec::new(), formula: self.passes(value, *test) });
        }
        let same = NumberTest::Same(variable);
        for (other, predicates) in &self.abstraction.variables {
            if let Some(predicate) = predicates.test(same) {
                let formula = self.same(value, &self.tracked_scalar(*other));
                updates.insert(predicate, Definition { params: Vec::new(), formula });
            }
        }
        for (field, predicates) in &self.abstraction.fields {
            if let Some(predicate) = predicates.test(same) {
                let formula = self.same_as_field(value, *field, predicates);
                updates.insert(predicate, Definition { params: vec![v()], formula });
            }
        }
    }

    /// The variable holds nothing that anybody looks at. To be done behind all else that a step writes.
    pub(super) fn forget(&self, updates: &mut Updates, variable: ScalarVariable) {
        let Some(predicates) = self.abstraction.variables.get(&variable) else { return };
        let mut never = |predicate: Predicate, params: Vec<heapwise_logic::Variable>| {
            updates.insert(predicate, Definition { params, formula: Formula::FALSE });
        };
        if let Some(points) = predicates.points {
            never(points, vec![v()]);
        }
        for predicate in predicates.tests.iter().map(|(_, predicate)| *predicate).chain([predicates.bad]) {
            never(predicate, Vec::new());
        }
        let same = NumberTest::Same(variable);
        self.abstraction.variables.values().filter_map(|other| other.test(same)).for_each(|it| never(it, Vec::new()));
        self.abstraction.fields.values().filter_map(|field| field.test(same)).for_each(|it| never(it, vec![v()]));
    }

    /// The registers of a function that are tracked.
    pub(super) fn registers(&self, function: FunctionId) -> impl Iterator<Item = RegisterId> + '_ {
        self.abstraction.variables.keys().filter_map(move |variable| match variable {
            ScalarVariable::Register(owner, register) if *owner == function => Some(*register),
            _ => None,
        })
    }

    /// Forgets the tracked registers that are not live behind an edge, but were before it or are written by it.
    pub(super) fn forget_dead(&self, function: FunctionId, edge: EdgeId) -> Updates {
        let mut updates = Updates::new();
        let Some(edge) = self.automaton(function).map(|automaton| &automaton.edges[edge]) else { return updates };
        for register in self.registers(function) {
            let mattered = self.is_live(function, edge.from, register) || edge.instruction.target() == Some(register);
            if mattered && !self.is_live(function, edge.to, register) {
                self.forget(&mut updates, ScalarVariable::Register(function, register));
            }
        }
        updates
    }

    /// The value of a target register, unless it is dead at once; and what is dead behind the edge is forgotten.
    pub(super) fn assigned(
        &self,
        function: FunctionId,
        edge: EdgeId,
        target: Option<RegisterId>,
        value: &Scalar,
    ) -> Change {
        let mut updates = Updates::new();
        if let Some(target) = target {
            self.set_variable(&mut updates, ScalarVariable::Register(function, target), value);
        }
        // What is dead wins over what is written.
        updates.extend(self.forget_dead(function, edge));
        Change { updates, ..Change::default() }
    }

    /// A change of cells, and then what is dead is forgotten: together they are harder to derive.
    pub(super) fn then_forget(&self, function: FunctionId, edge: EdgeId, change: Change) -> Vec<Change> {
        let updates = self.forget_dead(function, edge);
        if updates.is_empty() { vec![change] } else { vec![change, Change { updates, ..Change::default() }] }
    }
}

/// The formula, and that these were written.
fn and_written<const N: usize>(formula: Formula, bad: [&Formula; N]) -> Formula {
    let mut parts: Vec<Formula> =
        bad.into_iter().filter(|bad| **bad != Formula::FALSE).map(|bad| !bad.clone()).collect();
    if parts.is_empty() {
        return formula;
    }
    parts.push(formula);
    Formula::And(parts)
}
