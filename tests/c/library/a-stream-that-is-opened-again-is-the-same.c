//@ engines: explicit, auto; verdict: safe
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("/tmp/one", "r");
    if (!file)
        return 0;
    FILE *again = freopen("/tmp/two", "r", file);
    if (!again)
        return 0;
    if (again != file) {
        int *nowhere = NULL;
        *nowhere = 1;
    }
    fclose(file);
    return 0;
}
