//@ engines: auto; verdict: unknown
//@ args: --entry f
// Records are made as deep as two pointers: behind them nothing is known, so nothing is confirmed there.
struct leaf { int v; };
struct branch { struct leaf *leaf; };
struct trunk { struct branch *branch; };
struct tree { struct trunk *trunk; };
int f(struct tree *t) {
    return t->trunk->branch->leaf->v; //~ may null-deref
}
