/* A doubly linked list whose insertion forgets one of its four pointers. The claim at the end of `insert_after` says what the
 * list should be; compile with any compiler, heapwise.h is empty there. */
#include <stdlib.h>

#include "heapwise.h"

struct item {
    struct item *next;
    struct item *prev;
};

static void insert_after(struct item *place, struct item *fresh) {
    fresh->prev = place;
    fresh->next = place->next;
    place->next = fresh; /* and place->next->prev? */
    hw_assert_dll(place);
}

int main(void) {
    struct item first = {NULL, NULL}, second = {NULL, NULL}, third = {NULL, NULL};
    insert_after(&first, &second);
    insert_after(&first, &third);
    return 0;
}
