//@ engines: explicit; verdict: unknown
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    DIR *directory = opendir(".");
    if (directory == NULL)
        return 0;
    struct dirent *entry = readdir(directory);
    if (entry != NULL && entry->d_name[0] != 0) {
        char *copy = malloc(strlen(entry->d_name) + 1);
        if (copy != NULL)
            strcpy(copy, entry->d_name);
        free(copy);
    }
    closedir(directory);
    return 0;
}
