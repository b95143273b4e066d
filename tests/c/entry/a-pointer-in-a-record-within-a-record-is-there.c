//@ engines: explicit, auto; verdict: safe
//@ args: --entry f
struct inner { int *p; };
struct outer { int a; struct inner inner; };
int f(struct outer *o) {
    return *o->inner.p;
}
