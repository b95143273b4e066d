//@ engines: explicit; verdict: clean
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    DIR *directory = opendir(".");
    if (directory == NULL)
        return 1;
    struct dirent *entry = readdir(directory);
    if (entry != NULL && entry->d_name[0] == '.' && entry->d_name[0] != '.')
        *(volatile int *)NULL = 1;
    closedir(directory);
    return 0;
}
