//@ engines: explicit, auto; verdict: unsafe
//@ args: --entry f
struct whole { int *slots[2]; };
int f(struct whole *w, int i) {
    if (w->slots[0] == 0)
        return 0;
    return *w->slots[i & 1]; //~ null-deref
}
