/* A client of lib/rbtree.c that inserts and erases nodes in any order. */
#include "rbtree.c"

extern int __VERIFIER_nondet_int(void);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);

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

static struct item *find(int key)
{
	struct rb_node *node = root.rb_node;

	while (node) {
		struct item *item = rb_entry(node, struct item, node);

		if (item->key == key)
			return item;
		node = key < item->key ? node->rb_left : node->rb_right;
	}
	return NULL;
}

int main(void)
{
	while (__VERIFIER_nondet_int()) {
		struct item *item;

		if (__VERIFIER_nondet_int()) {
			item = calloc(1, sizeof *item);
			if (!item)
				break;
			item->key = __VERIFIER_nondet_int();
			insert(item);
		} else if ((item = find(__VERIFIER_nondet_int()))) {
			rb_erase(&item->node, &root);
			free(item);
		}
	}
	return 0;
}
