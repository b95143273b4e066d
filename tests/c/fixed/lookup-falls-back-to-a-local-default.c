//@ engines: explicit; verdict: safe
// A lookup in a chain that answers with a local default when nothing is found.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct setting {
    int id, value;
    const struct setting *next;
};

static const struct setting *lookup(const struct setting *settings, int id)
{
    static const struct setting fallback = { -1, 0, NULL };
    const struct setting *best = &fallback;
    for (; settings; settings = settings->next)
        if (settings->id == id)
            best = settings;
    return best;
}

int main(void)
{
    struct setting *settings = NULL;
    for (int id = 0; id < 2; id++) {
        struct setting *setting = malloc(sizeof *setting);
        if (!setting)
            break;
        *setting = (struct setting){ id, 10 * id, settings };
        settings = setting;
    }
    const struct setting *found = lookup(settings, __VERIFIER_nondet_int() & 3);
    int value = found->value;
    while (settings) {
        struct setting *next = (struct setting *)settings->next;
        free(settings);
        settings = next;
    }
    return value > 10;
}
