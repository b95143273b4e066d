//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *lookup(const char *key, const char *otherwise) {
    const char *value = getenv(key);
    if (value == NULL)
        value = otherwise;
    return strdup(value);
}
int main(void) {
    char *editor = lookup("EDITOR", "vi");
    char *pager = lookup("PAGER", "more");
    if (editor == NULL || pager == NULL) {
        free(editor);
        free(pager);
        return 1;
    }
    printf("%s %s\n", editor, pager);
    free(editor);
    free(pager);
    return 0;
}
