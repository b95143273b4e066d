//@ engines: explicit; verdict: unsafe
#include <stdlib.h>
#include <time.h>

int main(void)
{
    time_t start = time(NULL);
    int *p = calloc(1, sizeof *p);
    if (p == NULL)
        return 1;
    time_t now = time(NULL);
    if (now > start)
        free(p);
    int result = *p; //~ use-after-free
    if (now <= start)
        free(p);
    return result;
}
