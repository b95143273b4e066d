//! The claims of `heapwise.h`: `__hw_assert_…` and `__hw_assume_…` over the link fields of a record.

use crate::adapter::{Conversion, ExprId, ExprKind, ExprList};
use crate::lowering::Lowering;
use heapwise_ir::{
    Condition, Contract, Field, Instruction, Operand, Path, RecordId, ShapeKind, ShapePredicate, Step, Type,
    TypeId as IrTypeId,
};
use smallvec::SmallVec;

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
                self.refuse(format!("claim __hw_{claim}"));
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
                self.refuse(format!("claim __hw_{claim}"));
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
            self.refuse("shape claim over a pointer that is not to a struct");
            return Operand::ZERO;
        };
        let links = if named {
            self.named_links(view, record, &arguments[pointers.min(arguments.len())..])
        } else {
            self.links_of(view, record, kind)
        };
        match links {
            Ok(links) => {
                let predicate = ShapePredicate { kind, arguments: operands, record, links };
                let condition = Condition::Shape(predicate);
                self.emit(if asserts { Instruction::Assert(condition) } else { Instruction::Assume(condition) });
            }
            Err(why) => self.refuse(why),
        }
        Operand::ZERO
    }

    fn contract(&mut self, expr: ExprId, claim: &str, arguments: &[ExprId]) {
        let formula = arguments.first().and_then(|&argument| self.literal_text(argument));
        self.at(expr);
        let Some(formula) = formula else { return self.refuse("contract that is not a string literal") };
        let contract = self.contract.get_or_insert_with(|| (self.span, Vec::new(), Vec::new()));
        if claim == "requires" { contract.1.push(formula) } else { contract.2.push(formula) }
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
    fn named_links(&mut self, view: IrTypeId, record: RecordId, names: &[ExprId]) -> Result<Vec<Path>, String> {
        names
            .iter()
            .map(|&name| {
                let text = self.literal_text(name).ok_or("field that is not named by a string literal")?;
                let record_name = &self.link.program.records[record].name;
                self.field_path(view, &text).ok_or_else(|| format!("`{record_name}` has no field `{text}`"))
            })
            .collect()
    }

    fn field_path(&self, view: IrTypeId, text: &str) -> Option<Path> {
        let program = &self.link.program;
        let mut steps = SmallVec::new();
        let mut ty = view;
        for name in text.split('.').map(str::trim) {
            let Type::Record(record) = *program.ty(ty) else { return None };
            let (found, field_type) = self.member(record, name)?;
            steps.extend(found);
            ty = field_type;
        }
        Some(Path { view, steps })
    }

    /// A member by name, through anonymous members.
    fn member(&self, record: RecordId, name: &str) -> Option<(SmallVec<[Step; 2]>, IrTypeId)> {
        let program = &self.link.program;
        for (index, field) in program.records[record].fields().iter().enumerate() {
            let step = Step::Field(record, index as u32);
            if field.name == name {
                return Some((SmallVec::from_slice(&[step]), field.ty));
            }
            if field.name.starts_with('$')
                && let Type::Record(inner) = *program.ty(field.ty)
                && let Some((mut steps, ty)) = self.member(inner, name)
            {
                steps.insert(0, step);
                return Some((steps, ty));
            }
        }
        None
    }

    /// The fields of a record that point to that record, as the shape wants them.
    fn links_of(&self, view: IrTypeId, record: RecordId, kind: ShapeKind) -> Result<Vec<Path>, String> {
        let program = &self.link.program;
        let fields = program.records[record].fields();
        let is_link = |field: &&(usize, &Field)| program.pointee(field.1.ty) == Some(view);
        let fields: Vec<(usize, &Field)> = fields.iter().enumerate().collect();
        let links: Vec<&(usize, &Field)> = fields.iter().filter(is_link).collect();
        let is_parent = |field: &Field| matches!(field.name.as_str(), "parent" | "up" | "father");
        let is_back = |field: &Field| matches!(field.name.as_str(), "prev" | "previous" | "back");
        let record_name = &program.records[record].name;
        let chosen: Vec<usize> = match kind {
            ShapeKind::Acyclic | ShapeKind::Reach | ShapeKind::Disjoint => links.iter().map(|link| link.0).collect(),
            ShapeKind::Cyclic => {
                let next = links.iter().find(|link| link.1.name == "next");
                match (next, links.as_slice()) {
                    (Some(next), _) => vec![next.0],
                    (None, [only]) => vec![only.0],
                    (None, _) => return Err(format!("which field of `{record_name}` makes the cycle is not clear")),
                }
            }
            ShapeKind::Tree => links.iter().filter(|link| !is_parent(link.1)).map(|link| link.0).collect(),
            ShapeKind::TreeWithParent => {
                let parent = links.iter().find(|link| is_parent(link.1));
                let parent = parent.ok_or_else(|| format!("`{record_name}` has no field `parent`"))?;
                links.iter().filter(|link| link.0 != parent.0).map(|link| link.0).chain([parent.0]).collect()
            }
            ShapeKind::DoublyLinked => {
                let next = links.iter().find(|link| link.1.name == "next");
                let prev = links.iter().find(|link| is_back(link.1));
                match (next, prev, links.as_slice()) {
                    (Some(next), Some(prev), _) => vec![next.0, prev.0],
                    (_, _, [first, second]) => vec![first.0, second.0],
                    _ => return Err(format!("which fields of `{record_name}` are next and prev is not clear")),
                }
            }
        };
        if chosen.is_empty() {
            return Err(format!("`{record_name}` has no field that points to `{record_name}`"));
        }
        Ok(chosen
            .into_iter()
            .map(|index| Path { view, steps: SmallVec::from_slice(&[Step::Field(record, index as u32)]) })
            .collect())
    }

    /// Hands the contract of the function to the program.
    pub(crate) fn finish_contract(&mut self, function: heapwise_ir::FunctionId) {
        if let Some((span, requires, ensures)) = self.contract.take() {
            self.link.program.contracts.push(Contract { function, requires, ensures, span });
        }
    }
}
