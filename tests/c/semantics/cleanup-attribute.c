//@ differential
#include <stdio.h>

static int depth;

static void leave(int *id)
{
    printf("leave %d at %d\n", *id, depth);
}

#define scoped __attribute__((cleanup(leave))) int

static int run(int n)
{
    scoped a = n;
    depth++;
    for (int i = 0; i < 3; i++) {
        scoped b = n * 10 + i;
        if (i == 1)
            continue;
        if (i == 2 && n == 2)
            break;
        if (n == 3) {
            scoped c = 333;
            return b + c;
        }
    }
    if (n == 4)
        goto out;
    {
        scoped d = 44;
        d++;
    }
out:
    depth--;
    return a;
}

int main(void)
{
    for (int n = 1; n <= 4; n++)
        printf("%d\n", run(n));
    return 0;
}
