//@ differential
#include <stdio.h>

int main(void)
{
    int state = 0, count = 0;
    const char *input = "a1b22c-333 x";
    for (const char *p = input;; p++) {
        switch (state) {
        case 0:
            switch (*p) {
            case '0' ... '9':
                state = 1;
                continue;
            case '\0':
                goto done;
            default:
                count++;
                break;
            }
            break;
        case 1:
            if (*p >= '0' && *p <= '9')
                break;
            count += 100;
            state = 0;
            p--;
            continue;
        }
        if (count > 1000)
            break;
    }
done:
    printf("%d %d\n", state, count);
    return count & 0x7f;
}
