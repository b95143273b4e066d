//@ engines: auto; verdict: safe
#include <stdio.h>
#include <stdlib.h>

static int *numbers(int n) {
    int *a = malloc(n * sizeof(int));
    if (!a) return NULL;
    for (int i = 0; i < n; i++) {
        if (scanf("%d", &a[i]) != 1) {
            free(a);
            return NULL;
        }
    }
    return a;
}

int main(void) {
    int *a = numbers(5);
    if (!a) return 1;
    printf("%d\n", a[4]);
    free(a);
    return 0;
}
