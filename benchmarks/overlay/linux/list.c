/* A client of include/linux/list.h: two rings, entries are added, moved, spliced and freed. */
#include <linux/list.h>

extern int __VERIFIER_nondet_int(void);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);

struct item {
	int key;
	struct list_head link;
};

static LIST_HEAD(queue);
static LIST_HEAD(done);

int main(void)
{
	struct item *item, *next;

	while (__VERIFIER_nondet_int())
		switch (__VERIFIER_nondet_int()) {
		case 0:
			item = calloc(1, sizeof *item);
			if (item)
				list_add_tail(&item->link, &queue);
			break;
		case 1:
			if (!list_empty(&queue)) {
				item = list_first_entry(&queue, struct item, link);
				list_move_tail(&item->link, &done);
			}
			break;
		case 2:
			if (!list_empty(&done)) {
				item = list_last_entry(&done, struct item, link);
				list_del_init(&item->link);
				free(item);
			}
			break;
		case 3:
			list_splice_tail_init(&queue, &done);
			break;
		}
	list_for_each_entry_safe(item, next, &queue, link) {
		list_del(&item->link);
		free(item);
	}
	list_for_each_entry_safe(item, next, &done, link) {
		list_del(&item->link);
		free(item);
	}
	return 0;
}
