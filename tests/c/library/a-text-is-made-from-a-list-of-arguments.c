//@ engines: explicit; verdict: safe
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
static char *text_of(const char *format, ...) {
    char *text;
    va_list list;
    va_start(list, format);
    int length = vasprintf(&text, format, list);
    va_end(list);
    if (length < 0) return NULL;
    return text;
}
int main(void) {
    char *text = text_of("%d-%s", 42, "ab");
    if (!text) return 1;
    if (text[0] != '4' || text[3] != 'a' || text[5] != 0) { int *p = NULL; *p = 1; }
    free(text);
    return 0;
}
