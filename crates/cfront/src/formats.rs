//! Formats of `printf` and the types of the arguments behind them. An argument that is passed in another way than its conversion
//! takes it (`printf("%f", 3)`) is not the value that is printed: what is printed then was perhaps never written.

use crate::adapter::{Conversion, DeclId, ExprId, ExprKind};
use crate::lowering::Lowering;
use heapwise_ir::format::{PrintArgument, PrintedAs, print_arguments};
use heapwise_ir::{Body, Construct, FormatLanguage, Type, TypeId};

impl Lowering<'_, '_, '_> {
    /// Looks at the arguments of a call of the library whose format is a literal: a gap where one is of another kind than its
    /// conversion. Other formats, and missing arguments, are looked at where the call is followed.
    pub(crate) fn check_format(&mut self, callee: Option<DeclId>, arguments: &[ExprId]) {
        let Some(callee) = callee.filter(|callee| !self.has_body(*callee)) else { return };
        let function = self.unit.function(self.link, callee);
        let Body::Extern(effects) = &self.link.program.functions[function].body else { return };
        let Some(format) = effects.format.filter(|format| format.language == FormatLanguage::Print) else { return };
        let position = format.parameter as usize;
        let Some(text) = arguments.get(position).and_then(|format| self.literal(*format)) else { return };
        let Some(printed) = print_arguments(&text) else { return };
        for (&argument, printed) in arguments[position + 1..].iter().zip(printed) {
            let ty = self.type_of(argument);
            if !self.is_passed_for(ty, printed) {
                self.at(argument);
                self.unsupported(Construct::FormatMisfit);
            }
        }
    }

    /// Whether an argument of a type is passed where a conversion looks for it.
    fn is_passed_for(&self, ty: TypeId, printed: PrintArgument) -> bool {
        match (self.link.program.ty(ty), printed) {
            (Type::Int(_), PrintArgument::Value(PrintedAs::Integer)) => true,
            (Type::Float(float), PrintArgument::Value(PrintedAs::Float(wanted))) => *float == wanted,
            (
                Type::Pointer(_) | Type::Array(..) | Type::Function(_),
                PrintArgument::Value(PrintedAs::Integer)
                | PrintArgument::Text
                | PrintArgument::WideText
                | PrintArgument::Count,
            ) => true,
            // A number where text is looked for is an address, which is looked at where the call is followed.
            (Type::Int(_), PrintArgument::Text | PrintArgument::WideText | PrintArgument::Count) => true,
            (Type::Int(_), PrintArgument::Value(PrintedAs::Float(_)))
            | (Type::Float(_), _)
            | (Type::Pointer(_) | Type::Array(..) | Type::Function(_), PrintArgument::Value(PrintedAs::Float(_)))
            | (Type::Record(_) | Type::Void, _) => false,
        }
    }

    /// The bytes of a string literal.
    fn literal(&self, expr: ExprId) -> Option<Vec<u8>> {
        match self.source.tast[expr].kind {
            ExprKind::Str(literal) => {
                self.source.tast[literal].elements.iter().map(|&element| u8::try_from(element).ok()).collect()
            }
            ExprKind::Convert { kind: Conversion::ArrayDecay | Conversion::Pointer, operand }
            | ExprKind::Cast(operand) => self.literal(operand),
            _ => None,
        }
    }
}
