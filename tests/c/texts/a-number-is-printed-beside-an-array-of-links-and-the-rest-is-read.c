//@ engines: overlay; verdict: unknown
// What is printed ends before the buffer does: the bytes behind it were never written.
#include <stdio.h>

struct entry {
    char *links[5];
    char name[16];
};

int main(void) {
    struct entry entry;
    for (int i = 0; i < 5; i++)
        entry.links[i] = NULL;
    snprintf(entry.name, sizeof entry.name, "%d", 7);
    if (entry.name[5] == 'x') //~ may uninitialised
        return 1;
    return entry.links[0] != NULL;
}
