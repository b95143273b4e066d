//@ engines: explicit; verdict: clean
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n;
    char word[8];
    if (scanf("%d", &n) != 1 || n < 1 || n > 2) return 1;
    char (*words)[8] = malloc((size_t)n * sizeof *words);
    if (words == NULL) return 1;
    int i = 0;
    while (scanf("%7s", word) == 1) {
        if (i == n) break;
        words[i][0] = word[0];
        i++;
    }
    free(words);
    return 0;
}
