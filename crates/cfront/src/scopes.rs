//! Storage of locals: it begins when control enters their scope and ends when control leaves it, however it does.

use crate::adapter::{DeclId, StorageDuration};
use crate::lowering::{JumpTarget, Local, Lowering};
use crate::scan::ScopeId;
use heapwise_ir::{
    CompareOperator, Condition, Expression, Failure, InitialContents, Instruction, LocationId, Operand, RegisterId,
    RegisterOrigin, Storage, TypeId as IrTypeId, View,
};

/// How control leaves a scope.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaving {
    /// The function goes on behind it.
    Block,
    /// The function returns: its registers go all at once.
    Function,
}

/// How long a temporary object lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Until {
    /// To the end of the operand or of the call that it was made for: no address of it is seen behind that.
    Operand,
    /// To the end of the full expression (C11 6.2.4 p8).
    FullExpression,
}

/// A temporary object that is to be ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TemporaryObject {
    address: RegisterId,
    until: Until,
}

/// The place before the branches of an expression. What lives to the end of the full expression begins there, since it is ended
/// on the ways that do not make it, too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BeforeBranches {
    last: LocationId,
    branches: LocationId,
}

/// Whether an operator that branches is the outermost one of its full expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Opened {
    Outermost,
    Within,
}

impl Lowering<'_, '_, '_> {
    /// Enters a scope from its parent: its locals get their storage.
    pub(crate) fn enter_scope(&mut self, scope: ScopeId) {
        self.allocate_locals(scope);
        // A jump within the block may pass over a declaration that was reached when the block ran before.
        if self.is_inner(scope) && self.scan.labels.values().any(|label| self.scan.is_within(*label, scope)) {
            self.forget_registers(scope);
        }
        self.scope = scope;
        self.scope_temporaries.resize(self.scan.scopes.len(), 0);
        self.scope_temporaries[scope.0] = self.temporaries.len();
    }

    /// Leaves the current scope for its parent.
    pub(crate) fn leave_scope(&mut self, leaving: Leaving) {
        let scope = self.scope;
        self.end_locals(scope, leaving);
        if let Some(parent) = self.scan.scopes[scope.0].parent {
            self.scope = parent;
        }
    }

    fn allocate_locals(&mut self, scope: ScopeId) {
        let locals = std::mem::take(&mut self.scan.scopes[scope.0].locals);
        let span = self.span;
        for &decl in &locals {
            if let Local::Memory(address) = self.local(decl) {
                let at = self.source.tast.decl_span(decl);
                self.span = self.unit.span(self.link, at);
                self.allocate_local(decl, address);
            }
        }
        self.span = span;
        self.scan.scopes[scope.0].locals = locals;
    }

    /// A jump into a block passes over declarations: variables of the block have no value, whatever they held when it ran before.
    fn forget_registers(&mut self, scope: ScopeId) {
        for index in 0..self.scan.scopes[scope.0].locals.len() {
            let decl = self.scan.scopes[scope.0].locals[index];
            if let Local::Register(target) = self.local(decl) {
                self.emit(Instruction::Assign { target, value: Expression::Uninitialised });
            }
        }
    }

    fn allocate_local(&mut self, decl: DeclId, address: RegisterId) {
        let ty = self.ty(self.source.tast[decl].ty);
        let bytes = self.size(ty).unwrap_or(0).max(self.source.tast.extent(decl));
        self.emit(Instruction::Alloc {
            target: address,
            bytes: Operand::Int(i128::from(bytes)),
            storage: Storage::Auto,
            contents: InitialContents::Uninitialised,
            failure: Failure::Never,
            align: self.unit.declared_alignment(self.link, decl, ty).map(|align| Operand::Int(i128::from(align))),
            view: Some(self.view_of_one(ty)),
        });
    }

    pub(crate) fn view_of_one(&self, ty: IrTypeId) -> View {
        View { element: ty, count: Operand::Int(1), has_tail: false }
    }

    /// Where a local of this function lives; decided on first sight.
    pub(crate) fn local(&mut self, decl: DeclId) -> Local {
        if let Some(&local) = self.locals.get(&decl) {
            return local;
        }
        let ty = self.ty(self.source.tast[decl].ty);
        let name = match self.unit.name(decl) {
            "" => "$literal",
            name => name,
        };
        let span = self.unit.span(self.link, self.source.tast.decl_span(decl));
        let local = if self.scan.in_memory.contains(&decl) || !self.is_scalar(ty) {
            let pointer = self.pointer_to(ty);
            Local::Memory(self.named_register(name, pointer, RegisterOrigin::AddressOfLocal(span)))
        } else {
            Local::Register(self.named_register(name, ty, RegisterOrigin::Variable(span)))
        };
        self.locals.insert(decl, local);
        local
    }

    /// Ends the storage of a scope's locals, last declared first; handlers of `cleanup` run before.
    fn end_locals(&mut self, scope: ScopeId, leaving: Leaving) {
        if scope == ScopeId(0) {
            return self.end_parameters();
        }
        if let Some(vla) = self.scan.scopes[scope.0].vla {
            self.end_local(vla, leaving);
        }
        let leaving = if self.is_inner(scope) { leaving } else { Leaving::Function };
        for index in (0..self.scan.scopes[scope.0].locals.len()).rev() {
            let decl = self.scan.scopes[scope.0].locals[index];
            self.end_local(decl, leaving);
        }
    }

    /// Whether the scope is a block within the function's own.
    pub(crate) fn is_inner(&self, scope: ScopeId) -> bool {
        self.scan.scopes[scope.0].parent.is_some_and(|parent| parent != ScopeId(0))
    }

    fn end_local(&mut self, decl: DeclId, leaving: Leaving) {
        let address = match self.locals.get(&decl) {
            Some(&Local::Memory(address)) => address,
            Some(&Local::Register(register)) => {
                // What a pointer of an inner block held may be lost with the block.
                if leaving == Leaving::Block && self.link.program.pointee(self.registers[register].ty).is_some() {
                    self.emit(Instruction::Assign { target: register, value: Expression::Uninitialised });
                }
                return;
            }
            None => return,
        };
        if let Some(handler) = self.source.tast[decl].cleanup {
            self.call_cleanup(handler, address);
        }
        self.emit(Instruction::End { pointer: Operand::Register(address) });
    }

    fn end_parameters(&mut self) {
        for index in (0..self.copied_parameters.len()).rev() {
            let address = self.copied_parameters[index];
            self.emit(Instruction::End { pointer: Operand::Register(address) });
        }
        self.end_allocas();
        if let Some(list) = self.alloca_list {
            self.end_alloca_list(list);
        }
    }

    /// What `alloca` gave ends with the function; where it did not run, its register is null.
    fn end_allocas(&mut self) {
        for index in 0..self.scan.allocas.len() {
            let expr = self.scan.allocas[index];
            let Some(&register) = self.allocas.get(&expr) else { continue };
            let ty = self.registers[register].ty;
            let (ran, join) = (self.location(), self.location());
            let (left, right) = (Operand::Register(register), Operand::ZERO);
            let condition = |operator| Condition::Compare { operator, ty, left, right };
            self.emit_to(ran, Instruction::Assume(condition(CompareOperator::NotEqual)));
            self.emit_to(join, Instruction::Assume(condition(CompareOperator::Equal)));
            self.here = ran;
            self.emit_to(join, Instruction::End { pointer: left });
            self.here = join;
        }
    }

    /// Jumps to a location in another scope: storage of the scopes left ends, that of the scopes entered begins.
    pub(crate) fn jump_to_scope(&mut self, to: LocationId, target: ScopeId) {
        let (from, temporaries) = (self.scope, self.temporaries.clone());
        let common = self.common_scope(from, target);
        let base = self.scope_temporaries.get(common.0).copied().unwrap_or(0).min(temporaries.len());
        self.end_temporaries(base);
        while self.scope != common {
            self.leave_scope(Leaving::Block);
        }
        let mut entered = Vec::new();
        let mut scope = target;
        while scope != common {
            entered.push(scope);
            scope = match self.scan.scopes[scope.0].parent {
                Some(parent) => parent,
                None => break,
            };
        }
        for scope in entered.into_iter().rev() {
            self.allocate_locals(scope);
            self.forget_registers(scope);
        }
        self.jump(to);
        self.scope = from;
        self.temporaries = temporaries;
    }

    /// `break` and `continue`.
    pub(crate) fn jump_out(&mut self, target: JumpTarget) {
        self.jump_to_scope(target.location, target.scope);
    }

    fn common_scope(&self, mut left: ScopeId, mut right: ScopeId) -> ScopeId {
        let scopes = &self.scan.scopes;
        while left != right {
            let (deeper, other) =
                if scopes[left.0].depth >= scopes[right.0].depth { (left, right) } else { (right, left) };
            match scopes[deeper.0].parent {
                Some(parent) => {
                    left = parent;
                    right = other;
                }
                None => return deeper,
            }
        }
        left
    }

    /// Ends every scope and goes to the exit.
    pub(crate) fn jump_to_exit(&mut self) {
        if self.is_noreturn {
            // C11 6.7.4p8: that the function does not come back is checked, not believed.
            self.emit(Instruction::Assert(Condition::False));
            self.stop();
            return;
        }
        let (scope, temporaries) = (self.scope, self.temporaries.clone());
        self.end_temporaries(0);
        while self.scope != ScopeId(0) {
            self.leave_scope(Leaving::Function);
        }
        self.end_locals(ScopeId(0), Leaving::Function);
        let exit = self.automaton.exit;
        if self.is_last_place_of_variables() {
            self.jump(exit);
        } else {
            let span = std::mem::replace(&mut self.span, heapwise_ir::Span::NONE);
            self.jump(exit);
            self.span = span;
        }
        self.scope = scope;
        self.temporaries = temporaries;
    }

    /// Whether leaving the function here can lose what a variable holds, and no edge before it stands at the same place:
    /// a value that is returned is assigned where the function is left.
    fn is_last_place_of_variables(&self) -> bool {
        let holds = |register: &heapwise_ir::Register| {
            matches!(register.origin, RegisterOrigin::Variable(_)) && self.is_pointer(register.ty)
        };
        self.result.is_none() && self.registers.values().any(holds)
    }

    /// Ends the temporaries made since `pending` were there.
    pub(crate) fn end_temporaries(&mut self, pending: usize) {
        while self.temporaries.len() > pending {
            if let Some(temporary) = self.temporaries.pop() {
                self.emit(Instruction::End { pointer: Operand::Register(temporary.address) });
            }
        }
    }

    /// Ends the temporaries made since `pending` were there, except those that live as long as the full expression.
    pub(crate) fn end_operand(&mut self, pending: usize) {
        let made = self.temporaries.split_off(pending);
        let (kept, ended): (Vec<_>, Vec<_>) = made.into_iter().partition(|made| made.until == Until::FullExpression);
        self.temporaries.extend(kept);
        for temporary in ended.into_iter().rev() {
            self.emit(Instruction::End { pointer: Operand::Register(temporary.address) });
        }
    }

    /// Before an operator of which some operands are not evaluated on some ways.
    pub(crate) fn open_branches(&mut self) -> Opened {
        if self.branches.is_some() {
            return Opened::Within;
        }
        let branches = self.location();
        self.branches = Some(BeforeBranches { last: self.here, branches });
        self.here = branches;
        Opened::Outermost
    }

    /// Behind the operator.
    pub(crate) fn close_branches(&mut self, opened: Opened) {
        if opened == Opened::Outermost
            && let Some(before) = self.branches.take()
        {
            let neutral = Instruction::Assume(Condition::True);
            self.automaton.add_edge(before.last, before.branches, neutral, self.span);
        }
    }

    /// Memory for a value of `ty` for a while; gives the register that holds its address.
    pub(crate) fn temporary_object(&mut self, ty: IrTypeId, bytes: Operand, until: Until) -> RegisterId {
        let pointer = self.pointer_to(ty);
        let address = self.temporary(pointer);
        let alloc = Instruction::Alloc {
            target: address,
            bytes,
            storage: Storage::Auto,
            contents: InitialContents::Uninitialised,
            failure: Failure::Never,
            align: None,
            view: Some(self.view_of_one(ty)),
        };
        match (until, self.branches) {
            (Until::FullExpression, Some(before)) => {
                let last = self.location();
                self.automaton.add_edge(before.last, last, alloc, self.span);
                self.branches = Some(BeforeBranches { last, ..before });
            }
            (Until::Operand, _) | (Until::FullExpression, None) => self.emit(alloc),
        }
        self.temporaries.push(TemporaryObject { address, until });
        address
    }

    /// Whether a declaration makes an object of this function's frame.
    pub(crate) fn is_automatic(&self, decl: DeclId) -> bool {
        self.source.tast[decl].duration == StorageDuration::Automatic
    }
}
