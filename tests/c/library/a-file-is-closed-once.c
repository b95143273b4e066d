//@ engines: explicit; verdict: safe
#include <stdio.h>

int main(void)
{
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen("x", "r");
        if (!file)
            continue;
        int c = getc(file);
        fclose(file);
        if (c == 3)
            break;
    }
    return 0;
}
