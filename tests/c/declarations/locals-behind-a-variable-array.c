//@ engines: explicit, overlay; verdict: safe
struct pair {
    int *first, *second;
};

int main(void) {
    int n = 2;
    int counts[n];
    counts[0] = 0;
    int table[2];
    table[1] = 0;
    struct pair pair = {&table[1], counts};
    int more[n];
    int last = 0, *at = &last;
    more[1] = *pair.first + *pair.second + *at;
    return more[1];
}
