//@ engines: graph, tvl; verdict: unsafe
extern int __VERIFIER_nondet_int(void);

static void careful(int *number) {
    if (number)
        *number = 1;
}

static void careless(int *number) {
    *number = 1; //~ null-deref
}

struct command {
    int code;
    void (*run)(int *);
};

static const struct command commands[] = { { 1, careful }, { 2, careless }, { 3, careful } };

int main(void) {
    const struct command *command = commands + 2;
    while (__VERIFIER_nondet_int() && command > commands)
        command--;
    command->run(0);
    return 0;
}
