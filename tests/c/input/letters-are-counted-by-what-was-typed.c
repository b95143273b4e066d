//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    static int seen[26];
    int c = getchar();
    seen[c - 'a']++; //~ out-of-bounds
    printf("%d\n", seen[0]);
    return 0;
}
