//@ engines: overlay; verdict: safe
// Clients on a ring, each with a ring of requests that point back to it; the rings begin where the record does.

#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head {
    struct list_head *next, *prev;
};

#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define list_first_entry(head, type, member) container_of((head)->next, type, member)

static void init_list_head(struct list_head *list)
{
    list->next = list;
    list->prev = list;
}

static void list_add_tail(struct list_head *node, struct list_head *head)
{
    struct list_head *prev = head->prev;
    head->prev = node;
    node->next = head;
    node->prev = prev;
    prev->next = node;
}

static void list_del(struct list_head *entry)
{
    entry->next->prev = entry->prev;
    entry->prev->next = entry->next;
}

static int list_empty(const struct list_head *head)
{
    return head->next == head;
}

struct client {
    struct list_head link;
    struct list_head requests;
    int n_open;
};

struct request {
    struct list_head link;
    struct client *client;
};

static struct list_head clients = { &clients, &clients };

static struct client *connect(void)
{
    struct client *client = malloc(sizeof *client);
    if (!client)
        abort();
    init_list_head(&client->requests);
    client->n_open = 0;
    list_add_tail(&client->link, &clients);
    return client;
}

static void submit(struct client *client)
{
    struct request *request = malloc(sizeof *request);
    if (!request)
        abort();
    request->client = client;
    list_add_tail(&request->link, &client->requests);
    client->n_open++;
}

static void disconnect(struct client *client)
{
    while (!list_empty(&client->requests)) {
        struct request *request = list_first_entry(&client->requests, struct request, link);
        request->client->n_open--;
        list_del(&request->link);
        free(request);
    }
    list_del(&client->link);
    free(client);
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        struct client *client = connect();
        while (__VERIFIER_nondet_int())
            submit(client);
    }
    struct list_head *at;
    for (at = clients.next; at != &clients; at = at->next) {
        struct client *client = container_of(at, struct client, link);
        if (!list_empty(&client->requests) && __VERIFIER_nondet_int()) {
            struct request *request = list_first_entry(&client->requests, struct request, link);
            request->client->n_open--;
            list_del(&request->link);
            free(request);
        }
    }
    while (!list_empty(&clients))
        disconnect(list_first_entry(&clients, struct client, link));
    return 0;
}
