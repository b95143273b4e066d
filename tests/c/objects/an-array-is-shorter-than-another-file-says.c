//@ engines: explicit, graph, tvl, auto; verdict: unsafe
//@ with: an-array-is-shorter-than-another-file-says-part.c
// The definition says how many elements there are.
extern int table[4];

int main(void) {
    return table[3]; //~ out-of-bounds
}
