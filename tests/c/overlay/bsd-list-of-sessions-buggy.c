//@ engines: overlay; verdict: unsafe
// A LIST with the address of the link before, sessions close in any order.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct session {
    int id;
    struct session *next;
    struct session **prev;
};

static struct session *sessions;

static void open_session(int id)
{
    struct session *session = malloc(sizeof *session);
    if (!session)
        return;
    session->id = id;
    session->next = sessions;
    if (sessions)
        sessions->prev = &session->next;
    sessions = session;
    session->prev = &sessions;
}

static void close_session(int id)
{
    for (struct session *session = sessions; session; session = session->next)
        if (session->id == id) {
            *session->prev = session->next; //~ use-after-free
            free(session);
            return;
        }
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            open_session(__VERIFIER_nondet_int());
        else
            close_session(__VERIFIER_nondet_int());
    }
    while (sessions)
        close_session(sessions->id);
    return 0;
}
