//@ engines: graph; verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };

static void split(struct node *source, struct node **front, struct node **back)
{
    struct node *slow, *fast;
    if (source == NULL || source->next == NULL) {
        *front = source;
        *back = NULL;
        return;
    }
    slow = source;
    fast = source->next;
    while (fast != NULL) {
        fast = fast->next;
        if (fast != NULL) {
            slow = slow->next;
            fast = fast->next;
        }
    }
    *front = source;
    *back = slow->next;
    slow->next = NULL;
}

static struct node *merge(struct node *a, struct node *b)
{
    struct node dummy, *tail = &dummy;
    dummy.next = NULL;
    while (1) {
        if (a == NULL) {
            tail->next = b;
            break;
        } else if (b == NULL) {
            tail->next = a;
            break;
        }
        if (a->data <= b->data) {
            tail->next = a;
            a = a->next;
        } else {
            tail->next = b;
            b = b->next;
        }
        tail = tail->next;
    }
    return dummy.next;
}

int main(void)
{
    struct node *list = NULL, *a, *b;
    for (int n = __VERIFIER_nondet_int(); n > 0; n--) {
        struct node *e = malloc(sizeof *e);
        if (!e)
            abort();
        e->data = n;
        e->next = list;
        list = e;
    }
    split(list, &a, &b);
    list = merge(a, b);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
