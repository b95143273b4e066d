/* A client of lib/rbtree.c that inserts any number of nodes. */
#include "rbtree.c"

extern int __VERIFIER_nondet_int(void);
extern void *calloc(unsigned long, unsigned long);

struct item {
	int key;
	struct rb_node node;
};

static struct rb_root root = RB_ROOT;

static void insert(struct item *new)
{
	struct rb_node **link = &root.rb_node, *parent = NULL;

	while (*link) {
		parent = *link;
		if (new->key < rb_entry(parent, struct item, node)->key)
			link = &parent->rb_left;
		else
			link = &parent->rb_right;
	}
	rb_link_node(&new->node, parent, link);
	rb_insert_color(&new->node, &root);
}

int main(void)
{
	while (__VERIFIER_nondet_int()) {
		struct item *item = calloc(1, sizeof *item);

		if (!item)
			break;
		item->key = __VERIFIER_nondet_int();
		insert(item);
	}
	return 0;
}
