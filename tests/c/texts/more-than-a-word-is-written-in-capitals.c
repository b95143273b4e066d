//@ engines: auto; verdict: unsafe
#include <stdio.h>
#include <ctype.h>

int main(void) {
    char word[20];
    if (scanf("%19s", word) != 1) return 1;
    for (int i = 0; i <= 20; i++)
        word[i] = (char)toupper((unsigned char)word[i]); //~ uninitialised //~ out-of-bounds
    puts(word);
    return 0;
}
