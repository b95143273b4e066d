//@ engines: overlay, graph, tvl; verdict: safe
#include <stdio.h>

int main(int argc, char **argv) {
    double none = 0;
    (void)argv;
    printf("%f\n", argc / none);
    return 0;
}
