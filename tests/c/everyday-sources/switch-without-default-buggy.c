//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int rate;
    int kind = argc > 1 ? argv[1][0] : 'a';
    switch (kind) {
    case 'a': rate = 5; break;
    case 'b': rate = 7; break;
    }
    printf("%d\n", rate); //~ uninitialised
    return 0;
}
