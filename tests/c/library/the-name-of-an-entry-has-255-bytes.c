//@ engines: explicit; verdict: safe
#include <dirent.h>
#include <string.h>

int main(void) {
    char name[256];
    DIR *directory = opendir(".");
    if (directory == NULL)
        return 0;
    struct dirent *entry = readdir(directory);
    if (entry != NULL)
        strcpy(name, entry->d_name);
    closedir(directory);
    return 0;
}
