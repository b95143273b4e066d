//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct buffer { char *text; size_t length; };
static int set(struct buffer *b, const char *text) {
    b->text = strdup(text); //~ leak
    if (b->text == NULL)
        return -1;
    b->length = strlen(text);
    return 0;
}
int main(int argc, char **argv) {
    struct buffer b = { NULL, 0 };
    for (int i = 1; i < argc; i++)
        if (set(&b, argv[i]) < 0)
            return 1;
    if (b.text)
        printf("%s %zu\n", b.text, b.length);
    free(b.text);
    return 0;
}
