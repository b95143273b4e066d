//! From a precision to predicates: the shape class that a shape-class generator makes of a tracking definition.
//!
//! The predicates are written as TVP text and read by the `tvl` core, which derives rules and updates from it:
//!
//! | predicate | says |
//! |---|---|
//! | `x(v)` | the variable x points to the cell v; null is no cell |
//! | `bad[x]` | x was never written |
//! | `eq[x,c]` | x equals the constant c |
//! | `f(v, w)` | the field f of v points to w |
//! | `bad[f](v)`, `eq[f,c](v)` | as for variables |
//! | `freed(v)` | v was freed |
//! | others | instrumentation predicates of the class's families |

use crate::classes::ClassLibrary;
use crate::memory::{FieldId, Memory, ScalarKind, ScalarVariable};
use crate::precision::{Precision, ShapeType};
use heapwise_ir::TypeId;
use heapwise_logic::text::TextError;
use heapwise_logic::{Formula, Kleene, Predicate, Variable};
use heapwise_tvl::action::{Differencing, Framework};
use heapwise_tvl::blur::Abstraction;
use heapwise_tvl::coerce::Constraints;
use heapwise_tvl::rules::{Derivation, rules};
use heapwise_tvl::structure::Structure;
use heapwise_tvl::tvp::parse_library;
use heapwise_tvl::tvp::preprocess::NoFiles;
use heapwise_tvl::vocabulary::Vocabulary;
use indexmap::IndexMap;
use std::collections::BTreeSet;
use std::fmt::Write;

/// 1/2.
pub const UNKNOWN: Formula = Formula::Literal(Kleene::Unknown);

/// The predicates of a scalar.
#[derive(Clone, Debug)]
pub struct ScalarPredicates {
    /// Where it points, if it is a pointer.
    pub points: Option<Predicate>,
    /// Whether it was never written.
    pub bad: Predicate,
    /// Which constants it equals.
    pub equals: Vec<(i128, Predicate)>,
}

/// The predicates of a precision.
pub struct ShapeAbstraction {
    /// Predicates, rules, abstraction predicates.
    pub framework: Framework,
    /// Per tracked variable.
    pub variables: IndexMap<ScalarVariable, ScalarPredicates>,
    /// Per tracked field.
    pub fields: IndexMap<FieldId, ScalarPredicates>,
    /// Whether a cell was freed; absent if the program frees nothing.
    pub freed: Option<Predicate>,
    /// The text that was read.
    pub text: String,
}

impl ShapeAbstraction {
    /// The predicates of a precision.
    ///
    /// # Errors
    /// The text of a class is wrong.
    pub fn new(
        memory: &Memory<'_>,
        library: &ClassLibrary,
        precision: &Precision,
    ) -> Result<ShapeAbstraction, TextError> {
        let names = Names::new(memory, precision);
        let text = names.text(memory, library, precision);
        let read = parse_library("precision", &text, &NoFiles, &[], &[])?;
        let vocabulary = read.vocabulary;
        are_definitions(&vocabulary)?;
        let find = |name: &str| {
            let missing = || TextError { file: "precision".into(), line: 0, message: format!("no predicate `{name}`") };
            vocabulary.find(name).ok_or_else(missing)
        };
        let scalar = |name: &str, kind: ScalarKind, constants: &[i128]| -> Result<ScalarPredicates, TextError> {
            let points = match kind {
                ScalarKind::Pointer => Some(find(name)?),
                ScalarKind::Number => None,
            };
            let equals = constants.iter().map(|c| Ok((*c, find(&equals_name(name, *c))?)));
            let equals = equals.collect::<Result<Vec<_>, TextError>>()?;
            Ok(ScalarPredicates { points, bad: find(&format!("bad[{name}]"))?, equals })
        };
        let mut variables = IndexMap::new();
        for variable in &precision.variables {
            let constants = constants_of(&precision.variable_constants, *variable);
            variables
                .insert(*variable, scalar(&names.variables[variable], memory.variable_kind(*variable), &constants)?);
        }
        let mut fields = IndexMap::new();
        for field in &precision.fields {
            let constants = constants_of(&precision.field_constants, *field);
            fields.insert(*field, scalar(&names.fields[field], memory.fields[*field].kind, &constants)?);
        }
        let freed = if memory.frees { Some(find("freed")?) } else { None };
        let constraints = Constraints::new(&vocabulary, rules(&vocabulary, &read.rules, Derivation::Automatic));
        let framework = Framework {
            constraints,
            abstraction: Abstraction::new(&vocabulary),
            differencing: Differencing::Derived,
            vocabulary,
        };
        Ok(ShapeAbstraction { framework, variables, fields, freed, text })
    }

