//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char user[32];
    char *name = getenv("USER");
    if (!name)
        return 1;
    strcpy(user, name); //~ out-of-bounds
    printf("hello %s\n", user);
    return 0;
}
