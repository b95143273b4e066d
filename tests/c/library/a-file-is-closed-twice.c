//@ engines: explicit; verdict: unsafe
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("x", "r");
    if (!file)
        return 0;
    fclose(file);
    fclose(file); //~ use-after-free
    return 0;
}
