//@ engines: auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    unsigned char rgb[30];
    for (int i = 0; i < 30; i += 3) {
        rgb[i] = 255;
        rgb[i + 1] = 128;
        rgb[i + 3] = 0; //~ out-of-bounds
    }
    printf("%d\n", rgb[0]);
    return 0;
}
