//@ engines: explicit, graph, tvl, auto; verdict: safe
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
    struct node one, two;
    one.value = 1;
    two.value = 2;
    push(&head, &one);
    push(&head, &two);
    return head->next->value;
}
