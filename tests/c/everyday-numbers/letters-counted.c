//@ engines: auto; verdict: safe
#include <stdio.h>
#include <ctype.h>

int main(void) {
    int letters[26] = {0};
    int c;
    while ((c = getchar()) != EOF) {
        if (c >= 'a' && c <= 'z')
            letters[c - 'a']++;
    }
    for (int i = 0; i < 26; i++)
        printf("%c %d\n", 'a' + i, letters[i]);
    return 0;
}
