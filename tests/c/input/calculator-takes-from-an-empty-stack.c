//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    int stack[4], depth = 0, c;
    for (int i = 0; i < 3; i++) {
        c = getchar();
        if (c >= '0' && c <= '9') {
            stack[depth++] = c - '0';
        } else if (c == '+') {
            depth--;
            stack[depth - 1] += stack[depth]; //~ out-of-bounds
            //~^ out-of-bounds
        } else {
            return 1;
        }
    }
    return 0;
}
