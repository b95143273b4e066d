//@ engines: graph; verdict: safe
#include <stdlib.h>
#include <errno.h>
struct rec { int a; struct rec *next; };

static int build(struct rec **out, int n)
{
    struct rec *head = NULL, *tail = NULL;
    int rc = -ENOMEM, i;

    for (i = 0; i < n; i++) {
        struct rec *r = malloc(sizeof(*r));
        if (!r)
            goto err;
        r->a = i;
        r->next = NULL;
        if (tail)
            tail->next = r;
        else
            head = r;
        tail = r;
    }
    *out = head;
    return 0;
err:
    while (head) {
        struct rec *next = head->next;
        free(head);
        head = next;
    }
    return rc;
}

int main(int argc, char *argv[])
{
    struct rec *list;
    int rc;
    (void)argv;
    rc = build(&list, argc);
    if (rc)
        return 1;
    while (list) {
        struct rec *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
