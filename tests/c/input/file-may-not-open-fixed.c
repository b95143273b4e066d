//@ engines: explicit; verdict: safe
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("data.txt", "r");
    if (file == NULL)
        return 1;
    int c = fgetc(file);
    fclose(file);
    return c == EOF;
}
