//@ engines: graph, tvl, overlay, auto; verdict: safe
//@ args: --entry sum
struct node {
    struct node *next;
    int value;
};

int sum(const struct node *list)
{
    int total = 0;
    while (list) {
        total += list->value;
        list = list->next;
    }
    return total;
}
