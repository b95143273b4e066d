//@ engines: tvl, graph, explicit; verdict: unsafe
// What a link held when it was read is not what it holds after it was overwritten, in whatever way.
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
};

extern int __VERIFIER_nondet_int(void);

static struct node *cons(struct node *next)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->next = next;
    node->value = 0;
    return node;
}

int main(void)
{
    struct node *list = cons(cons(NULL)), *other = cons(NULL), *second = list->next;
    struct node *either = __VERIFIER_nondet_int() ? list : other;
    struct node **link = &list->next;
    int result = 0;
    if (second) {
        switch (__VERIFIER_nondet_int()) {
        case 0:
            *list = *other;
            result = list->next->value; //~ null-deref
            break;
        case 1:
            memcpy(list, other, sizeof *list);
            result = list->next->value; //~ null-deref
            break;
        case 2:
            memset(&list->next, 0, sizeof list->next);
            result = list->next->value; //~ null-deref
            break;
        case 3:
            either->next = NULL;
            result = list->next->value; //~ null-deref
            break;
        case 4:
            *link = NULL;
            result = list->next->value; //~ null-deref
            break;
        default:
            result = list->next->value;
        }
    }
    free(second);
    free(list);
    free(other);
    return result;
}
