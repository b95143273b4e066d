//@ engines: explicit, overlay; verdict: unknown
#include <stdio.h>

int main(void) {
    char line[16];
    FILE *file = fopen("notes", "r");
    if (file == NULL)
        return 0;
    if (fgets(line, sizeof line, file) == NULL && fgets(line, sizeof line, file) != NULL) {
        int *p = NULL;
        *p = 1; //~ may null-deref
    }
    fclose(file);
    return 0;
}
