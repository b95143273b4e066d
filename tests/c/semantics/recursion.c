//@ differential
#include <stdio.h>

static int ackermann(int m, int n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
static int is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

static int moves;
static void hanoi(int n, int from, int to, int via)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, via, to);
    moves = (moves * 3 + from * 10 + to) % 10007;
    hanoi(n - 1, via, to, from);
}

static int permutations(int *v, int k, int n)
{
    if (k == n)
        return v[0] * 100 + v[1] * 10 + v[2];
    int sum = 0;
    for (int i = k; i < n; i++) {
        int t = v[k]; v[k] = v[i]; v[i] = t;
        sum += permutations(v, k + 1, n);
        t = v[k]; v[k] = v[i]; v[i] = t;
    }
    return sum;
}

int main(void)
{
    int v[] = { 1, 2, 3 };
    printf("%d %d %d\n", ackermann(2, 3), is_even(10), is_odd(7));
    hanoi(6, 1, 3, 2);
    printf("%d %d\n", moves, permutations(v, 0, 3));
    return 0;
}
