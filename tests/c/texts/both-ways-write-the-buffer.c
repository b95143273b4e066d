//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    char name[32];
    if (argc > 1) snprintf(name, sizeof name, "%d", argc);
    else strcpy(name, "nobody");
    puts(name);
    return 0;
}
