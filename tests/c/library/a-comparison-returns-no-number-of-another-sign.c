//@ engines: explicit, auto; verdict: safe
//@ args: --assume-malloc-succeeds
// What compares less gives a negative number, and what is the same gives zero.
#include <stdlib.h>
#include <string.h>

static int by_name(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

int main(void)
{
    const char *names[3] = {"pear", "apple", "fig"};
    char *p = malloc(4);
    if (strcmp("apple", "pear") == 77 || memcmp("apple", "apples", 5) == 77)
        free(p);
    qsort(names, 3, sizeof *names, by_name);
    if (names[0][0] != 'a' || names[2][0] != 'p')
        free(p);
    free(p);
    return 0;
}
