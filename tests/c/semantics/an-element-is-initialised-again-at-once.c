//@ engines: explicit, overlay; verdict: unknown
// The second list makes the whole element anew: its second member is null then.
struct element {
    int number;
    int *at;
};

int main(void) {
    int value = 0;
    struct element elements[2] = {[0] = {1, &value}, [0] = {.number = 3}};
    return *elements[0].at;
}
