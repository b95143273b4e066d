//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
int main(int argc, char **argv) {
    char line[80];
    int bad = 0;
    FILE *f = fopen(argc > 1 ? argv[1] : "list.txt", "r");
    if (f == NULL)
        return 1;
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '!') {
            bad = 1;
            fclose(f);
            break;
        }
        fputs(line, stdout);
    }
    fclose(f); //~ use-after-free
    return bad;
}
