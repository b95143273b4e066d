//@ engines: explicit, tvl, overlay; verdict: safe
//@ engines: graph; verdict: unknown
// The functions in between name neither the callback nor the global: the address of one reaches the other as an argument.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int value; };
static struct node *kept;
static void release(int times)
{
    if (times)
        free(kept);
}
static void walk(int depth, void (*visit)(int))
{
    if (depth <= 0) {
        visit(1);
        return;
    }
    walk(depth - 1, visit);
}
int main(void)
{
    kept = malloc(sizeof *kept);
    if (!kept)
        return 0;
    walk(__VERIFIER_nondet_int() & 3, release);
    return 0;
}
