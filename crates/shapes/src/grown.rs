//! Fields that only grow: what that does to predicates which follow them once.
//!
//! If a definition has one atom of a field, below conjunctions, disjunctions and quantifiers `exists` only, then what it says of
//! two sets of edges together is what it says of each of them. So where edges are added the predicate holds where it did, and where
//! its definition holds of the new edges alone; in that, paths from a pointer are predicates that are stored.

use heapwise_logic::simplify::simplify;
use heapwise_logic::{Formula, Predicate};
use heapwise_tvl::action::ActionSpecification;
use heapwise_tvl::fold::Folder;
use heapwise_tvl::vocabulary::{Definition, Vocabulary};

/// Gives updates to the instrumentation predicates that follow a field once to which an action only adds edges.
pub(crate) fn give_updates(folder: &Folder<'_>, specification: &mut ActionSpecification) {
    // Individuals that come or go may be what `exists` finds.
    if !specification.creations.is_empty() || specification.retain.is_some() {
        return;
    }
    let vocabulary = folder.vocabulary();
    let fields: Vec<(Predicate, Definition)> = specification
        .updates
        .iter()
        .filter_map(|(field, update)| Some((*field, Definition { formula: added(*field, update)?, ..update.clone() })))
        .collect();
    for (field, added) in fields {
        for predicate in vocabulary.predicates() {
            let Some(definition) = &vocabulary.declaration(predicate).definition else { continue };
            if specification.updates.contains_key(&predicate) {
                continue;
            }
            let expanded = expanded(vocabulary, &definition.formula);
            let is_alone =
                expanded.predicates().iter().all(|it| *it == field || !specification.updates.contains_key(it));
            if !is_alone || occurrences(&expanded, field) != Some(1) {
                continue;
            }
            let of_new = expanded.replace_atoms(&mut |it, arguments| {
                (it == field).then(|| added.formula.instantiate(&added.params, arguments))
            });
            let of_new = folder.fold(&simplify(&of_new));
            if has_path(&of_new) {
                continue;
            }
            let old = Formula::atom(predicate, &definition.params);
            let update = Definition { params: definition.params.clone(), formula: Formula::or(old, of_new) };
            specification.updates.insert(predicate, update);
        }
    }
}

/// What an update adds to a binary predicate, if it does nothing else.
fn added(field: Predicate, update: &Definition) -> Option<Formula> {
    let [_, _] = update.params.as_slice() else { return None };
    match &update.formula {
        Formula::Or(parts) => match parts.as_slice() {
            [old, added] if *old == Formula::atom(field, &update.params) => Some(added.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// A formula over core predicates alone.
fn expanded(vocabulary: &Vocabulary, formula: &Formula) -> Formula {
    let mut next = 0;
    let mut formula = formula.rename_apart("g$", &mut next);
    loop {
        let mut is_done = true;
        let wider = formula.replace_atoms(&mut |predicate, arguments| {
            let definition = vocabulary.declaration(predicate).definition.as_ref()?;
            is_done = false;
            Some(definition.formula.rename_apart("g$", &mut next).instantiate(&definition.params, arguments))
        });
        if is_done {
            return formula;
        }
        formula = wider;
    }
}

/// How many atoms of a field there are; nothing if one stands where more edges may mean less, or more than their sum.
fn occurrences(formula: &Formula, field: Predicate) -> Option<usize> {
    match formula {
        Formula::Atom(predicate, _) => Some(usize::from(*predicate == field)),
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().try_fold(0, |sum, part| Some(sum + occurrences(part, field)?))
        }
        Formula::Exists(_, body) => occurrences(body, field),
        other => (!other.predicates().contains(&field)).then_some(0),
    }
}

/// Whether a formula follows a path.
pub(crate) fn has_path(formula: &Formula) -> bool {
    let mut found = false;
    formula.visit(&mut |part| found |= matches!(part, Formula::Closure { .. }));
    found
}
