//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    char board[3][3] = {{0}};
    int row, column;
    if (scanf("%d %d", &row, &column) != 2) return 1;
    if (row < 0 || row > 2 || column < 0 || column > 3) return 1;
    board[row][column] = 'x'; //~ out-of-bounds
    return board[1][1] == 'x';
}
