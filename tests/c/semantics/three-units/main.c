//@ differential
//@ with: list.c, log.c
// A small library in its own unit, with callbacks into another.
#include <stdio.h>

struct list;
extern struct list *list_new(void);
extern void list_add(struct list *, int);
extern int list_fold(const struct list *, int (*)(int, int), int);
extern void list_free(struct list *);
extern int log_add(int, int);
extern int log_count;

static int product(int a, int b)
{
    return a * b;
}

int main(void)
{
    struct list *list = list_new();
    if (!list)
        return 1;
    for (int i = 1; i <= 5; i++)
        list_add(list, i);
    printf("%d\n", list_fold(list, product, 1));
    printf("%d\n", list_fold(list, log_add, 0));
    printf("%d\n", log_count);
    list_free(list);
    return 0;
}
