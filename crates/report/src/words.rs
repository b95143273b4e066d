//! Words for reasons: the only place where a gap, an assumption, a note or a hint becomes a sentence.
//!
//! Each function is one `match` without a rest: a new reason does not compile before it has words, and it is decided what
//! helps against it.

mod gaps;
mod hints;

pub use gaps::{gap, unsupported};
pub use hints::{against_budget, against_gap};

use heapwise_engine::reason::{AskedShape, Assumption, Doing, Element, Extent, LastAttempt, Note, Unchecked};
use heapwise_engine::{
    Certainty, Exhausted, Kind, Refinement, RefinementResult, RefinementStep, ShapeName, SiteExtent, Stopped,
};
use heapwise_ir::Program;

/// Which budget ran out.
pub fn exhausted(why: Exhausted) -> &'static str {
    match why {
        Exhausted::Time => "the time budget ran out",
        Exhausted::Memory => "the memory budget ran out",
        Exhausted::Elements => "the element budget ran out",
        Exhausted::Cancelled => "the run was cancelled",
    }
}

/// Which budget ran out, and during what.
pub fn stopped(stopped: &Stopped) -> String {
    let why = exhausted(stopped.why);
    match &stopped.doing {
        Doing::Something => why.to_owned(),
        Doing::Reading => format!("{why} while the C text was read"),
        Doing::Running { engine } => format!("{why} while `{engine}` ran"),
        Doing::Translating => format!("{why} while calls were inlined and objects became cells"),
        Doing::Growing { elements, of } => {
            let noun = match of {
                Element::ShapeGraph => "shape graph",
                Element::Structure => "structure",
            };
            format!("{why} with {} at this place, the most of all", count(*elements, noun))
        }
        Doing::Parting { times } => format!("{why} and runs parted {} here", count(*times, "time")),
        Doing::FirstRun => format!("{why} during the first run"),
    }
}

/// What a verdict assumes.
pub fn assumption(assumption: &Assumption) -> String {
    match assumption {
        Assumption::ValidArguments => {
            "arguments are valid: pointers lead to objects of their types, apart from each other, lists end, and \
             null is passed only where the program tests for it (--arguments any: any values)"
                .to_owned()
        }
        Assumption::AllocationSucceeds => "memory allocation never fails".to_owned(),
        Assumption::OtherErrorsFirst => {
            "this holds up to the first access out of bounds, null dereference or use of a value that was never written"
                .to_owned()
        }
        Assumption::ContractsKept { functions, unchecked } => {
            let names: Vec<String> = functions.iter().map(|name| format!("`{name}`")).collect();
            let keep = if names.len() == 1 { "keeps its contract" } else { "keep their contracts" };
            let why = match unchecked {
                Unchecked::NoBody => {
                    "without a body there is nothing to check, and globals that it does not name are left alone"
                }
                Unchecked::Trusted => "bodies were not checked",
            };
            format!("{} {keep}: {why}", names.join(", "))
        }
    }
}

/// What does not touch the verdict.
pub fn note(program: &Program, note: &Note) -> String {
    match note {
        Note::UnaskedEnd { kind, span, certainty } => {
            let end = match certainty {
                Certainty::Confirmed => "end",
                Certainty::Possible => "may end",
            };
            let path = |file| program.files.get(file).map_or("", |file| file.path.as_str());
            let place = span.file.map_or_else(String::new, |file| format!(" at {}:{}", path(file), span.line));
            format!("ways {end} in {}{place}, which was not asked for", one_error(*kind))
        }
        Note::Explored { states, depth, extent } => {
            let manner = match extent {
                Extent::Whole => ", exhaustively",
                Extent::Part => "",
            };
            format!("explored {} up to depth {depth}{manner}", count(*states, "state"))
        }
        Note::Sites { sites, complete, configurations, reused, entered, entered_before } => {
            let sites = count(*sites as u64, "allocation site");
            let found = count(*configurations, "configuration");
            let calls = count(*entered, "configuration");
            format!(
                "{sites}, {complete} fully analysed: {found}, {reused} of the seeds were known before; \
                 {calls} handed to functions, {entered_before} of them to where one like it was before"
            )
        }
        Note::FieldGroups { groups } => format!("groups of fields: {}", groups.join(", ")),
        Note::GhostInstructions { instructions } if instructions.is_empty() => "no ghost instructions".to_owned(),
        Note::GhostInstructions { instructions } => format!("ghost instructions: {}", instructions.join("; ")),
        Note::RandomRuns { runs } => count(*runs, "random run"),
        Note::PredicateUnused { name, why } => {
            format!("the predicate `{name}` is not used: {}", gaps::predicate_misfit(why))
        }
        Note::EndedAtErrors => "stopped at errors that runs show: there may be more".to_owned(),
        Note::LeftOut { findings } => {
            let what = match findings {
                1 => "one possible finding".to_owned(),
                several => format!("{several} possible findings"),
            };
            format!("{what} left out that may follow from the errors shown: repair these and ask again")
        }
        Note::SecondPass { elements, of } => {
            let noun = match of {
                Element::ShapeGraph => "elements",
                Element::Structure => "structures",
            };
            format!("a second pass with {elements} {noun}, to see which variables hold cells")
        }
        Note::Attempts { attempts, last } => {
            let how = match last {
                LastAttempt::FewerApart => "with fewer structures kept apart",
                LastAttempt::FinerNames => "with finer names of cells",
                LastAttempt::AllApart => "with every structure apart",
                LastAttempt::FinerNamesAllApart => "with finer names of cells, and every structure apart",
            };
            format!("analysed {attempts} times: the last time {how}")
        }
        Note::ContractsIgnored => "contracts were not looked at".to_owned(),
        Note::BodiesChecked { bodies } => {
            let bodies = if *bodies == 1 { "one body".to_owned() } else { format!("{bodies} bodies") };
            format!("{bodies} checked against contracts, calls by contract")
        }
        Note::NoBestTransformers => "some calls are not inlined: steps are taken by focus and coerce".to_owned(),
        Note::LeftByProver { structures } => {
            format!("{structures} structure(s) stayed as focus and coerce left them: the prover left them open")
        }
        Note::ShapeMisfit { shape, record, links } => shape_misfit(*shape, record, links),
    }
}

