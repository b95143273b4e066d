//@ engines: auto; verdict: unknown
//@ args: --entry f
struct vector { int n; int elements[]; };
int f(struct vector *v) {
    return v->elements[2];
}
