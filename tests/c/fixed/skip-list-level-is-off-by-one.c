//@ engines: explicit; verdict: safe
// A small skip list whose towers are allocated with their own height.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

enum { MAX_HEIGHT = 3 };

struct tower {
    int key;
    int height;
    struct tower *next[];
};

static struct tower *tower_new(int key, int height)
{
    struct tower *tower = calloc(1, sizeof *tower + height * sizeof tower->next[0]);
    if (tower) {
        tower->key = key;
        tower->height = height;
    }
    return tower;
}

static int random_height(void)
{
    int height = 1;
    while (height < MAX_HEIGHT && __VERIFIER_nondet_bool())
        height++;
    return height;
}

static void insert(struct tower *head, struct tower *fresh)
{
    struct tower *tower = head;
    for (int level = MAX_HEIGHT - 1; level >= 0; level--) {
        while (tower->next[level] && tower->next[level]->key < fresh->key)
            tower = tower->next[level];
        if (level < fresh->height) {
            fresh->next[level] = tower->next[level];
            tower->next[level] = fresh;
        }
    }
}

int main(void)
{
    struct tower *head = tower_new(-1, MAX_HEIGHT);
    if (!head)
        return 1;
    for (int key = 2; key > 0; key--) {
        struct tower *tower = tower_new(key, random_height());
        if (!tower)
            break;
        insert(head, tower);
    }
    while (head) {
        struct tower *next = head->next[0];
        free(head);
        head = next;
    }
    return 0;
}
