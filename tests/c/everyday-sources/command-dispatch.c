//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef int (*handler)(const char *);
static int hello(const char *a) { return printf("hello %s\n", a); }
static int bye(const char *a) { return printf("bye %s\n", a); }
static const struct { const char *name; handler run; } table[] = { { "hello", hello }, { "bye", bye }, };
static handler find(const char *name) {
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].run;
    return NULL;
}
int main(int argc, char **argv) {
    if (argc < 3)
        return 1;
    handler h = find(argv[1]);
    if (h == NULL) {
        fprintf(stderr, "unknown command %s\n", argv[1]);
        return 1;
    }
    h(argv[2]);
    return 0;
}
