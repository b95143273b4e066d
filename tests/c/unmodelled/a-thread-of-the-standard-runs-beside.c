//@ engines: explicit, graph; verdict: unknown
#include <threads.h>
static int run(void *a) { return *(int*)0; }
int main(void) { thrd_t t; thrd_create(&t, run, 0); thrd_join(t, 0); return 0; }
