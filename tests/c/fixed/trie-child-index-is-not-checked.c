//@ engines: explicit; verdict: safe
// A trie over the letters a to c. Other letters index past the children.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum { LETTERS = 3 };

struct trie {
    struct trie *child[LETTERS];
};

static struct trie *descend(struct trie *trie, const char *word)
{
    for (; *word; word++) {
        int letter = *word - 'a';
        if (letter < 0 || letter >= LETTERS)
            return NULL;
        if (!trie->child[letter]) {
            trie->child[letter] = calloc(1, sizeof *trie);
            if (!trie->child[letter])
                return NULL;
        }
        trie = trie->child[letter];
    }
    return trie;
}

static void destroy(struct trie *trie)
{
    if (!trie)
        return;
    for (int i = 0; i < LETTERS; i++)
        destroy(trie->child[i]);
    free(trie);
}

int main(void)
{
    static const char *const words[] = { "ab", "ca", "ad" };
    unsigned choice = (unsigned)__VERIFIER_nondet_int() % 3;
    struct trie *root = calloc(1, sizeof *root);
    if (!root)
        return 1;
    descend(root, "ba");
    descend(root, words[choice]);
    destroy(root);
    return 0;
}
