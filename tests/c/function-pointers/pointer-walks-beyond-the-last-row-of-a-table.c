//@ engines: graph, tvl; verdict: unsafe
extern int __VERIFIER_nondet_int(void);

static void careful(int *number) {
    if (number)
        *number = 1;
}

static void careless(int *number) {
    *number = 1;
}

struct command {
    int code;
    void (*run)(int *);
};

static const struct command commands[] = { { 1, careful }, { 2, careful }, { 3, careful } };

int main(void) {
    const struct command *command = commands;
    while (command->code != __VERIFIER_nondet_int()) //~ out-of-bounds
        command++;
    command->run(0);
    return careless == 0;
}
