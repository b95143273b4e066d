//@ engines: explicit; verdict: unsafe
#include <stdio.h>

int main(int argc, char **argv)
{
    FILE *file = fopen("list.txt", "w");
    if (argc == 1)
        fprintf(file, "%d\n", 3); //~ null-deref
    else if (argc == 2)
        fputs("a", file); //~ null-deref
    else if (argc == 3)
        fputc('c', file); //~ null-deref
    else
        fwrite("abc", 1, 3, file); //~ null-deref
    if (file)
        fclose(file);
    return 0;
}
