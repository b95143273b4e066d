//@ engines: region; verdict: unknown
//@ args: --property heap
// The whole record is read, the pointer in it, too.
#include <stdlib.h>
#include <unistd.h>

struct line {
    char text[8];
    char *note;
};

int main(void)
{
    struct line line;
    line.note = NULL;
    if (read(0, &line, sizeof line) < 0)
        return 0;
    free(line.note); //~ may invalid-free
    return 0;
}
