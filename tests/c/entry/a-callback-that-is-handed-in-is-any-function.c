//@ engines: auto; verdict: unknown
//@ args: --entry f
// Which function the caller hands in nobody knows; that it is one, the assumption says.
struct operations { int (*get)(int); };
int f(struct operations *o) {
    return o->get(3); //~ may null-deref
}
