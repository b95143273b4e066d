//@ engines: explicit; verdict: safe
// A queue whose dequeue resets the head, but not the tail, when the last element leaves.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct message {
    int code;
    struct message *next;
};

struct mailbox {
    struct message *oldest;
    struct message *newest;
};

static void post(struct mailbox *box, int code)
{
    struct message *message = malloc(sizeof *message);
    if (!message)
        return;
    message->code = code;
    message->next = NULL;
    if (box->newest)
        box->newest->next = message;
    else
        box->oldest = message;
    box->newest = message;
}

static int fetch(struct mailbox *box)
{
    struct message *message = box->oldest;
    if (!message)
        return 0;
    int code = message->code;
    box->oldest = message->next;
    if (!box->oldest)
        box->newest = NULL;
    free(message);
    return code;
}

int main(void)
{
    struct mailbox box = { NULL, NULL };
    int sum = 0;
    for (int i = 1; i <= 3; i++) {
        post(&box, i);
        if (__VERIFIER_nondet_bool())
            sum += fetch(&box);
    }
    while (box.oldest)
        sum += fetch(&box);
    return sum > 6;
}
