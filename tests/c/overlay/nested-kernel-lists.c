//@ engines: overlay; verdict: safe
// A list of groups, each with the head of its own list inside.

#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head {
    struct list_head *next, *prev;
};

#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define list_entry(ptr, type, member) container_of(ptr, type, member)

static void init_list_head(struct list_head *list)
{
    list->next = list;
    list->prev = list;
}

static void list_add_between(struct list_head *node, struct list_head *prev, struct list_head *next)
{
    next->prev = node;
    node->next = next;
    node->prev = prev;
    prev->next = node;
}

static void list_add_tail(struct list_head *node, struct list_head *head)
{
    list_add_between(node, head->prev, head);
}

static void list_del(struct list_head *entry)
{
    entry->next->prev = entry->prev;
    entry->prev->next = entry->next;
}

static int list_empty(const struct list_head *head)
{
    return head->next == head;
}

struct group {
    struct list_head link;
    struct list_head members;
};

struct member {
    int id;
    struct list_head link;
};

static struct list_head groups = { &groups, &groups };

static struct group *new_group(void)
{
    struct group *group = malloc(sizeof *group);
    if (!group)
        abort();
    group->members.next = &group->members;
    group->members.prev = &group->members;
    list_add_tail(&group->link, &groups);
    return group;
}

static void new_member(struct group *group)
{
    struct member *member = malloc(sizeof *member);
    if (!member)
        abort();
    member->id = __VERIFIER_nondet_int();
    list_add_tail(&member->link, &group->members);
}

static void destroy(void)
{
    while (!list_empty(&groups)) {
        struct group *group = list_entry(groups.next, struct group, link);
        while (!list_empty(&group->members)) {
            struct member *member = list_entry(group->members.next, struct member, link);
            list_del(&member->link);
            free(member);
        }
        list_del(&group->link);
        free(group);
    }
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        struct group *group = new_group();
        while (__VERIFIER_nondet_int())
            new_member(group);
    }
    destroy();
    return 0;
}
