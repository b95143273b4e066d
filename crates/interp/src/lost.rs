//! Which heap objects are lost: no register, global, local or reachable heap object refers to them any more.
//!
//! A forest over the live heap objects is kept: each one's parent is a root or a heap object that refers to it. As
//! long as every parent really refers to its child, everything is reachable. Only an object that lost a
//! reference can need a new parent; usually one is at hand (a root reference, or the object that last received a
//! pointer to it), and only otherwise the subtree below it is searched. Cycles need nothing special.

use crate::heap::{Heap, Life, Parent};
use crate::value::ObjectId;
use rustc_hash::FxHashMap;

impl Heap {
    /// Looks at the objects that lost a reference; returns the heap objects that are lost now, in order of birth. They
    /// are taken out of the table.
    pub(crate) fn take_lost(&mut self) -> Vec<ObjectId> {
        let mut lost = Vec::new();
        while let Some(id) = self.dropped.pop() {
            let object = self.object(id);
            match object.life {
                Life::Vacant => {}
                Life::Freed | Life::Ended => {
                    if object.references == 0 {
                        self.vacate(id);
                    }
                }
                Life::Alive => {
                    if object.is_live_heap() && !self.is_backed(id) {
                        self.find_parent(id, &mut lost);
                    }
                }
            }
        }
        lost.sort_by_key(|id| self.object(*id).birth);
        lost
    }

    /// Whether the parent still refers to the object.
    fn is_backed(&self, id: ObjectId) -> bool {
        let object = self.object(id);
        match object.parent {
            Parent::Root => object.root_references > 0,
            Parent::Object(parent) => self.refers(parent, id),
        }
    }

    fn refers(&self, from: ObjectId, to: ObjectId) -> bool {
        let object = self.object(from);
        object.is_live_heap() && object.contents.references().any(|value| value.object() == Some(to))
    }

    fn find_parent(&mut self, id: ObjectId, lost: &mut Vec<ObjectId>) {
        let object = self.object(id);
        if object.root_references > 0 {
            self.object_mut(id).parent = Parent::Root;
            return;
        }
        if object.references > 0
            && let Some(holder) = object.holder
            && holder != id
            && self.refers(holder, id)
            && (!self.has_children(id) || !self.is_below(holder, id))
        {
            self.object_mut(id).parent = Parent::Object(holder);
            return;
        }
        self.search_subtree(id, lost);
    }

    fn has_children(&self, id: ObjectId) -> bool {
        self.children(id).next().is_some()
    }

    /// The live heap objects whose parent is `id`.
    fn children(&self, id: ObjectId) -> impl Iterator<Item = ObjectId> + '_ {
        self.object(id)
            .contents
            .references()
            .filter_map(|value| value.object())
            .filter(move |child| self.object(*child).is_live_heap() && self.object(*child).parent == Parent::Object(id))
    }

    fn is_below(&self, below: ObjectId, above: ObjectId) -> bool {
        let mut at = below;
        loop {
            if at == above {
                return true;
            }
            match self.object(at).parent {
                Parent::Root => return false,
                Parent::Object(parent) => at = parent,
            }
        }
    }

    /// The tree below `id` hangs in the air: an object of it that is referred to from outside carries what it reaches;
    /// the rest is lost.
    fn search_subtree(&mut self, id: ObjectId, lost: &mut Vec<ObjectId>) {
        let mut subtree = vec![id];
        // References from within the subtree, per member.
        let mut inner: FxHashMap<ObjectId, u32> = FxHashMap::default();
        inner.insert(id, 0);
        let mut next = 0;
        while next < subtree.len() {
            let children: Vec<ObjectId> = self.children(subtree[next]).collect();
            for child in children {
                if inner.insert(child, 0).is_none() {
                    subtree.push(child);
                }
            }
            next += 1;
        }
        for member in &subtree {
            for value in self.object(*member).contents.references() {
                if let Some(count) = value.object().and_then(|target| inner.get_mut(&target)) {
                    *count += 1;
                }
            }
        }
        let mut carried: Vec<ObjectId> = Vec::new();
        for member in &subtree {
            if self.object(*member).references > inner[member] {
                let parent = self.outside_parent(*member, &inner);
                if let Some(parent) = parent {
                    self.object_mut(*member).parent = parent;
                    carried.push(*member);
                }
            }
        }
        for member in &carried {
            inner.remove(member);
        }
        while let Some(member) = carried.pop() {
            let targets: Vec<ObjectId> =
                self.object(member).contents.references().filter_map(|value| value.object()).collect();
            for target in targets {
                if inner.remove(&target).is_some() {
                    self.object_mut(target).parent = Parent::Object(member);
                    carried.push(target);
                }
            }
        }
        let gone: Vec<ObjectId> = subtree.into_iter().filter(|member| inner.contains_key(member)).collect();
        for member in &gone {
            self.kill(*member, Life::Freed, None);
        }
        lost.extend(gone);
    }

    /// A parent outside the subtree `inner`.
    fn outside_parent(&self, id: ObjectId, inner: &FxHashMap<ObjectId, u32>) -> Option<Parent> {
        let object = self.object(id);
        if object.root_references > 0 {
            return Some(Parent::Root);
        }
        let fits = |holder: &ObjectId| !inner.contains_key(holder) && self.refers(*holder, id);
        if let Some(holder) = object.holder.filter(fits) {
            return Some(Parent::Object(holder));
        }
        self.objects().map(|(holder, _)| holder).find(fits).map(Parent::Object)
    }
}
