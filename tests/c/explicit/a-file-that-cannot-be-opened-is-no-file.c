//@ engines: explicit; verdict: unsafe
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("list.txt", "r");
    int first = fgetc(file); //~ null-deref
    fclose(file);
    return first;
}