    /// The structure without any cell.
    pub fn empty(&self) -> Structure {
        Structure::new(self.framework.vocabulary.layout(), 0)
    }

    /// Sets a nullary predicate.
    pub fn set(&self, structure: &mut Structure, predicate: Predicate, value: Kleene) {
        structure.set(self.framework.vocabulary.slot(predicate), &[], value);
    }

    /// Whether a cell was freed.
    pub fn is_freed(&self, cell: &Variable) -> Formula {
        self.freed.map_or(Formula::FALSE, |freed| Formula::atom(freed, std::slice::from_ref(cell)))
    }
}

/// Predicates with a definition must mean what it says, in every heap: nothing else is believed of them.
fn are_definitions(vocabulary: &Vocabulary) -> Result<(), TextError> {
    for predicate in vocabulary.predicates() {
        let declaration = vocabulary.declaration(predicate);
        let Some(definition) = &declaration.definition else { continue };
        let mut has_built_in = false;
        definition.formula.visit(&mut |part| {
            has_built_in |= matches!(part, Formula::Atom(atom, _) if atom.is_primed() || vocabulary.is_builtin(*atom));
        });
        let what = if !declaration.properties.is_empty() {
            "a definition and a property: what is claimed of it would have to be believed"
        } else if definition.formula.has_written_unknown() {
            "1/2 in its definition: it would mean nothing"
        } else if has_built_in {
            "`sm`, `ac` or `isNew` in its definition, which are not about heaps"
        } else {
            continue;
        };
        let message = format!("`{}` has {what}", vocabulary.name(predicate));
        return Err(TextError { file: "precision".into(), line: 0, message });
    }
    Ok(())
}

/// The constants that a set has for one.
pub fn constants_of<K: Copy + Ord>(constants: &BTreeSet<(K, i128)>, of: K) -> Vec<i128> {
    constants.range((of, i128::MIN)..=(of, i128::MAX)).map(|(_, constant)| *constant).collect()
}

fn equals_name(name: &str, constant: i128) -> String {
    let sign = if constant < 0 { "m" } else { "c" };
    format!("eq[{name},{sign}{}]", constant.unsigned_abs())
}

/// Names of predicates, each once, as TVP can read them.
struct Names {
    variables: IndexMap<ScalarVariable, String>,
    fields: IndexMap<FieldId, String>,
}

impl Names {
    fn new(memory: &Memory<'_>, precision: &Precision) -> Names {
        let mut taken: BTreeSet<String> = BTreeSet::new();
        let mut name = |prefix: &str, wanted: &str| {
            let plain: String =
                wanted.chars().map(|c| if c.is_ascii_alphanumeric() || "_$.".contains(c) { c } else { '_' }).collect();
            let mut name = format!("{prefix}{plain}");
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            name
        };
        let variables = precision
            .variables
            .iter()
            .map(|variable| (*variable, name("$", &memory.variable_name(*variable))))
            .collect();
        let fields = precision.fields.iter().map(|field| (*field, name("_", &memory.fields[*field].name))).collect();
        Names { variables, fields }
    }

