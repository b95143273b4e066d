//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// A list whose nodes are locals of a loop's body.
extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

static void push(struct node **head, struct node *node)
{
    node->next = *head;
    *head = node;
}

int main(void)
{
    struct node *head = 0;
    while (__VERIFIER_nondet_int()) {
        struct node node;
        node.value = 1;
        push(&head, &node);
    }
    if (head)
        return head->value; //~ use-after-free
    return 0;
}
