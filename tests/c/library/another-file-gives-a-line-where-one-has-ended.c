//@ engines: explicit, overlay; verdict: unsafe
#include <stdio.h>

int main(void) {
    char line[16];
    FILE *one = fopen("one", "r"), *other = fopen("other", "r");
    if (one != NULL && other != NULL && fgets(line, sizeof line, one) == NULL
        && fgets(line, sizeof line, other) != NULL) {
        int *p = NULL;
        *p = 1; //~ null-deref
    }
    if (one != NULL)
        fclose(one);
    if (other != NULL)
        fclose(other);
    return 0;
}
