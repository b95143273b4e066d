//@ engines: explicit, overlay; verdict: unknown
#include <unistd.h>

int main(void) {
    char block[4];
    if (read(0, block, sizeof block) == 0 && read(0, block, sizeof block) > 0) {
        int *p = 0;
        *p = 1; //~ may null-deref
    }
    return 0;
}
