//@ engines: explicit; verdict: unsafe
#include <dirent.h>
#include <string.h>

int main(void) {
    char name[255];
    DIR *directory = opendir(".");
    if (directory == NULL)
        return 0;
    struct dirent *entry = readdir(directory);
    if (entry != NULL)
        strcpy(name, entry->d_name); //~ out-of-bounds
    closedir(directory);
    return 0;
}
