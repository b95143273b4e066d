//@ engines: explicit, overlay; verdict: unknown
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    char block[4];
    int file = open("notes", O_RDONLY);
    if (file < 0)
        return 0;
    close(file);
    if (read(file, block, sizeof block) > 0) {
        int *p = 0;
        *p = 1; //~ may null-deref
    }
    return 0;
}
