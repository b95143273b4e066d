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
    /// are taken out of the table. Where a large structure falls apart that takes long: `look` may end it, and the heap
    /// cannot be used any more then.
    pub(crate) fn take_lost<E>(&mut self, look: &impl Fn() -> Result<(), E>) -> Result<Vec<ObjectId>, E> {
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
                        self.find_parent(id, &mut lost, look)?;
                    }
                }
            }
        }
        lost.sort_by_key(|id| self.object(*id).birth);
        Ok(lost)
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

    fn find_parent<E>(
        &mut self,
        id: ObjectId,
        lost: &mut Vec<ObjectId>,
        look: &impl Fn() -> Result<(), E>,
    ) -> Result<(), E> {
        let object = self.object(id);
        if object.root_references > 0 {
            self.object_mut(id).parent = Parent::Root;
            return Ok(());
        }
        if object.references > 0
            && let Some(holder) = object.holder
            && holder != id
            && self.refers(holder, id)
            && (!self.has_children(id) || !self.is_below(holder, id, look)?)
        {
            self.object_mut(id).parent = Parent::Object(holder);
            return Ok(());
        }
        self.search_subtree(id, lost, look)
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

    fn is_below<E>(&self, below: ObjectId, above: ObjectId, look: &impl Fn() -> Result<(), E>) -> Result<bool, E> {
        let mut at = below;
        loop {
            look()?;
            if at == above {
                return Ok(true);
            }
            match self.object(at).parent {
                Parent::Root => return Ok(false),
                Parent::Object(parent) => at = parent,
            }
        }
    }

    /// The tree below `id` hangs in the air: an object of it that is referred to from outside carries what it reaches;
    /// the rest is lost.
    fn search_subtree<E>(
        &mut self,
        id: ObjectId,
        lost: &mut Vec<ObjectId>,
        look: &impl Fn() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut subtree = vec![id];
        // References from within the subtree, per member.
        let mut inner: FxHashMap<ObjectId, u32> = FxHashMap::default();
        inner.insert(id, 0);
        let mut next = 0;
        while next < subtree.len() {
            look()?;
            let children: Vec<ObjectId> = self.children(subtree[next]).collect();
            for child in children {
                if inner.insert(child, 0).is_none() {
                    subtree.push(child);
                }
            }
            next += 1;
        }
        for member in &subtree {
            look()?;
            for value in self.object(*member).contents.references() {
                if let Some(count) = value.object().and_then(|target| inner.get_mut(&target)) {
                    *count += 1;
                }
            }
        }
        let mut carried: Vec<ObjectId> = Vec::new();
        for member in &subtree {
            look()?;
            if self.object(*member).references > inner[member] {
                let parent = self.outside_parent(*member, &inner, look)?;
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
            look()?;
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
            look()?;
            self.kill(*member, Life::Freed, None);
        }
        lost.extend(gone);
        Ok(())
    }

    /// A parent outside the subtree `inner`.
    fn outside_parent<E>(
        &self,
        id: ObjectId,
        inner: &FxHashMap<ObjectId, u32>,
        look: &impl Fn() -> Result<(), E>,
    ) -> Result<Option<Parent>, E> {
        let object = self.object(id);
        if object.root_references > 0 {
            return Ok(Some(Parent::Root));
        }
        let fits = |holder: &ObjectId| !inner.contains_key(holder) && self.refers(*holder, id);
        if let Some(holder) = object.holder.filter(fits) {
            return Ok(Some(Parent::Object(holder)));
        }
        for (holder, _) in self.objects() {
            look()?;
            if fits(&holder) {
                return Ok(Some(Parent::Object(holder)));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use crate::contents::{CellValue, Fill};
    use crate::heap::{Heap, Holder, ObjectKind};
    use crate::value::{ObjectId, Pointer, Value};
    use std::cell::Cell;

    fn pointer(object: ObjectId) -> Value {
        Value::Pointer(Pointer { object, offset: 0 })
    }

    /// A list of so many cells, and its head.
    fn list(length: usize) -> (Heap, Value) {
        let mut heap = Heap::default();
        let mut head = Value::ZERO;
        for _ in 0..length {
            let cell = heap.add(ObjectKind::Heap, 8, Fill::Zero, None);
            heap.retain(pointer(cell), Holder::Root);
            heap.write(cell, |contents, changes| contents.store_cell(0, 8, CellValue::Value(head), changes));
            heap.release(head, Holder::Root);
            head = pointer(cell);
        }
        (heap, head)
    }

    /// A list that is lost is walked through cell by cell, and each one looks at the budget.
    #[test]
    fn a_long_list_that_is_lost_ends_with_its_budget() {
        const LENGTH: usize = 100;
        for granted in [0, LENGTH / 2, LENGTH] {
            let (mut heap, head) = list(LENGTH);
            heap.release(head, Holder::Root);
            let left = Cell::new(granted);
            let look = || left.get().checked_sub(1).map(|less| left.set(less)).ok_or("over");
            assert_eq!(heap.take_lost(&look), Err("over"), "{granted} looks");
        }
        let (mut heap, head) = list(LENGTH);
        heap.release(head, Holder::Root);
        let lost = heap.take_lost(&|| Ok::<(), ()>(()));
        assert_eq!(lost.map(|lost| lost.len()), Ok(LENGTH));
    }
}
