//@ engines: overlay; verdict: safe
// Cells keep the address of a member of another object.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct account {
    long owner;
    int balance;
};

struct watch {
    int *value;
    struct watch *next;
};

int main(void)
{
    struct account *account = malloc(sizeof *account);
    if (!account)
        return 1;
    account->owner = 1;
    account->balance = 0;
    struct watch *watches = NULL;
    while (__VERIFIER_nondet_int()) {
        struct watch *watch = malloc(sizeof *watch);
        if (!watch)
            break;
        watch->value = &account->balance;
        watch->next = watches;
        watches = watch;
    }
    int sum = 0;
    for (struct watch *watch = watches; watch; watch = watch->next)
        if (*watch->value > 0)
            sum++;
    while (watches) {
        struct watch *next = watches->next;
        free(watches);
        watches = next;
    }
    free(account);
    return sum > 0;
}
