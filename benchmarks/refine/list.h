/* Doubly linked lists as a data-structure library has them, and clients that feed and check them. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  int content;
  struct node *succ;
  struct node *pred;
};

static struct node *node_alloc(void) {
  struct node *n = malloc(sizeof(struct node));
  if (n == 0)
    exit(1);
  n->succ = 0;
  n->pred = 0;
  return n;
}

/* A list of one or more nodes. */
static struct node *list_of_any_length(void) {
  struct node *head = node_alloc();
  while (__VERIFIER_nondet_int()) {
    struct node *n = node_alloc();
    n->succ = head;
    head->pred = n;
    head = n;
  }
  return head;
}

/* Some node of a list. */
static struct node *any_node(struct node *head) {
  struct node *n = head;
  while (__VERIFIER_nondet_int()) {
    if (n->succ == 0)
      return n;
    n = n->succ;
  }
  return n;
}

/* Makes n2 follow n1. */
static void node_link(struct node *n1, struct node *n2) {
  n1->succ = n2;
  n2->pred = n1;
}

static void node_insert_after(struct node *n, struct node *after) {
  struct node *next = after->succ;
  n->pred = after;
  n->succ = next;
  after->succ = n;
  if (next != 0)
    next->pred = n;
}

static void node_insert_before(struct node *n, struct node *before) {
  struct node *previous = before->pred;
  n->succ = before;
  n->pred = previous;
  before->pred = n;
  if (previous != 0)
    previous->succ = n;
}

static void node_remove(struct node *n) {
  struct node *next = n->succ;
  struct node *previous = n->pred;
  if (next != 0)
    next->pred = previous;
  if (previous != 0)
    previous->succ = next;
  n->succ = 0;
  n->pred = 0;
}

/* Going on and back leads to the same node, and back and on. */
static void check_cancel(struct node *n) {
  struct node *next = n->succ;
  if (next != 0)
    assert(next->pred == n);
  struct node *previous = n->pred;
  if (previous != 0)
    assert(previous->succ == n);
}

static void check_list(struct node *head) {
  struct node *n = head;
  while (n != 0) {
    check_cancel(n);
    n = n->succ;
  }
}

/* A node that is chosen on the way is never met again. */
static void check_acyclic(struct node *head) {
  struct node *n = head;
  struct node *chosen = 0;
  while (n != 0) {
    assert(n != chosen);
    if (chosen == 0 && __VERIFIER_nondet_int())
      chosen = n;
    n = n->succ;
  }
}
