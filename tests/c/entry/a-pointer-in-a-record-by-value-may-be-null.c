//@ engines: explicit; verdict: unsafe
//@ args: --entry head --arguments any
struct list {
    struct list *next;
    int value;
};
struct holder {
    struct list *first;
};

int head(struct holder h) {
    return h.first->value; //~ null-deref
}
