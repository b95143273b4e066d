//! Claims about shapes as formulas over fields.

use crate::transfer::{u, v, w};
use heapwise_ir::{ShapeClause, ShapeKind};
use heapwise_logic::{Formula, Steps, Variable};

/// A link of a claim: `edge` with the variables v and w, and whether it was never written, with v.
#[derive(Clone, Debug)]
pub struct Link {
    /// It leads from v to w.
    pub edge: Formula,
    /// The link of v was never written.
    pub bad: Formula,
}

/// The claim, given where its pointers point (with the variable v), and which cells are freed.
pub fn formula(kind: ShapeKind, pointers: &[Formula], links: &[Link], freed: &Formula) -> Option<Formula> {
    let positions: Vec<usize> = (0..links.len()).collect();
    let definition = kind.definition(&positions)?;
    let step = Formula::Or(definition.along.iter().map(|link| links[*link].edge.clone()).collect());
    let path = |steps: Steps, from: Variable, to: Variable| Formula::Closure {
        steps,
        from,
        to,
        left: v(),
        right: w(),
        step: Box::new(step.clone()),
    };
    let at = |formula: &Formula, cell: &Variable| formula.instantiate(&[v()], std::slice::from_ref(cell));
    let x = Variable::new("x");
    // The cell x is reached from a pointer.
    let reached = |pointer: &Formula| {
        Formula::exists(vec![u()], Formula::and(at(pointer, &u()), path(Steps::ZeroOrMore, u(), x.clone())))
    };
    let first = pointers.first()?;
    let of_all = |claim: Formula| Formula::forall(vec![x.clone()], Formula::implies(reached(first), claim));
    let mut parts = Vec::new();
    for clause in &definition.clauses {
        parts.push(match clause {
            ShapeClause::Acyclic => of_all(!path(Steps::OneOrMore, x.clone(), x.clone())),
            ShapeClause::Cyclic => Formula::exists(
                vec![x.clone()],
                Formula::and(at(first, &x), path(Steps::OneOrMore, x.clone(), x.clone())),
            ),
            ShapeClause::Reaches | ShapeClause::Disjoint => return None,
            ShapeClause::EnteredOnce => {
                let (y, z) = (Variable::new("y"), Variable::new("z"));
                let steps =
                    |link: &Link, from: &Variable| link.edge.instantiate(&[v(), w()], &[from.clone(), x.clone()]);
                let mut twice = vec![path(Steps::OneOrMore, x.clone(), x.clone())];
                let some = |from: &Variable| {
                    Formula::Or(definition.along.iter().map(|link| steps(&links[*link], from)).collect())
                };
                let from_reached = |cell: &Variable| {
                    Formula::exists(
                        vec![u()],
                        Formula::and(at(first, &u()), path(Steps::ZeroOrMore, u(), cell.clone())),
                    )
                };
                twice.push(Formula::exists(
                    vec![y.clone(), z.clone()],
                    Formula::And(vec![!Formula::equal(&y, &z), some(&y), some(&z), from_reached(&y), from_reached(&z)]),
                ));
                for (i, one) in definition.along.iter().enumerate() {
                    for other in &definition.along[i + 1..] {
                        let both = Formula::and(steps(&links[*one], &y), steps(&links[*other], &y));
                        twice.push(Formula::exists(vec![y.clone()], Formula::and(both, from_reached(&y))));
                    }
                }
                of_all(!Formula::Or(twice))
            }
            ShapeClause::Inverse { there, back } => {
                let y = Variable::new("y");
                let forth = links[*there].edge.instantiate(&[v(), w()], &[x.clone(), y.clone()]);
                let back = links[*back].edge.instantiate(&[v(), w()], &[y.clone(), x.clone()]);
                of_all(Formula::forall(vec![y], Formula::implies(forth, back)))
            }
        });
    }
    // Every link of a cell that is reached is null or leads to a cell that is there.
    for link in links {
        parts.push(of_all(!at(&link.bad, &x)));
    }
    if *freed != Formula::FALSE {
        parts.push(of_all(!at(freed, &x)));
    }
    Some(Formula::And(parts))
}
