//@ engines: explicit, auto; verdict: safe
#include <dirent.h>
#include <stdlib.h>

int main(void)
{
    DIR *directory = opendir(".");
    if (directory == NULL)
        return 1;
    struct dirent *entry = readdir(directory);
    int *p = NULL;
    if (entry != NULL && entry->d_name[0] == '\0')
        *p = 1;
    closedir(directory);
    return 0;
}
