//@ engines: overlay; verdict: safe
#include <stdlib.h>

int main(int argc, char **argv) {
    char *names[4];
    for (int i = 0; i < 4; i++)
        names[i] = malloc((size_t)argc);
    for (int i = 0; i < 4; i++)
        free(names[i]);
    (void)argv;
    return 0;
}
