//@ engines: explicit, graph; verdict: unknown
#include <dlfcn.h>
int main(void) { void *h = dlopen("x.so", RTLD_NOW); if (!h) return 1; void (*f)(void) = (void(*)(void))dlsym(h, "f"); if (f) f(); dlclose(h); return 0; }
