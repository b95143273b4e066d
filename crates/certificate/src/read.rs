//! Reading certificates. Everything that a text may say is checked here, so that what was read can be used without a look.

use crate::binding::Binding;
use crate::format::{Certificate, EDGES, Edge, HEADER, Node, NodeId, STRUCTURES, allocation_name};
use crate::verify::Rejected;
use heapwise_engine::{AllocationFailure, Kind};
use heapwise_fixpoint::{PointId, StepId};
use heapwise_ir::entity::EntityRef;
use heapwise_ir::{FunctionId, GlobalId, IntType, RegisterId, TypeId};
use heapwise_shapes::abstraction::ShapeAbstraction;
use heapwise_shapes::classes::{ClassLibrary, FamilySet};
use heapwise_shapes::memory::{FieldId, ScalarKind, ScalarVariable};
use heapwise_shapes::precision::{NumberTest, Precision, ShapeType};
use heapwise_shapes::subject::Subject;
use heapwise_tvl::tvp::preprocess::NoFiles;
use heapwise_tvl::tvp::tvs;
use heapwise_tvl::vocabulary::{ACTIVE, NEW};

/// A certificate with its parts apart, and what it is about.
pub(crate) struct Parts<'t> {
    pub(crate) binding: Binding,
    classes: String,
    /// Lines about the precision, and the root, with their numbers.
    precision: Vec<(usize, Vec<&'t str>)>,
    structures: String,
    structures_line: usize,
    edges: Vec<(usize, Vec<&'t str>)>,
}

fn malformed(line: usize, message: impl Into<String>) -> Rejected {
    Rejected::Malformed { line, message: message.into() }
}

impl<'t> Parts<'t> {
    /// Takes a text apart.
    pub(crate) fn of(text: &'t str) -> Result<Parts<'t>, Rejected> {
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        match lines.next() {
            Some((_, HEADER)) => {}
            _ => return Err(malformed(1, format!("expected `{HEADER}`"))),
        }
        let binding = read_binding(&mut lines)?;
        let (mut classes, mut precision) = (String::new(), Vec::new());
        let mut is_class = false;
        let structures_line = loop {
            let Some((number, line)) = lines.next() else {
                return Err(malformed(text.lines().count(), format!("expected `{STRUCTURES}`")));
            };
            if line == STRUCTURES {
                break number;
            }
            is_class |= line.starts_with("class ");
            if is_class {
                classes.push_str(line);
                classes.push('\n');
                is_class = line != "end";
            } else {
                precision.push((number, line.split_whitespace().collect()));
            }
        };
        let mut structures = String::new();
        let mut has_edges = false;
        for (_, line) in lines.by_ref() {
            if line == EDGES {
                has_edges = true;
                break;
            }
            structures.push_str(line);
            structures.push('\n');
        }
        if !has_edges {
            return Err(malformed(text.lines().count(), format!("expected `{EDGES}`")));
        }
        let edges = lines.map(|(number, line)| (number, line.split_whitespace().collect())).collect();
        Ok(Parts { binding, classes, precision, structures, structures_line, edges })
    }

    /// The certificate about a program, with the predicates of its precision.
    pub(crate) fn certificate(self, subject: &Subject<'_>) -> Result<(Certificate, ShapeAbstraction), Rejected> {
        let classes = ClassLibrary::parse(&self.classes)
            .map_err(|error| malformed(0, format!("in the classes of shapes, {error}")))?;
        let reader = Reader { subject, classes: &classes };
        let mut precision = Precision::default();
        let mut root = None;
        for (line, words) in &self.precision {
            reader.line(words, &mut precision, &mut root).map_err(|message| malformed(*line, message))?;
        }
        let root = root.ok_or_else(|| malformed(self.structures_line, "there is no `root`"))?;
        reader.is_closed(&precision).map_err(|message| malformed(self.structures_line, message))?;
        let abstraction = ShapeAbstraction::new(subject.memory, &classes, &precision)
            .map_err(|error| malformed(0, format!("the classes of shapes cannot be used: {}", error.message)))?;
        let nodes = self.nodes(subject, &abstraction)?;
        if root.0 >= nodes.len() {
            return Err(malformed(self.structures_line, format!("there is no structure {}", root.0)));
        }
        let edges = self.edges(subject, &nodes)?;
        let Parts { binding, .. } = self;
        Ok((Certificate { binding, classes, precision, root, nodes, edges }, abstraction))
    }

    fn nodes(&self, subject: &Subject<'_>, abstraction: &ShapeAbstraction) -> Result<Vec<Node>, Rejected> {
        let vocabulary = &abstraction.framework.vocabulary;
        let read = tvs::parse("structures", &self.structures, vocabulary, &NoFiles, &[])
            .map_err(|error| malformed(self.structures_line + error.line as usize, error.message))?;
        if read.locations.len() != read.structures.len() {
            return Err(malformed(self.structures_line, "a structure stands outside of every `%location`"));
        }
        let mut nodes = Vec::new();
        for ((line, structure), location) in read.structures.into_iter().zip(read.locations) {
            let line = self.structures_line + line as usize;
            let point = number(&location).filter(|point| *point < subject.flow.points.len());
            let point = point.ok_or_else(|| malformed(line, format!("`{location}` is no point of the program")))?;
            // Every structure between two steps is so; what steps do with others is nobody's concern.
            let exists = structure.unary(ACTIVE).must == structure.universe();
            if !exists || structure.unary(NEW).may != 0 {
                return Err(malformed(line, "an individual may be absent or new"));
            }
            nodes.push(Node { point: PointId::new(point), structure });
        }
        Ok(nodes)
    }

    fn edges(&self, subject: &Subject<'_>, nodes: &[Node]) -> Result<Vec<Edge>, Rejected> {
        let mut edges = Vec::new();
        for (line, words) in &self.edges {
            let numbers: Option<Vec<usize>> = words.iter().map(|word| number(word)).collect();
            let Some([from, step, to]) = numbers.as_deref() else {
                return Err(malformed(*line, "expected a structure, a step and a structure, by their numbers"));
            };
            if *from >= nodes.len() || *to >= nodes.len() || *step >= subject.flow.steps.len() {
                return Err(malformed(*line, "there is no such structure or step"));
            }
            let step = StepId::new(*step);
            let ends = subject.flow.flow.step(step);
            if (nodes[*from].point, nodes[*to].point) != (ends.from, ends.to) {
                return Err(malformed(*line, "the step does not lead from the one point to the other"));
            }
            edges.push(Edge { from: NodeId(*from), step, to: NodeId(*to) });
        }
        Ok(edges)
    }
}

fn read_binding<'t>(lines: &mut impl Iterator<Item = (usize, &'t str)>) -> Result<Binding, Rejected> {
    let mut take = |key: &str| {
        let (number, line) = lines.next().unwrap_or((1, ""));
        match line.strip_prefix(key).and_then(|rest| rest.strip_prefix(' ').or(rest.is_empty().then_some(""))) {
            Some(rest) => Ok((number, rest)),
            None => Err(malformed(number, format!("expected `{key} …`"))),
        }
    };
    let hash = |(line, text): (usize, &str)| {
        u64::from_str_radix(text, 16).map_err(|_| malformed(line, format!("`{text}` is no hash")))
    };
    let program = hash(take("program")?)?;
    let models = hash(take("models")?)?;
    let (_, entry) = take("entry")?;
    let (line, names) = take("properties")?;
    let kind = |name| Kind::from_name(name).ok_or_else(|| malformed(line, format!("no kind of finding is `{name}`")));
    let properties = names.split_whitespace().map(kind).collect::<Result<Vec<_>, _>>()?;
    let (line, name) = take("allocation")?;
    let both = [AllocationFailure::Possible, AllocationFailure::Never];
    let allocation_failure = both.into_iter().find(|failure| allocation_name(*failure) == name);
    let allocation_failure = allocation_failure.ok_or_else(|| malformed(line, "expected `may-fail` or `succeeds`"))?;
    Ok(Binding { program, models, entry: entry.to_owned(), properties, allocation_failure })
}