    fn text(&self, memory: &Memory<'_>, library: &ClassLibrary, precision: &Precision) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        for (variable, name) in &self.variables {
            let constants = constants_of(&precision.variable_constants, *variable);
            if memory.variable_kind(*variable) == ScalarKind::Pointer {
                let _ = writeln!(text, "%p {name}(v) unique pointer");
            }
            let _ = writeln!(text, "%p bad[{name}]()");
            if memory.variable_kind(*variable) == ScalarKind::Pointer {
                let _ = writeln!(text, "%r bad[{name}]() ==> !{name}(v)");
            }
            scalar_text(&mut text, name, "", &constants);
        }
        if memory.frees {
            let _ = writeln!(text, "%p freed(v)");
        }
        for (field, name) in &self.fields {
            let constants = constants_of(&precision.field_constants, *field);
            let is_pointer = memory.fields[*field].kind == ScalarKind::Pointer;
            if is_pointer {
                let _ = writeln!(text, "%p {name}(v, w) function");
            }
            let _ = writeln!(text, "%p bad[{name}](v)");
            if is_pointer {
                let _ = writeln!(text, "%r bad[{name}](v) ==> !{name}(v, w)");
            }
            scalar_text(&mut text, name, "v", &constants);
            if memory.frees {
                let _ = writeln!(text, "%r freed(v) ==> !bad[{name}](v)");
                if is_pointer {
                    let _ = writeln!(text, "%r freed(v) ==> !{name}(v, w)");
                }
            }
        }
        for (view, shape) in &precision.shapes {
            text.push_str(&self.class_text(memory, library, *view, shape));
        }
        text
    }

    /// The families of a class in use, with its sets written out.
    fn class_text(&self, memory: &Memory<'_>, library: &ClassLibrary, view: TypeId, shape: &ShapeType) -> String {
        let class = library.class(shape.class);
        let pointers = self.variables.iter().filter(|(variable, _)| memory.pointee(**variable) == Some(view));
        let pointers: Vec<&str> = pointers.map(|(_, name)| name.as_str()).collect();
        let mut sets =
            vec![("Pointers".to_owned(), pointers.join(", ")), ("Type".to_owned(), format!("type{}", view.as_u32()))];
        for (role, fields) in class.roles.iter().zip(&shape.roles) {
            let fields: Vec<&str> = fields.iter().map(|field| self.fields[field].as_str()).collect();
            sets.push((role.name.clone(), fields.join(", ")));
        }
        let mut text = String::new();
        for (index, family) in class.families.iter().enumerate() {
            if shape.families.contains(index) {
                text.push_str(&with_sets(&family.text, &sets));
            }
        }
        text
    }
}

fn scalar_text(text: &mut String, name: &str, argument: &str, constants: &[i128]) {
    for constant in constants {
        let equals = equals_name(name, *constant);
        let _ = writeln!(text, "%p {equals}({argument})");
        let _ = writeln!(text, "%r {equals}({argument}) ==> !bad[{name}]({argument})");
    }
    for (i, one) in constants.iter().enumerate() {
        for other in &constants[i + 1..] {
            let (one, other) = (equals_name(name, *one), equals_name(name, *other));
            let _ = writeln!(text, "%r {one}({argument}) ==> !{other}({argument})");
        }
    }
}

/// A text with names of sets replaced by their elements.
fn with_sets(text: &str, sets: &[(String, String)]) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_$.".contains(c);
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        out.push_str(&rest[..start]);
        let word = &rest[start..];
        let end = word.find(|c| !is_word(c)).unwrap_or(word.len());
        match sets.iter().find(|(name, _)| *name == word[..end]) {
            Some((_, elements)) => {
                let _ = write!(out, "{{{elements}}}");
            }
            None => out.push_str(&word[..end]),
        }
        rest = &word[end..];
    }
    out.push_str(rest);
    out
}
