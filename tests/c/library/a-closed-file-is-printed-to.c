//@ engines: explicit; verdict: unsafe
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("x", "w");
    if (!file)
        return 0;
    fprintf(file, "one\n");
    fclose(file);
    fprintf(file, "two\n"); //~ use-after-free
    return 0;
}
