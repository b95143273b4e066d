/*
 * heapwise.h: shapes that a program claims for its heap.
 *
 * Without the tool every macro below is a no-op that still checks that its arguments exist, so a program that uses them
 * compiles everywhere, as C89 or any later C and as C++. When heapwise reads the program (it defines __HEAPWISE__),
 * they become claims:
 *
 *   hw_assert_SHAPE(x)              the shape holds whenever this line is reached; a finding of kind `shape` if not
 *   hw_assume_SHAPE(x)              only runs where it holds are looked at: for inputs of an entry function
 *
 * The shapes speak of the cells that are reached from x through link fields. Which fields those are is read off the type
 * of x: `acyclic`, `cyclic`, `reach`, `disjoint` and `tree` take all fields of x's record that point to that record
 * (`tree` leaves out one called `parent`, `up` or `father`); `dll` takes `next` and `prev` (or fields of such names:
 * `fwd`, `succ`, `previous`, `back`, `pred`), or the two only fields there are, in the order of their declaration; `tree_parent` takes the `parent` and, as children, all
 * others. The elements of an array of such pointers (`child[2]`) are fields like any others. The variants that end in
 * _by name the fields themselves; a field may be a path (`list.next`, `child[0]`).
 *
 * Null is acyclic, a doubly linked list and a tree, and disjoint from everything; it is not cyclic, and nothing but null
 * is reached from it.
 *
 *   hw_requires("formula")          what callers of this function must establish; the first statements of its body, or
 *                                   behind the parameters of a declaration
 *   hw_ensures("formula")           what it establishes
 *   hw_dump("name")                 the heaps of this line are drawn under this name
 */
#ifndef HEAPWISE_H
#define HEAPWISE_H

#ifdef __HEAPWISE__

#ifdef __cplusplus
extern "C" {
#endif
extern void __hw_assert_acyclic(const volatile void *);
extern void __hw_assert_cyclic(const volatile void *);
extern void __hw_assert_reach(const volatile void *, const volatile void *);
extern void __hw_assert_disjoint(const volatile void *, const volatile void *);
extern void __hw_assert_dll(const volatile void *);
extern void __hw_assert_tree(const volatile void *);
extern void __hw_assert_tree_parent(const volatile void *);
extern void __hw_assume_acyclic(const volatile void *);
extern void __hw_assume_cyclic(const volatile void *);
extern void __hw_assume_reach(const volatile void *, const volatile void *);
extern void __hw_assume_disjoint(const volatile void *, const volatile void *);
extern void __hw_assume_dll(const volatile void *);
extern void __hw_assume_tree(const volatile void *);
extern void __hw_assume_tree_parent(const volatile void *);
extern void __hw_assert_acyclic_by(const volatile void *, const char *);
extern void __hw_assert_cyclic_by(const volatile void *, const char *);
extern void __hw_assert_reach_by(const volatile void *, const volatile void *, const char *);
extern void __hw_assert_disjoint_by(const volatile void *, const volatile void *, const char *);
extern void __hw_assert_dll_by(const volatile void *, const char *, const char *);
extern void __hw_assert_tree_by(const volatile void *, const char *, const char *);
extern void __hw_assert_tree_parent_by(const volatile void *, const char *, const char *, const char *);
extern void __hw_assume_acyclic_by(const volatile void *, const char *);
extern void __hw_assume_cyclic_by(const volatile void *, const char *);
extern void __hw_assume_reach_by(const volatile void *, const volatile void *, const char *);
extern void __hw_assume_disjoint_by(const volatile void *, const volatile void *, const char *);
extern void __hw_assume_dll_by(const volatile void *, const char *, const char *);
extern void __hw_assume_tree_by(const volatile void *, const char *, const char *);
extern void __hw_assume_tree_parent_by(const volatile void *, const char *, const char *, const char *);
extern void __hw_requires(const char *);
extern void __hw_ensures(const char *);
extern void __hw_dump(const char *);

#ifdef __cplusplus
}
#endif

/* A claim over pointers, and one that names fields; the first pointer's record must have them. */
#define HW_CLAIM_1_(claim, x) claim(x)
#define HW_CLAIM_2_(claim, x, y) claim(x, y)
#define HW_CLAIM_1_BY_1_(claim, x, f) claim(x, #f)
#define HW_CLAIM_2_BY_1_(claim, x, y, f) claim(x, y, #f)
#define HW_CLAIM_1_BY_2_(claim, x, f, g) claim(x, #f, #g)
#define HW_CLAIM_1_BY_3_(claim, x, f, g, h) claim(x, #f, #g, #h)

#define hw_requires(formula) __hw_requires(formula)
#define hw_ensures(formula) __hw_ensures(formula)
#define hw_dump(name) __hw_dump(name)

#else /* no heapwise */

