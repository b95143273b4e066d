// Nodes on 4 doubly linked lists at once, each ordered by a key of its own.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next1, *prev1;
    int key1;
    struct node *next2, *prev2;
    int key2;
    struct node *next3, *prev3;
    int key3;
    struct node *next4, *prev4;
    int key4;
};

static struct node *list1, *list2, *list3, *list4;

static void insert1(struct node *x)
{
    struct node *p = 0, *q = list1;
    while (q && q->key1 < x->key1) {
        p = q;
        q = q->next1;
    }
    x->prev1 = p;
    x->next1 = q;
    if (p)
        p->next1 = x;
    else
        list1 = x;
    if (q)
        q->prev1 = x;
}

static void unlink1(struct node *x)
{
    struct node *p = x->prev1, *q = x->next1;
    if (p)
        p->next1 = q;
    else
        list1 = q;
    if (q)
        q->prev1 = p;
}

static void insert2(struct node *x)
{
    struct node *p = 0, *q = list2;
    while (q && q->key2 < x->key2) {
        p = q;
        q = q->next2;
    }
    x->prev2 = p;
    x->next2 = q;
    if (p)
        p->next2 = x;
    else
        list2 = x;
    if (q)
        q->prev2 = x;
}

static void unlink2(struct node *x)
{
    struct node *p = x->prev2, *q = x->next2;
    if (p)
        p->next2 = q;
    else
        list2 = q;
    if (q)
        q->prev2 = p;
}

static void insert3(struct node *x)
{
    struct node *p = 0, *q = list3;
    while (q && q->key3 < x->key3) {
        p = q;
        q = q->next3;
    }
    x->prev3 = p;
    x->next3 = q;
    if (p)
        p->next3 = x;
    else
        list3 = x;
    if (q)
        q->prev3 = x;
}

static void unlink3(struct node *x)
{
    struct node *p = x->prev3, *q = x->next3;
    if (p)
        p->next3 = q;
    else
        list3 = q;
    if (q)
        q->prev3 = p;
}

static void insert4(struct node *x)
{
    struct node *p = 0, *q = list4;
    while (q && q->key4 < x->key4) {
        p = q;
        q = q->next4;
    }
    x->prev4 = p;
    x->next4 = q;
    if (p)
        p->next4 = x;
    else
        list4 = x;
    if (q)
        q->prev4 = x;
}

static void unlink4(struct node *x)
{
    struct node *p = x->prev4, *q = x->next4;
    if (p)
        p->next4 = q;
    else
        list4 = q;
    if (q)
        q->prev4 = p;
}

static void insert(void)
{
    struct node *x = malloc(sizeof *x);
    if (!x)
        abort();
    x->key1 = __VERIFIER_nondet_int();
    x->key2 = __VERIFIER_nondet_int();
    x->key3 = __VERIFIER_nondet_int();
    x->key4 = __VERIFIER_nondet_int();
    insert1(x);
    insert2(x);
    insert3(x);
    insert4(x);
}

static void delete(int key)
{
    struct node *x = list1;
    while (x && x->key1 != key)
        x = x->next1;
    if (!x)
        return;
    unlink1(x);
    unlink2(x);
    unlink3(x);
    unlink4(x);
    free(x);
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            insert();
        else
            delete(__VERIFIER_nondet_int());
    }
    return 0;
}
