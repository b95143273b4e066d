//@ engines: explicit, graph; verdict: unknown
#include <setjmp.h>
static jmp_buf b;
int main(void) { int *p = 0; if (setjmp(b)) return *p; longjmp(b, 1); }
