//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cell {
    char name[16];
    struct cell *next;
};

int main(void) {
    struct cell *list = NULL;
    char line[16];
    while (fgets(line, sizeof line, stdin)) {
        struct cell *c = malloc(sizeof *c);
        if (!c) break;
        strcpy(c->name, line);
        c->next = list;
        list = c;
    }
    for (struct cell *c = list; c; c = c->next) puts(c->name);
    while (list) {
        struct cell *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