#define HW_CLAIM_1_(claim, x) ((void)(x))
#define HW_CLAIM_2_(claim, x, y) ((void)(x), (void)(y))
#define HW_CLAIM_1_BY_1_(claim, x, f) ((void)(x), (void)sizeof((x)->f))
#define HW_CLAIM_2_BY_1_(claim, x, y, f) ((void)(x), (void)(y), (void)sizeof((x)->f))
#define HW_CLAIM_1_BY_2_(claim, x, f, g) ((void)(x), (void)sizeof((x)->f), (void)sizeof((x)->g))
#define HW_CLAIM_1_BY_3_(claim, x, f, g, h) \
    ((void)(x), (void)sizeof((x)->f), (void)sizeof((x)->g), (void)sizeof((x)->h))

#define hw_requires(formula)
#define hw_ensures(formula)
#define hw_dump(name) ((void)sizeof(name))

#endif

/* Following the fields from x never comes back to a cell already seen. */
#define hw_assert_acyclic(x) HW_CLAIM_1_(__hw_assert_acyclic, x)
#define hw_assert_acyclic_by(x, next) HW_CLAIM_1_BY_1_(__hw_assert_acyclic_by, x, next)
#define hw_assume_acyclic(x) HW_CLAIM_1_(__hw_assume_acyclic, x)
#define hw_assume_acyclic_by(x, next) HW_CLAIM_1_BY_1_(__hw_assume_acyclic_by, x, next)

/* Following the field from x comes back to x. */
#define hw_assert_cyclic(x) HW_CLAIM_1_(__hw_assert_cyclic, x)
#define hw_assert_cyclic_by(x, next) HW_CLAIM_1_BY_1_(__hw_assert_cyclic_by, x, next)
#define hw_assume_cyclic(x) HW_CLAIM_1_(__hw_assume_cyclic, x)
#define hw_assume_cyclic_by(x, next) HW_CLAIM_1_BY_1_(__hw_assume_cyclic_by, x, next)

/* y is reached from x in zero or more steps. */
#define hw_assert_reach(x, y) HW_CLAIM_2_(__hw_assert_reach, x, y)
#define hw_assert_reach_by(x, y, next) HW_CLAIM_2_BY_1_(__hw_assert_reach_by, x, y, next)
#define hw_assume_reach(x, y) HW_CLAIM_2_(__hw_assume_reach, x, y)
#define hw_assume_reach_by(x, y, next) HW_CLAIM_2_BY_1_(__hw_assume_reach_by, x, y, next)

/* No cell is reached from both x and y. */
#define hw_assert_disjoint(x, y) HW_CLAIM_2_(__hw_assert_disjoint, x, y)
#define hw_assert_disjoint_by(x, y, next) HW_CLAIM_2_BY_1_(__hw_assert_disjoint_by, x, y, next)
#define hw_assume_disjoint(x, y) HW_CLAIM_2_(__hw_assume_disjoint, x, y)
#define hw_assume_disjoint_by(x, y, next) HW_CLAIM_2_BY_1_(__hw_assume_disjoint_by, x, y, next)

/* next and prev are inverse on all that is reached; null-terminated or circular. */
#define hw_assert_dll(x) HW_CLAIM_1_(__hw_assert_dll, x)
#define hw_assert_dll_by(x, next, prev) HW_CLAIM_1_BY_2_(__hw_assert_dll_by, x, next, prev)
#define hw_assume_dll(x) HW_CLAIM_1_(__hw_assume_dll, x)
#define hw_assume_dll_by(x, next, prev) HW_CLAIM_1_BY_2_(__hw_assume_dll_by, x, next, prev)

/* Every cell reached from x is reached by exactly one path along the child fields. */
#define hw_assert_tree(x) HW_CLAIM_1_(__hw_assert_tree, x)
#define hw_assert_tree_by(x, left, right) HW_CLAIM_1_BY_2_(__hw_assert_tree_by, x, left, right)
#define hw_assume_tree(x) HW_CLAIM_1_(__hw_assume_tree, x)
#define hw_assume_tree_by(x, left, right) HW_CLAIM_1_BY_2_(__hw_assume_tree_by, x, left, right)

/* A tree whose parent field points back to the parent. */
#define hw_assert_tree_parent(x) HW_CLAIM_1_(__hw_assert_tree_parent, x)
#define hw_assert_tree_parent_by(x, left, right, parent) \
    HW_CLAIM_1_BY_3_(__hw_assert_tree_parent_by, x, left, right, parent)
#define hw_assume_tree_parent(x) HW_CLAIM_1_(__hw_assume_tree_parent, x)
#define hw_assume_tree_parent_by(x, left, right, parent) \
    HW_CLAIM_1_BY_3_(__hw_assume_tree_parent_by, x, left, right, parent)

#endif
