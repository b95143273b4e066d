//@ engines: explicit; verdict: unsafe
#include <dirent.h>
#include <stddef.h>

int main(void)
{
    DIR *directory = opendir(".");
    if (directory == NULL)
        return 0;
    struct dirent *entry = readdir(directory);
    closedir(directory);
    if (entry != NULL && entry->d_name[0] == 'a') //~ use-after-free
        return 1;
    return 0;
}
