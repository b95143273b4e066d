//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) >= 0) {
        line[strcspn(line, "\n")] = 0;
        puts(line);
        long n = strtol(line, NULL, 10);
        printf("%ld\n", n);
    }
    free(line);
    return 0;
}
