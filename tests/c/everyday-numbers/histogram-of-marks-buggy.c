//@ engines: auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    int count[11] = {0};
    int mark;
    while (scanf("%d", &mark) == 1) {
        if (mark < 0 && mark > 10) {
            fprintf(stderr, "bad mark\n");
            continue;
        }
        count[mark]++; //~ out-of-bounds
    }
    for (int i = 0; i <= 10; i++)
        printf("%d\n", count[i]);
    return 0;
}
