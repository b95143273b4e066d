//@ engines: graph, tvl; verdict: unknown
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

static struct command commands[] = { { 1, careful }, { 2, careful }, { 3, careful } };

static void change(struct command *command) {
    command->run = careless;
}

int main(void) {
    int index = __VERIFIER_nondet_int();
    if (index < 0 || index > 2)
        return 0;
    change(&commands[2]);
    commands[index].run(0);
    return 0;
}
