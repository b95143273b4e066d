//@ engines: auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    unsigned char rgb[30];
    for (int i = 0; i < 30; i += 3) {
        rgb[i] = 255;
        rgb[i + 1] = 128; //~ may out-of-bounds
        rgb[i + 3] = 0; //~ out-of-bounds
    }
    printf("%d\n", rgb[0]); //~ may uninitialised
    return 0;
}
