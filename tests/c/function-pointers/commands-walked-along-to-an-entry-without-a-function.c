//@ engines: graph, tvl; verdict: safe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

static struct node *add(struct node *list) {
    struct node *new = malloc(sizeof *new);
    if (!new)
        return list;
    new->key = 1;
    new->next = list;
    return new;
}

static struct node *take(struct node *list) {
    if (!list)
        return NULL;
    struct node *next = list->next;
    free(list);
    return next;
}

static struct node *turn(struct node *list) {
    if (!list || !list->next)
        return list;
    struct node *second = list->next;
    list->next = second->next;
    second->next = list;
    return second;
}

static struct node *keep(struct node *list) {
    return list;
}

static void clear(struct node *list) {
    while (list)
        list = take(list);
}

struct command {
    int code;
    struct node *(*run)(struct node *);
};

static const struct command commands[] = { { 'a', add }, { 't', take }, { 'x', turn }, { 0, NULL } };

int main(void) {
    struct node *list = NULL;
    for (;;) {
        int code = __VERIFIER_nondet_int();
        if (!code)
            break;
        for (const struct command *command = commands; command->run; command++) {
            if (command->code == code) {
                list = command->run(list);
                break;
            }
        }
    }
    clear(list);
    return 0;
}
