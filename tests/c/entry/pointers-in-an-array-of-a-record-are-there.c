//@ engines: explicit, auto; verdict: safe
//@ args: --entry f
struct part { char *name; };
struct whole { int *slots[2]; struct part parts[2]; };
int f(struct whole *w, int i) {
    return *w->slots[i & 1] + w->parts[i & 1].name[0];
}
