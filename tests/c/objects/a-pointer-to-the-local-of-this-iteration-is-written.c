//@ engines: explicit, graph, tvl, auto; verdict: safe
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        struct node *last = 0;
        struct node node = { 0, 1 };
        last = &node;
        last->next = last;
        if (node.next != &node)
            *(int *)0 = 1;
    }
    return 0;
}
