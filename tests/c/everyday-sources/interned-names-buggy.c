//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct name { char *text; struct name *next; };
static struct name *names;
static const char *intern(const char *text) {
    struct name *n;
    for (n = names; n; n = n->next)
        if (strcmp(n->text, text) == 0)
            return n->text;
    n = malloc(sizeof *n);
    if (!n)
        return "";
    n->text = strdup(text);
    if (!n->text) {
        free(n);
        return "";
    }
    n->next = names;
    names = n;
    return n->text;
}
int main(int argc, char **argv) {
    for (int i = 0; i < argc; i++)
        puts(intern(argv[i]));
    while (names) {
        struct name *n = names;
        names = n->next;
        free(n); //~ leak
    }
    return 0;
}
