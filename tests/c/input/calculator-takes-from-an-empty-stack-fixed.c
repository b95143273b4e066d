//@ engines: explicit; verdict: clean
#include <stdio.h>

int main(void) {
    int stack[4], depth = 0, c;
    for (int i = 0; i < 3; i++) {
        c = getchar();
        if (c >= '0' && c <= '9') {
            stack[depth++] = c - '0';
        } else if (c == '+') {
            if (depth < 2) return 1;
            depth--;
            stack[depth - 1] += stack[depth];
        } else {
            return 1;
        }
    }
    return 0;
}
