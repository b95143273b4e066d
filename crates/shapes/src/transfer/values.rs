//! What operands and fields hold, and how they change.

use super::{Change, Draft, Number, Problem, Scalar, Transfer, Updates, u, v, w};
use crate::abstraction::{ScalarPredicates, UNKNOWN};
use crate::memory::{FieldId, ScalarKind, ScalarVariable};
use heapwise_engine::reason::{PointerGap, RefineGap};
use heapwise_engine::{GapReason, Kind};
use heapwise_ir::{EdgeId, FunctionId, Operand, RegisterId, TypeId};
use heapwise_logic::Formula;
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
        match self.abstraction.variables.get(&variable) {
            Some(predicates) => Scalar {
                kind,
                points: predicates.points.map_or(Formula::FALSE, |points| Formula::atom(points, &[v()])),
                bad: Formula::atom(predicates.bad, &[]),
                number: Number::Tracked(
                    predicates.equals.iter().map(|(c, is)| (*c, Formula::atom(*is, &[]))).collect(),
                ),
            },
            None => Scalar {
                kind,
                points: if kind == ScalarKind::Pointer { UNKNOWN } else { Formula::FALSE },
                bad: UNKNOWN,
                number: Number::Unknown,
            },
        }
    }

    /// An operand in a place for a scalar of that kind.
    pub(super) fn operand(
        &self,
        function: FunctionId,
        operand: Operand,
        kind: ScalarKind,
    ) -> Result<Scalar, GapReason> {
        let constant = |number| Scalar { kind, points: Formula::FALSE, bad: Formula::FALSE, number };
        match operand {
            Operand::Register(register) => {
                let scalar = self.variable_scalar(ScalarVariable::Register(function, register));
                match (scalar.kind, kind) {
                    (ScalarKind::Pointer, ScalarKind::Number) => Err(PointerGap::BecomesInteger.into()),
                    (ScalarKind::Number, ScalarKind::Pointer) => Err(PointerGap::FromInteger.into()),
                    _ => Ok(scalar),
                }
            }
            Operand::Int(0) => Ok(constant(Number::Constant(0))),
            Operand::Int(number) if kind == ScalarKind::Number => {
                let is_plain = self.memory.is_plain(number);
                Ok(constant(if is_plain { Number::Constant(number) } else { Number::Unknown }))
            }
            Operand::Int(_) => Err(PointerGap::FromInteger.into()),
            Operand::Float(_) => Ok(constant(Number::Unknown)),
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
        let points = match self.edge(field) {
            Formula::Literal(value) => Formula::Literal(value),
            edge => Formula::exists(vec![u()], Formula::and(here.instantiate(&[v()], &[u()]), swap(edge))),
        };
        match self.abstraction.fields.get(&field) {
            Some(predicates) => {
                let equals = predicates.equals.iter().map(|(c, is)| (*c, of_base(Formula::atom(*is, &[v()]))));
                Scalar {
                    kind,
                    points,
                    bad: of_base(Formula::atom(predicates.bad, &[v()])),
                    number: Number::Tracked(equals.collect()),
                }
            }
            None => Scalar { kind, points, bad: UNKNOWN, number: Number::Unknown },
        }
    }

    // Changes.

    pub(super) fn set_variable(&self, updates: &mut Updates, variable: ScalarVariable, value: &Scalar) {
        let Some(predicates) = self.abstraction.variables.get(&variable) else { return };
        if let Some(points) = predicates.points {
            updates.insert(points, Definition { params: vec![v()], formula: value.points.clone() });
        }
        updates.insert(predicates.bad, Definition { params: Vec::new(), formula: value.bad.clone() });
        for (constant, is) in &predicates.equals {
            updates.insert(*is, Definition { params: Vec::new(), formula: value.number.equals(*constant) });
        }
    }

    /// The variable holds nothing that anybody looks at.
    pub(super) fn forget(&self, updates: &mut Updates, variable: ScalarVariable) {
        let Some(predicates) = self.abstraction.variables.get(&variable) else { return };
        if let Some(points) = predicates.points {
            updates.insert(points, Definition { params: vec![v()], formula: Formula::FALSE });
        }
        for predicate in predicates.equals.iter().map(|(_, is)| *is).chain([predicates.bad]) {
            updates.insert(predicate, Definition { params: Vec::new(), formula: Formula::FALSE });
        }
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
