//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct value { enum { NUMBER, TEXT } tag; union { long number; char *text; } u; };
static void show(const struct value *v) {
    if (v->tag == TEXT)
        puts(v->u.text);
    else
        printf("%ld\n", v->u.number);
}
int main(int argc, char **argv) {
    struct value v;
    memset(&v, 0, sizeof v);
    if (argc > 1) {
        v.tag = TEXT;
        v.u.text = argv[1];
    } else {
        v.tag = NUMBER;
        v.u.number = 0;
    }
    show(&v);
    return 0;
}
