//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// Each iteration has its own local.
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *last = 0;
    while (__VERIFIER_nondet_int()) {
        struct node node = { 0, 1 };
        if (last)
            last->next = &node; //~ use-after-free
        last = &node;
    }
    return 0;
}
