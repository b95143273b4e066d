//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
int main(void) {
    char text[] = "one two three four five six";
    char *words[4];
    int n = 0;
    for (char *w = strtok(text, " "); w != NULL; w = strtok(NULL, " ")) {
        words[n++] = w; //~ out-of-bounds
    }
    for (int i = 0; i < n; i++)
        puts(words[i]);
    return 0;
}
