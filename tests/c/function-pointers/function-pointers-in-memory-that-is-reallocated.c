//@ engines: explicit; verdict: safe
#include <stdlib.h>

struct hook {
    int (*run)(struct hook *);
    struct hook *next;
};

static int last(struct hook *hook) { return hook->next == 0; }

int main(void)
{
    struct hook *hooks = malloc(sizeof *hooks);
    if (!hooks)
        return 0;
    hooks[0].run = last;
    hooks[0].next = 0;
    struct hook *more = realloc(hooks, 2 * sizeof *hooks);
    if (!more) {
        free(hooks);
        return 0;
    }
    more[1].run = more[0].run;
    more[1].next = &more[0];
    int result = more[1].next->run(&more[0]);
    free(more);
    return result != 1;
}
