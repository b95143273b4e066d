//! What must be known of a function before its first statement is lowered: which locals live in memory, the tree of
//! scopes, the scope of every label, and the labels whose address is taken.

use crate::adapter::{
    ArrayLen, CaseId, Conversion, DeclId, DeclKind, ExprId, ExprKind, LabelId, Source, Span, Stmt, StmtId,
    StorageDuration, TypeId, TypeKind, UnaryOp, for_each_child, for_each_init, has_effects, leftovers,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A scope of one function; scope 0 is that of the parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ScopeId(pub(crate) usize);

/// A scope.
#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) parent: Option<ScopeId>,
    pub(crate) depth: usize,
    /// The locals (compound literals included) whose storage begins with the scope. Which of them live in memory is
    /// known when the scan is over.
    pub(crate) locals: Vec<DeclId>,
    /// The variable-length array whose declaration opened this scope, if one did.
    pub(crate) vla: Option<DeclId>,
}

/// What the scan found.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub(crate) scopes: Vec<Scope>,
    /// Scopes of blocks and `for` statements, and of other statements that make objects: compound literals.
    pub(crate) blocks: FxHashMap<StmtId, ScopeId>,
    /// The scope that the declaration of a variable-length array opens, up to the end of its block.
    pub(crate) vla_scopes: FxHashMap<DeclId, ScopeId>,
    pub(crate) labels: FxHashMap<LabelId, ScopeId>,
    pub(crate) cases: FxHashMap<CaseId, ScopeId>,
    pub(crate) defaults: FxHashMap<StmtId, ScopeId>,
    pub(crate) in_memory: FxHashSet<DeclId>,
    /// Objects whose address, or that of a part, the function takes.
    pub(crate) addressed: FxHashSet<DeclId>,
    /// Labels whose address is taken, in order.
    pub(crate) label_addresses: Vec<LabelId>,
    /// Automatic objects that the function itself declares.
    pub(crate) declared: FxHashSet<DeclId>,
    /// Statements and expressions seen inside a loop, or after a label that a `goto` may go back to: an `alloca` there
    /// may run many times.
    pub(crate) repeated_allocas: FxHashSet<ExprId>,
    /// `alloca` calls.
    pub(crate) allocas: Vec<ExprId>,
    /// An expression that the program may evaluate though the tree does not say so (see [`Scanner::evaluated_in_type`]).
    pub(crate) evaluated_in_type: Option<ExprId>,
    /// Declarations that a jump may come back to while their block still runs: a label stands before them in it.
    pub(crate) declared_again: FxHashSet<DeclId>,
}

impl Scan {
    /// Whether a scope is another one, or lies in it.
    pub(crate) fn is_within(&self, inner: ScopeId, outer: ScopeId) -> bool {
        let parent = |scope: &ScopeId| self.scopes[scope.0].parent;
        std::iter::successors(Some(inner), parent).any(|scope| scope == outer)
    }
}

/// Scans a function.
pub(crate) fn scan(source: &Source, function: DeclId) -> Scan {
    let mut scanner = Scanner {
        source,
        scan: Scan::default(),
        current: ScopeId(0),
        loops: 0,
        sizes: FxHashSet::default(),
        seen: FxHashSet::default(),
        cast_sizes: Vec::new(),
    };
    scanner.scan.scopes.push(Scope { parent: None, depth: 0, locals: Vec::new(), vla: None });
    let decl = &source.tast[function];
    for &parameter in &source.tast[decl.params] {
        scanner.declare(parameter);
        scanner.type_sizes(written_type(source, parameter));
    }
    if let Some(body) = decl.body {
        scanner.statement(body);
        let text = Span { lo: source.tast.definition_span(function).lo, hi: source.tast.stmt_span(body).hi };
        scanner.scan.evaluated_in_type = scanner.evaluated_in_type(text);
    }
    scanner.scan
}

/// The type of a parameter: as it is written where gcc evaluates the size of an array that becomes a pointer (`int a[n++]`), which it
/// does for what the size changes alone.
pub(crate) fn written_type(source: &Source, parameter: DeclId) -> TypeId {
    let (tast, types) = (&source.tast, &source.types);
    let adjusted = tast[parameter].ty;
    let Some(written) = tast.adjusted_from(parameter) else { return adjusted };
    match types.kind(types.canonical(written)) {
        TypeKind::Array { len: ArrayLen::Variable(vla), .. } if has_effects(tast, types, tast.vla_size(vla)) => written,
        _ => adjusted,
    }
}

