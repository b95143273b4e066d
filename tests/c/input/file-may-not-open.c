//@ engines: explicit; verdict: unsafe
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("data.txt", "r");
    int c = fgetc(file); //~ null-deref
    return c == EOF;
}
