//@ engines: graph; verdict: unknown
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct date { int y, m, d; };
struct person {
    char name[32];
    struct date born;
    float height;
    struct person *next;
};
static struct person *add(struct person *list, const char *name, int y)
{
    struct person *p = malloc(sizeof *p);
    if (!p)
        return list;
    strncpy(p->name, name, sizeof p->name - 1);
    p->name[sizeof p->name - 1] = '\0';
    p->born.y = y;
    p->born.m = p->born.d = 1;
    p->height = 1.8f;
    p->next = list;
    return p;
}
int main(void)
{
    struct person *list = NULL, *p;
    list = add(list, "ada", 1815);
    list = add(list, "alan", 1912);
    list = add(list, "grace", 1906);
    for (p = list; p != NULL; p = p->next)
        printf("%s %d\n", p->name, p->born.y);
    while (list) {
        p = list->next;
        free(list);
        list = p;
    }
    return 0;
}
