//@ engines: explicit; verdict: safe
//@ args: --entry sum --arguments any
struct pair {
    int first, second;
};

struct pair sum(struct pair p, int n) {
    struct pair result = {p.first > n, p.second > n};
    return result;
}
