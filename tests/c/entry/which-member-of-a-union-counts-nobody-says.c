//@ engines: explicit, auto; verdict: unknown
//@ args: --entry f
union value { int *p; long n; };
struct tagged { int is_pointer; union value value; };
int f(struct tagged *t) {
    return t->is_pointer ? *t->value.p : 0; //~ may null-deref
}
