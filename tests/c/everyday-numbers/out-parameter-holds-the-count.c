//@ engines: auto; verdict: safe
#include <stdio.h>
#include <stdlib.h>

static int *load(int *count) {
    int n;
    if (scanf("%d", &n) != 1 || n <= 0 || n > 100) return NULL;
    int *a = malloc(n * sizeof *a);
    if (!a) return NULL;
    for (int i = 0; i < n; i++)
        a[i] = i * i;
    *count = n;
    return a;
}

int main(void) {
    int n;
    int *a = load(&n);
    if (!a) return 1;
    for (int i = 0; i < n; i++)
        printf("%d\n", a[i]);
    free(a);
    return 0;
}
