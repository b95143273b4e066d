//@ differential
// C leaves the order open; gcc begins with the last dimension.
#include <stdio.h>

int main(void) {
    int n = 3;
    int size = sizeof(int[n++][n]);
    printf("%d %d\n", size, n);
    int m = 2;
    size = sizeof(char[m][m++]);
    printf("%d %d\n", size, m);
    size = sizeof(char[m++][m++][m]);
    printf("%d %d\n", size, m);
    size = sizeof(char[m++][m]);
    printf("%d %d\n", size, m);
    char a[m++][m++];
    printf("%d %d %d\n", (int)sizeof a, (int)sizeof a[0], m);
    return 0;
}
