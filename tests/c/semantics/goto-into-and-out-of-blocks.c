//@ differential
#include <stdio.h>

int main(void)
{
    int i = 0, trips = 0;
    goto inside;
    while (i < 10) {
        int fresh;
        i += 2;
    inside:
        fresh = i * i;
        trips++;
        if (fresh > 50)
            goto out;
        {
            int deeper = fresh + 1;
            if (deeper == 5)
                goto again;
            printf("%d ", deeper);
        }
    again:
        i++;
    }
out:
    printf("| %d %d\n", i, trips);
    if (0) {
    never:
        printf("reached by goto\n");
        return 0;
    }
    goto never;
}
