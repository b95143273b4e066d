/* Queues of requests, as the models of the serial port driver use them. */
#ifndef SERIAL_H
#define SERIAL_H

#include "list.h"

struct request {
    int code;
    int cancelled;
    struct request *next;
};

/* A request arrives and waits at the end of its queue. */
static inline void enqueue(struct request **queue)
{
    struct request *request = malloc(sizeof *request);
    if (request == NULL)
        return;
    request->code = __VERIFIER_nondet_int();
    request->cancelled = 0;
    request->next = NULL;
    if (*queue == NULL) {
        *queue = request;
        return;
    }
    struct request *last = *queue;
    while (last->next != NULL)
        last = last->next;
    last->next = request;
}

/* The first request is served. */
static inline void start_next(struct request **queue)
{
    struct request *request = *queue;
    if (request == NULL)
        return;
    *queue = request->next;
    free(request);
}

/* One request is cancelled, wherever it waits. */
static inline void cancel(struct request **queue, int code)
{
    struct request *previous = NULL;
    struct request *request = *queue;
    while (request != NULL && request->code != code) {
        previous = request;
        request = request->next;
    }
    if (request == NULL)
        return;
    if (previous == NULL)
        *queue = request->next;
    else
        previous->next = request->next;
    free(request);
}

/* All requests are thrown away. */
static inline void purge(struct request **queue)
{
    while (*queue != NULL) {
        struct request *request = *queue;
        *queue = request->next;
        free(request);
    }
}

#endif
