//! From a precision to predicates: the shape class that a shape-class generator makes of a tracking definition.
//!
//! The predicates are written as TVP text and read by the `tvl` core, which derives rules and updates from it:
//!
//! | predicate | says |
//! |---|---|
//! | `x(v)` | the variable x points to the cell v; null is no cell |
//! | `bad[x]` | x was never written |
//! | `eq[x,c]`, `below[x,c]` | x equals the constant c, is less than it |
//! | `same[x,y]` | x and y are the same number |
//! | `f(v, w)` | the field f of v points to w |
//! | `bad[f](v)`, `eq[f,c](v)`, `below[f,c](v)`, `same[f,x](v)` | as for variables |
//! | `freed(v)` | v was freed, or was a local that ended |
//! | `local[f](v)` | v is a local of the function f |
//! | `has[f](v)` | f of v is not null; for fields that lead to cells of another type |
//! | `held.f(v)`, `is[f](v)` | f of a cell, of several cells leads to v; for the same fields |
//! | `at.x.f(v)` | f of the cell that x points to leads to v; for the same fields, if they lead to a structure |
//! | others | instrumentation predicates of the class's families |

use crate::classes::ClassLibrary;
use crate::memory::{FieldId, Memory, ScalarKind, ScalarVariable};
use crate::precision::{NumberTest, Precision, ShapeType};
use heapwise_ir::entity::EntityRef;
use heapwise_ir::{FunctionId, TypeId};
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
    /// What is asked of it as a number.
    pub tests: Vec<(NumberTest, Predicate)>,
}

impl ScalarPredicates {
    /// The predicate of a test, if it is asked.
    pub fn test(&self, test: NumberTest) -> Option<Predicate> {
        self.tests.iter().find(|(own, _)| *own == test).map(|(_, predicate)| *predicate)
    }
}

