//! Statements.

use crate::adapter::{Conversion, DeclId, DeclKind, ExprId, ExprKind, Qualifiers, Stmt, StmtId, UnaryOp};
use crate::lowering::{Enclosing, JumpTarget, Local, Lowering};
use crate::places::pointed;
use crate::scopes::{Leaving, Until};
use heapwise_ir::{
    BinaryOperator, Callee, CompareOperator, Condition, Construct, Expression, Failure, InitialContents, Instruction,
    LocationId, Operand, RegisterId, RegisterOrigin, Storage, TypeId as IrTypeId, UnsupportedReason, View,
};

impl Lowering<'_, '_, '_> {
    pub(crate) fn statement(&mut self, id: StmtId) {
        let scope = match self.source.tast[id] {
            // They enter their scopes themselves.
            Stmt::Block(_) | Stmt::For { .. } => None,
            _ => self.scan.blocks.get(&id).copied(),
        };
        // The expressions of a statement are full expressions, also where it stands in an operand: `c && ({ … })`.
        let branches = self.branches.take();
        let outer = self.scope;
        if let Some(scope) = scope {
            self.enter_scope(scope);
        }
        self.statement_in_scope(id);
        if scope.is_some() {
            while self.scope != outer {
                self.leave_scope(Leaving::Block);
            }
        }
        self.branches = branches;
    }

    fn statement_in_scope(&mut self, id: StmtId) {
        self.at_statement(id);
        match self.source.tast[id] {
            Stmt::Error => self.unsupported(Construct::ErroneousStatement),
            Stmt::Empty => {}
            Stmt::Expr(expr) => self.full_effect(expr),
            Stmt::Block(_) => {
                self.block(id, None);
            }
            Stmt::Decls(decls) => {
                for index in 0..self.source.tast[decls].len() {
                    let decl = self.source.tast[decls][index];
                    self.declaration(decl);
                }
            }
            Stmt::If { cond, then, otherwise } => self.if_statement(cond, then, otherwise),
            Stmt::While { cond, body } => {
                let (head, inside, after) = (self.location(), self.location(), self.location());
                self.label(head);
                self.branch_on_full(cond, inside, after);
                self.here = inside;
                self.loop_body(body, after, head);
                self.jump(head);
                self.here = after;
            }
            Stmt::DoWhile { body, cond } => {
                let (head, condition, after) = (self.location(), self.location(), self.location());
                self.label(head);
                self.loop_body(body, after, condition);
                self.label(condition);
                self.branch_on_full(cond, head, after);
                self.here = after;
            }
            Stmt::For { init, cond, step, body } => self.for_statement(id, init, cond, step, body),
            Stmt::Switch { cond, body, .. } => self.switch(id, cond, body),
            Stmt::Case { case, body } => {
                let location = self.case_location(case);
                self.label(location);
                self.statement(body);
            }
            Stmt::Default { body } => {
                let location = self.default_location(body);
                self.label(location);
                self.statement(body);
            }
            Stmt::Label { label, body } => {
                let location = self.label_location(label);
                self.label(location);
                self.statement(body);
            }
            Stmt::Goto(label) => match self.scan.labels.get(&label) {
                Some(&scope) => {
                    let location = self.label_location(label);
                    self.jump_to_scope(location, scope);
                }
                None => self.unsupported(UnsupportedReason::NestedFunction),
            },
            Stmt::IndirectGoto(expr) => self.computed_goto(expr),
            Stmt::Asm(asm) => self.assembly(asm),
            Stmt::Break => match self.enclosing.last() {
                Some(enclosing) => self.jump_out(enclosing.break_to),
                None => self.unsupported(Construct::StrayBreak),
            },
            Stmt::Continue => match self.enclosing.iter().rev().find_map(|enclosing| enclosing.continue_to) {
                Some(target) => self.jump_out(target),
                None => self.unsupported(Construct::StrayContinue),
            },
            Stmt::Return(value) => self.return_statement(value),
        }
    }

    /// A block; the value of its last expression statement is asked for where it is a statement expression.
    fn block(&mut self, id: StmtId, wanted: Option<(IrTypeId, Option<RegisterId>)>) -> Option<Operand> {
        let Stmt::Block(list) = self.source.tast[id] else { return None };
        let outer = self.scope;
        if let Some(&scope) = self.scan.blocks.get(&id) {
            self.enter_scope(scope);
        }
        let mut value = None;
        let count = self.source.tast[list].len();
        for index in 0..count {
            let statement = self.source.tast[list][index];
            match (self.last_expression(statement), wanted) {
                (Some((expr, labelled)), Some((ty, destination))) if index + 1 == count => {
                    for label in labelled {
                        self.place_label(label);
                    }
                    value = Some(self.last_value(expr, ty, destination));
                }
                _ => self.statement(statement),
            }
        }
        // The closing brace: storage ends there.
        let end = self.source.tast.stmt_span(id);
        let brace = crate::adapter::Span { lo: end.hi.saturating_sub(1).max(end.lo), hi: end.hi };
        self.span = self.unit.span(self.link, brace);
        while self.scope != outer {
            self.leave_scope(Leaving::Block);
        }
        value
    }

    /// The expression of an expression statement, and the labels before it.
    fn last_expression(&self, mut statement: StmtId) -> Option<(ExprId, Vec<StmtId>)> {
        let mut labels = Vec::new();
        loop {
            match self.source.tast[statement] {
                Stmt::Expr(expr) => return Some((expr, labels)),
                Stmt::Label { body, .. } | Stmt::Case { body, .. } | Stmt::Default { body } => {
                    labels.push(statement);
                    statement = body;
                }
                _ => return None,
            }
        }
    }

    fn place_label(&mut self, statement: StmtId) {
        let location = match self.source.tast[statement] {
            Stmt::Label { label, .. } => self.label_location(label),
            Stmt::Case { case, .. } => self.case_location(case),
            Stmt::Default { body } => self.default_location(body),
            _ => return,
        };
        self.label(location);
    }

    /// The value of a statement expression, copied out before its scope ends.
    fn last_value(&mut self, expr: ExprId, ty: IrTypeId, destination: Option<RegisterId>) -> Operand {
        if self.is_void(ty) {
            self.full_effect(expr);
            return Operand::ZERO;
        }
        if self.is_aggregate(ty) {
            // The temporary belongs to the expression around this one.
            let place = self.aggregate(expr);
            if let Some(target) = destination {
                let to = pointed(Operand::Register(target), ty);
                self.copy(to, place, ty);
            }
            return Operand::ZERO;
        }
        let (pending, branches) = (self.temporaries.len(), self.branches.take());
        let value = self.value_in(expr, destination);
        self.at(expr);
        let value = match (value, destination) {
            (Operand::Register(register), None) if self.registers[register].origin != RegisterOrigin::Temporary => {
                self.compute(ty, None, Expression::Operand(value))
            }
            _ => self.deliver(value, destination),
        };
        self.end_temporaries(pending);
        self.branches = branches;
        value
    }

    /// `({ … })` with a scalar value (or none).
    pub(crate) fn statement_expression(
        &mut self,
        body: StmtId,
        ty: IrTypeId,
        destination: Option<RegisterId>,
    ) -> Operand {
        let value = self.block(body, Some((ty, destination)));
        value.unwrap_or(Operand::ZERO)
    }

    /// `({ … })` whose value is an aggregate: it is copied to where `target` points.
    pub(crate) fn statement_expression_into(&mut self, body: StmtId, ty: IrTypeId, target: RegisterId) {
        self.block(body, Some((ty, Some(target))));
    }

    fn if_statement(&mut self, cond: ExprId, then: StmtId, otherwise: Option<StmtId>) {
        let (on_true, after) = (self.location(), self.location());
        let on_false = if otherwise.is_some() { self.location() } else { after };
        self.branch_on_full(cond, on_true, on_false);
        self.here = on_true;
        self.statement(then);
        self.jump(after);
        if let Some(otherwise) = otherwise {
            self.here = on_false;
            self.statement(otherwise);
            self.jump(after);
        }
        self.here = after;
    }

    fn for_statement(
        &mut self,
        id: StmtId,
        init: Option<StmtId>,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    ) {
        let outer = self.scope;
        if let Some(&scope) = self.scan.blocks.get(&id) {
            self.enter_scope(scope);
        }
        if let Some(init) = init {
            self.statement(init);
        }
        let (head, inside, next, after) = (self.location(), self.location(), self.location(), self.location());
        self.label(head);
        match cond {
            Some(cond) => self.branch_on_full(cond, inside, after),
            None => self.jump(inside),
        }
        self.here = inside;
        self.loop_body(body, after, next);
        self.label(next);
        if let Some(step) = step {
            self.full_effect(step);
        }
        self.jump(head);
        self.here = after;
        self.at_statement(id);
        while self.scope != outer {
            self.leave_scope(Leaving::Block);
        }
    }

    fn loop_body(&mut self, body: StmtId, after: LocationId, next: LocationId) {
        let target = |location| JumpTarget { location, scope: self.scope };
        self.enclosing.push(Enclosing { break_to: target(after), continue_to: Some(target(next)) });
        self.statement(body);
        self.enclosing.pop();
    }

    /// Evaluated once, then compared with every case in turn.
    fn switch(&mut self, id: StmtId, cond: ExprId, body: StmtId) {
        let Stmt::Switch { cases, default, .. } = self.source.tast[id] else { return };
        let pending = self.temporaries.len();
        let mut value = self.value(cond);
        self.end_temporaries(pending);
        let ty = self.type_of(cond);
        self.at(cond);
        // The cases may change the variable that was looked at.
        if let Operand::Register(register) = value
            && self.registers[register].origin != RegisterOrigin::Temporary
        {
            value = self.compute(ty, None, Expression::Operand(value));
        }
        let after = self.location();
        let scope = self.scope;
        let count = self.source.tast[cases].len();
        let first = cases.iter();
        for (index, case) in first.take(count).enumerate() {
            let bounds = self.source.tast[cases][index];
            let (matched, next) = (self.location(), self.location());
            if bounds.low == bounds.high {
                let bound = Operand::Int(bounds.low);
                self.branch_on(CompareOperator::Equal, ty, value, bound, matched, next);
            } else {
                let above = self.location();
                let (low, high) = (Operand::Int(bounds.low), Operand::Int(bounds.high));
                self.branch_on(CompareOperator::GreaterEqual, ty, value, low, above, next);
                self.here = above;
                self.branch_on(CompareOperator::LessEqual, ty, value, high, matched, next);
            }
            self.here = matched;
            let location = self.case_location(case);
            let target = self.scan.cases.get(&case).copied().unwrap_or(scope);
            self.jump_to_scope(location, target);
            self.here = next;
        }
        match default {
            Some(body) => {
                let location = self.default_location(body);
                let target = self.scan.defaults.get(&body).copied().unwrap_or(scope);
                self.jump_to_scope(location, target);
            }
            None => self.jump(after),
        }
        let break_to = JumpTarget { location: after, scope };
        self.enclosing.push(Enclosing { break_to, continue_to: None });
        self.statement(body);
        self.enclosing.pop();
        self.jump(after);
        self.here = after;
    }

    /// A chain over the labels whose address the function takes.
    fn computed_goto(&mut self, expr: ExprId) {
        let value = self.value(expr);
        let ty = self.type_of(expr);
        self.at(expr);
        for label in self.scan.label_addresses.clone() {
            let Some(&scope) = self.scan.labels.get(&label) else { continue };
            let address = Operand::Global(self.unit.label(self.link, label));
            let (matched, next) = (self.location(), self.location());
            self.branch_on(CompareOperator::Equal, ty, value, address, matched, next);
            self.here = matched;
            let location = self.label_location(label);
            self.jump_to_scope(location, scope);
            self.here = next;
        }
        self.unsupported(UnsupportedReason::ComputedGoto);
        self.stop();
    }

    fn return_statement(&mut self, value: Option<ExprId>) {
        let (span, pending) = (self.span, self.temporaries.len());
        if let Some(value) = value {
            let ty = self.type_of(value);
            if self.is_void(ty) {
                self.effect(value);
            } else if let (true, Some(pointer)) = (self.is_aggregate(ty), self.result_pointer) {
                self.aggregate_into(value, pointed(Operand::Register(pointer), ty));
            } else if let Some(result) = self.result {
                let value = self.value_in(value, Some(result));
                self.span = span;
                let value = self.deliver(value, Some(result));
                if self.is_main {
                    self.exit_with(value);
                }
            } else {
                self.effect(value);
            }
        }
        self.span = span;
        self.jump_to_exit();
        self.temporaries.truncate(pending);
    }

    /// A return from `main` calls `exit` with the value (C 5.1.2.2.3), and the environment looks at it. Behind it the return is
    /// still one: what only locals point to is lost.
    fn exit_with(&mut self, status: Operand) {
        if status.register().is_some() {
            let callee = Callee::Direct(self.exit_status());
            self.emit(Instruction::Call { target: None, callee, arguments: vec![status] });
        }
    }

    fn case_location(&mut self, case: crate::adapter::CaseId) -> LocationId {
        let automaton = &mut self.automaton;
        *self.cases.entry(case).or_insert_with(|| automaton.add_location())
    }

    fn default_location(&mut self, body: StmtId) -> LocationId {
        let automaton = &mut self.automaton;
        *self.defaults.entry(body).or_insert_with(|| automaton.add_location())
    }

    pub(crate) fn label_location(&mut self, label: crate::adapter::LabelId) -> LocationId {
        let automaton = &mut self.automaton;
        *self.labels.entry(label).or_insert_with(|| automaton.add_location())
    }

    fn declaration(&mut self, decl: DeclId) {
        let declared = &self.source.tast[decl];
        if declared.kind == DeclKind::Function {
            return;
        }
        let at = self.source.tast.decl_span(decl);
        self.span = self.unit.span(self.link, at);
        self.evaluate_sizes(decl, declared.ty);
        if declared.kind == DeclKind::Type || !self.is_automatic(decl) {
            return;
        }
        if let Some(&scope) = self.scan.vla_scopes.get(&decl) {
            self.declare_vla(decl);
            // What is declared behind it lives as long.
            self.enter_scope(scope);
            return;
        }
        // The register exists even where nothing is stored yet.
        let local = self.local(decl);
        if declared.init.is_none() {
            self.forget_local(decl, local);
        }
        if declared.init.is_some() {
            let pending = self.temporaries.len();
            self.initialize_local(decl);
            self.end_temporaries(pending);
        }
    }

    /// Each time a declaration without initializer is reached, its object has no value (C17 6.2.4 p6): each time round a loop
    /// it is a new variable, and after a jump back within its block it is the old one.
    fn forget_local(&mut self, decl: DeclId, local: Local) {
        let comes_again = self.scan.declared_again.contains(&decl);
        match local {
            Local::Register(register) => {
                // What a pointer of an inner block holds is given up where the block ends.
                let is_pointer = self.link.program.pointee(self.registers[register].ty).is_some();
                if comes_again || self.is_inner(self.scope) && !is_pointer {
                    self.emit(Instruction::Assign { target: register, value: Expression::Uninitialised });
                }
            }
            Local::Memory(address) if comes_again => {
                let ty = self.ty(self.source.tast[decl].ty);
                let place = pointed(Operand::Register(address), ty);
                if self.is_scalar(ty) {
                    let unset = self.compute(ty, None, Expression::Uninitialised);
                    return self.store(place, unset);
                }
                let Some(bytes) = self.size(ty).filter(|bytes| *bytes > 0) else { return };
                // Fresh storage has no value, and copies carry that.
                let pending = self.temporaries.len();
                let fresh = self.temporary_object(ty, Operand::Int(i128::from(bytes)), Until::Operand);
                self.copy(place, pointed(Operand::Register(fresh), ty), ty);
                self.end_temporaries(pending);
            }
            Local::Memory(_) => {}
        }
    }

    /// Evaluates the counts of the variable-length arrays in a type where the declaration that they stand in is reached (C11
    /// 6.7.8 p3): one that uses a `typedef`, or `typeof` of a variable, has the counts of that.
    pub(crate) fn evaluate_sizes(&mut self, decl: DeclId, ty: crate::adapter::TypeId) {
        use crate::adapter::{ArrayLen, TypeKind};
        let types = &self.source.types;
        match types.kind(types.canonical(ty)) {
            TypeKind::Pointer(inner) => self.evaluate_sizes(decl, inner),
            TypeKind::Array { elem, len } => {
                // C leaves the order open; gcc begins with the last dimension.
                self.evaluate_sizes(decl, elem);
                if let ArrayLen::Variable(vla) = len {
                    let size = self.source.tast.vla_size(vla);
                    if *self.vla_owners.entry(size).or_insert(decl) == decl {
                        self.evaluate_count(size);
                    }
                }
            }
            _ => {}
        }
    }

    fn evaluate_count(&mut self, size: ExprId) {
        self.vla_counts.remove(&size);
        let pending = self.temporaries.len();
        let value = self.value(size);
        let ty = self.type_of(size);
        let counted = match value {
            Operand::Register(_) => self.compute(ty, None, Expression::Operand(value)),
            _ => value,
        };
        self.end_temporaries(pending);
        self.vla_counts.insert(size, counted);
    }

    fn declare_vla(&mut self, decl: DeclId) {
        let Local::Memory(address) = self.local(decl) else { return };
        let declared = self.source.tast[decl].ty;
        let Some((element, vla, count)) = self.variable_length(declared) else { return };
        let count = match vla {
            Some(vla) => self.value(self.source.tast.vla_size(vla)),
            None => Operand::Int(i128::from(count)),
        };
        let size = self.runtime_size(element);
        let size_type = self.size_type();
        let count = self.coerce(count, size_type);
        let bytes = self.binary(BinaryOperator::Multiply, size_type, count, size, None);
        let element = self.ty(element);
        let view = self.size(element).map(|_| View { element, count, has_tail: false });
        let align = self.unit.declared_alignment(self.link, decl, element).map(|align| Operand::Int(i128::from(align)));
        self.emit(Instruction::Alloc {
            target: address,
            bytes,
            storage: Storage::Auto,
            contents: InitialContents::Uninitialised,
            failure: Failure::Never,
            align,
            view,
        });
    }

    /// An expression statement: its temporaries end with it.
    pub(crate) fn full_effect(&mut self, expr: ExprId) {
        let pending = self.temporaries.len();
        self.effect(expr);
        self.end_temporaries(pending);
    }

    /// Evaluates an expression for its effects alone.
    pub(crate) fn effect(&mut self, expr: ExprId) {
        match self.source.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Void, operand } | ExprKind::Cast(operand)
                if matches!(self.source.tast[expr].kind, ExprKind::Convert { .. }) || self.is_void_expression(expr) =>
            {
                self.effect(operand);
            }
            // An lvalue that is not read is only looked for.
            ExprKind::Convert { kind: Conversion::Lvalue, operand } => self.effect_of_place(operand),
            ExprKind::Decl(_) | ExprKind::Const(_) | ExprKind::Str(_) => {}
            ExprKind::Member { .. } | ExprKind::Subscript { .. } => self.effect_of_place(expr),
            ExprKind::Unary { op: UnaryOp::Deref, .. } => self.effect_of_place(expr),
            ExprKind::Unary {
                op: op @ (UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec),
                operand,
            } => {
                self.increment_place(expr, op, operand, false);
            }
            ExprKind::Assign { op, computation, lhs, rhs } => {
                let ty = self.type_of(lhs);
                if self.is_aggregate(ty) && op.is_none() {
                    let _ = self.aggregate(expr);
                } else {
                    self.assignment(expr, op, computation, lhs, rhs);
                }
            }
            ExprKind::Cond { cond, then, otherwise } => self.conditional_effect(cond, then, otherwise),
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs);
                self.effect(rhs);
            }
            ExprKind::Binary { op: crate::adapter::BinaryOp::LogAnd | crate::adapter::BinaryOp::LogOr, .. } => {
                let join = self.location();
                self.branch(expr, join, join);
                self.here = join;
            }
            ExprKind::StmtExpr(body) => {
                self.statement(body);
            }
            ExprKind::Call { callee, args } if !self.is_aggregate_expression(expr) => {
                self.call_effect(expr, callee, args);
            }
            _ => {
                let ty = self.type_of(expr);
                if self.is_aggregate(ty) {
                    let _ = self.aggregate(expr);
                } else {
                    let _ = self.value(expr);
                }
            }
        }
    }

    fn is_aggregate_expression(&mut self, expr: ExprId) -> bool {
        let ty = self.type_of(expr);
        self.is_aggregate(ty)
    }

    fn is_void_expression(&mut self, expr: ExprId) -> bool {
        let ty = self.type_of(expr);
        self.is_void(ty)
    }

    /// An lvalue whose value is not used is read only if it is volatile, as gcc does.
    fn effect_of_place(&mut self, expr: ExprId) {
        let is_volatile = self.source.types.quals(self.source.tast[expr].ty).has(Qualifiers::VOLATILE);
        let ty = self.type_of(expr);
        if is_volatile && self.is_scalar(ty) {
            self.read(expr, None);
        } else {
            self.place(expr);
        }
    }

    /// Goes on only where the condition holds.
    pub(crate) fn assume(&mut self, condition: Condition) {
        self.emit(Instruction::Assume(condition));
    }
}
