//! Where the objects with a name are, graph by graph: what functions of one graph mention lies together, so that a larger program
//! is not looked up in a larger table.

use crate::GraphId;
use crate::object::Object;
use heapwise_ir::Program;
use rustc_hash::FxHashMap;

/// What is known of each object that a graph mentions.
#[derive(Clone, Debug)]
pub(crate) struct Constants<T> {
    /// The graph that the first table is of: of everything, or, if there is none, what all graphs share.
    whole: Option<GraphId>,
    globals: Vec<Option<T>>,
    functions: Vec<Option<T>>,
    others: FxHashMap<Object, T>,
    /// What single graphs mention, by graph.
    own: Vec<FxHashMap<Object, T>>,
}

impl<T: Copy> Constants<T> {
    pub(crate) fn new(program: &Program, whole: Option<GraphId>) -> Constants<T> {
        Constants {
            whole,
            globals: vec![None; program.globals.len()],
            functions: vec![None; program.functions.len()],
            others: FxHashMap::default(),
            own: Vec::new(),
        }
    }

    pub(crate) fn get(&self, graph: Option<GraphId>, object: Object) -> Option<T> {
        match graph {
            Some(own) if graph != self.whole => self.own.get(own.as_u32() as usize)?.get(&object).copied(),
            Some(_) | None => self.of_all(object),
        }
    }

    /// What is known of an object that is not of a single graph.
    pub(crate) fn of_all(&self, object: Object) -> Option<T> {
        match object {
            Object::Global(global) => self.globals[global.as_u32() as usize],
            Object::Function(function) => self.functions[function.as_u32() as usize],
            Object::Heap(_) | Object::Local(_) | Object::Library(_) | Object::LibraryVariable(_) => {
                self.others.get(&object).copied()
            }
        }
    }

    /// What is known first stays.
    pub(crate) fn insert(&mut self, graph: Option<GraphId>, object: Object, value: T) {
        if let Some(own) = graph.filter(|_| graph != self.whole) {
            let index = own.as_u32() as usize;
            if self.own.len() <= index {
                self.own.resize_with(index + 1, FxHashMap::default);
            }
            self.own[index].entry(object).or_insert(value);
            return;
        }
        match object {
            Object::Global(global) => {
                self.globals[global.as_u32() as usize].get_or_insert(value);
            }
            Object::Function(function) => {
                self.functions[function.as_u32() as usize].get_or_insert(value);
            }
            Object::Heap(_) | Object::Local(_) | Object::Library(_) | Object::LibraryVariable(_) => {
                self.others.entry(object).or_insert(value);
            }
        }
    }

    pub(crate) fn map<U>(self, mut each: impl FnMut(T) -> U) -> Constants<U> {
        let Constants { whole, globals, functions, others, own } = self;
        Constants {
            whole,
            globals: globals.into_iter().map(|found| found.map(&mut each)).collect(),
            functions: functions.into_iter().map(|found| found.map(&mut each)).collect(),
            others: others.into_iter().map(|(object, found)| (object, each(found))).collect(),
            own: own
                .into_iter()
                .map(|table| table.into_iter().map(|(object, found)| (object, each(found))).collect())
                .collect(),
        }
    }
}
