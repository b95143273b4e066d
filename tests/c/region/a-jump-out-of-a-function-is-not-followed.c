//@ engines: region; verdict: unknown
//@ args: --property heap
// What is allocated in between is lost by the jump, which is named as unsupported.
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf out;

static void fail(void) {
    longjmp(out, 1);
}

int main(int argc, char **argv) {
    char *text;
    (void)argv;
    if (setjmp(out))
        return 1;
    text = malloc(4);
    if (argc > 1)
        fail();
    free(text);
    return 0;
}
