//@ engines: overlay; verdict: safe
// Each element owns two lists.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
    struct item *next;
    int value;
};

struct person {
    struct person *next;
    struct item *debts;
    struct item *credits;
};

static void add_item(struct item **items)
{
    struct item *item = malloc(sizeof *item);
    if (!item)
        return;
    item->value = 1;
    item->next = *items;
    *items = item;
}

static void free_items(struct item **items)
{
    while (*items) {
        struct item *item = *items;
        *items = item->next;
        free(item);
    }
}

int main(void)
{
    struct person *people = NULL;
    while (__VERIFIER_nondet_int()) {
        struct person *person = malloc(sizeof *person);
        if (!person)
            break;
        person->debts = NULL;
        person->credits = NULL;
        person->next = people;
        people = person;
        while (__VERIFIER_nondet_int())
            add_item(__VERIFIER_nondet_int() ? &person->debts : &person->credits);
    }
    while (people) {
        struct person *next = people->next;
        free_items(&people->debts);
        free_items(&people->credits);
        free(people);
        people = next;
    }
    return 0;
}
