//! Certificates: what the engine writes down is accepted, and what is damaged is accepted only where it is still a proof.

#![allow(clippy::unwrap_used)]

use heapwise_certificate::{Certificate, Rejected, verify};
use heapwise_cfront::{Flags, FrontOptions, Unit, load};
use heapwise_engine::{AllocationFailure, Budget, Cancel, Control, Engine, Kind, Options, Verdict};
use heapwise_ir::Program;
use heapwise_models::Models;
use heapwise_refine::{CertificateWish, RefineEngine, Settings};
use heapwise_shapes::step::Stepper;
use heapwise_shapes::subject::Subject;
use heapwise_shapes::transfer::Problem;
use heapwise_tvl::embed::embeds;
use std::time::Duration;

/// A list of ones that ends in a three, which is found and freed.
const ONES: &str = r"
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; };
int main(void) {
  struct node *head = malloc(sizeof *head);
  if (!head) return 0;
  head->v = 3; head->next = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->v = 1; n->next = head; head = n;
  }
  struct node *p = head;
  while (p->v == 1) p = p->next;
  assert(p->v == 3);
  while (head) { struct node *t = head->next; free(head); head = t; }
  return 0;
}
";

/// A doubly linked list, walked forth and back.
const BOTH_WAYS: &str = r"
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *prev; };
int main(void) {
  struct node *head = calloc(1, sizeof *head);
  if (!head) return 0;
  struct node *last = head;
  while (__VERIFIER_nondet_int()) {
    struct node *n = calloc(1, sizeof *n);
    if (!n) break;
    n->prev = last; last->next = n; last = n;
  }
  for (struct node *p = head; p->next; p = p->next) assert(p->next->prev == p);
  return 0;
}
";