fn number(word: &str) -> Option<usize> {
    // Ids have 32 bits.
    word.parse::<u32>().ok().filter(|number| *number < u32::MAX).map(|number| number as usize)
}

/// Reads the lines of a precision.
struct Reader<'r> {
    subject: &'r Subject<'r>,
    classes: &'r ClassLibrary,
}

impl Reader<'_> {
    fn line(&self, words: &[&str], precision: &mut Precision, root: &mut Option<NodeId>) -> Result<(), String> {
        match words {
            // Names are for people.
            ["variable", kind, one, other, ..] => {
                precision.variables.insert(self.variable(kind, one, other)?);
            }
            ["variable-test", kind, one, other, test @ ..] => {
                let variable = self.variable(kind, one, other)?;
                let test = self.test(test, self.subject.memory.variable_int(variable))?;
                if test == NumberTest::Same(variable) {
                    return Err("a variable is the same as itself".to_owned());
                }
                precision.variable_tests.insert((variable, test));
            }
            ["field", field, ..] => {
                precision.fields.insert(self.field(field)?);
            }
            ["field-test", field, test @ ..] => {
                let field = self.field(field)?;
                let test = self.test(test, self.subject.memory.field_int(field))?;
                precision.field_tests.insert((field, test));
            }
            ["shape", view, class, rest @ ..] => {
                let view = number(view).filter(|view| *view < self.subject.program.types.iter().count());
                let view = TypeId::new(view.ok_or("there is no such type")?);
                if precision.shapes.insert(view, self.shape(class, rest)?).is_some() {
                    return Err("the type has a class already".to_owned());
                }
            }
            ["root", node] => *root = Some(NodeId(number(node).ok_or("expected the number of a structure")?)),
            _ => return Err("expected a line about a variable, a field, a shape or the root".to_owned()),
        }
        Ok(())
    }

    fn variable(&self, kind: &str, one: &str, other: &str) -> Result<ScalarVariable, String> {
        let missing = || "there is no such variable".to_owned();
        let program = self.subject.program;
        let first = number(one).ok_or_else(missing)?;
        match kind {
            "register" => {
                let function = program.functions.get(FunctionId::new(first)).ok_or_else(missing)?;
                let register = number(other).ok_or_else(missing)?;
                function.registers.get(RegisterId::new(register)).ok_or_else(missing)?;
                Ok(ScalarVariable::Register(FunctionId::new(first), RegisterId::new(register)))
            }
            "global" => {
                program.globals.get(GlobalId::new(first)).ok_or_else(missing)?;
                Ok(ScalarVariable::Global(GlobalId::new(first), other.parse().map_err(|_| missing())?))
            }
            _ => Err("expected `register` or `global`".to_owned()),
        }
    }

    fn field(&self, word: &str) -> Result<FieldId, String> {
        let field = number(word).filter(|field| *field < self.subject.memory.fields.len());
        field.map(FieldId::new).ok_or_else(|| "there is no such field".to_owned())
    }

    /// A test of a number of that type.
    fn test(&self, words: &[&str], int: Option<IntType>) -> Result<NumberTest, String> {
        let number = |word: &str| word.parse().map_err(|_| format!("`{word}` is no number"));
        let test = match words {
            ["equals", constant] => NumberTest::Equals(number(constant)?),
            ["below", bound] => NumberTest::Below(number(bound)?),
            ["same", kind, one, other] => NumberTest::Same(self.variable(kind, one, other)?),
            _ => return Err("expected `equals`, `below` and a number, or `same` and a variable".to_owned()),
        };
        if self.subject.memory.can_ask(int, test) {
            Ok(test)
        } else {
            Err("no number of the type decides it".to_owned())
        }
    }

    fn shape(&self, class: &str, words: &[&str]) -> Result<ShapeType, String> {
        let id = self.classes.find(class).ok_or_else(|| format!("there is no class `{class}` in the certificate"))?;
        let class = self.classes.class(id);
        let (mut roles, mut families) = (Vec::new(), FamilySet::default());
        for word in words {
            if let Some((role, fields)) = word.split_once('=') {
                let wanted = class.roles.get(roles.len()).ok_or("the class has fewer roles")?;
                let fields = fields.split(',').map(|field| self.field(field)).collect::<Result<Vec<_>, _>>()?;
                if wanted.name != role || wanted.count != fields.len() {
                    return Err(format!("expected {} fields for the role `{}`", wanted.count, wanted.name));
                }
                roles.push(fields);
            } else {
                let family = class.families.iter().position(|family| family.name == *word);
                families = families.with(family.ok_or_else(|| format!("the class has no family `{word}`"))?);
            }
        }
        if roles.len() != class.roles.len() {
            return Err("the class has more roles".to_owned());
        }
        if class.closed(families) != families {
            return Err("a family needs another one".to_owned());
        }
        Ok(ShapeType { class: id, roles, families })
    }

    /// Whatever is mentioned is tracked, and the fields of roles are pointers.
    fn is_closed(&self, precision: &Precision) -> Result<(), String> {
        let is_tracked = |test: &NumberTest| match test {
            NumberTest::Same(variable) => precision.variables.contains(variable),
            NumberTest::Equals(_) | NumberTest::Below(_) => true,
        };
        let variables = precision
            .variable_tests
            .iter()
            .all(|(variable, test)| precision.variables.contains(variable) && is_tracked(test));
        let fields =
            precision.field_tests.iter().all(|(field, test)| precision.fields.contains(field) && is_tracked(test));
        let roles = precision.shapes.values().flat_map(|shape| shape.roles.iter().flatten()).all(|field| {
            let is_pointer = self.subject.memory.fields[*field].kind == ScalarKind::Pointer;
            is_pointer && precision.fields.contains(field)
        });
        if variables && fields && roles {
            Ok(())
        } else {
            Err("what is compared or has a role is not tracked".to_owned())
        }
    }
}
