//@ engines: refine, overlay; verdict: safe
// Both cells get their links by copies of whole records, and lead to each other, and both are freed.
#include <stdlib.h>

struct room;

struct door {
    struct room *into;
    int open;
};

struct room {
    struct door *exit;
    int lit;
};

static void build(void)
{
    struct room *room = malloc(sizeof *room);
    if (!room)
        return;
    struct door *door = malloc(sizeof *door);
    if (!door) {
        free(room);
        return;
    }
    struct room plan;
    plan.lit = 0;
    plan.exit = door;
    struct door leaf;
    leaf.open = 0;
    leaf.into = room;
    *room = plan;
    *door = leaf;
    free(room->exit);
    free(room);
}

int main(void)
{
    build();
    return 0;
}
