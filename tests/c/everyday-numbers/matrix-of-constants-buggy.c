//@ engines: auto; verdict: unsafe
#include <stdio.h>
#define ROWS 4
#define COLS 6

int main(void) {
    double m[ROWS][COLS];
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c++)
            m[r][c] = r * c;
    double sum = 0;
    for (int r = 0; r < COLS; r++)
        for (int c = 0; c < COLS; c++)
            sum += m[r][c]; //~ out-of-bounds //~ may uninitialised
    printf("%f\n", sum);
    return 0;
}
