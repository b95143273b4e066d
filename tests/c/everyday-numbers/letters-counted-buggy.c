//@ engines: auto; verdict: unsafe
#include <stdio.h>
#include <ctype.h>

int main(void) {
    int letters[26] = {0};
    int c;
    while ((c = getchar()) != EOF) {
        if (c >= 'a')
            letters[c - 'a']++; //~ out-of-bounds
    }
    for (int i = 0; i < 26; i++)
        printf("%c %d\n", 'a' + i, letters[i]);
    return 0;
}
