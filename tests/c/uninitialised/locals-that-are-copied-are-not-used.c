//@ engines: explicit, graph, tvl, overlay; verdict: safe
/* Unset members and locals are read through pointers, and put elsewhere. */

struct pair {
    int a, b;
};

static int get(int *p)
{
    return *p;
}

int main(void)
{
    struct pair s, t;
    struct pair *p = &s;
    int i;
    int x = get(&i);
    t.b = p->a;
    t.a = x;
    s.b = t.b;
    i = 4;
    return get(&i) > 3;
}
