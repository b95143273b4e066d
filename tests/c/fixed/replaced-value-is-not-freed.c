//@ engines: explicit; verdict: safe
// A string-keyed list: setting a key again replaces the value without freeing the old one.
#include <stdlib.h>
#include <string.h>

struct pair {
    const char *key;
    char *value;
    struct pair *next;
};

static struct pair *pairs;

static void set(const char *key, const char *text)
{
    char *value = strdup(text);
    if (!value)
        return;
    for (struct pair *pair = pairs; pair; pair = pair->next) {
        if (strcmp(pair->key, key) == 0) {
            free(pair->value);
            pair->value = value;
            return;
        }
    }
    struct pair *pair = malloc(sizeof *pair);
    if (!pair) {
        free(value);
        return;
    }
    pair->key = key;
    pair->value = value;
    pair->next = pairs;
    pairs = pair;
}

int main(void)
{
    set("home", "/root");
    set("shell", "sh");
    set("home", "/");
    while (pairs) {
        struct pair *next = pairs->next;
        free(pairs->value);
        free(pairs);
        pairs = next;
    }
    return 0;
}
