//@ engines: explicit, graph, tvl, overlay; verdict: unknown
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    int file = open("notes", O_RDONLY);
    if (file < 0)
        return 0;
    close(file);
    if (close(file) == 0) {
        int *p = 0;
        *p = 1; //~ may null-deref
    }
    return 0;
}
