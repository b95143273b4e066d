//@ engines: overlay; verdict: unknown
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char line[40];
    int n = 0;
    if (!fgets(line, sizeof line, stdin)) return 0;
    for (int i = 0; line[i + 1]; i++)
        if (line[i] == 'a') n++;
    printf("%d\n", n);
    return 0;
}
