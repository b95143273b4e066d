//@ differential
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { struct entry *next; unsigned count; char word[]; };
static struct entry *table[7];

static unsigned hash(const char *s, size_t n)
{
    unsigned h = 5381;
    while (n--)
        h = h * 33 ^ (unsigned char)*s++;
    return h;
}

static void count(const char *s, size_t n)
{
    struct entry **link = &table[hash(s, n) % 7];
    for (; *link; link = &(*link)->next) {
        if (strlen((*link)->word) == n && memcmp((*link)->word, s, n) == 0) {
            (*link)->count++;
            return;
        }
    }
    struct entry *e = malloc(sizeof *e + n + 1);
    if (!e)
        exit(1);
    e->next = NULL;
    e->count = 1;
    memcpy(e->word, s, n);
    e->word[n] = 0;
    *link = e;
}

int main(void)
{
    const char *text = "the cat and the dog and the bird";
    for (const char *p = text; *p;) {
        size_t n = 0;
        while (p[n] && p[n] != ' ')
            n++;
        count(p, n);
        p += n;
        if (*p)
            p++;
    }
    for (int i = 0; i < 7; i++) {
        while (table[i]) {
            struct entry *e = table[i];
            table[i] = e->next;
            printf("%d %s %u\n", i, e->word, e->count);
            free(e);
        }
    }
    return 0;
}
