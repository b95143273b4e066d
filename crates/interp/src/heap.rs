//! All objects of a run, with counted references.
//!
//! The table is cut into chunks that copies of a state share until one of them writes (exploration copies states a
//! lot). Every value held by a register or by an object's bytes is counted, so that a dead object's slot can be
//! reused, and so that `lost.rs` looks for leaks only where a reference went away.

use crate::contents::{Changes, Contents, Fill};
use crate::value::{ObjectId, Pointer, Value};
use heapwise_ir::{EdgeId, FunctionId, GlobalId, TypeId};
use std::rc::Rc;

/// What kind of object it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    /// From `malloc` and kin.
    Heap,
    /// A local variable or `alloca`.
    Auto,
    /// A variable with static storage.
    Global(GlobalId),
    /// A string literal.
    Literal(GlobalId),
    /// Made by the environment: `argv` and its strings.
    Environment,
    /// Storage of the library: how far it goes is not known.
    Library,
}

/// Whether an object can be used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Life {
    /// It can.
    Alive,
    /// It was freed.
    Freed,
    /// The local's storage ended.
    Ended,
    /// The slot holds no object.
    Vacant,
}

/// Where an object was made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    /// In which function.
    pub function: FunctionId,
    /// By which edge.
    pub edge: EdgeId,
}

/// How a heap object is known to be reachable: the tree that `lost.rs` keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Parent {
    /// From a register, a global or a local.
    Root,
    /// From that heap object.
    Object(ObjectId),
}

/// What storage of the library holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct LibraryStorage {
    /// One or more of these.
    pub(crate) element: TypeId,
    /// Where it ends, if that is not at its size.
    pub(crate) terminated: Option<Terminated>,
}

/// Storage that ends behind its first zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Terminated {
    /// How many bytes the zero has.
    pub(crate) unit: u64,
    /// So many bytes are surely there.
    pub(crate) reach: u64,
    /// The program may have written over the zero, so that it cannot be seen any more.
    pub(crate) is_closed: bool,
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Size in bytes.
    pub size: u64,
    /// What kind.
    pub kind: ObjectKind,
    /// Whether it can be used.
    pub life: Life,
    /// Where it was made; `None` for globals and the environment.
    pub site: Option<Site>,
    /// Where it was freed or ended.
    pub death_site: Option<Site>,
    /// The element type it is seen as, if known.
    pub view: Option<TypeId>,
    /// What its address is a multiple of, where its declaration says so.
    pub align: Option<u64>,
    /// Counts objects in the order they were made.
    pub birth: u64,
    /// How many objects had been made when it died.
    pub death: u64,
    /// The call that owns an auto object.
    pub owner: u64,
    /// The address, once the program computed with it.
    pub address: Option<u64>,
    /// Numbers may hold the address: that counts as a reference.
    pub(crate) is_exposed: bool,
    /// Somebody else frees it: an extern function took it over.
    pub given_away: bool,
    /// The birth of the object that `realloc` gave up for this one: they overlap in time here, but not in C.
    pub(crate) replaces: Option<u64>,
    /// How far storage of the library goes, where that is known.
    pub(crate) library: Option<LibraryStorage>,
    pub(crate) references: u32,
    pub(crate) root_references: u32,
    pub(crate) parent: Parent,
    /// The heap object that last received a pointer to this one.
    pub(crate) holder: Option<ObjectId>,
    pub(crate) contents: Rc<Contents>,
    /// What a dead object held when it died: not counted, only there to tell one error from two.
    pub(crate) remains: Option<Rc<Contents>>,
}

impl Object {
    /// Its bytes.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Whether it is heap storage that must still be freed.
    pub fn is_live_heap(&self) -> bool {
        self.kind == ObjectKind::Heap && self.life == Life::Alive
    }

    /// Whether this one was gone before `later` was there, so that both may have had one address.
    pub(crate) fn is_gone_before(&self, later: &Object) -> bool {
        self.life != Life::Alive && (self.death < later.birth || later.replaces == Some(self.birth))
    }

    /// Whether references in it are like references in a heap object (and not like a variable's).
    pub(crate) fn holds_like_heap(&self) -> bool {
        self.kind == ObjectKind::Heap
    }
}

const CHUNK: usize = 8;

/// All objects.
#[derive(Clone, Default, Debug)]
pub struct Heap {
    chunks: Vec<Rc<Vec<Object>>>,
    len: usize,
    vacant: Vec<ObjectId>,
    births: u64,
    /// How many objects numbers may lead to.
    pub(crate) n_exposed: usize,
    /// Objects that lost a reference in this step.
    pub(crate) dropped: Vec<ObjectId>,
}

/// Who holds a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Holder {
    /// A register, or a value on its way.
    Root,
    /// The bytes of an object.
    Object(ObjectId),
}

impl Heap {
    /// The object in a slot, if there is one.
    pub(crate) fn find(&self, id: ObjectId) -> Option<&Object> {
        let object = self.chunks.get(id.index() / CHUNK)?.get(id.index() % CHUNK)?;
        (object.life != Life::Vacant).then_some(object)
    }

    /// Whether a slot still holds the object of this birth.
    pub(crate) fn holds(&self, id: ObjectId, birth: u64) -> bool {
        self.find(id).is_some_and(|object| object.birth == birth)
    }

