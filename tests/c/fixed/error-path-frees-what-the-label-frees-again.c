//@ engines: explicit; verdict: safe
// Cleanup by goto: one error path frees by hand what the label frees as well.
#include <stdlib.h>
#include <string.h>

struct session {
    char *user;
    char *host;
    struct session *next;
};

static struct session *open_session(struct session *next, const char *user, const char *host)
{
    struct session *session = calloc(1, sizeof *session);
    if (!session)
        return NULL;
    session->user = strdup(user);
    if (!session->user)
        goto fail;
    session->host = strdup(host);
    if (!session->host) {
        goto fail;
    }
    session->next = next;
    return session;
fail:
    free(session->user);
    free(session);
    return NULL;
}

static void close_all(struct session *session)
{
    while (session) {
        struct session *next = session->next;
        free(session->user);
        free(session->host);
        free(session);
        session = next;
    }
}

int main(void)
{
    struct session *all = NULL;
    for (int i = 0; i < 2; i++) {
        struct session *session = open_session(all, "ann", "example");
        if (!session)
            break;
        all = session;
    }
    close_all(all);
    return 0;
}
