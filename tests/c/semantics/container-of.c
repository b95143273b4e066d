//@ differential
#include <stddef.h>
#include <stdio.h>

struct list_head { struct list_head *next, *prev; };

#define container_of(ptr, type, member) ({                          \
    const __typeof__(((type *)0)->member) *mptr_ = (ptr);           \
    (type *)((char *)mptr_ - offsetof(type, member)); })
#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_for_each_entry(pos, head, member)                                   \
    for (pos = list_entry((head)->next, __typeof__(*pos), member); &pos->member != (head); \
         pos = list_entry(pos->member.next, __typeof__(*pos), member))

struct task { int id; struct list_head run; char name[4]; struct list_head all; };

static void add(struct list_head *new, struct list_head *head)
{
    new->next = head->next;
    new->prev = head;
    head->next->prev = new;
    head->next = new;
}

static void del(struct list_head *e)
{
    e->next->prev = e->prev;
    e->prev->next = e->next;
}

int main(void)
{
    struct list_head run = { &run, &run }, all = { &all, &all };
    struct task tasks[4];
    for (int i = 0; i < 4; i++) {
        tasks[i].id = i;
        tasks[i].name[0] = 'a' + i;
        add(&tasks[i].all, &all);
        if (i % 2 == 0)
            add(&tasks[i].run, &run);
    }
    del(&tasks[1].all);
    struct task *t;
    list_for_each_entry(t, &all, all)
        printf("%d%c ", t->id, t->name[0]);
    list_for_each_entry(t, &run, run)
        printf("<%d>", t->id);
    printf("\n%d\n", container_of(all.prev, struct task, all)->id);
    return 0;
}
