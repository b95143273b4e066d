//@ engines: explicit; verdict: safe
// Building a node takes two allocations; when the second fails the first is forgotten.
#include <stdlib.h>
#include <string.h>

struct contact {
    char *name;
    struct contact *next;
};

static struct contact *contact_new(const char *name, struct contact *next)
{
    struct contact *contact = malloc(sizeof *contact);
    if (!contact)
        return NULL;
    contact->name = strdup(name);
    if (!contact->name) {
        free(contact);
        return NULL;
    }
    contact->next = next;
    return contact;
}

int main(void)
{
    struct contact *book = NULL;
    const char *names[] = { "ada", "grace" };
    for (int i = 0; i < 2; i++) {
        struct contact *contact = contact_new(names[i], book);
        if (!contact)
            break;
        book = contact;
    }
    while (book) {
        struct contact *next = book->next;
        free(book->name);
        free(book);
        book = next;
    }
    return 0;
}
