//@ engines: explicit, auto; verdict: unknown
//@ args: --entry f
struct head { int kind; };
struct whole { struct head head; int *p; };
int f(struct head *h) {
    if (h->kind != 7)
        return 0;
    return *((struct whole *)h)->p; //~ may null-deref
}
