//@ engines: explicit, graph, tvl, overlay; verdict: unknown
#include <dirent.h>
#include <stddef.h>

int main(void) {
    DIR *directory = opendir(".");
    if (directory == NULL)
        return 0;
    if (readdir(directory) == NULL && readdir(directory) != NULL) {
        int *p = NULL;
        *p = 1; //~ may null-deref
    }
    closedir(directory);
    return 0;
}
