//@ engines: explicit, tvl, overlay; verdict: unsafe
/* The last of the copies is looked at. */

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
    return s.b > 3; //~ uninitialised
}
