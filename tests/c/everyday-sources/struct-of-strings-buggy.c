//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
struct person { char *first, *last; };
static void destroy(struct person *p) {
    if (p == NULL)
        return;
    free(p->first);
    free(p->last); //~ double-free
    free(p);
}
static struct person *create(const char *first, const char *last) {
    struct person *p = malloc(sizeof *p);
    if (p == NULL)
        return NULL;
    p->first = strdup(first);
    p->last = last ? strdup(last) : p->first;
    if (p->first == NULL || p->last == NULL) {
        free(p->first);
        if (p->last != p->first)
            free(p->last);
        free(p);
        return NULL;
    }
    return p;
}
int main(int argc, char **argv) {
    struct person *p = create("Ada", argc > 1 ? argv[1] : NULL);
    if (p == NULL)
        return 1;
    printf("%s %s\n", p->first, p->last);
    destroy(p);
    return 0;
}
