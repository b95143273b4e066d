/* Joins five lists into one. */
#include "list.h"

/* Appends a list to what was joined so far. */
static struct node *append(struct node *list, struct node *more)
{
    if (list == NULL)
        return more;
    struct node *last = list;
    while (last->next != NULL)
        last = last->next;
    last->next = more;
    return list;
}

int main(void)
{
    struct node *a = NULL, *b = NULL, *c = NULL, *d = NULL, *e = NULL;
    while (__VERIFIER_nondet_int()) {
        switch (__VERIFIER_nondet_int()) {
        case 1:
            a = new_node(a);
            break;
        case 2:
            b = new_node(b);
            break;
        case 3:
            c = new_node(c);
            break;
        case 4:
            d = new_node(d);
            break;
        default:
            e = new_node(e);
            break;
        }
    }
    hw_assert_disjoint(a, b);
    hw_assert_disjoint(b, c);
    hw_assert_disjoint(c, d);
    hw_assert_disjoint(d, e);
    struct node *joined = append(a, b);
    joined = append(joined, c);
    joined = append(joined, d);
    joined = append(joined, e);
    hw_assert_acyclic(joined);
    free_list(joined);
    return 0;
}
