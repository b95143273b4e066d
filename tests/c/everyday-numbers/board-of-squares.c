//@ engines: auto; verdict: safe
#include <stdio.h>
#define SIZE 3

static char board[SIZE][SIZE];

int main(void) {
    int row, col;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            board[i][j] = '.';
    while (scanf("%d %d", &row, &col) == 2) {
        if (row < 0 || row >= SIZE || col < 0 || col >= SIZE) continue;
        board[row][col] = 'x';
    }
    for (int i = 0; i < SIZE; i++)
        printf("%.3s\n", board[i]);
    return 0;
}
