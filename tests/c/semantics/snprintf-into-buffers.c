//@ differential
#include <stdio.h>

int main(void)
{
    char small[8], large[64];
    int n = snprintf(small, sizeof small, "%d-%s", 1234, "overflow");
    printf("%s %d\n", small, n);
    n = sprintf(large, "%c%03d%x", 'k', 7, 255);
    printf("%s %d\n", large, n);
    n += snprintf(large + n, sizeof large - n, "+%s", small);
    printf("%s %d\n", large, n);
    n = snprintf(NULL, 0, "%d", 100000);
    printf("%d\n", n);
    return 0;
}
