//@ engines: explicit; verdict: clean
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char path[12];
    const char *user = getenv("HEAPWISE_NAME");
    if (user == NULL) return 1;
    if (strlen(user) > 5) return 1;
    strcpy(path, "/home/");
    strcat(path, user);
    puts(path);
    return 0;
}
