//@ differential
//@ with: other.c
// Two translation units: statics of the same name, a tentative definition, an extern array, a shared header's inline.
#include <stdio.h>

struct shared { int id; struct shared *next; };

static int counter = 100;
int tentative;
int tentative;
extern int table[];
extern const char *unit_name;
extern struct shared chain;
int bump(void);
int visit(int (*f)(int), int x);
struct shared *link_up(struct shared *s);

static int helper(int x)
{
    return x + counter++;
}

static inline int square(int x)
{
    return x * x;
}

int main(void)
{
    printf("%d\n", helper(1));
    printf("%d\n", bump());
    printf("%d\n", bump());
    printf("%d %d\n", counter, tentative);
    tentative = 50;
    printf("%d\n", bump());
    printf("%d %s\n", table[2], unit_name);
    printf("%d\n", visit(helper, 1000));
    printf("%d\n", visit(square, 12));
    struct shared mine = { 9, NULL };
    printf("%d\n", link_up(&mine)->id);
    printf("%d\n", chain.next->id);
    return counter % 128;
}
