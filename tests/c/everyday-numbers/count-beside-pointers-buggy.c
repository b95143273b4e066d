//@ engines: auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
    char *items[16];
    int n;
};

static int add(struct list *l, const char *text) {
    if (l->n > 16) return -1;
    char *copy = strdup(text);
    if (!copy) return -1;
    l->items[l->n++] = copy; //~ out-of-bounds
    return 0;
}

int main(void) {
    struct list l;
    l.n = 0;
    char line[80];
    while (fgets(line, sizeof line, stdin))
        if (add(&l, line) < 0) break;
    for (int i = 0; i < l.n; i++) {
        fputs(l.items[i], stdout); //~ may out-of-bounds
        free(l.items[i]);
    }
    return 0;
}
