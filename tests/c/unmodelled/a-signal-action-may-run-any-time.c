//@ engines: explicit, graph; verdict: unknown
#include <signal.h>
#include <string.h>
static int *p;
static void h(int s) { *p = 1; }
int main(void) { struct sigaction sa; memset(&sa, 0, sizeof sa); sa.sa_handler = h; sigaction(SIGINT, &sa, 0); return 0; }
