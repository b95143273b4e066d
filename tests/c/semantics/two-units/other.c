//@ part of: main.c
struct shared { int id; struct shared *next; };

static int counter;
int tentative;
int table[] = { 4, 5, 6 };
const char *unit_name = "other";
struct shared chain = { 1, 0 };

static int helper(int x)
{
    static int times;
    return x * 2 + ++times;
}

int bump(void)
{
    counter += 1;
    tentative += counter;
    return helper(counter) + tentative;
}

int visit(int (*f)(int), int x)
{
    return f(x) + f(x + 1);
}

struct shared *link_up(struct shared *s)
{
    s->next = &chain;
    chain.next = s;
    return s->next;
}
