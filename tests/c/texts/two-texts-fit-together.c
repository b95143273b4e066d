//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char name[16], greeting[23];
    if (!fgets(name, sizeof name, stdin)) return 0;
    strcpy(greeting, "hello, ");
    strcat(greeting, name);
    puts(greeting);
    return 0;
}