fn read(name: &str, text: &str) -> Program {
    let path = std::env::temp_dir().join(format!("heapwise-certificate-{}-{name}.c", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let unit = Unit { path: path.clone(), flags: Flags::default() };
    let options = FrontOptions { entries: vec!["main".to_owned()], ..FrontOptions::default() };
    let program = load(&[unit], &options, &Models::shipped()).unwrap().program;
    std::fs::remove_file(&path).unwrap();
    program
}

fn control() -> Control {
    Control::start(Budget { time: Some(Duration::from_secs(100)), ..Budget::default() }, Cancel::default())
}

fn proof(program: &Program, options: &Options) -> String {
    let settings = Settings { certificate: CertificateWish::Asked, ..Settings::default() };
    let outcome = RefineEngine { settings }.check(program, options, &control());
    assert_eq!(outcome.verdict(), Verdict::Safe, "{:?} {:?}", outcome.findings, outcome.gaps);
    outcome.certificate.expect("safe comes with a certificate").text
}

/// Whether a text is a proof, computed in another way than the checker does: what every step makes of every structure embeds
/// in some structure behind it, under any map of individuals, whatever the edges say.
fn is_inductive(program: &Program, options: &Options, text: &str) -> bool {
    let computed = Subject::with(program, options, |subject| {
        let Ok((certificate, abstraction)) = Certificate::read(subject, text) else { return false };
        let stepper = Stepper::new(subject.transfer(&abstraction), &Control::unlimited());
        let holds = |point, structure: &_| {
            certificate.nodes.iter().any(|node| node.point == point && embeds(structure, &node.structure))
        };
        let entry = subject.flow.flow.entry(subject.flow.start);
        stepper.start().is_ok_and(|start| holds(entry, &start))
            && certificate.nodes.iter().all(|node| {
                subject.flow.flow.outgoing(node.point).iter().all(|step| {
                    let Ok(stepped) = stepper.step(subject.key(*step), &node.structure) else { return false };
                    let is_asked = |problem: &Problem| match problem {
                        Problem::Error(kind) => options.asks_for(*kind),
                        Problem::Gap(_) => true,
                    };
                    !stepped.problems.iter().any(is_asked)
                        && stepped.structures.iter().all(|it| holds(subject.flow.flow.step(*step).to, it))
                })
            })
    });
    computed.unwrap_or(false)
}

/// A small generator of numbers: the same damages in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }
}

/// The lines of a certificate before its structures, each structure, its edges.
struct Pieces {
    head: Vec<String>,
    structures: Vec<Vec<String>>,
    edges: Vec<[usize; 3]>,
}

impl Pieces {
    fn of(text: &str) -> Pieces {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let structures_at = lines.iter().position(|line| line == "structures").unwrap();
        let edges_at = lines.iter().position(|line| line == "edges").unwrap();
        let mut structures: Vec<Vec<String>> = Vec::new();
        for line in &lines[structures_at + 1..edges_at] {
            if line.starts_with("%location") {
                structures.push(Vec::new());
            }
            structures.last_mut().unwrap().push(line.clone());
        }
        let edge = |line: &String| {
            let numbers: Vec<usize> = line.split(' ').map(|word| word.parse().unwrap()).collect();
            [numbers[0], numbers[1], numbers[2]]
        };
        let edges = lines[edges_at + 1..].iter().map(edge).collect();
        Pieces { head: lines[..=structures_at].to_vec(), structures, edges }
    }

    fn text(&self) -> String {
        let mut lines = self.head.clone();
        lines.extend(self.structures.iter().flatten().cloned());
        lines.push("edges".to_owned());
        lines.extend(self.edges.iter().map(|[from, step, to]| format!("{from} {step} {to}")));
        lines.join("\n") + "\n"
    }

    /// Removes a structure with its edges; the numbers behind it move.
    fn remove_structure(&mut self, gone: usize) {
        self.structures.remove(gone);
        self.edges.retain(|[from, _, to]| *from != gone && *to != gone);
        for [from, _, to] in &mut self.edges {
            *from -= usize::from(*from > gone);
            *to -= usize::from(*to > gone);
        }
    }

    /// Changes a value of a predicate in a structure: 1 and 1/2 are exchanged, or it becomes 0.
    fn change_value(&mut self, dice: &mut Dice) -> bool {
        let at = dice.below(self.structures.len());
        let lines = &mut self.structures[at];
        let valued: Vec<usize> = (0..lines.len()).filter(|line| lines[*line].starts_with("  ")).collect();
        if valued.is_empty() {
            return false;
        }
        let line = valued[dice.below(valued.len())];
        let (name, values) = lines[line].split_once(" = ").unwrap();
        lines[line] = match values.strip_prefix('{').and_then(|values| values.strip_suffix('}')) {
            None if values == "1" => format!("{name} = 1/2"),
            None => format!("{name} = {}", dice.below(2)),
            Some(values) => {
                let mut values: Vec<String> = values.split(", ").map(str::to_owned).collect();
                let at = dice.below(values.len());
                match values[at].strip_suffix(":1/2") {
                    _ if dice.below(4) == 0 => drop(values.remove(at)),
                    Some(node) => values[at] = node.to_owned(),
                    None => values[at].push_str(":1/2"),
                }
                format!("{name} = {{{}}}", values.join(", "))
            }
        };
        true
    }
}

/// One damage by its number; nothing if it does not apply.
fn damaged(text: &str, kind: usize, dice: &mut Dice) -> Option<String> {
    let mut pieces = Pieces::of(text);
    match kind {
        0 => {
            let gone = 1 + dice.below(pieces.structures.len() - 1);
            pieces.remove_structure(gone);
        }
        1 | 2 => return pieces.change_value(dice).then(|| pieces.text()),
        3 => {
            let gone = dice.below(pieces.edges.len());
            pieces.edges.remove(gone);
        }
        4 => {
            // A structure twice: nothing is lost.
            let at = dice.below(pieces.structures.len());
            let twice = pieces.structures[at].clone();
            pieces.structures.push(twice);
            let to = pieces.structures.len() - 1;
            let copied: Vec<[usize; 3]> =
                pieces.edges.iter().filter(|edge| edge[0] == at).map(|[_, step, end]| [to, *step, *end]).collect();
            pieces.edges.extend(copied);
        }
        _ => {
            // Less is tracked, compared or described.
            let is_about =
                |line: &str| ["variable", "field", "shape", "class"].iter().any(|word| line.starts_with(word));
            let about: Vec<usize> = (0..pieces.head.len()).filter(|at| is_about(&pieces.head[*at])).collect();
            let gone = about[dice.below(about.len())];
            pieces.head.remove(gone);
        }
    }
    Some(pieces.text())
}

#[test]
fn damaged_certificates_are_accepted_only_if_they_are_still_proofs() {
    let mut tried = 0;
    let (mut accepted, mut malformed, mut uncovered, mut failing) = (0, 0, 0, 0);
    for (name, text) in [("ones", ONES), ("both-ways", BOTH_WAYS)] {
        let program = read(name, text);
        let mut options = Options::new(program.function_named("main").unwrap());
        if name == "both-ways" {
            options.properties = vec![Kind::Assertion];
        }
        let proof = proof(&program, &options);
        assert!(verify(&program, &options, &proof, &control()).is_ok());
        assert!(is_inductive(&program, &options, &proof));
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
        let mut number = 0;
        while number < 160 {
            let Some(text) = damaged(&proof, number % 6, &mut dice) else { continue };
            number += 1;
            tried += 1;
            match verify(&program, &options, &text, &control()) {
                Ok(_) => {
                    assert!(is_inductive(&program, &options, &text), "{name}, damage {number}: accepted\n{text}");
                    accepted += 1;
                }
                Err(Rejected::Malformed { .. }) => malformed += 1,
                Err(Rejected::Error { .. }) => failing += 1,
                Err(Rejected::Uncovered { .. } | Rejected::Start) => uncovered += 1,
                Err(other) => panic!("{name}, damage {number}: {other:?}"),
            }
        }
    }
    println!("{accepted} of {tried} accepted; {malformed} malformed, {uncovered} not covered, {failing} with errors");
    assert!(tried >= 300 && accepted > 0 && malformed > 0 && uncovered > 0 && failing > 0);
}

#[test]
fn a_certificate_is_about_one_program_and_one_question() {
    let program = read("bound", ONES);
    let options = Options::new(program.function_named("main").unwrap());
    let proof = proof(&program, &options);
    let others = [
        ("never-three", ONES.replace("head->v = 3;", "head->v = 1;")),
        ("lost", ONES.replace("free(head); head = t;", "head = t;")),
        ("never-written", ONES.replace("n->v = 1;", "")),
        ("another-assertion", ONES.replace("p->v == 3", "p->v == 4")),
    ];
    for (name, text) in &others {
        let other = read(name, text);
        let options = Options::new(other.function_named("main").unwrap());
        let answer = verify(&other, &options, &proof, &control());
        assert_eq!(answer, Err(Rejected::OtherProgram), "{name}");
        // Nothing depends on the hash: with the right one the proof is still none.
        let binding = heapwise_certificate::Binding::new(&other, &options);
        let own = heapwise_certificate::Binding::new(&program, &options).program;
        let forged = proof.replace(&format!("{own:016x}"), &format!("{:016x}", binding.program));
        let answer = verify(&other, &options, &forged, &control());
        assert!(answer.is_err() && answer != Err(Rejected::OtherProgram), "{name}: {answer:?}");
    }
    for question in [
        Options { properties: vec![Kind::Assertion], ..options.clone() },
        Options { allocation_failure: AllocationFailure::Never, ..options.clone() },
    ] {
        let answer = verify(&program, &question, &proof, &control());
        assert!(matches!(answer, Err(Rejected::OtherQuestion(_))), "{answer:?}");
    }
    let line = proof.lines().find(|line| line.starts_with("models ")).unwrap();
    let other_models = proof.replace(line, "models 0000000000000001");
    assert_eq!(verify(&program, &options, &other_models, &control()), Err(Rejected::OtherModels));
}

#[test]
fn no_class_can_make_a_proof_wrong() {
    // Whatever the classes of a certificate say, they are definitions, or it is refused.
    let program = read("classes", ONES);
    let options = Options::new(program.function_named("main").unwrap());
    let proof = proof(&program, &options);
    let family = proof.lines().find(|line| line.contains("%i is[")).unwrap();
    for wrong in [
        "    %i is[n](v) = !is[n](v)",
        "    %i is[n](v) = E(u) n(u, v) & 1/2",
        "    %i is[n](v) = isNew(v)",
        "    %i is[n](v) = sm(v)",
        "    %i is[n](v) = E(u) n(u, v) acyclic",
        "    %i is[n](v) = E(u) n(u, w)",
        "    %i is[n](v) = E(u) n(u, v) %r n(v, w) ==> !n(v, w)",
        "    %r n(v, w) ==> !n(v, w)",
    ] {
        let forged = proof.replace(family, wrong);
        let answer = verify(&program, &options, &forged, &control());
        assert!(matches!(answer, Err(Rejected::Malformed { .. })), "{wrong}: {answer:?}");
    }
}
