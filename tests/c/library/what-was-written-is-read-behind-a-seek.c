//@ engines: explicit, auto; verdict: unknown
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char line[8];
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    FILE *f = tmpfile();
    if (f == NULL) {
        free(p);
        return 0;
    }
    fputs("one\n", f);
    rewind(f);
    if (fgets(line, sizeof line, f) && line[0] == 't')
        free(p);
    free(p);            //~ may double-free
    return 0;
}
