//@ engines: overlay; verdict: safe
// What is printed begins where the buffer does.
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
    if (entry.name[0] == 'x')
        return 1;
    return entry.links[0] != NULL;
}
