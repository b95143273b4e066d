//@ engines: explicit, overlay; verdict: safe
struct element {
    int number;
    int *at;
};

int main(void) {
    int value = 0;
    struct element elements[2] = {[0] = {1, &value}, [1] = {.number = 2, .at = &value}, [0].number = 3};
    return *elements[0].at + *elements[1].at;
}
