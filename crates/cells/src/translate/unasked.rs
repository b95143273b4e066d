//! What nobody asks about, and C survives, does not end a run: an error that was not asked for would hide those behind it that
//! were. (A dangling pointer that is returned: see [`super::lives`].)

use crate::atom::{Atom, Var};
use crate::program::{CellProgram, Command, Contents, Origin, Purpose, ShapeMode, Source, Step, StepId};
use heapwise_engine::{Kind, Options};

/// Turns the errors that are not asked for into what C does there.
pub(super) fn go_on(program: &mut CellProgram, options: &Options) {
    if !options.asks_for(Kind::Uninitialised) {
        for step in program.steps.values_mut() {
            give_any_value(&mut step.command);
        }
    }
    if !options.asks_for(Kind::Shape) {
        let steps: Vec<StepId> = program.steps.keys().collect();
        for step in steps {
            claim_nothing(program, step);
        }
    }
}

/// Storage that was never written holds any value.
fn give_any_value(command: &mut Command) {
    let atom = |atom: &mut Atom| {
        if *atom == Atom::Uninit {
            *atom = Atom::Opaque;
        }
    };
    let source = |source: &mut Source| {
        if let Source::Atom(value) = source {
            atom(value);
        }
    };
    match command {
        Command::Set { value, .. } => atom(value),
        Command::Store { value, .. } => source(value),
        Command::Fill { contents, .. } | Command::Alloc { contents, .. } => {
            if matches!(contents, Contents::Uninitialised | Contents::Perhaps) {
                *contents = Contents::Opaque;
            }
        }
        Command::Assume { left, right, .. } | Command::FailWhen { left, right, .. } => {
            source(left);
            source(right);
        }
        Command::Shape { arguments, .. } | Command::Contract { arguments, .. } | Command::Call { arguments, .. } => {
            arguments.iter_mut().for_each(source);
        }
        Command::Skip
        | Command::Copy { .. }
        | Command::Load { .. }
        | Command::Touch { .. }
        | Command::Case { .. }
        | Command::Retire { .. }
        | Command::Free { .. }
        | Command::Compare { .. }
        | Command::Forget { .. }
        | Command::Fail { .. }
        | Command::Use { .. }
        | Command::EndScope { .. }
        | Command::End(_)
        | Command::Enter { .. }
        | Command::Leave { .. }
        | Command::Gap { .. } => {}
    }
}

/// A claim about the heap is no code: only its arguments are read.
fn claim_nothing(program: &mut CellProgram, id: StepId) {
    let Step { to, span, frame, edge, .. } = program.steps[id];
    let Command::Shape { arguments, mode: ShapeMode::Assert, .. } = &program.steps[id].command else { return };
    let read: Vec<Var> = arguments.iter().filter_map(|argument| argument.var()).collect();
    let is_missing = arguments.contains(&Source::Atom(Atom::Uninit));
    if is_missing {
        program.steps[id].command = Command::Fail { kind: Kind::Uninitialised };
        return;
    }
    let mut reads = read.into_iter().map(|var| Command::Use { var, purpose: Purpose::Operation });
    program.steps[id].command = reads.next().unwrap_or(Command::Skip);
    let mut last = id;
    for command in reads {
        let between = program.add_point(Origin { frame, location: None });
        program.steps[last].to = between;
        last = program.add_step(Step { from: between, to, command, span, frame, edge });
    }
}
