//@ engines: explicit, overlay; verdict: unknown
struct __attribute__((packed)) flags {
    long low : 6;
    long high : 61;
};

int main(void) {
    int *p = 0;
    union {
        struct flags flags;
        unsigned char bytes[9];
    } all = {.bytes = {0}};
    all.flags.high = -1;
    if (all.bytes[8] == 7) {
        *p = 1;
    }
    return 0;
}
