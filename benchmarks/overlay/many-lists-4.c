// 4 doubly linked lists, each by links of its own; no node is on two of them.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next1, *prev1;
    struct node *next2, *prev2;
    struct node *next3, *prev3;
    struct node *next4, *prev4;
};

static struct node *list1, *list2, *list3, *list4;

static void push1(struct node *x)
{
    struct node *q = list1;
    x->prev1 = 0;
    x->next1 = q;
    if (q)
        q->prev1 = x;
    list1 = x;
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

// A node somewhere in the list comes to its front.
static void touch1(void)
{
    struct node *x = list1;
    while (x && __VERIFIER_nondet_int())
        x = x->next1;
    if (x) {
        unlink1(x);
        push1(x);
    }
}

static void add1(void)
{
    struct node *x = malloc(sizeof *x);
    if (!x)
        abort();
    push1(x);
}

static void push2(struct node *x)
{
    struct node *q = list2;
    x->prev2 = 0;
    x->next2 = q;
    if (q)
        q->prev2 = x;
    list2 = x;
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

// A node somewhere in the list comes to its front.
static void touch2(void)
{
    struct node *x = list2;
    while (x && __VERIFIER_nondet_int())
        x = x->next2;
    if (x) {
        unlink2(x);
        push2(x);
    }
}

static void add2(void)
{
    struct node *x = malloc(sizeof *x);
    if (!x)
        abort();
    push2(x);
}

static void push3(struct node *x)
{
    struct node *q = list3;
    x->prev3 = 0;
    x->next3 = q;
    if (q)
        q->prev3 = x;
    list3 = x;
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

// A node somewhere in the list comes to its front.
static void touch3(void)
{
    struct node *x = list3;
    while (x && __VERIFIER_nondet_int())
        x = x->next3;
    if (x) {
        unlink3(x);
        push3(x);
    }
}

static void add3(void)
{
    struct node *x = malloc(sizeof *x);
    if (!x)
        abort();
    push3(x);
}

static void push4(struct node *x)
{
    struct node *q = list4;
    x->prev4 = 0;
    x->next4 = q;
    if (q)
        q->prev4 = x;
    list4 = x;
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

// A node somewhere in the list comes to its front.
static void touch4(void)
{
    struct node *x = list4;
    while (x && __VERIFIER_nondet_int())
        x = x->next4;
    if (x) {
        unlink4(x);
        push4(x);
    }
}

static void add4(void)
{
    struct node *x = malloc(sizeof *x);
    if (!x)
        abort();
    push4(x);
}

static void drop1(void)
{
    struct node *x = list1;
    if (x) {
        unlink1(x);
        free(x);
    }
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        switch (__VERIFIER_nondet_int()) {
        case 0:
            drop1();
            break;
        case 1:
            add1();
            break;
        case 2:
            touch1();
            break;
        case 3:
            add2();
            break;
        case 4:
            touch2();
            break;
        case 5:
            add3();
            break;
        case 6:
            touch3();
            break;
        case 7:
            add4();
            break;
        case 8:
            touch4();
            break;
        default:
            break;
        }
    }
    return 0;
}
