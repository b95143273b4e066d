//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
    char *name;
    int age;
    struct person *next;
};

static struct person *add(struct person *list, const char *name, int age) {
    struct person *p = malloc(sizeof *p);
    if (!p) exit(1);
    p->name = strdup(name);
    if (!p->name) exit(1);
    p->age = age;
    p->next = list;
    return p;
}

int main(void) {
    struct person *list = NULL;
    char line[128];
    while (fgets(line, sizeof line, stdin)) {
        char name[64];
        if (sscanf(line, "%63s", name) == 1) list = add(list, name, 1);
    }
    for (struct person *p = list; p; p = p->next) printf("%s: %d\n", p->name, p->age);
    while (list) {
        struct person *next = list->next;
        free(list->name);
        free(list);
        list = next;
    }
    return 0;
}
