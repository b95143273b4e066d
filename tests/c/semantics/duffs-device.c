//@ differential
#include <stdio.h>

static void copy(char *to, const char *from, int count)
{
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            *to++ = *from++;
    case 3:
            *to++ = *from++;
    case 2:
            *to++ = *from++;
    case 1:
            *to++ = *from++;
        } while (--n > 0);
    }
}

int main(void)
{
    char buffer[32];
    for (int count = 1; count < 14; count++) {
        for (int i = 0; i < 32; i++)
            buffer[i] = '.';
        copy(buffer, "the quick brown fox", count);
        buffer[16] = 0;
        printf("%s\n", buffer);
    }
    return 0;
}
