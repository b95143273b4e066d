//@ engines: overlay, explicit; verdict: safe
// A record whose references are counted as Linux does it: the last one frees it, with what it owns.
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct server {
    int references;
    char *name;
};

static void get(struct server *s)
{
    __asm__ volatile("lock; incl %0" : "+m"(s->references) : : "memory");
}

static void put(struct server *s)
{
    bool is_last;
    __asm__ volatile("lock; decl %[var]" : [var] "+m"(s->references), "=@cce"(is_last) : : "memory");
    if (is_last) {
        free(s->name);
        free(s);
    }
}

int main(void)
{
    struct server *s = malloc(sizeof *s);
    if (!s)
        return 0;
    s->references = 1;
    s->name = malloc(8);
    get(s);
    if (__VERIFIER_nondet_int()) {
        get(s);
        put(s);
    }
    put(s);
    put(s);
    return 0;
}
