//@ engines: auto; verdict: safe
#include <stdio.h>
#define ROWS 4
#define COLS 6

int main(void) {
    double m[ROWS][COLS];
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c++)
            m[r][c] = r * c;
    double sum = 0;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c++)
            sum += m[r][c];
    printf("%f\n", sum);
    return 0;
}
