//@ engines: explicit, auto; verdict: unknown
//@ args: --entry f
struct context { int *p; };
int f(void *context) {
    struct context *c = context;
    return *c->p; //~ may null-deref
}
