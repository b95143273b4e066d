// The inputs of a program under test, for a compiled run: what heapwise calls choices. They are read from the
// environment, in the order of execution: HEAPWISE_CHOICES is a list of numbers; when it is used up, the rest comes
// from a generator seeded with HEAPWISE_SEED. An allocation is a choice too: 0 lets it fail.
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
char *__real_strdup(const char *text);

static const char *listed;
static uint64_t state;

static void start(void)
{
    if (listed)
        return;
    const char *seed = getenv("HEAPWISE_SEED");
    listed = getenv("HEAPWISE_CHOICES");
    if (!listed)
        listed = "";
    state = (seed ? strtoull(seed, NULL, 10) : 0) * 2 + 1;
}

static uint64_t scramble(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33;
}

static int next_listed(long long *choice)
{
    start();
    if (!*listed)
        return 0;
    char *end;
    *choice = strtoll(listed, &end, 10);
    listed = *end == ',' ? end + 1 : end;
    return 1;
}

// Inputs are mostly small: that is where programs branch.
static long long input(void)
{
    long long choice;
    if (next_listed(&choice))
        return choice;
    switch (scramble() % 4) {
    case 0:
        return (long long)(scramble() % 7) - 3;
    case 1:
        return (long long)scramble();
    default:
        return (long long)(scramble() % 4);
    }
}

static int allocation_succeeds(void)
{
    long long choice;
    if (next_listed(&choice))
        return choice != 0;
    return getenv("HEAPWISE_SEED") == NULL || scramble() % 8 != 0;
}

void *__wrap_malloc(size_t size)
{
    return allocation_succeeds() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return allocation_succeeds() ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *block, size_t size)
{
    return allocation_succeeds() ? __real_realloc(block, size) : NULL;
}

char *__wrap_strdup(const char *text)
{
    return allocation_succeeds() ? __real_strdup(text) : NULL;
}

int __VERIFIER_nondet_int(void)
{
    return (int)input();
}

unsigned __VERIFIER_nondet_uint(void)
{
    return (unsigned)input();
}

_Bool __VERIFIER_nondet_bool(void)
{
    return input() & 1;
}

void __VERIFIER_assume(int condition)
{
    if (!condition)
        _exit(0);
}

void reach_error(void)
{
    static const char message[] = "Assertion failed: reach_error\n";
    if (write(2, message, sizeof message - 1) < 0)
        _exit(99);
    abort();
}
