//! A concrete state, as an engine's test looks at it.

use heapwise_engine::NodeStyle;
use heapwise_interp::heap::{Life, Object, ObjectKind};
use heapwise_interp::state::Frame;
use heapwise_interp::{Loaded, Machine, ObjectId, State, Value, drawing};
use heapwise_ir::{GlobalId, Program, RegisterId};

/// A state of a concrete run.
pub struct ConcreteState<'s> {
    machine: &'s Machine<'s>,
    state: &'s State,
}

impl<'s> ConcreteState<'s> {
    pub(super) fn new(machine: &'s Machine<'_>, state: &'s State) -> ConcreteState<'s> {
        ConcreteState { machine, state }
    }

    /// The program.
    pub fn program(&self) -> &'s Program {
        self.machine.program
    }

    /// The state as `interp` has it.
    pub fn state(&self) -> &'s State {
        self.state
    }

    /// The calls, the outermost first. A frame that calls another stands at the location before the call edge.
    pub fn frames(&self) -> impl DoubleEndedIterator<Item = &'s Frame> + ExactSizeIterator {
        self.state.frames().iter().map(|frame| &**frame)
    }

    /// The value of a register of the function on top of the call stack.
    pub fn register(&self, register: RegisterId) -> Value {
        self.state.top().map_or(Value::UNSET, |frame| frame.register(register))
    }

    /// An object, alive or not.
    pub fn object(&self, object: ObjectId) -> &'s Object {
        self.state.heap().object(object)
    }

    /// All objects of the heap that can be used.
    pub fn live_cells(&self) -> impl Iterator<Item = (ObjectId, &'s Object)> {
        self.state.heap().objects().filter(|(_, object)| object.is_live_heap())
    }

    /// The object of a global.
    pub fn global(&self, global: GlobalId) -> Option<ObjectId> {
        let is_it = |object: &Object| {
            object.life == Life::Alive
                && matches!(object.kind, ObjectKind::Global(found) | ObjectKind::Literal(found) if found == global)
        };
        self.state.heap().objects().find(|(_, object)| is_it(object)).map(|(id, _)| id)
    }

    /// The pointer in the bytes at `offset` of an object; `None` if they hold no single value.
    pub fn pointer_at(&self, object: ObjectId, offset: u64) -> Option<Value> {
        let bytes = u64::from(self.machine.program.target.pointer_bytes);
        match self.object(object).contents().load(offset, bytes) {
            Loaded::Bits(bits) => Some(Value::Int(bits as i128)),
            Loaded::Value(value) => Some(value),
            Loaded::Uninitialised => Some(Value::UNSET),
            Loaded::Any(_) | Loaded::Mixed => None,
        }
    }

    /// Whether bytes of an object hold no value yet.
    pub fn is_unset(&self, object: ObjectId, offset: u64, bytes: u64) -> bool {
        self.object(object).contents().load(offset, bytes) == Loaded::Uninitialised
    }

    /// The state in words, one line per node and arrow.
    pub fn describe(&self) -> String {
        let drawing = drawing(self.machine, self.state);
        let mut lines = String::new();
        for (index, node) in drawing.nodes.iter().enumerate() {
            let dead = if node.style == NodeStyle::Dead { " (dead)" } else { "" };
            lines += &format!("  {index}: {}{dead}\n", node.lines.join(" | "));
        }
        for arrow in &drawing.arrows {
            lines += &format!("  {} -> {} {}\n", arrow.from, arrow.to, arrow.label);
        }
        lines
    }
}
