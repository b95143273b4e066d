//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>

int main(int argc, char **argv) {
    if (argc < 2) return 1;
    FILE *file = fopen(argv[1], "r");
    int c = fgetc(file); //~ null-deref
    fclose(file);
    return c == 'x';
}
