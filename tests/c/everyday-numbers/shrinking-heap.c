//@ engines: auto; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#define MAX 50

static int heap[MAX], size;

static void sift(int i) {
    for (;;) {
        int left = 2 * i + 1, right = left + 1, best = i;
        if (left < size && heap[left] < heap[best]) best = left;
        if (right < size && heap[right] < heap[best]) best = right;
        if (best == i) return;
        int t = heap[i];
        heap[i] = heap[best];
        heap[best] = t;
        i = best;
    }
}

int main(void) {
    size = MAX;
    for (int i = 0; i < MAX; i++)
        heap[i] = rand();
    for (int i = MAX / 2 - 1; i >= 0; i--)
        sift(i);
    printf("%d\n", heap[0]);
    return 0;
}
