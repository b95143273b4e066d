//@ engines: explicit, auto; verdict: unsafe
//@ args: --entry second
struct node {
    struct node *next;
    int value;
};

int second(const struct node *list)
{
    if (!list)
        return 0;
    return list->next->value; //~ null-deref
}
