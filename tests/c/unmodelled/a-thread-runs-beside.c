//@ engines: explicit, graph; verdict: unknown
#include <pthread.h>
#include <stdlib.h>
static int *shared;
static void *run(void *a) { free(shared); return 0; }
int main(void) { pthread_t t; shared = malloc(4); if (!shared) return 1; if (pthread_create(&t, 0, run, 0)) return 1; pthread_join(t, 0); *shared = 1; return 0; }
