//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct job { char *command; struct job *next; };
struct queue { struct job *first, *last; };
static int add(struct queue *q, const char *command) {
    struct job *j = malloc(sizeof *j);
    if (j == NULL)
        return -1;
    j->command = strdup(command);
    if (j->command == NULL) {
        free(j);
        return -1;
    }
    j->next = NULL;
    if (q->last)
        q->last->next = j;
    else
        q->first = j;
    q->last = j;
    return 0;
}
int main(int argc, char **argv) {
    struct queue q = { NULL, NULL };
    for (int i = 1; i < argc; i++)
        if (add(&q, argv[i]) < 0)
            break;
    while (q.first) {
        struct job *j = q.first;
        q.first = j->next;
        puts(j->command);
        free(j->command);
        free(j);
    }
    return 0;
}
