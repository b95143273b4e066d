//@ engines: explicit, graph, tvl; verdict: unsafe
#include <stdlib.h>
#include <sys/stat.h>

int main(void)
{
    struct stat *status = malloc(sizeof *status);
    if (status == NULL)
        return 0;
    fstat(0, status);
    int is_large = status->st_size > 100; //~ uninitialised
    free(status);
    return is_large;
}
