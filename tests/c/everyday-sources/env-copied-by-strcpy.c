//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char user[32];
    char *name = getenv("USER");
    if (!name)
        return 1;
    strncpy(user, name, sizeof(user) - 1);
    user[sizeof(user) - 1] = '\0';
    printf("hello %s\n", user);
    return 0;
}
