//! The claims of `heapwise.h`: `__hw_assert_…` and `__hw_assume_…` over the link fields of a record.

use crate::adapter::{Conversion, ExprId, ExprKind, ExprList};
use crate::lowering::Lowering;
use heapwise_ir::claim::Clause;
use heapwise_ir::{
    ClaimFault, Condition, Contract, Instruction, LinkError, Operand, Path, RecordId, ShapeKind, ShapePredicate, Type,
    TypeId as IrTypeId,
};

impl Lowering<'_, '_, '_> {
    /// A call of `__hw_` and this.
    pub(crate) fn claim(&mut self, expr: ExprId, claim: &str, args: ExprList) -> Operand {
        let arguments: Vec<ExprId> = self.source.tast[args].to_vec();
        match claim {
            "requires" | "ensures" => {
                self.contract(expr, claim, &arguments);
                return Operand::ZERO;
            }
            "dump" => return Operand::ZERO,
            _ => {}
        }
        let (asserts, rest) = match claim.split_once('_') {
            Some(("assert", rest)) => (true, rest),
            Some(("assume", rest)) => (false, rest),
            _ => {
                self.at(expr);
                self.unsupported(ClaimFault::Unknown { name: claim.to_owned() });
                return Operand::ZERO;
            }
        };
        let (shape, named) = match rest.strip_suffix("_by") {
            Some(shape) => (shape, true),
            None => (rest, false),
        };
        let (kind, pointers) = match shape {
            "acyclic" => (ShapeKind::Acyclic, 1),
            "cyclic" => (ShapeKind::Cyclic, 1),
            "reach" => (ShapeKind::Reach, 2),
            "disjoint" => (ShapeKind::Disjoint, 2),
            "dll" => (ShapeKind::DoublyLinked, 1),
            "tree" => (ShapeKind::Tree, 1),
            "tree_parent" => (ShapeKind::TreeWithParent, 1),
            _ => {
                self.at(expr);
                self.unsupported(ClaimFault::Unknown { name: claim.to_owned() });
                return Operand::ZERO;
            }
        };
        let operands: Vec<Operand> = arguments.iter().take(pointers).map(|&argument| self.value(argument)).collect();
        self.at(expr);
        let view = arguments.iter().take(pointers).find_map(|&argument| {
            let pointee = self.pointee_before_casts(argument)?;
            match self.get(pointee) {
                Type::Record(record) => Some((pointee, *record)),
                _ => None,
            }
        });
        let Some((view, record)) = view else {
            self.unsupported(ClaimFault::Links(LinkError::NoStruct));
            return Operand::ZERO;
        };
        let links = if named {
            self.named_links(view, record, &arguments[pointers.min(arguments.len())..])
        } else {
            self.link.program.links_of(view, kind).map_err(ClaimFault::from)
        };
        match links {
            Ok(links) => {
                let predicate = ShapePredicate { kind, arguments: operands, record, links };
                let condition = Condition::Shape(predicate);
                self.emit(if asserts { Instruction::Assert(condition) } else { Instruction::Assume(condition) });
            }
            Err(fault) => self.unsupported(fault),
        }
        Operand::ZERO
    }

    fn contract(&mut self, expr: ExprId, claim: &str, arguments: &[ExprId]) {
        let formula = arguments.first().and_then(|&argument| self.literal_text(argument));
        self.at(expr);
        let Some(formula) = formula else { return self.unsupported(ClaimFault::ContractNoLiteral) };
        let clause = if claim == "requires" { Clause::Requires } else { Clause::Ensures };
        self.contract.push((clause, formula, self.span));
    }

    /// The text of a string literal argument.
    fn literal_text(&self, mut expr: ExprId) -> Option<String> {
        loop {
            expr = match self.source.tast[expr].kind {
                ExprKind::Str(literal) => return Some(self.unit.string_text(literal)),
                ExprKind::Cast(operand)
                | ExprKind::Convert { kind: Conversion::Pointer | Conversion::ArrayDecay, operand } => operand,
                _ => return None,
            };
        }
    }

    /// Fields named by strings; a name may be a path (`list.next`).
    fn named_links(&mut self, view: IrTypeId, record: RecordId, names: &[ExprId]) -> Result<Vec<Path>, ClaimFault> {
        names
            .iter()
            .map(|&name| {
                let text = self.literal_text(name).ok_or(ClaimFault::FieldNoLiteral)?;
                let path = self.link.program.field_path(view, &text).map(|(path, _)| path);
                path.ok_or_else(|| {
                    let record = self.link.program.records[record].name.clone();
                    ClaimFault::Links(LinkError::NoField { record, field: text })
                })
            })
            .collect()
    }

    /// Hands the contract of the function to the program.
    pub(crate) fn finish_contract(&mut self, function: heapwise_ir::FunctionId) {
        let claims = std::mem::take(&mut self.contract);
        let Some((_, _, span)) = claims.first() else { return };
        let mut contract = Contract { function, requires: Vec::new(), ensures: Vec::new(), span: *span };
        for (clause, text, span) in claims {
            let texts = if clause == Clause::Requires { &mut contract.requires } else { &mut contract.ensures };
            texts.push(text.clone());
            self.link.claims.push((function, clause, text, span));
        }
        self.link.program.contracts.push(contract);
    }
}
