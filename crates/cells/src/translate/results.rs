//! Whether what a call returns may have no value: a summary of each function, for constant propagation. Integers that may have none
//! are tracked; a result that was taken for one with a value would be lost from sight, and its use with it.

use super::constants::{self, Environment, Known, Object};
use super::copied::copied_loads;
use super::objects::address_of_global;
use crate::place::{AddressOf, Instances, ObjectId};
use heapwise_engine::BudgetMeter;
use heapwise_ir::{Body, Callee, EdgeId, FunctionId, Operand, Program, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// What is handed to a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Given {
    /// Values only.
    Values,
    /// Something that may have no value.
    PerhapsNone,
}

/// The results of functions, found when they are asked for.
pub struct Results<'p> {
    program: &'p Program,
    meter: &'p BudgetMeter<'p>,
    found: RefCell<FxHashMap<(FunctionId, Given), Known>>,
    copied: RefCell<FxHashMap<FunctionId, Rc<FxHashSet<EdgeId>>>>,
}

impl<'p> Results<'p> {
    /// Of the functions of a program.
    pub fn new(program: &'p Program, meter: &'p BudgetMeter<'p>) -> Results<'p> {
        Results { program, meter, found: RefCell::default(), copied: RefCell::default() }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The loads of a function whose values may only be copied.
    pub fn copied(&self, function: FunctionId) -> Rc<FxHashSet<EdgeId>> {
        if let Some(copied) = self.copied.borrow().get(&function) {
            return Rc::clone(copied);
        }
        let definition = &self.program.functions[function];
        let copied = match &definition.body {
            // A translation that was stopped is thrown away.
            Body::Defined(automaton) => {
                copied_loads(self.program, definition, automaton, self.meter).unwrap_or_default()
            }
            Body::Extern(_) => FxHashSet::default(),
        };
        let copied = Rc::new(copied);
        self.copied.borrow_mut().insert(function, Rc::clone(&copied));
        copied
    }

    /// [`Known::Defined`], or [`Known::MaybeUninit`].
    pub fn of_call(&self, callee: Callee, arguments: &[Operand], known: &Environment) -> Known {
        let is_open = arguments.iter().any(|argument| known.operand(*argument).may_be_uninit());
        match callee {
            Callee::Direct(function) => self.of(function, if is_open { Given::PerhapsNone } else { Given::Values }),
            // Any function may be meant.
            Callee::Indirect(_) => Known::MaybeUninit,
        }
    }

    fn of(&self, function: FunctionId, given: Given) -> Known {
        let definition = &self.program.functions[function];
        let (automaton, result) = match (&definition.body, definition.result) {
            (Body::Defined(automaton), Some(result)) => (automaton, result),
            (Body::Extern(_), Some(_)) => return Known::Defined,
            // It is called as one that gives a result, and gives none.
            (Body::Defined(_) | Body::Extern(_), None) => return Known::MaybeUninit,
        };
        // Pointers are tracked in any case.
        if matches!(self.program.ty(definition.registers[result].ty), Type::Pointer(_)) {
            return Known::Defined;
        }
        if let Some(found) = self.found.borrow().get(&(function, given)) {
            return *found;
        }
        // Until it is known otherwise: a function that calls itself asks again.
        self.found.borrow_mut().insert((function, given), Known::MaybeUninit);
        let argument = match given {
            Given::Values => Known::Defined,
            Given::PerhapsNone => Known::MaybeUninit,
        };
        let entry = Environment::entry(definition, &vec![argument; definition.parameters.len()]);
        // No local object is known by its address here, so an address is that of a global.
        let address_of = |object: Object, offset: i64| match object {
            Object::Global(global) => address_of_global(self.program, global, offset),
            Object::Auto(auto) => {
                let instances = Instances::Many;
                AddressOf::Object { object: ObjectId::Auto(auto), offset, size: None, literal: None, instances }
            }
        };
        // A translation that was stopped is thrown away.
        let Ok(known) = constants::propagate(self, (function, automaton), entry, (&|_| None, &address_of), self.meter)
        else {
            return Known::MaybeUninit;
        };
        let at_exit = known[automaton.exit].as_ref().map_or(Known::Defined, |environment| environment.register(result));
        let found = if at_exit.may_be_uninit() { Known::MaybeUninit } else { Known::Defined };
        self.found.borrow_mut().insert((function, given), found);
        found
    }
}
