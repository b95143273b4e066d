//@ engines: explicit; verdict: safe
// A node is filled field by field on the stack, then copied to the heap with a field still unset.
#include <stdlib.h>
#include <string.h>

struct task {
    int id;
    int priority;
    struct task *next;
};

static struct task *schedule(struct task *queue, int id)
{
    struct task task;
    task.id = id;
    task.priority = 0;
    task.next = queue;
    struct task *copy = malloc(sizeof *copy);
    if (!copy)
        return queue;
    memcpy(copy, &task, sizeof task);
    return copy;
}

static int urgent(const struct task *queue)
{
    int count = 0;
    for (; queue; queue = queue->next)
        if (queue->priority > 3)
            count++;
    return count;
}

int main(void)
{
    struct task *queue = NULL;
    for (int id = 0; id < 2; id++)
        queue = schedule(queue, id);
    int count = urgent(queue);
    while (queue) {
        struct task *next = queue->next;
        free(queue);
        queue = next;
    }
    return count;
}
