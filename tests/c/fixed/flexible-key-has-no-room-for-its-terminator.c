//@ engines: explicit; verdict: safe
// A node that ends in its key. The terminating zero needs a byte too.
#include <stdlib.h>
#include <string.h>

struct keyed {
    struct keyed *next;
    char key[];
};

static struct keyed *keyed_new(const char *key, struct keyed *next)
{
    size_t length = strlen(key);
    struct keyed *node = malloc(sizeof *node + length + 1);
    if (!node)
        return next;
    for (size_t i = 0; i < length; i++)
        node->key[i] = key[i];
    node->key[length] = '\0';
    node->next = next;
    return node;
}

int main(void)
{
    struct keyed *list = NULL;
    list = keyed_new("abcdefgh", list);
    list = keyed_new("ijklmnop", list);
    while (list) {
        struct keyed *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