/// The predicates of a precision.
pub struct ShapeAbstraction {
    /// Predicates, rules, abstraction predicates.
    pub framework: Framework,
    /// Per tracked variable.
    pub variables: IndexMap<ScalarVariable, ScalarPredicates>,
    /// Per tracked field.
    pub fields: IndexMap<FieldId, ScalarPredicates>,
    /// Cells that a field of another cell leads to which is not itself held by them: they are not lost unless that one is.
    pub kept: Vec<Predicate>,
    /// Cells that a field of what a variable points to leads to: heads of structures.
    pub behind: IndexMap<(FieldId, ScalarVariable), Predicate>,
    /// Whether a cell was freed, or was a local that ended; absent if there is no such thing.
    pub freed: Option<Predicate>,
    /// Whether a cell is a local of a function.
    pub locals: IndexMap<FunctionId, Predicate>,
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
        let scalar = |name: &str, kind: ScalarKind, tests: &[NumberTest]| -> Result<ScalarPredicates, TextError> {
            let points = match kind {
                ScalarKind::Pointer => Some(find(name)?),
                ScalarKind::Number => None,
            };
            let tests = tests.iter().map(|test| Ok((*test, find(&names.test(name, *test))?)));
            let tests = tests.collect::<Result<Vec<_>, TextError>>()?;
            Ok(ScalarPredicates { points, bad: find(&format!("bad[{name}]"))?, tests })
        };
        let mut variables = IndexMap::new();
        for variable in &precision.variables {
            let tests = tests_of(&precision.variable_tests, *variable);
            variables.insert(*variable, scalar(&names.variables[variable], memory.variable_kind(*variable), &tests)?);
        }
        let mut fields = IndexMap::new();
        for field in &precision.fields {
            let tests = tests_of(&precision.field_tests, *field);
            fields.insert(*field, scalar(&names.fields[field], memory.fields[*field].kind, &tests)?);
        }
        let kept = names.fields.iter().filter(|(field, _)| memory.keeps(**field));
        let kept = kept.map(|(_, name)| find(&held_name(name))).collect::<Result<Vec<_>, TextError>>()?;
        let mut behind = IndexMap::new();
        for (field, holder) in names.behind(memory, precision) {
            behind.insert((field, holder), find(&names.behind_name(field, holder))?);
        }
        let freed = if memory.frees { Some(find("freed")?) } else { None };
        let locals = memory.with_locals.iter().map(|function| Ok((*function, find(&local_name(*function))?)));
        let locals = locals.collect::<Result<IndexMap<_, _>, TextError>>()?;
        let constraints = Constraints::new(&vocabulary, rules(&vocabulary, &read.rules, Derivation::Automatic));
        let framework = Framework {
            constraints,
            abstraction: Abstraction::new(&vocabulary),
            differencing: Differencing::Derived,
            vocabulary,
        };
        Ok(ShapeAbstraction { framework, variables, fields, kept, behind, freed, locals, text })
    }

    /// The structure without any cell.
    pub fn empty(&self) -> Structure {
        Structure::new(self.framework.vocabulary.layout(), 0)
    }

    /// Sets a nullary predicate.
    pub fn set(&self, structure: &mut Structure, predicate: Predicate, value: Kleene) {
        structure.set(self.framework.vocabulary.slot(predicate), &[], value);
    }

    /// Whether a cell is a local of some function.
    pub fn is_local(&self, cell: &Variable) -> Formula {
        match self.locals.values().map(|local| Formula::atom(*local, std::slice::from_ref(cell))).collect::<Vec<_>>() {
            none if none.is_empty() => Formula::FALSE,
            some => Formula::Or(some),
        }
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

/// What a set asks of one.
pub fn tests_of<K: Copy + Ord>(tests: &BTreeSet<(K, NumberTest)>, of: K) -> Vec<NumberTest> {
    tests.iter().filter(|(other, _)| *other == of).map(|(_, test)| *test).collect()
}

fn local_name(function: FunctionId) -> String {
    format!("local[f{}]", function.index())
}

fn held_name(field: &str) -> String {
    format!("held.{field}")
}

fn constant_name(constant: i128) -> String {
    let sign = if constant < 0 { "m" } else { "c" };
    format!("{sign}{}", constant.unsigned_abs())
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
            let tests = tests_of(&precision.variable_tests, *variable);
            if memory.variable_kind(*variable) == ScalarKind::Pointer {
                let _ = writeln!(text, "%p {name}(v) unique pointer");
            }
            let _ = writeln!(text, "%p bad[{name}]()");
            if memory.variable_kind(*variable) == ScalarKind::Pointer {
                let _ = writeln!(text, "%r bad[{name}]() ==> !{name}(v)");
            }
            self.scalar_text(&mut text, name, "", &tests);
        }
        if memory.frees {
            let _ = writeln!(text, "%p freed(v)");
        }
        for function in &memory.with_locals {
            let _ = writeln!(text, "%p {}(v)", local_name(*function));
        }
        for (field, name) in &self.fields {
            let tests = tests_of(&precision.field_tests, *field);
            let is_pointer = memory.fields[*field].kind == ScalarKind::Pointer;
            if is_pointer {
                let _ = writeln!(text, "%p {name}(v, w) function");
            }
            let _ = writeln!(text, "%p bad[{name}](v)");
            if is_pointer {
                let _ = writeln!(text, "%r bad[{name}](v) ==> !{name}(v, w)");
            }
            self.scalar_text(&mut text, name, "v", &tests);
            if memory.frees {
                let _ = writeln!(text, "%r freed(v) ==> !bad[{name}](v)");
                if is_pointer {
                    let _ = writeln!(text, "%r freed(v) ==> !{name}(v, w)");
                }
            }
        }
        self.same_text(&mut text, precision);
        for (_, name) in self.fields.iter().filter(|(field, _)| memory.leads_elsewhere(**field)) {
            let _ = writeln!(text, "%i has[{name}](v) = E(w) {name}(v, w)");
            let _ = writeln!(text, "%i {}(v) = E(u) {name}(u, v)", held_name(name));
            let _ = writeln!(text, "%i is[{name}](v) = E(u, w) (u != w & {name}(u, v) & {name}(w, v))");
        }
        for (field, holder) in self.behind(memory, precision) {
            let (name, field, holder) =
                (self.behind_name(field, holder), &self.fields[&field], &self.variables[&holder]);
            let _ = writeln!(text, "%i {name}(v) = E(u) ({holder}(u) & {field}(u, v))");
        }
        for (view, shape) in &precision.shapes {
            text.push_str(&self.class_text(memory, library, precision, (*view, shape)));
        }
        text
    }

    /// Fields that lead to structures of another type, with the variables that point to what has the field: heads of lists.
    fn behind(&self, memory: &Memory<'_>, precision: &Precision) -> Vec<(FieldId, ScalarVariable)> {
        let leads_to_shape = |field: FieldId| {
            let target = memory.pointee_of(field).filter(|_| memory.leads_elsewhere(field));
            target.is_some_and(|view| precision.shapes.contains_key(&view))
        };
        let mut behind = Vec::new();
        for field in self.fields.keys().copied().filter(|field| leads_to_shape(*field)) {
            let holders = self.variables.keys().filter(|it| memory.pointee(**it) == Some(memory.fields[field].view));
            behind.extend(holders.map(|holder| (field, *holder)));
        }
        behind
    }

    fn behind_name(&self, field: FieldId, holder: ScalarVariable) -> String {
        format!("at.{}.{}", self.variables[&holder], self.fields[&field])
    }

    fn test(&self, name: &str, test: NumberTest) -> String {
        match test {
            NumberTest::Equals(constant) => format!("eq[{name},{}]", constant_name(constant)),
            NumberTest::Below(bound) => format!("below[{name},{}]", constant_name(bound)),
            NumberTest::Same(variable) => format!("same[{name},{}]", self.variables[&variable]),
        }
    }

    /// The tests of a scalar, and what they say of each other.
    fn scalar_text(&self, text: &mut String, name: &str, argument: &str, tests: &[NumberTest]) {
        let own = |test: NumberTest| format!("{}({argument})", self.test(name, test));
        for test in tests {
            let _ = writeln!(text, "%p {}", own(*test));
            let _ = writeln!(text, "%r {} ==> !bad[{name}]({argument})", own(*test));
        }
        for one in tests {
            for other in tests {
                let implied = match (*one, *other) {
                    (NumberTest::Equals(a), NumberTest::Equals(b)) if a < b => "!",
                    (NumberTest::Equals(a), NumberTest::Below(b)) => {
                        if a < b {
                            ""
                        } else {
                            "!"
                        }
                    }
                    (NumberTest::Below(a), NumberTest::Below(b)) if a < b => "",
                    _ => continue,
                };
                let _ = writeln!(text, "%r {} ==> {implied}{}", own(*one), own(*other));
            }
        }
    }

    /// What equal numbers have in common.
    fn same_text(&self, text: &mut String, precision: &Precision) {
        let in_variable = |variable: ScalarVariable, test: NumberTest| {
            let is_asked = precision.variable_tests.contains(&(variable, test));
            is_asked.then(|| format!("{}()", self.test(&self.variables[&variable], test)))
        };
        let equal = |one: ScalarVariable, other: ScalarVariable| {
            in_variable(one, NumberTest::Same(other)).or_else(|| in_variable(other, NumberTest::Same(one)))
        };
        let mut related = |same: &str, one: Option<String>, other: Option<String>, is_constant: bool| {
            let (Some(one), Some(other)) = (one, other) else { return };
            let _ = writeln!(text, "%r {same} & {one} ==> {other}");
            let _ = writeln!(text, "%r {same} & {other} ==> {one}");
            if is_constant {
                let _ = writeln!(text, "%r {one} & {other} ==> {same}");
            }
        };
        for (variable, test) in &precision.variable_tests {
            let NumberTest::Same(other) = test else { continue };
            let same = format!("{}()", self.test(&self.variables[variable], *test));
            for (owner, shared) in precision.variable_tests.iter().filter(|(owner, _)| owner == variable) {
                match shared {
                    NumberTest::Same(third) if third != other => {
                        related(&same, in_variable(*owner, *shared), equal(*other, *third), true);
                    }
                    NumberTest::Same(_) => {}
                    NumberTest::Equals(_) => {
                        related(&same, in_variable(*owner, *shared), in_variable(*other, *shared), true);
                    }
                    NumberTest::Below(_) => {
                        related(&same, in_variable(*owner, *shared), in_variable(*other, *shared), false);
                    }
                }
            }
        }
        for (field, test) in &precision.field_tests {
            let NumberTest::Same(variable) = test else { continue };
            let name = &self.fields[field];
            let same = format!("{}(v)", self.test(name, *test));
            for (_, shared) in precision.field_tests.iter().filter(|(owner, _)| owner == field) {
                let of_field = Some(format!("{}(v)", self.test(name, *shared)));
                match shared {
                    NumberTest::Same(other) if other > variable => {
                        related(&same, of_field, equal(*variable, *other), true);
                    }
                    NumberTest::Same(_) => {}
                    NumberTest::Equals(_) => related(&same, of_field, in_variable(*variable, *shared), true),
                    NumberTest::Below(_) => related(&same, of_field, in_variable(*variable, *shared), false),
                }
            }
        }
    }

    /// The families of a class in use, with its sets written out.
    fn class_text(
        &self,
        memory: &Memory<'_>,
        library: &ClassLibrary,
        precision: &Precision,
        (view, shape): (TypeId, &ShapeType),
    ) -> String {
        let class = library.class(shape.class);
        let pointers = self.variables.iter().filter(|(variable, _)| memory.pointee(**variable) == Some(view));
        let into = |field: FieldId| memory.leads_elsewhere(field) && memory.pointee_of(field) == Some(view);
        let held = self.fields.iter().filter(|(field, _)| into(**field)).map(|(_, name)| held_name(name));
        let behind = self.behind(memory, precision).into_iter().filter(|(field, _)| into(*field));
        let behind: Vec<String> = behind.map(|(field, holder)| self.behind_name(field, holder)).collect();
        let pointers: Vec<String> = pointers.map(|(_, name)| name.clone()).chain(held).chain(behind).collect();
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
