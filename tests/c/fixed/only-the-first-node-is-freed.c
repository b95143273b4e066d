//@ engines: explicit; verdict: safe
// A list is more than its first node.
#include <stdlib.h>

struct word {
    int length;
    struct word *next;
};

struct line {
    struct word *words;
    struct line *next;
};

static void line_free(struct line *line)
{
    while (line->words) {
        struct word *next = line->words->next;
        free(line->words);
        line->words = next;
    }
    free(line);
}

static void line_add(struct line *line, int length)
{
    struct word *word = malloc(sizeof *word);
    if (word) {
        word->length = length;
        word->next = line->words;
        line->words = word;
    }
}

int main(void)
{
    struct line *page = NULL;
    for (int i = 0; i < 2; i++) {
        struct line *line = malloc(sizeof *line);
        if (!line)
            break;
        line->words = NULL;
        for (int j = 0; j <= i; j++)
            line_add(line, j);
        line->next = page;
        page = line;
    }
    while (page) {
        struct line *next = page->next;
        line_free(page);
        page = next;
    }
    return 0;
}
