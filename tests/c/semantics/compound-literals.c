//@ differential
#include <stdio.h>

struct node { int value; struct node *next; };

static int total(const struct node *n)
{
    int sum = 0;
    for (; n; n = n->next)
        sum = sum * 10 + n->value;
    return sum;
}

static struct node *global = &(struct node){ 5, &(struct node){ 6, 0 } };

int main(void)
{
    int *p = (int[]){ 3, 1, 4, 1, 5 };
    p[1] = 9;
    printf("%d %d %zu\n", p[1], p[4], sizeof(int[]){ 1, 2, 3 });
    printf("%d\n", total(&(struct node){ 1, &(struct node){ 2, &(struct node){ .value = 3 } } }));
    printf("%d\n", total(global));
    for (int i = 0; i < 3; i++) {
        struct node *n = &(struct node){ .value = i };
        n->value += 1;
        printf("%d ", n->value);
    }
    (struct node){ 0 }.value;
    printf("%s %c\n", (char[]){ "text" }, ((char[]){ 'a', 'b' })[1]);
    *(int[1]){ 0 } = 4;
    return (int){ 7 };
}
