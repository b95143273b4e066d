//@ engines: overlay; verdict: unsafe
// Cells with a text of unknown length.

#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct line {
    char *text;
    size_t length;
    struct line *next, *prev;
};

static struct line *line_new(size_t length)
{
    struct line *line = malloc(sizeof *line);
    if (!line)
        return NULL;
    line->text = malloc(length + 1);
    if (!line->text) {
        return NULL; //~ leak
    }
    memset(line->text, 'x', length);
    line->text[length] = '\0';
    line->length = length;
    line->next = line->prev = NULL;
    return line;
}

int main(void)
{
    struct line *first = NULL, *last = NULL;
    for (;;) {
        unsigned n = (unsigned)__VERIFIER_nondet_int() % 4096;
        if (n == 0)
            break;
        struct line *line = line_new(n);
        if (!line)
            break;
        line->prev = last;
        if (last)
            last->next = line;
        else
            first = line;
        last = line;
    }
    size_t total = 0;
    while (last) {
        struct line *prev = last->prev;
        total += last->length;
        free(last->text);
        free(last);
        last = prev;
    }
    return total > 100;
}
