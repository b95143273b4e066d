//@ engines: explicit, graph, tvl, overlay; verdict: unknown
// gcc takes the value of a constant object for a constant.
static const struct pair {
    int first, second;
} fixed = {5, 6};

static long values[2] = {fixed.first, 77};

int main(void) {
    int zero = 0;
    int *p = values[1] == 77 ? &zero : 0;
    return *p; //~ may null-deref
}
