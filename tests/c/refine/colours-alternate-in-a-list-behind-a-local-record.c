//@ engines: refine; verdict: safe
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
enum col { WHITE, BLACK };
struct tile { enum col col; struct tile *next; };
struct row { struct tile *head; enum col want; };
static void row_init(struct row *r) { r->head = NULL; r->want = WHITE; }
static int row_add(struct row *r) {
    struct tile *t = malloc(sizeof *t);
    if (!t) return 0;
    t->col = r->want;
    t->next = r->head;
    r->head = t;
    r->want = r->want == WHITE ? BLACK : WHITE;
    return 1;
}
static void row_free(struct row *r) {
    while (r->head) { struct tile *t = r->head; r->head = t->next; free(t); }
}
int main(void) {
    struct row r;
    row_init(&r);
    while (__VERIFIER_nondet_int()) if (!row_add(&r)) break;
    for (struct tile *t = r.head; t && t->next; t = t->next) assert(t->col != t->next->col);
    row_free(&r);
    return 0;
}
