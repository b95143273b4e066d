/* Frees a list cell by cell. */
#include "list.h"

int main(void)
{
    struct node *head = make_list();
    while (head != NULL) {
        struct node *first = head;
        head = head->next;
        free(first);
    }
    return 0;
}
