//@ engines: explicit, auto; verdict: unknown
//@ args: --entry f
struct whole { int *slots[20]; };
int f(struct whole *w) {
    return *w->slots[1]; //~ may null-deref
}
