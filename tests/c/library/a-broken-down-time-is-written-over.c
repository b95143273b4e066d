//@ engines: explicit; verdict: unknown
#include <stdlib.h>
#include <time.h>

int main(void)
{
    time_t early = 0, late = 100000000;
    struct tm *first = gmtime(&early);
    int *p = malloc(sizeof *p);
    if (first == NULL || p == NULL) {
        free(p);
        return 0;
    }
    int year = first->tm_year;
    struct tm *second = localtime(&late);
    free(p);
    if (second != NULL && second != first)
        free(p);
    if (first->tm_year != year)
        free(p); //~ may double-free
    return 0;
}
