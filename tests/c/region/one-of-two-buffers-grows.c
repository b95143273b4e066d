//@ engines: region; verdict: safe
//@ args: --property heap
// Where growing fails nothing was freed, and where it does not, the buffer that was chosen holds what was made.
#include <stdlib.h>
#include <string.h>
struct buffer { char *data; size_t used, size; };
static void *grown(void *old, size_t from, size_t to) {
    void *fresh = malloc(to);
    if (fresh == NULL) return NULL;
    memcpy(fresh, old, from);
    free(old);
    return fresh;
}
static int reserve(struct buffer *b, size_t more) {
    char *data;
    if (b->used + more <= b->size) return 0;
    size_t size = b->used + more + 64;
    if ((data = grown(b->data, b->used, size)) == NULL) return -1;
    b->data = data;
    b->size = size;
    return 0;
}
static struct buffer *new_buffer(void) {
    struct buffer *b = malloc(sizeof *b);
    if (b == NULL) exit(1);
    b->data = malloc(1);
    if (b->data == NULL) exit(1);
    b->used = 0;
    b->size = 1;
    return b;
}
static void put(struct buffer *b, char c) {
    if (reserve(b, 1) != 0) exit(1);
    b->data[b->used++] = c;
}
static void drop(struct buffer *b) { free(b->data); free(b); }
int main(int argc, char **argv) {
    struct buffer *one = new_buffer(), *two = new_buffer();
    for (int i = 0; i < 2; i++) { put(i % 2 ? one : two, 'a'); }
    drop(one);
    drop(two);
    return 0;
}
