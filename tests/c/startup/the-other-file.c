//@ part of: a-constructor-of-another-file.c
int *shared;
static int here;

static void set(void) __attribute__((constructor(150)));
static void set(void) { shared = &here; }
