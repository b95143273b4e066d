//@ differential
#include <stdio.h>

struct node { int value; struct node *next; int *where; };

static int cells[5] = { 1, 2, 3, 4, 5 };
static int *middle = &cells[2];
static int *end = cells + 5;
static struct node a, b;
static struct node c = { 3, &a, &cells[1] };
static struct node a = { 1, &b, cells };
static struct node b = { 2, 0, &a.value };
static struct node *ring[] = { &a, &b, &c, [5] = &c };
static const char *text = "global" + 2;
static char *const letters = (char *)"abc";
static int (*function)(const char *, ...) = printf;
static long offset = (long)&((struct node *)0)->where;
static struct node **where = &a.next;
int main(void)
{
    printf("%d %d %ld\n", *middle, end[-1], (long)(end - middle));
    printf("%d %d %d\n", c.next->next->value, *c.where, *b.where);
    printf("%d %d %d\n", ring[2]->value, ring[3] == 0, ring[5]->next->value);
    printf("%s %c %ld\n", text, letters[1], offset);
    function("%d\n", (*where)->value);
    *b.where = 77;
    printf("%d\n", a.value);
    return 0;
}
