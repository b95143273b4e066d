//@ engines: explicit, graph; verdict: unknown
#include <sys/mman.h>
int main(void) { char *p = mmap(0, 4096, 3, 0x22, -1, 0); if (p == MAP_FAILED) return 1; p[0] = 1; munmap(p, 4096); p[0] = 2; return 0; }
