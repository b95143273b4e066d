//@ engines: refine; verdict: unsafe
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct frame { int depth; struct frame *below; };
static struct frame *top = NULL;
static void enter(int depth) {
    struct frame *f = malloc(sizeof(struct frame));
    if (f == NULL) exit(EXIT_FAILURE);
    f->depth = depth; f->below = top; top = f;
}
static void leave(void) {
    struct frame *f = top;
    assert(f->below != NULL || f->depth == 0);  //~ null-deref
    top = f->below;
    free(f);
}
int main(void) {
    enter(0);
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) enter(1);
        else leave();
    }
    while (top->depth != 0) leave();
    leave();
    assert(top == NULL);
    return 0;
}
