//@ engines: explicit, graph, tvl; verdict: unknown
// What another file keeps in its variable is not known, and nobody may change it between two reads here: no run is shown that
// does.
struct node { struct node *next; int value; };
extern struct node *head;
int main(void)
{
    return head ? head->value : 0; //~ may null-deref
}