fn shape_name(shape: &ShapeName) -> String {
    match shape {
        ShapeName::Known(shape) => a_shape(*shape).to_owned(),
        ShapeName::Own(name) => format!("the class `{name}`"),
    }
}

fn a_shape(shape: AskedShape) -> &'static str {
    match shape {
        AskedShape::SinglyLinked => "a list",
        AskedShape::Cyclic => "a ring",
        AskedShape::DoublyLinked => "a doubly linked list",
        AskedShape::Tree => "a tree",
        AskedShape::TreeWithParent => "a tree with parent pointers",
    }
}

fn shape_misfit(shape: AskedShape, record: &str, links: &[String]) -> String {
    let name = match shape {
        AskedShape::SinglyLinked => "sll",
        AskedShape::Cyclic => "cyclic",
        AskedShape::DoublyLinked => "dll",
        AskedShape::Tree => "tree",
        AskedShape::TreeWithParent => "tree-parent",
    };
    let what = a_shape(shape);
    let links: Vec<String> = links.iter().map(|link| format!("`{link}`")).collect();
    let has = match links.as_slice() {
        [] => "no record links to itself".to_owned(),
        some => format!("`{record}` links to itself by {} only", some.join(" and ")),
    };
    let needed = count(shape.links() as u64, "link");
    format!("--shape {name} does not fit: {what} needs {needed} to its own record, and {has}")
}

/// A refinement, and what came of it.
pub fn refinement(step: &RefinementStep) -> String {
    let what = refined(&step.refinement);
    let is_of_a_path = matches!(
        step.refinement,
        Refinement::Tracked { .. } | Refinement::Sampled { .. } | Refinement::Predicates { .. }
    );
    let because = match step.because {
        Some(statement) if is_of_a_path && statement.span.line > 0 => {
            format!(" (a way to line {} cannot be taken)", statement.span.line)
        }
        Some(_) | None => String::new(),
    };
    match step.result {
        RefinementResult::Done { elements, excluded, suspicions } => {
            format!("refinement{because}: {what}, {elements} elements, {excluded} of {suspicions} suspicions excluded")
        }
        RefinementResult::Cut => format!("a refinement ({what}) did not end within the budget"),
    }
}

fn refined(refinement: &Refinement) -> String {
    match refinement {
        Refinement::ExactLength(length) => format!("segments told apart up to length {length}"),
        Refinement::Together(variables) => format!("{variables} variables tracked together"),
        Refinement::AllTogether => "all variables tracked together".to_owned(),
        Refinement::Tracked { pointers, fields } => {
            let quoted = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            match (pointers.is_empty(), fields.is_empty()) {
                (false, true) => format!("{} tracked", quoted(pointers)),
                (true, _) => format!("field {} looked at", quoted(fields)),
                (false, false) => format!("{} tracked, field {} looked at", quoted(pointers), quoted(fields)),
            }
        }
        Refinement::Sampled { shape, samples } => {
            format!("{} of runs show {}", count(*samples as u64, "heap"), shape_name(shape))
        }
        Refinement::Predicates { shape, families } => {
            format!("{} described by {}", shape_name(shape), families.join(", "))
        }
    }
}

/// How far the cells of an allocation site were followed; `None`: to the end.
pub fn site(extent: &SiteExtent) -> Option<String> {
    match extent {
        SiteExtent::Full => None,
        SiteExtent::UpToGap(reason) => Some(gap(reason)),
        SiteExtent::Cut(why) => Some(exhausted(*why).to_owned()),
    }
}

/// One error of a kind, in a sentence.
pub fn one_error(kind: Kind) -> &'static str {
    match kind {
        Kind::NullDereference => "a null dereference",
        Kind::UseAfterFree => "a use after free",
        Kind::DoubleFree => "a double free",
        Kind::InvalidFree => "an invalid free",
        Kind::Leak => "a leak",
        Kind::LeakAtExit => "a leak at exit",
        Kind::OutOfBounds => "an access out of bounds",
        Kind::Uninitialised => "a use of an uninitialised value",
        Kind::DanglingReturn => "a return of a dangling pointer",
        Kind::DivisionByZero => "a division by zero",
        Kind::Overflow => "an overflow of signed arithmetic",
        Kind::Assertion => "a failed assertion",
        Kind::Shape => "a failed claim about a shape",
    }
}

/// `1 state`, `2 states`.
fn count(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
