//@ engines: explicit; verdict: clean
#include <stdio.h>

int main(int argc, char **argv) {
    if (argc < 2) return 1;
    FILE *file = fopen(argv[1], "r");
    if (file == NULL) return 1;
    int c = fgetc(file);
    fclose(file);
    return c == 'x';
}
