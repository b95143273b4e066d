//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int run(const char *item) {
    char *first = strdup(item);
    char *second = malloc(strlen(item) + 3);
    if (first == NULL || second == NULL) {
        free(first);
        free(second);
        return 1;
    }
    sprintf(second, "<%s>", first);
    puts(second);
    free(first);
    free(second);
    return 0;
}

int main(void) {
    char text[100];
    FILE *in = fopen("words.txt", "r");
    if (in == NULL)
        return 1;
    if (!fgets(text, 100, in)) {
        fclose(in);
        return 1;
    }
    fclose(in);
    return run(text);
}
