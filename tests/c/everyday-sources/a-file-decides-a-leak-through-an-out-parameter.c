//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void make(char **out) {
    *out = strdup("name");
}

int main(void) {
    char line[32];
    int n = 1;
    FILE *in = fopen("numbers.txt", "r");
    if (in) {
        if (fgets(line, sizeof line, in) != NULL)
            n = atoi(line);
        fclose(in);
    }
    char *p;
    make(&p);
    if (p == NULL)
        return 1;
    puts(p);
    if (n > 5) {
        free(p);
        p = malloc(10);
        if (p == NULL)
            return 1;
        strcpy(p, "other");
        puts(p);
    }
    free(p);
    return 0;
}
