//@ engines: explicit, graph; verdict: unknown
#include <signal.h>
static int *p;
static void h(int s) { *p = 1; }
int main(void) { signal(SIGINT, h); return 0; }
