//@ engines: overlay; verdict: safe
// A ring of cells, each with a ring of its own; both are torn down.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head {
    struct list_head *next, *prev;
};

struct group {
    struct list_head link;
    struct list_head members;
};

struct member {
    struct list_head link;
    int value;
};

static void init(struct list_head *head)
{
    head->next = head->prev = head;
}

static void add_tail(struct list_head *new, struct list_head *head)
{
    new->prev = head->prev;
    new->next = head;
    head->prev->next = new;
    head->prev = new;
}

static void del(struct list_head *link)
{
    link->next->prev = link->prev;
    link->prev->next = link->next;
}

int main(void)
{
    struct list_head groups;
    init(&groups);
    while (__VERIFIER_nondet_int()) {
        struct group *group = malloc(sizeof *group);
        if (!group)
            break;
        init(&group->members);
        add_tail(&group->link, &groups);
        while (__VERIFIER_nondet_int()) {
            struct member *member = malloc(sizeof *member);
            if (!member)
                break;
            member->value = 1;
            add_tail(&member->link, &group->members);
        }
    }
    while (groups.next != &groups) {
        struct group *group = (struct group *)groups.next;
        while (group->members.next != &group->members) {
            struct member *member = (struct member *)group->members.next;
            del(&member->link);
            free(member);
        }
        del(&group->link);
        free(group);
    }
    return 0;
}
