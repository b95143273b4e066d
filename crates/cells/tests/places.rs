//! Which addresses may be equal.

use heapwise_cells::place::{AddressOf, Equality, Instances, ObjectId};
use heapwise_ir::GlobalId;
use std::rc::Rc;

fn object(index: u32, offset: i64, size: u64) -> AddressOf {
    let object = ObjectId::Global(GlobalId::from_u32(index));
    AddressOf::Object { object, offset, size: Some(size), literal: None, instances: Instances::One }
}

fn literal(index: u32, offset: i64, text: &str) -> AddressOf {
    let object = ObjectId::Global(GlobalId::from_u32(index));
    let bytes: Rc<[u8]> = text.bytes().chain([0]).collect();
    let size = Some(bytes.len() as u64);
    AddressOf::Object { object, offset, size, literal: Some(bytes), instances: Instances::One }
}

#[test]
fn bytes_of_two_objects_have_two_addresses() {
    assert_eq!(object(0, 0, 4).equals(&object(1, 0, 4)), Equality::Different);
    assert_eq!(object(0, 0, 4).equals(&object(0, 0, 4)), Equality::Equal);
    assert_eq!(object(0, 0, 4).equals(&object(0, 4, 4)), Equality::Different);
}

#[test]
fn one_past_the_end_may_be_where_the_next_object_starts() {
    assert_eq!(object(0, 4, 4).equals(&object(1, 0, 4)), Equality::Either);
    assert_eq!(object(1, 0, 4).equals(&object(0, 4, 4)), Equality::Either);
    assert_eq!(object(0, 4, 4).equals(&object(1, 1, 4)), Equality::Different);
    assert_eq!(object(0, 4, 4).equals(&object(1, 4, 4)), Equality::Either);
    assert_eq!(object(0, 4, 4).equals_start_of_another(), Equality::Either);
    assert_eq!(object(0, 3, 4).equals_start_of_another(), Equality::Different);
}

#[test]
fn literals_may_share_the_bytes_in_which_they_agree() {
    assert_eq!(literal(0, 0, "abc").equals(&literal(1, 0, "abc")), Equality::Either);
    assert_eq!(literal(0, 0, "abc").equals(&literal(1, 0, "abd")), Equality::Different);
    assert_eq!(literal(0, 1, "abc").equals(&literal(1, 0, "bc")), Equality::Either);
    assert_eq!(literal(0, 0, "abc").equals(&literal(1, 0, "bc")), Equality::Different);
    assert_eq!(literal(0, 0, "abc").equals(&object(1, 0, 4)), Equality::Different);
}

#[test]
fn a_local_of_a_recursive_function_may_be_another_one() {
    let many = |offset| AddressOf::Object {
        object: ObjectId::Auto(0),
        offset,
        size: Some(4),
        literal: None,
        instances: Instances::Many,
    };
    assert_eq!(many(0).equals(&many(0)), Equality::Either);
}
