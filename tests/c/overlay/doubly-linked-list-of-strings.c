//@ engines: overlay; verdict: safe
// Names of unknown length, owned by the cells of a doubly linked list.

#include <string.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct name {
    struct name *next, *prev;
    char *text;
    size_t length;
};

static struct name *first;

static void add(size_t length)
{
    struct name *name = malloc(sizeof *name);
    if (!name)
        return;
    name->text = malloc(length + 1);
    if (!name->text) {
        free(name);
        return;
    }
    memset(name->text, 'x', length);
    name->text[length] = '\0';
    name->length = length;
    name->prev = NULL;
    name->next = first;
    if (first)
        first->prev = name;
    first = name;
}

static void drop(struct name *name)
{
    if (name->prev)
        name->prev->next = name->next;
    else
        first = name->next;
    if (name->next)
        name->next->prev = name->prev;
    free(name->text);
    free(name);
}

int main(void)
{
    while (__VERIFIER_nondet_int())
        add((size_t)__VERIFIER_nondet_int() % 100);
    struct name *name = first;
    while (name) {
        struct name *next = name->next;
        if (name->length > 10)
            drop(name);
        name = next;
    }
    while (first)
        drop(first);
    return 0;
}
