//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
struct node {
    struct node *next;
    int v;
};

static struct node f(int d)
{
    struct node l;
    l.next = &l;
    l.v = d;
    if (d > 0)
        return f(d - 1);
    return l;
}

int main(void)
{
    struct node o = f(2);
    return o.next->v; //~ use-after-free
}
