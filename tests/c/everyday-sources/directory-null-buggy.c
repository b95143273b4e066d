//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
int main(int argc, char **argv) {
    DIR *d = opendir(argc > 1 ? argv[1] : ".");
    struct dirent *e;
    while ((e = readdir(d)) != NULL) //~ null-deref
        puts(e->d_name);
    closedir(d);
    return 0;
}
