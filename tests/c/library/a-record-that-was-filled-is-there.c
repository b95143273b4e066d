//@ engines: explicit, graph, tvl; verdict: safe
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

int main(void)
{
    struct stat *status = malloc(sizeof *status);
    if (status == NULL)
        return 0;
    if (fstat(0, status) != 0) {
        free(status);
        return 1;
    }
    int is_large = status->st_size > 100;
    free(status);
    int ended;
    if (waitpid(-1, &ended, WNOHANG) <= 0)
        return 0;
    return is_large && ended == 3;
}
