//@ engines: explicit; verdict: unknown
#include <dirent.h>
#include <stdlib.h>

int main(void)
{
    DIR *directory = opendir(".");
    if (directory == NULL)
        return 0;
    struct dirent *entry = readdir(directory);
    int *p = malloc(sizeof *p);
    if (entry == NULL || p == NULL) {
        free(p);
        closedir(directory);
        return 0;
    }
    char first = entry->d_name[0];
    readdir(directory);
    free(p);
    if (entry->d_name[0] != first)
        free(p); //~ may double-free
    closedir(directory);
    return 0;
}
