//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static const char *answers[] = { "yes", "no", "maybe" };
#define COUNT (sizeof answers / sizeof answers[0])
int main(void) {
    srand((unsigned)time(NULL));
    puts(answers[rand() % COUNT]);
    return 0;
}