struct Scanner<'s> {
    source: &'s Source,
    scan: Scan,
    current: ScopeId,
    loops: u32,
    /// Counts of variable-length arrays that were seen.
    sizes: FxHashSet<ExprId>,
    /// Expressions that were seen.
    seen: FxHashSet<ExprId>,
    /// Counts of variable-length arrays in types of casts.
    cast_sizes: Vec<ExprId>,
}

impl Scanner<'_> {
    fn open(&mut self) -> ScopeId {
        let depth = self.scan.scopes[self.current.0].depth + 1;
        let scope = ScopeId(self.scan.scopes.len());
        self.scan.scopes.push(Scope { parent: Some(self.current), depth, locals: Vec::new(), vla: None });
        self.current = scope;
        scope
    }

    fn declare(&mut self, decl: DeclId) {
        self.scan.scopes[self.current.0].locals.push(decl);
        self.scan.declared.insert(decl);
        let tast = &self.source.tast;
        if tast[decl].cleanup.is_some() || self.is_aggregate(tast[decl].ty) {
            self.scan.in_memory.insert(decl);
        }
    }

    fn is_aggregate(&self, ty: TypeId) -> bool {
        let types = &self.source.types;
        match types.kind(types.canonical(ty)) {
            TypeKind::Record(_) | TypeKind::Array { .. } | TypeKind::Vector { .. } | TypeKind::Complex(_) => true,
            TypeKind::Float(kind) => kind.is_decimal(),
            TypeKind::Atomic(inner) => self.is_aggregate(inner),
            _ => false,
        }
    }

    /// A statement that is the body of another one: C makes it a block, braces or not (C17 6.8.4 and 6.8.5).
    fn substatement(&mut self, id: StmtId) {
        match self.source.tast[id] {
            Stmt::Expr(expr) if self.has_literal(expr) => self.in_scope(id, |scanner| scanner.statement(id)),
            _ => self.statement(id),
        }
    }

    /// A statement whose condition has a literal that lives as long as the statement runs.
    fn controlled(&mut self, id: StmtId, condition: ExprId, scan: impl FnOnce(&mut Self)) {
        if self.has_literal(condition) { self.in_scope(id, scan) } else { scan(self) }
    }

    fn in_scope(&mut self, id: StmtId, scan: impl FnOnce(&mut Self)) {
        let outer = self.current;
        let scope = self.open();
        self.scan.blocks.insert(id, scope);
        scan(self);
        self.current = outer;
    }

    /// Whether an expression makes an object: a compound literal.
    fn has_literal(&self, expr: ExprId) -> bool {
        let tast = &self.source.tast;
        match tast[expr].kind {
            ExprKind::CompoundLiteral(decl) => tast[decl].duration == StorageDuration::Automatic,
            // A block of its own.
            ExprKind::StmtExpr(_) => false,
            _ => {
                let mut found = false;
                for_each_child(tast, expr, &mut |child| found |= self.has_literal(child));
                found
            }
        }
    }

    fn statement(&mut self, id: StmtId) {
        let source = self.source;
        match source.tast[id] {
            Stmt::Error | Stmt::Empty | Stmt::Goto(_) | Stmt::Break | Stmt::Continue => {}
            Stmt::Expr(expr) | Stmt::IndirectGoto(expr) => self.expression(expr),
            Stmt::Return(value) => value.into_iter().for_each(|value| self.expression(value)),
            Stmt::Block(list) => self.in_scope(id, |scanner| {
                source.tast[list].iter().for_each(|&statement| scanner.statement(statement));
            }),
            Stmt::Decls(decls) => source.tast[decls].iter().for_each(|&decl| self.declaration(decl)),
            Stmt::If { cond, then, otherwise } => self.controlled(id, cond, |scanner| {
                scanner.expression(cond);
                scanner.substatement(then);
                otherwise.into_iter().for_each(|otherwise| scanner.substatement(otherwise));
            }),
            Stmt::While { cond, body } | Stmt::DoWhile { body, cond } => self.controlled(id, cond, |scanner| {
                scanner.loops += 1;
                scanner.expression(cond);
                scanner.substatement(body);
                scanner.loops -= 1;
            }),
            Stmt::For { init, cond, step, body } => self.in_scope(id, |scanner| {
                init.into_iter().for_each(|init| scanner.statement(init));
                scanner.loops += 1;
                cond.into_iter().chain(step).for_each(|expr| scanner.expression(expr));
                scanner.substatement(body);
                scanner.loops -= 1;
            }),
            Stmt::Switch { cond, body, .. } => self.controlled(id, cond, |scanner| {
                scanner.expression(cond);
                scanner.substatement(body);
            }),
            Stmt::Case { case, body } => {
                self.scan.cases.insert(case, self.current);
                self.statement(body);
            }
            Stmt::Default { body } => {
                self.scan.defaults.insert(body, self.current);
                self.statement(body);
            }
            Stmt::Label { label, body } => {
                self.scan.labels.insert(label, self.current);
                // A `goto` may come back here, as long as the function runs.
                self.loops += 1;
                self.statement(body);
            }
            Stmt::Asm(asm) => {
                let asm = &source.tast[asm];
                for operand in source.tast[asm.outputs].iter().chain(&source.tast[asm.inputs]) {
                    if operand.memory {
                        self.address_taken(operand.value);
                    }
                    self.expression(operand.value);
                }
            }
        }
    }

    fn declaration(&mut self, decl: DeclId) {
        let source = self.source;
        let declared = &source.tast[decl];
        match declared.kind {
            DeclKind::Object => {}
            DeclKind::Type => return self.type_sizes(declared.ty),
            DeclKind::Function => return,
        }
        if declared.duration != StorageDuration::Automatic {
            self.type_sizes(declared.ty);
            for_each_init(&source.tast, decl, &mut |value| self.labels_in(value));
            return;
        }
        self.type_sizes(declared.ty);
        if self.is_variable_length(declared.ty) {
            let scope = self.open();
            self.scan.scopes[scope.0].vla = Some(decl);
            self.scan.vla_scopes.insert(decl, scope);
            self.scan.declared.insert(decl);
            self.scan.in_memory.insert(decl);
        } else {
            self.declare(decl);
            let current = self.current;
            if self.scan.labels.values().any(|label| self.scan.is_within(*label, current)) {
                self.scan.declared_again.insert(decl);
            }
        }
        for_each_init(&source.tast, decl, &mut |value| self.expression(value));
    }

    /// Sizes of variable-length arrays inside a type are expressions of the function, too.
    fn type_sizes(&mut self, ty: TypeId) {
        let types = &self.source.types;
        let ty = types.canonical(ty);
        match types.kind(ty) {
            TypeKind::Pointer(inner) => self.type_sizes(inner),
            TypeKind::Array { elem, len } => {
                if let ArrayLen::Variable(vla) = len {
                    let size = self.source.tast.vla_size(vla);
                    // A `typedef` may be used many times.
                    if self.sizes.insert(size) {
                        self.expression(size);
                    }
                }
                self.type_sizes(elem);
            }
            _ => {}
        }
    }

    /// What C evaluates and the tree does not have as part of the function: operands of `sizeof` and `typeof` whose type has to do
    /// with a variable-length array, and sizes in types of casts. Only those that change something matter.
    fn evaluated_in_type(&self, text: Span) -> Option<ExprId> {
        let (tast, types) = (&self.source.tast, &self.source.types);
        let is_evaluated = |expr: &ExprId| has_effects(tast, types, *expr);
        let in_cast = self.cast_sizes.iter().copied().filter(|size| !self.sizes.contains(size)).find(is_evaluated);
        if in_cast.is_some() || self.sizes.is_empty() {
            return in_cast;
        }
        let left: Vec<ExprId> = leftovers(tast, &self.seen, text).collect();
        let mut parts: FxHashSet<ExprId> = FxHashSet::default();
        for operand in &left {
            for_each_child(tast, *operand, &mut |part| {
                parts.insert(part);
            });
        }
        let is_operand = |expr: &ExprId| !parts.contains(expr) && self.is_variably_modified(tast[*expr].ty);
        left.into_iter().filter(is_operand).find(is_evaluated)
    }

    /// Whether a variable-length array is part of a type.
    fn is_variably_modified(&self, ty: TypeId) -> bool {
        let types = &self.source.types;
        match types.kind(types.canonical(ty)) {
            TypeKind::Array { len: ArrayLen::Variable(_), .. } => true,
            TypeKind::Array { elem: inner, .. }
            | TypeKind::Pointer(inner)
            | TypeKind::Atomic(inner)
            | TypeKind::Typedef { underlying: inner, .. } => self.is_variably_modified(inner),
            // A record may have such a member, a function such a parameter (GNU C).
            TypeKind::Record(record) => types.record_info(record).variable.is_some(),
            TypeKind::Function(function) => self.is_variably_modified(types.signature(function).ret),
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int(_)
            | TypeKind::Enum(_)
            | TypeKind::BitInt { .. }
            | TypeKind::Float(_)
            | TypeKind::Complex(_)
            | TypeKind::Vector { .. } => false,
        }
    }

    /// Counts of variable-length arrays inside a type that no declaration has.
    fn sizes_of_cast(&mut self, ty: TypeId) {
        let types = &self.source.types;
        match types.kind(types.canonical(ty)) {
            TypeKind::Pointer(inner) => self.sizes_of_cast(inner),
            TypeKind::Array { elem, len } => {
                if let ArrayLen::Variable(vla) = len {
                    self.cast_sizes.push(self.source.tast.vla_size(vla));
                }
                self.sizes_of_cast(elem);
            }
            _ => {}
        }
    }

    fn is_variable_length(&self, ty: TypeId) -> bool {
        let types = &self.source.types;
        match types.kind(types.canonical(ty)) {
            TypeKind::Array { len: ArrayLen::Variable(_), .. } => true,
            TypeKind::Array { elem, .. } => self.is_variable_length(elem),
            _ => false,
        }
    }

    fn expression(&mut self, expr: ExprId) {
        let tast = &self.source.tast;
        self.seen.insert(expr);
        match tast[expr].kind {
            ExprKind::Cast(_) | ExprKind::VaArg { .. } => self.sizes_of_cast(tast[expr].ty),
            ExprKind::Unary { op: UnaryOp::AddrOf, operand } => self.address_taken(operand),
            ExprKind::CompoundLiteral(decl) => {
                self.sizes_of_cast(tast[decl].ty);
                if tast[decl].duration == StorageDuration::Automatic && !self.scan.declared.contains(&decl) {
                    self.declare(decl);
                    self.scan.in_memory.insert(decl);
                }
                for_each_init(tast, decl, &mut |value| self.expression(value));
                return;
            }
            ExprKind::StmtExpr(body) => {
                self.statement(body);
                return;
            }
            ExprKind::LabelAddr(label) => self.label_address(label),
            ExprKind::Alloca { .. } => self.alloca(expr),
            ExprKind::Convert { kind: Conversion::ArrayDecay, operand } => self.address_taken(operand),
            _ => {}
        }
        for_each_child(tast, expr, &mut |child| self.expression(child));
    }

    fn alloca(&mut self, expr: ExprId) {
        self.scan.allocas.push(expr);
        if self.loops > 0 {
            self.scan.repeated_allocas.insert(expr);
        }
    }

    fn label_address(&mut self, label: LabelId) {
        if !self.scan.label_addresses.contains(&label) {
            self.scan.label_addresses.push(label);
        }
    }

    fn labels_in(&mut self, expr: ExprId) {
        if let ExprKind::LabelAddr(label) = self.source.tast[expr].kind {
            self.label_address(label);
        }
        let tast = &self.source.tast;
        for_each_child(tast, expr, &mut |child| self.labels_in(child));
    }

    /// The object that an lvalue is part of has its address taken.
    fn address_taken(&mut self, lvalue: ExprId) {
        let tast = &self.source.tast;
        match tast[lvalue].kind {
            ExprKind::Decl(decl) => {
                self.scan.in_memory.insert(decl);
                self.scan.addressed.insert(decl);
            }
            ExprKind::Member { base, .. } => self.address_taken(base),
            ExprKind::Comma { rhs, .. } => self.address_taken(rhs),
            ExprKind::Cond { then, otherwise, .. } => {
                self.address_taken(then);
                self.address_taken(otherwise);
            }
            ExprKind::Unary { op: UnaryOp::Real | UnaryOp::Imag, operand } => self.address_taken(operand),
            _ => {}
        }
    }
}
