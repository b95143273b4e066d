//@ engines: explicit, graph; verdict: unknown
#include <unistd.h>
int main(void) { int *p = 0; if (fork() == 0) *p = 1; return 0; }