    /// The object in a slot.
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.chunks[id.index() / CHUNK][id.index() % CHUNK]
    }

    pub(crate) fn object_mut(&mut self, id: ObjectId) -> &mut Object {
        &mut Rc::make_mut(&mut self.chunks[id.index() / CHUNK])[id.index() % CHUNK]
    }

    /// How many objects there are.
    pub(crate) fn n_objects(&self) -> usize {
        self.len - self.vacant.len()
    }

    /// The objects that are not vacant.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.chunks
            .iter()
            .flat_map(|chunk| chunk.iter())
            .enumerate()
            .map(|(index, object)| (ObjectId(index as u32), object))
            .filter(|(_, object)| object.life != Life::Vacant)
    }

    /// How many objects were made so far.
    pub fn births(&self) -> u64 {
        self.births
    }

    /// A new object; nothing refers to it yet.
    pub(crate) fn add(&mut self, kind: ObjectKind, size: u64, fill: Fill, site: Option<Site>) -> ObjectId {
        self.births += 1;
        let object = Object {
            size,
            kind,
            life: Life::Alive,
            site,
            death_site: None,
            view: None,
            align: None,
            birth: self.births,
            death: 0,
            owner: 0,
            address: None,
            is_exposed: false,
            given_away: false,
            replaces: None,
            library: None,
            references: 0,
            root_references: 0,
            parent: Parent::Root,
            holder: None,
            contents: Rc::new(Contents::new(size, fill)),
            remains: None,
        };
        if let Some(id) = self.vacant.pop() {
            *self.object_mut(id) = object;
            return id;
        }
        let id = ObjectId(self.len as u32);
        if self.len.is_multiple_of(CHUNK) {
            self.chunks.push(Rc::new(Vec::with_capacity(CHUNK)));
        }
        Rc::make_mut(&mut self.chunks[id.index() / CHUNK]).push(object);
        self.len += 1;
        id
    }

    /// Counts a reference.
    pub(crate) fn retain(&mut self, value: Value, holder: Holder) {
        let Some(id) = value.object() else { return };
        let heap_holder = match holder {
            Holder::Object(owner) if self.object(owner).holds_like_heap() => Some(owner),
            Holder::Object(_) | Holder::Root => None,
        };
        let object = self.object_mut(id);
        object.references += 1;
        match heap_holder {
            Some(owner) => object.holder = Some(owner),
            None => object.root_references += 1,
        }
    }

    /// Takes a reference away; the object is looked at again when the step is settled.
    pub(crate) fn release(&mut self, value: Value, holder: Holder) {
        let Some(id) = value.object() else { return };
        let from_heap = match holder {
            Holder::Object(owner) => self.object(owner).holds_like_heap(),
            Holder::Root => false,
        };
        let object = self.object_mut(id);
        object.references -= 1;
        if !from_heap {
            object.root_references -= 1;
        }
        if object.is_live_heap() || object.references == 0 {
            self.dropped.push(id);
        }
    }

    /// Says where an object lies. From then on a number may lead to it, so a live one counts as referred to until it ends.
    pub(crate) fn set_address(&mut self, id: ObjectId, address: u64) {
        let object = self.object_mut(id);
        object.address = Some(address);
        if object.life == Life::Alive && !object.is_exposed {
            object.is_exposed = true;
            self.n_exposed += 1;
            self.retain(Value::Pointer(Pointer { object: id, offset: 0 }), Holder::Root);
        }
    }

    /// Changes an object's bytes, and counts what that did to references.
    pub(crate) fn write<R>(&mut self, id: ObjectId, write: impl FnOnce(&mut Contents, &mut Changes) -> R) -> R {
        let mut changes = Changes::default();
        let result = write(Rc::make_mut(&mut self.object_mut(id).contents), &mut changes);
        for value in changes.added {
            self.retain(value, Holder::Object(id));
        }
        for value in changes.removed {
            self.release(value, Holder::Object(id));
        }
        result
    }

    /// Ends an object's life: its bytes are gone, and so are the references in them.
    pub(crate) fn kill(&mut self, id: ObjectId, life: Life, site: Option<Site>) {
        let contents =
            std::mem::replace(&mut self.object_mut(id).contents, Rc::new(Contents::new(0, Fill::Uninitialised)));
        for value in contents.references() {
            self.release(value, Holder::Object(id));
        }
        let births = self.births;
        let object = self.object_mut(id);
        object.life = life;
        object.death = births;
        object.death_site = site;
        if std::mem::take(&mut object.is_exposed) {
            object.references -= 1;
            object.root_references -= 1;
            self.n_exposed -= 1;
        }
        let object = self.object_mut(id);
        if object.references == 0 {
            self.dropped.push(id);
        } else {
            object.remains = Some(contents);
        }
    }

    /// A dead object that is still referred to and held a pointer to one of `lost` when it died.
    pub(crate) fn dead_holder(&self, lost: &[ObjectId]) -> Option<ObjectId> {
        let holds = |object: &Object| {
            object.remains.as_ref().is_some_and(|remains| {
                remains
                    .references()
                    .filter_map(|value| value.object())
                    .any(|target| lost.contains(&target) && self.object(target).birth <= object.death)
            })
        };
        self.objects()
            .find(|(_, object)| object.life != Life::Alive && object.references > 0 && holds(object))
            .map(|(id, _)| id)
    }

    /// Gives the slot of a dead object that nothing refers to back.
    pub(crate) fn vacate(&mut self, id: ObjectId) {
        let object = self.object_mut(id);
        object.life = Life::Vacant;
        object.remains = None;
        self.vacant.push(id);
    }

    /// The object whose computed address range holds `address`.
    pub(crate) fn find_address(&self, address: u64) -> Option<(ObjectId, u64)> {
        self.objects().find_map(|(id, object)| {
            let base = object.address?;
            (address >= base && address - base <= object.size).then_some((id, base))
        })
    }
}
