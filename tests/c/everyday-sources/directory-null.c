//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
int main(int argc, char **argv) {
    DIR *d = opendir(argc > 1 ? argv[1] : ".");
    if (d == NULL) {
        perror("opendir");
        return 1;
    }
    struct dirent *e;
    while ((e = readdir(d)) != NULL)
        puts(e->d_name);
    closedir(d);
    return 0;
}
