//@ engines: explicit, overlay, auto; verdict: unsafe
#include <dirent.h>
#include <stdio.h>

int main(void)
{
    DIR *directory = opendir(".");
    if (!directory)
        return 0;
    struct dirent *entry = readdir(directory);
    closedir(directory);
    if (entry)
        puts(entry->d_name); //~ use-after-free
    return 0;
}
