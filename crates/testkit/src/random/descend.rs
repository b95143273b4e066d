//! Functions that call themselves on the children of trees with parents, with something made up in between.

use super::generate::{Generator, Scope};
use super::{Data, Fresh, RandomFunction, RandomProgram, RandomRecord, Statement, Test, Variable};

/// The children of a node, and its parent.
const CHILDREN: [usize; 2] = [0, 1];
const PARENT: usize = 2;

/// The functions, `main` apart.
const GROW: usize = 0;
const CHANGE: usize = 1;
const DROP: usize = 2;

impl Generator<'_> {
    /// A tree grows, a function that was made up is called with it once or twice, and it is freed.
    pub(super) fn descending_program(&mut self) -> RandomProgram {
        self.program.records.push(RandomRecord { pointers: vec![0; 3], data: Data::None });
        let n_parameters = 1 + self.below(2);
        let function = |n_variables: usize, n_parameters: usize, result: Option<usize>, body: Vec<Statement>| {
            RandomFunction { variables: vec![0; n_variables], n_parameters, result, body }
        };
        let n_locals = 2 + self.below(2);
        self.program.functions = vec![
            function(3, 2, Some(0), grow()),
            function(n_parameters + n_locals, n_parameters, Some(0), Vec::new()),
            function(2, 1, None, drop_all()),
            function(2, 0, None, Vec::new()),
        ];
        self.program.functions[CHANGE].body = self.change(n_parameters);
        self.program.functions[DROP + 1].body = self.main(n_parameters);
        self.program.clone()
    }

    fn change(&mut self, n_parameters: usize) -> Vec<Statement> {
        let (node, child) = (Variable::Local(0), Variable::Local(n_parameters));
        let scope = Scope { function: CHANGE, depth: 1 };
        let mut body = Vec::new();
        let n_calls = self.below(3);
        for _ in 0..n_calls {
            self.made_up(scope, &mut body);
            let field = CHILDREN[self.below(CHILDREN.len())];
            let arguments = [child, node][..n_parameters].to_vec();
            body.push(Statement::Load { target: child, base: node, field });
            body.push(Statement::Call { function: CHANGE, arguments, target: Some(child) });
            body.push(Statement::Store { base: node, field, value: Some(child) });
            if self.below(2) == 0 {
                let back = Statement::Store { base: child, field: PARENT, value: Some(node) };
                body.push(Statement::If(Test::IsNotNull(child), vec![back], Vec::new()));
            }
        }
        self.made_up(scope, &mut body);
        if self.below(2) == 0 {
            let taken_out = self.take_out(node, child);
            body = vec![Statement::If(Test::Any, body, taken_out)];
        }
        vec![Statement::If(Test::IsNotNull(node), body, Vec::new())]
    }

    /// A node without a first child is replaced by its second one, which may get its parent.
    fn take_out(&mut self, node: Variable, child: Variable) -> Vec<Statement> {
        let above = match child {
            Variable::Local(index) => Variable::Local(index + 1),
            Variable::Global(_) => child,
        };
        let mut moved = vec![Statement::Load { target: child, base: node, field: CHILDREN[1] }];
        if self.below(4) > 0 {
            let load = Statement::Load { target: above, base: node, field: PARENT };
            let store = Statement::Store { base: child, field: PARENT, value: Some(above) };
            moved.push(Statement::If(Test::IsNotNull(child), vec![load, store], Vec::new()));
        }
        moved.extend([Statement::Free(node), Statement::Copy(node, child)]);
        let first = Statement::Load { target: child, base: node, field: CHILDREN[0] };
        vec![first, Statement::If(Test::IsNull(child), moved, Vec::new())]
    }

    fn made_up(&mut self, scope: Scope, body: &mut Vec<Statement>) {
        let mut left = self.below(3);
        body.extend(self.block(scope, &mut left));
    }

    fn main(&mut self, n_parameters: usize) -> Vec<Statement> {
        let (root, none) = (Variable::Local(0), Variable::Local(1));
        let grow = Statement::Call { function: GROW, arguments: vec![root, none], target: Some(root) };
        let mut body =
            vec![Statement::SetNull(none), Statement::SetNull(root), Statement::While(Test::Any, vec![grow])];
        let arguments = [root, none][..n_parameters].to_vec();
        for _ in 0..=self.below(2) {
            let arguments = arguments.clone();
            body.push(Statement::Call { function: CHANGE, arguments, target: Some(root) });
        }
        body.push(Statement::Call { function: DROP, arguments: vec![root], target: None });
        body
    }
}

/// A new leaf below a node, or in its place.
fn grow() -> Vec<Statement> {
    let [node, parent, child] = [0, 1, 2].map(Variable::Local);
    let link = Statement::Store { base: node, field: PARENT, value: Some(parent) };
    let leaf =
        vec![Statement::Allocate(node, Fresh::Zeroed), Statement::If(Test::IsNotNull(node), vec![link], Vec::new())];
    let below = CHILDREN.map(|field| {
        vec![
            Statement::Load { target: child, base: node, field },
            Statement::Call { function: GROW, arguments: vec![child, node], target: Some(child) },
            Statement::Store { base: node, field, value: Some(child) },
        ]
    });
    let [left, right] = below;
    vec![Statement::If(Test::IsNull(node), leaf, vec![Statement::If(Test::Any, left, right)])]
}

fn drop_all() -> Vec<Statement> {
    let (node, child) = (Variable::Local(0), Variable::Local(1));
    let mut body: Vec<Statement> = CHILDREN
        .into_iter()
        .flat_map(|field| {
            let load = Statement::Load { target: child, base: node, field };
            [load, Statement::Call { function: DROP, arguments: vec![child], target: None }]
        })
        .collect();
    body.push(Statement::Free(node));
    vec![Statement::If(Test::IsNotNull(node), body, Vec::new())]
}
