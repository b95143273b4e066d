//@ engines: overlay; verdict: unsafe
// One set of list functions serves two types of records.

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

static void list_add(struct list_head *node, struct list_head *head)
{
    list_add_between(node, head, head->next);
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

struct user {
    int uid;
    struct list_head link;
};

struct session {
    struct list_head link;
    long started;
    int flags;
};

static void add_user(struct list_head *users, int uid)
{
    struct user *user = malloc(sizeof *user);
    if (user) {
        user->uid = uid;
        list_add(&user->link, users);
    }
}

static void add_session(struct list_head *sessions)
{
    struct session *session = calloc(1, sizeof *session);
    if (session)
        list_add(&session->link, sessions);
}

static void free_users(struct list_head *users)
{
    struct list_head *at = users->next;
    while (at != users) {
        struct user *user = list_entry(at, struct user, link);
        free(user);
        at = at->next; //~ use-after-free
    }
}

int main(void)
{
    struct list_head users, sessions;
    init_list_head(&users);
    init_list_head(&sessions);
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        add_user(&users, i);
        if (__VERIFIER_nondet_int())
            add_session(&sessions);
    }
    free_users(&users);
    while (!list_empty(&sessions)) {
        struct session *session = list_entry(sessions.next, struct session, link);
        list_del(&session->link);
        free(session);
    }
    return 0;
}
