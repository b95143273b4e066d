//@ engines: graph, tvl; verdict: safe
// Messages go to a sink, a global that has a function from the start and is given another one.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct message {
    struct message *next;
};

static struct message *kept;

static void drop(struct message *message)
{
    free(message);
}

static void keep(struct message *message)
{
    message->next = kept;
    kept = message;
}

static void (*sink)(struct message *) = drop;

static void say(void)
{
    struct message *message = malloc(sizeof *message);
    if (message) {
        message->next = NULL;
        sink(message);
    }
}

int main(void)
{
    while (__VERIFIER_nondet_int())
        say();
    sink = keep;
    while (__VERIFIER_nondet_int())
        say();
    while (kept) {
        struct message *next = kept->next;
        free(kept);
        kept = next;
    }
    return 0;
}
