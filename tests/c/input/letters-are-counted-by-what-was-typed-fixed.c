//@ engines: explicit; verdict: clean
#include <stdio.h>

int main(void) {
    static int seen[26];
    int c = getchar();
    if (c < 'a' || c > 'z') return 1;
    seen[c - 'a']++;
    printf("%d\n", seen[0]);
    return 0;
}
