//! One step may divide a structure into thousands: it looks at its budget between them. Work is counted here in rounds of the loops
//! that ask, not by a clock.

#![allow(clippy::unwrap_used)]

mod common;

use common::Analysis;
use heapwise_engine::{Budget, Cancel, Control, Exhausted};
use heapwise_logic::{Formula, Kleene, Variable};
use heapwise_tvl::action::StepResult;
use heapwise_tvl::focus::{Focus, Focused};
use heapwise_tvl::structure::Structure;
use heapwise_tvl::tables::Tables;
use heapwise_tvl::vocabulary::ACTIVE;

/// So many cells of which it is not known whether they are marked: focus gives two to the power of it.
const CELLS: usize = 11;

/// Cells with a mark, and an action that asks for it everywhere.
fn marks() -> Analysis {
    Analysis::new(
        "%p marked(v)
        %%
        %action Look() { %f { marked(v) } { marked(v) = !marked(v) } }
        %%
        a Look() a",
    )
}

fn unmarked(analysis: &Analysis) -> Structure {
    let vocabulary = analysis.vocabulary();
    let mut structure = Structure::new(vocabulary.layout(), CELLS);
    let marked = vocabulary.slot(vocabulary.find("marked").unwrap());
    let active = vocabulary.slot(vocabulary.predicates().nth(ACTIVE).unwrap());
    for cell in 0..CELLS {
        structure.set(active, &[cell], Kleene::True);
        structure.set(marked, &[cell], Kleene::Unknown);
    }
    structure
}

fn cancelled() -> Control {
    let cancel = Cancel::default();
    cancel.cancel();
    Control::start(Budget::default(), cancel)
}

#[test]
fn focus_ends_with_its_budget_and_says_so() {
    let analysis = marks();
    let vocabulary = analysis.vocabulary();
    let formula = Formula::atom(vocabulary.find("marked").unwrap(), &[Variable::new("v")]);
    let focus = Focus::new(vocabulary, &formula);
    let constraints = &analysis.framework.constraints;
    let split = |tables: &mut Tables| focus.split(unmarked(&analysis), vocabulary, constraints, tables);

    let mut unlimited = Tables::within(Control::unlimited());
    let (structures, focused) = split(&mut unlimited);
    assert_eq!((structures.len(), focused), (1 << CELLS, Focused::Definite));
    assert_eq!(unlimited.end(), Ok(()));
    assert!(unlimited.rounds() >= 1 << CELLS, "{} rounds", unlimited.rounds());

    let mut stopped = Tables::within(cancelled());
    let (structures, focused) = split(&mut stopped);
    assert_eq!((structures.len(), focused), (0, Focused::Open));
    assert_eq!(stopped.end(), Err(Exhausted::Cancelled));
    assert!(stopped.rounds() <= 1, "{} rounds", stopped.rounds());

    // What ran out stays so: nothing that is asked afterwards costs anything.
    assert!(split(&mut stopped).0.is_empty());
    assert!(stopped.rounds() <= 2, "{} rounds", stopped.rounds());
}

#[test]
fn an_action_ends_with_its_budget_and_says_so() {
    let analysis = marks();
    let apply = |control: Control| {
        let mut tables = Tables::within(control);
        let mut result = StepResult::default();
        analysis.actions[0].apply(&analysis.framework, &unmarked(&analysis), &mut tables, &mut result);
        (result, tables)
    };
    let (result, tables) = apply(Control::unlimited());
    assert!(!result.structures.is_empty());
    assert_eq!(tables.end(), Ok(()));
    assert!(tables.rounds() >= 1 << CELLS, "{} rounds", tables.rounds());

    let (result, tables) = apply(cancelled());
    assert!(result.structures.is_empty() && result.troubles.is_empty() && result.messages.is_empty());
    assert_eq!(tables.end(), Err(Exhausted::Cancelled));
    assert!(tables.rounds() <= 2, "{} rounds", tables.rounds());
}
