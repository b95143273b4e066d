//@ engines: overlay; verdict: safe
// The first free place of a global array, and frees by handle.

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
#define MAX 32
struct file { int mode; char *buf; };
static struct file *files[MAX];
static int fopen_(void) {
    for (int i = 0; i < MAX; i++) if (!files[i]) {
        struct file *f = malloc(sizeof *f); if (!f) return -1;
        f->mode = 0; f->buf = malloc(100);
        if (!f->buf) { free(f); return -1; }
        files[i] = f;
        return i;
    }
    return -1;
}
static void fclose_(int h) {
    if (h < 0 || h >= MAX || !files[h]) return;
    free(files[h]->buf);
    free(files[h]);
    files[h] = NULL;
}
int main(void) {
    while (__VERIFIER_nondet_int()) { if (__VERIFIER_nondet_int()) fopen_(); else fclose_(__VERIFIER_nondet_int()); }
    for (int i = 0; i < MAX; i++) if (files[i]) fclose_(i);
    return 0;
}
