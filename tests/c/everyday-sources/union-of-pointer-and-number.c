//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
union slot { char *text; long number; };
struct tagged { int is_text; union slot slot; };
int main(int argc, char **argv) {
    struct tagged t;
    if (argc > 1) {
        t.is_text = 1;
        t.slot.text = malloc(8);
        if (t.slot.text == NULL)
            return 1;
        t.slot.text[0] = *argv[1];
    } else {
        t.is_text = 0;
        t.slot.number = 77;
    }
    if (t.is_text)
        free(t.slot.text);
    return 0;
}
